"""Stretching energy for rods that stretch, in place of the inextensibility constraint: Σ_j EA l_j W(λ_j), λ = |e|/l.

W = (λ − 1)²/2 where it is stretched (Hooke) and ln²λ/2 where it is pressed (Hencky): no edge can be pressed to nothing,
however hard a cord recoils. Both agree at λ = 1 up to the stiffness.
"""

from math import log, sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, dot


@kernel
def stretching_energy(e: Vector, length: float, stretch: float) -> float:
    """[J] of an edge e [m] of this rest length [m] and stiffness EA [N]."""
    ratio = sqrt(dot(e, e)) / length
    strain = ratio - 1.0 if ratio >= 1.0 else log(ratio)
    return 0.5 * stretch * strain * strain * length


@kernel
def stress(ratio: float) -> tuple[float, float]:
    """(∂W/∂λ, ∂²W/∂λ²) of an edge stretched to `ratio` times its length."""
    if ratio >= 1.0:
        return ratio - 1.0, 1.0
    strain = log(ratio)
    return strain / ratio, (1.0 - strain) / (ratio * ratio)


@kernel
def add_stretching(x: np.ndarray, closed: bool, stiffness: np.ndarray, length: np.ndarray, f: np.ndarray) -> None:
    """Add the force to f (n, 3) [N]; stiffness EA (m,) [N], length (m,) [m]."""
    n = len(x)
    for j in range(n if closed else n - 1):
        i = j + 1 if j + 1 < n else 0
        bx, by, bz = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2]
        size = sqrt(bx * bx + by * by + bz * bz)
        k = stiffness[j] * stress(size / length[j])[0] / size
        f[j, 0] += k * bx
        f[j, 1] += k * by
        f[j, 2] += k * bz
        f[i, 0] -= k * bx
        f[i, 1] -= k * by
        f[i, 2] -= k * bz
