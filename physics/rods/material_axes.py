"""First material axes of a rod's edges as vectors, for whoever shows its twist."""

import numpy as np

from ..model import Model, State
from .chain import frame_edges, hinges_of
from .frames import bishop, material_frame, tangents
from .isotropic_twist import lay_frames


def material_axes(model: Model, state: State, r: int) -> np.ndarray:
    """First material axes (m, 3) on all edges of rod r, at the equilibrium in `state`."""
    rod, (i, j) = model.rods[r], hinges_of(model.rods, r, state.ghosts)
    now, e = state._replace(t=state.t.copy(), u=state.u.copy(), theta=state.theta.copy()), np.zeros_like(state.u)
    if rod["general"]:
        e = frame_edges(model.rods, state.ghosts, state.x)
        tangents(e[i + r : j + r + 1], now.t[i + r : j + r + 1])
        bishop(now.t[i + r : j + r + 1], now.u[i + r : j + r + 1])
    else:
        lay_frames(model, r, now.x, now, e)
    own = slice(rod["frame"] + 1, rod["last"] + r + 1 + rod["closed"])
    m1 = np.zeros_like(now.u[own])
    material_frame(now.t[own], now.u[own], now.theta[own], m1)
    return m1
