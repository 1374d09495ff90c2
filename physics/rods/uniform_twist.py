"""Twist of a straight isotropic rod (Bergou 2008, §4.2.2, eq. 5): it spreads so that the torque is the same everywhere,
τ = (Θ − Σ m̄)/Σ l/2β between prescribed ends, or none when an end is free.
"""

from .._jit import entry, kernel
from .chain import chain
from .frames import bishop, signed_angle, tangents


@kernel
def uniform_torque(rods, state, r):
    """τ [N m] of rod r."""
    a, b = chain(rods[r], state.rods[r])
    if not rods[r].twisted or not (rods[r].closed or (state.fixed[a] and state.fixed[b - 2])):
        return 0.0
    return (state.theta[b - 2] - state.theta[a] - rods[r].natural_twist) / rods[r].twist_compliance


@entry
def lay_frames(model, r, x, state):
    """Frames of rod r, which is not `general`, on all its edges at the positions x (N, 3): state.t, u and theta in
    place, as turned about the rod as a held clamp wants it.
    """
    rods, hinges, clamps = model.rods, model.hinges, model.clamps
    a, b = chain(rods[r], state.rods[r])
    t, u, theta = state.t[a : b - 1], state.u[a : b - 1], state.theta[a : b - 1]
    torque, turned = uniform_torque(rods, state, r), 0.0
    tangents(x[a:b], t)
    bishop(t, u)
    for j in range(1, b - a - 1):
        turned += torque / hinges[a + j].twist_rate + hinges[a + j].rest_twist
        theta[j] = theta[0] + turned
    for k in range(rods[r].first_clamp, rods[r].end_clamp):
        e = clamps[k].edge
        if state.fixed[e]:
            shift = signed_angle(state.u[e], state.clamp_frame[k], state.t[e]) - state.theta[e]
            for j in range(len(theta)):
                theta[j] += shift
            break
