"""Bending and torsion of a cable's joint, between two quaternions a and b (Grégoire 2007, §3.3.3).

    E = ½ l Σ_m B_m (κ_m − κ̄_m)²,    κ = (2/l) vec(ā b),

l the length of cable that the joint stands for, B (3,) the stiffness of bending about the first and the second axis of
the section and of torsion about the third, which is the cable's, κ̄ the rest shape. Two segments of a polygon on a
circle of radius R give |κ| = 1/R exactly, for l is a chord: |κ| = (2/l) sin(θ/2) at an angle θ between them.

vec(ā b) is linear in a and in b: with ∂vec/∂a = A, ∂vec/∂b = C, 3 × 4 each, and M_m = B_m (κ_m − κ̄_m),

    ∂E/∂a = 2 Aᵀ M,    ∂E/∂b = 2 Cᵀ M,    ∂²E/∂a² = (4/l) Aᵀ B A,    ∂²E/∂b² = (4/l) Cᵀ B C,
    ∂²E/∂a∂b = (4/l) Aᵀ B C + 2 Σ_m M_m D_m,    D_m = ∂²vec_m/∂a∂b.
"""

import numpy as np

from .._jit import kernel


@kernel
def curvature(a: np.ndarray, b: np.ndarray, l: float, out: np.ndarray) -> None:
    """out = κ (3,) [1/m] of quaternions a and b (4,)."""
    k = 2.0 / l
    out[0] = k * (a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2])
    out[1] = k * (a[0] * b[2] - a[2] * b[0] - a[3] * b[1] + a[1] * b[3])
    out[2] = k * (a[0] * b[3] - a[3] * b[0] - a[1] * b[2] + a[2] * b[1])


@kernel
def bending_energy(
    a: np.ndarray, b: np.ndarray, l: float, stiffness: np.ndarray, rest: np.ndarray, kappa: np.ndarray
) -> float:
    """E; stiffness (3,) [N m²], rest (3,) κ̄ [1/m]; kappa (3,): κ."""
    curvature(a, b, l, kappa)
    energy = 0.0
    for m in range(3):
        energy += 0.5 * l * stiffness[m] * (kappa[m] - rest[m]) ** 2
    return energy


@kernel
def bending_derivatives(
    a: np.ndarray, b: np.ndarray, l: float, stiffness: np.ndarray, rest: np.ndarray, work: np.ndarray, g: np.ndarray,
    h: np.ndarray,
) -> None:  # fmt: skip
    """g (8,) and h (8, 8), of a first; work (4, 8 or more): A and C, and κ."""
    kappa, s = work[3, :3], work[:3, :8]
    curvature(a, b, l, kappa)
    s[0, 0], s[0, 1], s[0, 2], s[0, 3] = b[1], -b[0], -b[3], b[2]
    s[1, 0], s[1, 1], s[1, 2], s[1, 3] = b[2], b[3], -b[0], -b[1]
    s[2, 0], s[2, 1], s[2, 2], s[2, 3] = b[3], -b[2], b[1], -b[0]
    s[0, 4], s[0, 5], s[0, 6], s[0, 7] = -a[1], a[0], a[3], -a[2]
    s[1, 4], s[1, 5], s[1, 6], s[1, 7] = -a[2], -a[3], a[0], a[1]
    s[2, 4], s[2, 5], s[2, 6], s[2, 7] = -a[3], a[2], -a[1], a[0]
    m0 = 2.0 * stiffness[0] * (kappa[0] - rest[0])
    m1 = 2.0 * stiffness[1] * (kappa[1] - rest[1])
    m2 = 2.0 * stiffness[2] * (kappa[2] - rest[2])
    k = 4.0 / l
    for i in range(8):
        g[i] = m0 * s[0, i] + m1 * s[1, i] + m2 * s[2, i]
        s0, s1, s2 = k * stiffness[0] * s[0, i], k * stiffness[1] * s[1, i], k * stiffness[2] * s[2, i]
        for j in range(8):
            h[i, j] = s0 * s[0, j] + s1 * s[1, j] + s2 * s[2, j]
    d = h[:4, 4:]
    d[0, 1] += m0
    d[1, 0] -= m0
    d[2, 3] -= m0
    d[3, 2] += m0
    d[0, 2] += m1
    d[1, 3] += m1
    d[2, 0] -= m1
    d[3, 1] -= m1
    d[0, 3] += m2
    d[1, 2] -= m2
    d[2, 1] += m2
    d[3, 0] -= m2
    for i in range(4):
        for j in range(4):
            h[4 + j, i] = d[i, j]
