"""Symmetric systems of blocks of three, each coupled with the next one, eliminated block by block, as they are laid:

    B₋ᵀ x₋ + A x + B x₊ = y    leaves    x = s − G x₊,

    P = A − B₋ᵀ G₋,    G = P⁻¹ B,    s = P⁻¹ (y − B₋ᵀ s₋).

P⁻¹ is by cofactors, for P is positive definite: one division, where each of three pivots would wait for the one before
(block_ldl takes 1.3 times as long).
"""

from .._jit import kernel
from ..arithmetic.vectors import Matrix, Vector, dot, transposed


@kernel
def inverse(a: Matrix) -> Matrix:
    """A⁻¹ of a symmetric matrix."""
    x, y = a[1][1] * a[2][2] - a[1][2] * a[1][2], a[0][2] * a[1][2] - a[0][1] * a[2][2]
    z = a[0][1] * a[1][2] - a[0][2] * a[1][1]
    k = 1.0 / (a[0][0] * x + a[0][1] * y + a[0][2] * z)
    p, q = k * (a[0][0] * a[2][2] - a[0][2] * a[0][2]), k * (a[0][1] * a[0][2] - a[0][0] * a[1][2])
    r = k * (a[0][0] * a[1][1] - a[0][1] * a[0][1])
    x, y, z = k * x, k * y, k * z
    return (x, y, z), (y, p, q), (z, q, r)


@kernel
def times(a: Matrix, v: Vector) -> Vector:
    """A v."""
    return dot(a[0], v), dot(a[1], v), dot(a[2], v)


@kernel
def eliminate(p: Matrix, b: Matrix, y: Vector) -> tuple[Matrix, Vector]:
    """Gᵀ and s."""
    own, column = inverse(p), transposed(b)
    return (times(own, column[0]), times(own, column[1]), times(own, column[2])), times(own, y)


@kernel
def taken(b: Matrix, gain: Matrix, s: Vector) -> tuple[Matrix, Vector]:
    """BᵀG and Bᵀs, by which the next block has less; gain: Gᵀ."""
    one, two, three = transposed(b)
    return (times(gain, one), times(gain, two), times(gain, three)), (dot(one, s), dot(two, s), dot(three, s))
