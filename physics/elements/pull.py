"""Pull of what holds a place that is off by c (3,), with no more than F: spring and integral force f.

With p = k c + f it is p up to |p| = F, and F p/|p| beyond: the Moreau envelope of F |c|,

    E = (|p|² − |f|²)/2k,    beyond (2F|p| − F² − |f|²)/2k,
    ∂E/∂c = s p,    ∂²E/∂c² = s k 1,  beyond s k (1 − p pᵀ/|p|²),    s = min(1, F/|p|).

k = 0: nothing holds it.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Matrix, Vector, dot, plus, plus_dyad, scaled, vector


@kernel
def pull_energy(c: Vector, k: float, f: np.ndarray, most: float) -> float:
    """E of c (3,), f (3,)."""
    force = vector(f)
    p = plus(force, k, c)
    size = sqrt(dot(p, p))
    if size <= most:
        return 0.5 * dot(plus(force, 1.0, p), c)
    return 0.5 * (most * (2.0 * size - most) - dot(force, force)) / k


@kernel
def pull(c: Vector, k: float, f: np.ndarray, most: float) -> Vector:
    """∂E/∂c."""
    p = plus(vector(f), k, c)
    size = sqrt(dot(p, p))
    return scaled(most / size, p) if size > most else p


@kernel
def pull_derivatives(c: Vector, k: float, f: np.ndarray, most: float) -> tuple[Vector, Matrix]:
    """(∂E/∂c, ∂²E/∂c²)."""
    p = plus(vector(f), k, c)
    size = sqrt(dot(p, p))
    part = most / size if size > most else 1.0
    own = part * k
    h = (own, 0.0, 0.0), (0.0, own, 0.0), (0.0, 0.0, own)
    return scaled(part, p), plus_dyad(h, -own / (size * size), p, p) if size > most else h
