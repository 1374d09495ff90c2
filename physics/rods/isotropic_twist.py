"""Twist of a straight isotropic rod (Bergou 2008, §4.2.2, eq. 5): the torque is the same everywhere, but for the loads
T^j on its frames, ∂E/∂θ^j = τ_j − τ_{j+1} = T^j with τ_j at the hinge before edge j,

    τ_i = τ − Σ_{j<i} T^j,    τ = (Θ − Σ m̄ + Σ_i (l_i/2β_i) Σ_{j<i} T^j)/Σ l/2β

between prescribed ends; where only the first is, τ is the sum of all loads; where it is free, nothing.
"""

import numpy as np

from .._jit import kernel
from ..model import Model, State
from .chain import chain_edges, hinges_of
from .frames import bishop, signed_angle, tangents


@kernel
def end_torques(model: Model, state: State, r: int) -> tuple[float, float, float]:
    """(τ of rod r before its first frame's load, that at the last hinge, the largest magnitude of all) [N m]."""
    rods, hinges, load = model.rods, model.hinges, state.torque
    a, b = rods[r].frame, rods[r].last + r + 1
    between = rods[r].closed or (state.fixed[a] and state.fixed[b])
    first = passed = 0.0
    if rods[r].twisted and between:
        first = (state.theta[b] - state.theta[a] - rods[r].natural_twist) / rods[r].twist_compliance
    if not state.rods[r].loaded:
        return first, first, abs(first)
    i, j = hinges_of(rods, r, state.ghosts)
    turned = 0.0
    for k in range(i, j):
        passed += load[k + r]
        turned += passed / hinges[k].twist_rate
    if between:
        first += turned / rods[r].twist_compliance
    elif state.fixed[a]:
        first = passed + load[j + r]
    last, largest = first, 0.0
    for k in range(i, j):
        last -= load[k + r]
        largest = max(largest, abs(last))
    return first, last, largest


@kernel
def lay_frames(model: Model, r: int, x: np.ndarray, state: State, e: np.ndarray) -> None:
    """Frames of rod r, which is not `general`, on all its edges at the positions x (N, 3): state.t, u and theta in
    place, as turned about the rod as a held clamp wants it. The edges are written to e (M, 3).
    """
    rods, hinges, clamps = model.rods, model.hinges, model.clamps
    i, j = hinges_of(rods, r, state.ghosts)
    t, u, theta = state.t[i + r : j + r + 1], state.u[i + r : j + r + 1], state.theta[i + r : j + r + 1]
    torque, turned = end_torques(model, state, r)[0], 0.0
    chain_edges(rods, r, state.ghosts, x, e)
    tangents(e[i + r : j + r + 1], t)
    bishop(t, u)
    for k in range(i, j):
        torque -= state.torque[k + r]
        turned += torque / hinges[k].twist_rate + hinges[k].rest_twist
        theta[k - i + 1] = theta[0] + turned
    for k in range(rods[r].first_clamp, rods[r].end_clamp):
        c = clamps[k].frame
        if state.fixed[c]:
            shift = signed_angle(state.u[c], state.clamp_frame[k], state.t[c]) - state.theta[c]
            for m in range(len(theta)):
                theta[m] += shift
            break
