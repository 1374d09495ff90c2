"""Loads T^j on a rod's material frames, about their tangents: friction's.

Spin has no inertia. Where nothing holds a frame of the rod, it spins until nothing is left that turns it as a whole:
of the loads that part is taken off, evenly along the rod, T^j − |e^j| Σ T/Σ |e|. So equilibrium is possible, and what
is lost of the angular momentum is Σ T/Σ |e| times the way from one end to the other: of a closed rod, nothing.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..model import State
from .vectors import dot


@kernel
def load_frames(rods: np.ndarray, r: int, e: np.ndarray, state: State) -> None:
    """Loads of the frames of rod r, whose edges are among e (M, 3) [m]: state.torque in place."""
    load, held = state.torque, state.fixed[rods[r].frame]
    total = whole = 0.0
    first, end = rods[r].frame + 1, rods[r].last + r + 1 + int(rods[r].closed)
    for j in range(first, end):
        load[j] = state.moment[j]
        total += load[j]
        whole += sqrt(dot(e[j], e[j]))
        held = held or state.fixed[j]
    if held or state.fixed[rods[r].last + r + 1]:
        return
    for j in range(first, end):
        load[j] -= total / whole * sqrt(dot(e[j], e[j]))
