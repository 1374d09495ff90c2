"""Moments on a rod's edges, friction's: the part about the tangent loads the frame, T^j = M^j·t^j, the part across it
is a couple of forces ± M × e/|e|² on the edge's ends.

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
    """Loads of the frames of rod r from the moments on its edges, among e (M, 3) [m]: state.torque in place."""
    load, held = state.torque, state.fixed[rods[r].frame]
    total = whole = 0.0
    first, end = rods[r].frame + 1, rods[r].last + r + 1 + int(rods[r].closed)
    for j in range(first, end):
        length = sqrt(dot(e[j], e[j]))
        load[j] = dot(state.moment[j], e[j]) / length
        total += load[j]
        whole += length
        held = held or state.fixed[j]
    if held or state.fixed[rods[r].last + r + 1]:
        return
    for j in range(first, end):
        load[j] -= total / whole * sqrt(dot(e[j], e[j]))


@kernel
def add_couples(moment: np.ndarray, e: np.ndarray, g: np.ndarray) -> None:
    """Take the couples of moments (m, 3) [N m] on the edges e (m, 3) [m] off the gradient g (m, 3) [N] by them."""
    for j in range(len(e)):
        m, k = moment[j], 1.0 / dot(e[j], e[j])
        g[j, 0] -= k * (m[1] * e[j, 2] - m[2] * e[j, 1])
        g[j, 1] -= k * (m[2] * e[j, 0] - m[0] * e[j, 2])
        g[j, 2] -= k * (m[0] * e[j, 1] - m[1] * e[j, 0])
