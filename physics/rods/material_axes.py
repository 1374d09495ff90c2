"""First material axes of rods' edges as vectors, for whoever shows their twist."""

import numpy as np

from .._jit import entry
from ..model import Model, State, copied
from .chain import chain_edges, hinges_of
from .frames import bishop, material_frame, tangents
from .isotropic_twist import lay_frames


def material_axes(model: Model, state: State) -> np.ndarray:
    """First material axes (E, 3) on all edges, rod by rod, at the equilibrium in `state`."""
    axes = copied(state, "t", "u", "theta")
    _lay_axes(model, axes)
    rods, shown = model.rods, np.ones(len(axes.u), dtype=bool)
    shown[rods["frame"]] = False  # a ghost edge's, or of a closed rod the last edge's once more
    shown[(rods["last"] + np.arange(len(rods)) + 1)[~rods["closed"]]] = False
    return axes.u[shown]


@entry
def _lay_axes(model: Model, state: State) -> None:
    """What `material_axes` returns, in place of state.u; overwrites the other frames in `state`."""
    for r in range(len(model.rods)):
        if model.rods[r].general:
            i, j = hinges_of(model.rods, r, state.ghosts)
            chain_edges(model.rods, r, state.ghosts, state.x, state.t)
            tangents(state.t[i + r : j + r + 1], state.t[i + r : j + r + 1])
            bishop(state.t[i + r : j + r + 1], state.u[i + r : j + r + 1])
        else:
            lay_frames(model, r, state.x, state, state.t)
    material_frame(state.t, state.u, state.theta, state.u)
