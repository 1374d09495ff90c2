"""First material axes of a rod's edges as vectors, for whoever shows its twist."""

import numpy as np

from .chain import chain
from .frames import bishop, material_frame, tangents
from .uniform_twist import lay_frames


def material_axes(model, state, r):
    """First material axes (m, 3) on all edges of rod r, ghosts of clamps that hold included, at the equilibrium in
    `state`.
    """
    a, b = chain(model.rods[r], state.rods[r])
    now = state._replace(t=state.t.copy(), u=state.u.copy(), theta=state.theta.copy())
    t, u = now.t[a : b - 1], now.u[a : b - 1]
    if model.rods["general"][r]:
        tangents(now.x[a:b], t)
        bishop(t, u)
    else:
        lay_frames(model, r, now.x, now)
    m1 = np.zeros_like(u)
    material_frame(t, u, now.theta[a : b - 1], m1)
    return m1
