"""Twist of a straight isotropic rod (Bergou 2008, §4.2.2, eq. 5): it spreads so that the torque is the same everywhere,
τ = (Θ − Σ m̄)/Σ l/2β between prescribed ends, or none when an end is free.
"""

from .._jit import njit
from .chain import chain
from .frames import bishop, signed_angle, tangents


@njit
def uniform_torque(rods, state, r):
    """τ [N m] of rod r."""
    a, b = chain(rods, state.loose, r)
    if not rods.twisted[r] or not (rods.closed[r] or (state.fixed[a] and state.fixed[b - 2])):
        return 0.0
    return (state.theta[b - 2] - state.theta[a] - rods.natural_twist[r]) / rods.twist_compliance[r]


@njit
def lay_frames(rods, r, x, state):
    """Frames of rod r, which is not `general`, on all its edges at the positions x (N, 3): state.t, u and theta in
    place, as turned about the rod as a held clamp wants it.
    """
    a, b = chain(rods, state.loose, r)
    t, u, theta = state.t[a : b - 1], state.u[a : b - 1], state.theta[a : b - 1]
    torque, turned = uniform_torque(rods, state, r), 0.0
    tangents(x[a:b], t)
    bishop(t, u)
    for j in range(1, b - a - 1):
        turned += torque / rods.twist_rate[a + j] + rods.rest_twist[a + j]
        theta[j] = theta[0] + turned
    for k in range(rods.clamp_start[r], rods.clamp_start[r + 1]):
        e = rods.clamp_edge[k]
        if state.fixed[e]:
            shift = signed_angle(state.u[e], state.clamp_frame[k], state.t[e]) - state.theta[e]
            for j in range(len(theta)):
                theta[j] += shift
            break
