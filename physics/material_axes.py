"""First material axes of a rod's edges as vectors, for whoever shows its twist."""

import numpy as np

from .rods.frames import bishop, material_frame, signed_angle, tangents


def material_axes(model, state, r):
    """First material axes (m, 3) on all edges of rod r, ghosts included, at the equilibrium in `state`."""
    rods = model.rods
    a, b = rods.start[r], rods.start[r + 1]
    t, u, theta = np.zeros((b - a - 1, 3)), np.zeros((b - a - 1, 3)), state.theta[a : b - 1]
    tangents(state.x[a:b], t)
    u[0] = state.u[a]
    bishop(t, u)
    if not rods.general[r]:  # uniform torque: the twist is known in closed form (eq. 5)
        torque = 0.0
        if rods.twisted[r]:
            torque = (theta[-1] - theta[0] - rods.natural_twist[r]) / rods.twist_compliance[r]
        inner = slice(a + 1, b - 1)
        twist = torque / rods.twist_rate[inner] + rods.rest_twist[inner]
        theta = theta[0] + np.concatenate([[0.0], np.cumsum(twist)])
        if rods.clamp_start[r] < rods.clamp_start[r + 1]:
            k = rods.clamp_start[r]
            e = rods.clamp_edge[k] - a
            theta += signed_angle(u[e], state.clamp_frame[k], t[e]) - theta[e]
    m1 = np.zeros_like(u)
    material_frame(t, u, theta, m1)
    return m1
