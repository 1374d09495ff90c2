"""Elastic energy of a tetrahedron per relaxed volume, and its stress P = ∂φ/∂F, the first one of Piola and Kirchhoff.

With D = FᵀF, J = det F, d₀ = det D = J², d₁ the sum of D's principal 2 × 2 minors and d₂ = tr D, Liesenfeld & Stolfi
(1997), eq. (16), take

    φ = α/32 (d₀² + d₀⁻² − 2) + β/6 (d₂² − 3d₁),    P = α/8 (J³ − J⁻⁵) cof F + β (F D − d₂ F/3),

α the bulk modulus K and β the shear modulus G at small strain, for d₂² − 3d₁ = 3/2 ‖dev D‖². It loses ellipticity where
λ² of one stretch is more than twice the sum of the others': a bar pulled to twice its length folds. A polyconvex shear
term, of the same moduli, does not (Ciarlet 1988, *Mathematical Elasticity* I, §4.9; Charrier et al. 1988):

    φ = α/32 (d₀² + d₀⁻² − 2) + β/2 (d₂ d₀^(−1/3) − 3),
    P = α/8 (J³ − J⁻⁵) cof F + β J^(−2/3) (F − d₂/3J cof F).

Forces on corners 1, 2, 3 are the columns of −V P A⁻ᵀ, that on corner 0 is minus their sum.
"""

import numpy as np

from .._jit import kernel
from ..rods.vectors import Vector, cross, dot

Columns = tuple[Vector, Vector, Vector]


@kernel
def combined(a: float, u: Vector, b: float, v: Vector) -> Vector:
    """a u + b v."""
    return a * u[0] + b * v[0], a * u[1] + b * v[1], a * u[2] + b * v[2]


@kernel
def sum_of(a: float, u: Vector, b: float, v: Vector, c: float, w: Vector) -> Vector:
    """a u + b v + c w."""
    return a * u[0] + b * v[0] + c * w[0], a * u[1] + b * v[1] + c * w[1], a * u[2] + b * v[2] + c * w[2]


@kernel
def edge_from(x: np.ndarray, i: int, j: int) -> Vector:
    """From row i of x (n, 3) to row j."""
    return x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]


@kernel
def gradient(tetrahedron: np.record, x: np.ndarray) -> Columns:
    """Columns of B A⁻¹ of a TETRAHEDRON: F where x (n, 3) are places, dF/dt where they are velocities."""
    node, inverse = tetrahedron.node, tetrahedron.inverse
    a, b, c = edge_from(x, node[0], node[1]), edge_from(x, node[0], node[2]), edge_from(x, node[0], node[3])
    return (
        sum_of(inverse[0, 0], a, inverse[1, 0], b, inverse[2, 0], c),
        sum_of(inverse[0, 1], a, inverse[1, 1], b, inverse[2, 1], c),
        sum_of(inverse[0, 2], a, inverse[1, 2], b, inverse[2, 2], c),
    )


@kernel
def cofactors(F: Columns) -> Columns:
    """cof F = J F⁻ᵀ."""
    return cross(F[1], F[2]), cross(F[2], F[0]), cross(F[0], F[1])


@kernel
def inverse_cube_root(J: float) -> float:
    """J^(−1/3), to round-off, without a division and several times as fast as the library's: its series around 1, near
    which J mostly is, and that of what is left, 1 − r.
    """
    if not 0.6 < J < 1.5:
        return 1.0 / np.cbrt(J)
    e = 1.0 - J
    y = 1.0 + e * (1.0 / 3.0 + e * (2.0 / 9.0))
    r = 1.0 - J * y * y * y
    y += y * r * (1.0 / 3.0 + r * (2.0 / 9.0 + r * (14.0 / 81.0)))
    r = 1.0 - J * y * y * y
    return y + y * r * (1.0 / 3.0 + r * (2.0 / 9.0))


@kernel
def stress(F: Columns, cof: Columns, J: float, bulk: float, shear: float) -> Columns:
    """P [Pa] of the polyconvex energy."""
    root = inverse_cube_root(J)
    s, inverse = shear * root * root, root * root * root
    square = inverse * inverse
    d2 = dot(F[0], F[0]) + dot(F[1], F[1]) + dot(F[2], F[2])
    k = 0.125 * bulk * (J * J * J - inverse * square * square) - s * d2 * inverse / 3.0
    return combined(s, F[0], k, cof[0]), combined(s, F[1], k, cof[1]), combined(s, F[2], k, cof[2])


@kernel
def stress_of_16(F: Columns, cof: Columns, J: float, bulk: float, shear: float) -> Columns:
    """P [Pa] of eq. (16)."""
    inverse = 1.0 / J
    square = inverse * inverse
    k = 0.125 * bulk * (J * J * J - inverse * square * square)
    a, b, c = dot(F[0], F[0]), dot(F[1], F[1]), dot(F[2], F[2])
    d, e, f = shear * dot(F[1], F[2]), shear * dot(F[2], F[0]), shear * dot(F[0], F[1])
    third = (a + b + c) / 3.0
    a, b, c = shear * (a - third), shear * (b - third), shear * (c - third)
    p, q, r = sum_of(a, F[0], f, F[1], e, F[2]), sum_of(f, F[0], b, F[1], d, F[2]), sum_of(e, F[0], d, F[1], c, F[2])
    return combined(1.0, p, k, cof[0]), combined(1.0, q, k, cof[1]), combined(1.0, r, k, cof[2])


@kernel
def scatter(tetrahedron: np.record, P: Columns, f: np.ndarray) -> None:
    """Add a TETRAHEDRON's forces to f (n, 3) [N]; P [Pa m³]: its stress times its relaxed volume."""
    node, inverse = tetrahedron.node, tetrahedron.inverse
    a = sum_of(inverse[0, 0], P[0], inverse[0, 1], P[1], inverse[0, 2], P[2])
    b = sum_of(inverse[1, 0], P[0], inverse[1, 1], P[1], inverse[1, 2], P[2])
    c = sum_of(inverse[2, 0], P[0], inverse[2, 1], P[1], inverse[2, 2], P[2])
    pull(a, f, node[1])
    pull(b, f, node[2])
    pull(c, f, node[3])
    pull((-a[0] - b[0] - c[0], -a[1] - b[1] - c[1], -a[2] - b[2] - c[2]), f, node[0])


@kernel
def pull(u: Vector, f: np.ndarray, i: int) -> None:
    """Take u from row i of f (n, 3)."""
    f[i, 0] -= u[0]
    f[i, 1] -= u[1]
    f[i, 2] -= u[2]
