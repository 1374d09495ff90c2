"""Twist of a straight isotropic rod (Bergou 2008, §4.2.2, eq. 5): it spreads so that the torque is the same everywhere,
τ = (Θ − Σ m̄)/Σ l/2β between prescribed ends, or none when an end is free.
"""

import numpy as np

from .._jit import entry, kernel
from ..model import Model, State
from .chain import chain_edges, hinges_of
from .frames import bishop, signed_angle, tangents


@kernel
def uniform_torque(rods: np.ndarray, state: State, r: int) -> float:
    """τ [N m] of rod r."""
    a, b = rods[r].frame, rods[r].last + r + 1
    if not rods[r].twisted or not (rods[r].closed or (state.fixed[a] and state.fixed[b])):
        return 0.0
    return (state.theta[b] - state.theta[a] - rods[r].natural_twist) / rods[r].twist_compliance


@entry
def lay_frames(model: Model, r: int, x: np.ndarray, state: State, e: np.ndarray) -> None:
    """Frames of rod r, which is not `general`, on all its edges at the positions x (N, 3): state.t, u and theta in
    place, as turned about the rod as a held clamp wants it. The edges are written to e (M, 3).
    """
    rods, hinges, clamps = model.rods, model.hinges, model.clamps
    i, j = hinges_of(rods, r, state.ghosts)
    t, u, theta = state.t[i + r : j + r + 1], state.u[i + r : j + r + 1], state.theta[i + r : j + r + 1]
    torque, turned = uniform_torque(rods, state, r), 0.0
    chain_edges(rods, r, state.ghosts, x, e)
    tangents(e[i + r : j + r + 1], t)
    bishop(t, u)
    for k in range(j - i):
        turned += torque / hinges[i + k].twist_rate + hinges[i + k].rest_twist
        theta[k + 1] = theta[0] + turned
    for k in range(rods[r].first_clamp, rods[r].end_clamp):
        c = clamps[k].frame
        if state.fixed[c]:
            shift = signed_angle(state.u[c], state.clamp_frame[k], state.t[c]) - state.theta[c]
            for m in range(len(theta)):
                theta[m] += shift
            break
