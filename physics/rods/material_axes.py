"""First material axes of rods' edges as vectors, for whoever shows their twist."""

import numpy as np

from .._jit import entry
from ..model import Model, State, copied
from .chain import chain_edges, hinges_of
from .frames import bishop, material_frame, tangents
from .isotropic_twist import lay_frames


def material_axes(model: Model, state: State) -> np.ndarray:
    """First material axes (E, 3) on all edges, rod by rod, at the equilibrium in `state`."""
    return laid_over(model, copied(state, "t", "u", "theta"))


def laid_over(model: Model, state: State) -> np.ndarray:
    """The same, over the frames in `state`."""
    return state.u[: _lay_axes(model, state)]


@entry
def _lay_axes(model: Model, state: State) -> int:
    """Put them in the first rows of state.u, and overwrite the other frames in `state`; returns how many there are."""
    count = 0
    for r in range(len(model.rods)):
        if model.rods[r].general:
            i, j = hinges_of(model.rods, r, state.ghosts)
            chain_edges(model.rods, r, state.ghosts, state.x, state.t)
            tangents(state.t[i + r : j + r + 1], state.t[i + r : j + r + 1])
            bishop(state.t[i + r : j + r + 1], state.u[i + r : j + r + 1])
        else:
            lay_frames(model, r, state.x, state, state.t)
    material_frame(state.t, state.u, state.theta, state.u)
    for r in range(len(model.rods)):
        begin = model.rods[r].frame + 1  # behind a ghost edge, or of a closed rod the last edge once more
        for f in range(begin, begin + model.rods[r].last - model.rods[r].first + int(model.rods[r].closed)):
            for c in range(3):
                state.u[count, c] = state.u[f, c]
            count += 1
    return count
