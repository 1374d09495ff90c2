"""How the stress of the polyconvex energy changes with the deformation, and which deformation has a given stress: see
`domain_elasticity`. numpy only.

With s = β J^(−2/3) and k = α/8 (J³ − J⁻⁵) − s d₂/3J, P = s F + k cof F, and dJ = cof F : dF, d(d₂) = 2 F : dF. Cauchy's
stress σ = P Fᵀ/J is

    σ = α/8 (J³ − J⁻⁵) I + β/J dev b̄,    b̄ = J^(−2/3) F Fᵀ,    det b̄ = 1.

Its pressure tells J; then b̄ = J dev σ/β + c I, where det b̄ = c³ + m c + d = 1, m and d the principal minors' sum and
the determinant of J dev σ/β: of the roots the largest, which leaves b̄ positive. So any stress has its deformation, up
to a turn of the relaxed shape.
"""

import numpy as np

ROUNDS = 60  # of Newton's, which begin on the side from where they go one way


def cofactors(F: np.ndarray) -> np.ndarray:
    """cof F = J F⁻ᵀ of F (t, 3, 3)."""
    a, b, c = np.moveaxis(F, 2, 0)
    return np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=2)


def determinants(F: np.ndarray) -> np.ndarray:
    """(t,) of F (t, 3, 3)."""
    return np.sum(F[:, :, 0] * np.cross(F[:, :, 1], F[:, :, 2]), axis=1)


def inverses(F: np.ndarray) -> np.ndarray:
    """F⁻¹ (t, 3, 3)."""
    return np.swapaxes(cofactors(F), 1, 2) / determinants(F)[:, None, None]


def tangents(F: np.ndarray, bulk: np.ndarray, shear: np.ndarray) -> np.ndarray:
    """∂P_ik/∂F_jl (t, 3, 3, 3, 3) [Pa] at F (t, 3, 3); bulk, shear (t,) [Pa]."""
    cof, J, d2 = cofactors(F), determinants(F), np.sum(F * F, axis=(1, 2))
    s = shear * J ** (-2.0 / 3.0)
    k = 0.125 * bulk * (J**3 - J**-5.0) - s * d2 / (3.0 * J)
    found = np.empty((len(F), 3, 3, 3, 3))
    for j in range(3):
        for l in range(3):
            dF = np.zeros_like(F)
            dF[:, j, l] = 1.0
            dJ = cof[:, j, l]
            ds = -2.0 / 3.0 * s / J * dJ
            dk = 0.125 * bulk * (3.0 * J**2 + 5.0 * J**-6.0) * dJ
            dk -= (ds * d2 + 2.0 * s * F[:, j, l] - s * d2 / J * dJ) / (3.0 * J)
            dcof = cofactors(F + dF) - cof - cofactors(dF)  # of a quadratic form, exactly
            found[:, :, :, j, l] = _times(s, dF) + _times(ds, F) + _times(k, dcof) + _times(dk, cof)
    return found


def deformation_of(stress: np.ndarray, bulk: np.ndarray, shear: np.ndarray) -> np.ndarray:
    """F (t, 3, 3), lower triangles, with this Cauchy stress (t, 3, 3) [Pa]."""
    pressure = np.trace(stress, axis1=1, axis2=2) / 3.0
    load = 8.0 * pressure / bulk
    y = np.where(load > 0.0, np.log1p(np.maximum(load, 0.0)) / 3.0, -np.log1p(np.maximum(-load, 0.0)) / 5.0)
    for _ in range(ROUNDS):  # e^3y − e^−5y = 8 p/α, y = ln J
        y -= (np.exp(3.0 * y) - np.exp(-5.0 * y) - load) / (3.0 * np.exp(3.0 * y) + 5.0 * np.exp(-5.0 * y))
    J, unit = np.exp(y), np.eye(3)
    t = _times(J / shear, stress - _times(pressure, unit))
    m, d = -0.5 * np.sum(t * t, axis=(1, 2)), determinants(t)
    c = np.sqrt(-m) + np.cbrt(np.abs(1.0 - d))
    for _ in range(ROUNDS):
        c -= (c**3 + m * c + d - 1.0) / (3.0 * c**2 + m)
    return _root(_times(J ** (2.0 / 3.0), t + _times(c, unit)))


def _root(b: np.ndarray) -> np.ndarray:
    """Cholesky's factor L, b = L Lᵀ, of b (t, 3, 3)."""
    L = np.zeros_like(b)
    for j in range(3):
        L[:, j, j] = np.sqrt(b[:, j, j] - np.sum(L[:, j, :j] ** 2, axis=1))
        for i in range(j + 1, 3):
            L[:, i, j] = (b[:, i, j] - np.sum(L[:, i, :j] * L[:, j, :j], axis=1)) / L[:, j, j]
    return L


def _times(factor: np.ndarray, matrices: np.ndarray) -> np.ndarray:
    return factor[:, None, None] * matrices
