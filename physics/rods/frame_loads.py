"""Loads T^j on a rod's material frames, about their tangents: friction's, and those of torques from outside.

Spin has no inertia, but of rods that roll. Where nothing holds a frame of the rod, it spins until nothing is left that
turns it as a whole: of the loads that part is taken off, evenly along the rod, T^j − |e^j| Σ T/Σ |e|. What is lost of
the angular momentum is Σ T/Σ |e| times the way from one end to the other: of a closed rod, nothing. Likewise, where
what a rod is pressed to turns its frames by more than its sections bear, they spin until it slides: loads never wind a
section up by more than WOUND, and those under which there is no equilibrium are halved until there is.
"""

from math import inf, sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import dot
from ..model import State

WOUND = 1.0  # rad from edge to edge


@kernel
def load_frames(rods: np.ndarray, r: int, e: np.ndarray, state: State) -> None:
    """Loads of the frames of rod r, whose edges are among e (M, 3) [m]: state.torque in place."""
    load, held = state.torque, state.fixed[rods[r].frame] or rods[r].rolls
    total = whole = 0.0
    first, end = rods[r].frame + 1, rods[r].last + r + 1 + int(rods[r].closed)
    for j in range(first, end):
        size = sqrt(dot(e[j], e[j]))
        load[j] = state.moment[j] + dot(state.fields[j - r - 1].torque, e[j]) / (size + 1e-300)
        total += load[j]
        whole += size
        held = held or state.fixed[j]
    if held or state.fixed[rods[r].last + r + 1]:
        return
    for j in range(first, end):
        load[j] -= total / whole * sqrt(dot(e[j], e[j]))


@kernel
def lighten(rods: np.ndarray, r: int, share: float, state: State) -> None:
    """Leave this share of the loads of rod r: of friction's for good, of others until they are laid anew."""
    for j in range(rods[r].frame, rods[r].last + r + 2):
        state.moment[j] *= share
        state.torque[j] *= share


@kernel
def share_borne(load: np.ndarray, twist_rate: np.ndarray) -> float:
    """The share of the loads (n + 1,) [N m] that winds none of n hinges of these twist rates [N m] up by more than
    WOUND, wherever the rod is held.
    """
    passed = least = most = 0.0
    weakest = inf
    for i in range(len(twist_rate)):
        passed += load[i]
        least, most = min(least, passed), max(most, passed)
        if twist_rate[i] > 0.0:
            weakest = min(weakest, twist_rate[i])
    return min(1.0, WOUND * weakest / (most - least)) if most > least else 1.0
