"""Elastic energy of a domain per relaxed volume, and its stress P = ∂φ/∂F, the first one of Piola and Kirchhoff.

With D = FᵀF, J = det F, d₀ = det D = J², d₁ the sum of D's principal 2 × 2 minors and d₂ = tr D, Liesenfeld & Stolfi
(1997), eq. (16), take

    φ = α/32 (d₀² + d₀⁻² − 2) + β/6 (d₂² − 3d₁),    P = α/8 (J³ − J⁻⁵) cof F + β (F D − d₂ F/3),

α the bulk modulus K and β the shear modulus G at small strain, for d₂² − 3d₁ = 3/2 ‖dev D‖². It loses ellipticity where
λ² of one stretch is more than twice the sum of the others': a bar pulled to twice its length folds. A polyconvex shear
term, of the same moduli, does not (Ciarlet 1988, *Mathematical Elasticity* I, §4.9; Charrier et al. 1988):

    φ = α/32 (d₀² + d₀⁻² − 2) + β/2 (d₂ d₀^(−1/3) − 3),
    P = α/8 (J³ − J⁻⁵) cof F + β J^(−2/3) (F − d₂/3J cof F).
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import dot
from .deformation_gradient import Columns, cofactors, combined, sum_of
from .domain_lanes import columns, put


@kernel
def energy_density(F: Columns, bulk: float, shear: float, paper: bool) -> float:
    """φ [J/m³] of a domain's moduli [Pa], of eq. (16) as printed or polyconvex."""
    cof = cofactors(F)
    J = dot(F[0], cof[0])
    d0, d1 = J * J, dot(cof[0], cof[0]) + dot(cof[1], cof[1]) + dot(cof[2], cof[2])
    d2 = dot(F[0], F[0]) + dot(F[1], F[1]) + dot(F[2], F[2])
    volumetric = bulk / 32.0 * (d0 - 1.0 / d0) ** 2
    if paper:
        return volumetric + shear / 6.0 * (d2 * d2 - 3.0 * d1)
    root = inverse_cube_root(J)
    return volumetric + 0.5 * shear * (d2 * root * root - 3.0)


@kernel
def is_near_one(J: float) -> bool:
    """Whether series around 1 hold to round-off."""
    return 0.6 < J < 1.5


@kernel
def inverse_cube_root(J: float) -> float:
    """J^(−1/3), to round-off."""
    return root_near_one(J) if is_near_one(J) else 1.0 / np.cbrt(J)


@kernel
def root_near_one(J: float) -> float:
    """J^(−1/3), without a division and several times as fast as the library's: its series around 1, near which J mostly
    is, and that of what is left, 1 − r.
    """
    e = 1.0 - J
    y = 1.0 + e * (1.0 / 3.0 + e * (2.0 / 9.0))
    r = 1.0 - J * y * y * y
    y += y * r * (1.0 / 3.0 + r * (2.0 / 9.0 + r * (14.0 / 81.0)))
    r = 1.0 - J * y * y * y
    return y + y * r * (1.0 / 3.0 + r * (2.0 / 9.0))


@kernel
def stress(F: Columns, cof: Columns, J: float, root: float, bulk: float, shear: float) -> Columns:
    """P [Pa] of the polyconvex energy; root: J^(−1/3)."""
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
def elastic_stresses(here: np.record, count: int, paper: bool) -> None:
    """P and J of LANES, of eq. (16) as printed or of the polyconvex energy."""
    if paper:
        for l in range(count):
            F = columns(here.F, l)
            cof = cofactors(F)
            J = here.J[l] = dot(F[0], cof[0])
            put(stress_of_16(F, cof, J, here.bulk[l], here.shear[l]), here.P, l)
        return
    for l in range(count):
        F = columns(here.F, l)
        cof = cofactors(F)
        J = here.J[l] = dot(F[0], cof[0])
        put(stress(F, cof, J, root_near_one(J), here.bulk[l], here.shear[l]), here.P, l)
    l = next_far(here, 0, count)
    while l < count:  # these few are done again
        F, J = columns(here.F, l), here.J[l]
        put(stress(F, cofactors(F), J, inverse_cube_root(J), here.bulk[l], here.shear[l]), here.P, l)
        l = next_far(here, l + 1, count)


@kernel
def next_far(here: np.record, l: int, count: int) -> int:
    """The first of LANES from l on whose J is far from 1, or `count`."""
    while l < count and is_near_one(here.J[l]):
        l += 1
    return l
