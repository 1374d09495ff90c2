"""How far points of a body have come but for a motion of the whole, which leaves distances between them as they are.

What map of X about their mean, A S⁻¹ with A = Σ (x − x̄)(X − X̄)ᵀ and S = Σ (X − X̄)(X − X̄)ᵀ, leaves least, is F, and each
turn by

    ω = 3/2 Σ R_k × F_k / |Σ R_k · F_k|

takes a rotation R nearer to that in F, R_k and F_k being columns (Müller, Bender, Chentanez & Macklin 2016, *A Robust
Method to Extract the Rotational Part of Deformations*; the 3/2 is right where F is a rotation). With any R, distances
change by twice what is left at most: it need not be the best, and where R = 1 leaves less, that counts.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.turns import Quaternion, product, turned, unit
from ..arithmetic.vectors import Matrix, Vector, cross, dot, plus, plus_dyad, scaled, vector

TURNS = 16  # at most,
ENOUGH = 1e-4  # rad, that the last one is no more than
FLAT = 1e-12  # det S over (tr S)³


@kernel
def ways_of(x: np.ndarray, x0: np.ndarray) -> tuple[float, float]:
    """How far [m] points have come at most from x0 to x (n, 3), and but for a motion of the whole; or no end."""
    origin, origin0, count, far = vector(x[0]), vector(x0[0]), len(x), 0.0
    mean = mean0 = (0.0, 0.0, 0.0)
    a = b = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for i in range(count):
        d, d0 = plus(vector(x[i]), -1.0, origin), plus(vector(x0[i]), -1.0, origin0)
        mean, mean0 = plus(mean, 1.0, d), plus(mean0, 1.0, d0)
        a, b = plus_dyad(a, 1.0, d0, d), plus_dyad(b, 1.0, d0, d0)
    a, b = plus_dyad(a, -1.0 / count, mean0, mean), plus_dyad(b, -1.0 / count, mean0, mean0)
    middle, middle0 = plus(origin, 1.0 / count, mean), plus(origin0, 1.0 / count, mean0)
    turn = turn_of(map_of(a, b))
    shift, within, turning = plus(middle, -1.0, middle0), 0.0, 0.0
    for i in range(count):
        d, d0 = plus(vector(x[i]), -1.0, vector(x0[i])), plus(vector(x0[i]), -1.0, middle0)
        e = plus(plus(vector(x[i]), -1.0, middle), -1.0, turned(turn, d0))
        u = plus(d, -1.0, shift)
        far, within, turning = max(far, dot(d, d)), max(within, dot(u, u)), max(turning, dot(e, e))
        if not dot(d, d) + dot(e, e) < np.inf:
            return np.inf, np.inf
    return sqrt(far), sqrt(min(within, turning))


@kernel
def map_of(a: Matrix, s: Matrix) -> Matrix:
    """F, of the columns of A and S; or A, of points that are in a plane."""
    p, q, r = cross(s[1], s[2]), cross(s[2], s[0]), cross(s[0], s[1])
    determinant, size = dot(s[0], p), s[0][0] + s[1][1] + s[2][2]
    if not determinant > FLAT * size * size * size:
        return a
    k = 1.0 / determinant
    return mixed(a, scaled(k, p)), mixed(a, scaled(k, q)), mixed(a, scaled(k, r))


@kernel
def mixed(a: Matrix, u: Vector) -> Vector:
    """A u, of the columns of A."""
    return plus(plus(scaled(u[0], a[0]), u[1], a[1]), u[2], a[2])


@kernel
def turn_of(a: Matrix) -> Quaternion:
    """R as a unit quaternion, of the columns of F."""
    q = 1.0, 0.0, 0.0, 0.0
    for _ in range(TURNS):
        u, v, w = axes(q)
        turn = plus(plus(cross(u, a[0]), 1.0, cross(v, a[1])), 1.0, cross(w, a[2]))
        size = sqrt(dot(turn, turn))
        whole = abs(dot(u, a[0]) + dot(v, a[1]) + dot(w, a[2])) + size  # which is no less, and never 0
        if not size > ENOUGH * whole:
            break
        x, y, z = scaled(0.75 / whole, turn)  # half of it
        q = unit(product((1.0, x, y, z), q))
    return q


@kernel
def axes(q: Quaternion) -> Matrix:
    """The columns of R."""
    return turned(q, (1.0, 0.0, 0.0)), turned(q, (0.0, 1.0, 0.0)), turned(q, (0.0, 0.0, 1.0))
