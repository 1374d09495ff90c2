"""First material axes of rods' edges as vectors, for whoever shows their twist."""

import numpy as np

from ..model import Model, State, copied
from .chain import frame_edges, hinges_of
from .frames import bishop, material_frame, tangents
from .isotropic_twist import lay_frames


def material_axes(model: Model, state: State) -> list[np.ndarray]:
    """First material axes (m, 3) on all edges of each rod, at the equilibrium in `state`: a list (R,)."""
    now, e = copied(state, "t", "u", "theta"), frame_edges(model.rods, state.ghosts, state.x)
    m1 = np.zeros_like(now.u)
    found = []
    for r, rod in enumerate(model.rods):
        if rod["general"]:
            i, j = hinges_of(model.rods, r, state.ghosts)
            between = slice(i + r, j + r + 1)
            tangents(e[between], now.t[between])
            bishop(now.t[between], now.u[between])
        else:
            lay_frames(model, r, now.x, now, e)
        own = slice(rod["frame"] + 1, rod["last"] + r + 1 + rod["closed"])
        material_frame(now.t[own], now.u[own], now.theta[own], m1[own])
        found.append(m1[own])
    return found
