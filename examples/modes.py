"""The slowest mode of a soft body under its weight, found apart from what bakes it: Newton's method brings it to rest,
and the least eigenvalue of stiffness there over lumped mass is ω². The energy is (J⁴ + J⁻⁴ − 2) K/32 +
(tr D J^(−2/3) − 3) G/2, its derivatives those of its stress along the imaginary axis.
"""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.linalg import eigsh, spsolve

STEPS = 3  # in which the weight comes on
SMALL = 1e-20  # imaginary, of a deformation gradient


def lowest_frequency(solid, held, gravity):
    """[Hz], of `solid` whose nodes `held` stand still, under gravity (3,) [m/s²]."""
    tetrahedra = solid.tetrahedra
    edges = np.swapaxes(solid.x[tetrahedra[:, 1:]] - solid.x[tetrahedra[:, :1]], 1, 2)  # (T, 3, 3): in columns
    volume = np.linalg.det(edges) / 6.0
    slopes = np.linalg.inv(edges)
    slopes = np.concatenate([-slopes.sum(axis=1, keepdims=True), slopes], axis=1)  # (T, 4, 3): of a node's share
    mass = np.bincount(tetrahedra.ravel(), np.repeat(solid.density * volume / 4.0, 4))
    free = np.setdiff1d(np.arange(len(mass)), held)
    x = solid.x.copy()
    for part in np.arange(1, STEPS + 1) / STEPS:
        for _ in range(20):
            force, stiffness = tangent(solid, x, slopes, volume)
            missing = force[free] - part * mass[free, None] * gravity
            move = spsolve(of_nodes(stiffness, free), -missing.ravel(), "MMD_AT_PLUS_A").reshape(-1, 3)
            x[free] += move
            if np.abs(move).max() < 1e-9 * np.ptp(solid.x):
                break
        else:
            raise ArithmeticError("It finds no rest under its weight")
    heavy = np.sqrt(np.repeat(mass[free], 3))
    scaled = of_nodes(tangent(solid, x, slopes, volume)[1], free) / heavy[:, None] / heavy[None]
    least = eigsh(scaled.tocsc(), k=1, sigma=0.0, return_eigenvectors=False)[0]
    return np.sqrt(least) / (2.0 * np.pi)


def tangent(solid, x, slopes, volume):
    """Gradient (N, 3) [N] of the elastic energy at nodes x (N, 3), and its Hessian (3N, 3N) [N/m]."""
    tetrahedra = solid.tetrahedra
    F = np.einsum("tai,taj->tij", x[tetrahedra], slopes)
    pull = np.einsum("t,tij,taj->tai", volume, stress(solid, F), slopes)
    force = np.zeros_like(x)
    np.add.at(force, tetrahedra, pull)
    turned = np.empty((len(F), 3, 3, 3, 3))
    for i, j in np.ndindex(3, 3):
        aside = F.astype(complex)
        aside[:, i, j] += 1j * SMALL
        turned[:, :, :, i, j] = stress(solid, aside).imag / SMALL
    blocks = np.einsum("t,tikjl,tak,tbl->taibj", volume, turned, slopes, slopes, optimize=True)
    unknowns = (3 * tetrahedra[:, :, None] + np.arange(3)).reshape(len(F), 12)
    rows, columns = np.repeat(unknowns, 12, axis=1), np.tile(unknowns, 12)
    return force, coo_array((blocks.ravel(), (rows.ravel(), columns.ravel())), shape=(x.size, x.size)).tocsc()


def stress(solid, F):
    """The first Piola–Kirchhoff stress (T, 3, 3) [Pa] at deformation gradients F (T, 3, 3)."""
    shear = solid.young / (2.0 * (1.0 + solid.poisson))
    bulk = solid.young / (3.0 * (1.0 - 2.0 * solid.poisson))
    J = np.linalg.det(F)[:, None, None]
    across = np.swapaxes(np.linalg.inv(F), 1, 2)
    squares = np.einsum("tij,tij->t", F, F)[:, None, None]
    return bulk / 8.0 * (J**4 - J**-4) * across + shear * J ** (-2.0 / 3.0) * (F - squares / 3.0 * across)


def of_nodes(matrix, nodes):
    """The rows and columns of a (3N, 3N) matrix that are those of nodes."""
    unknowns = (3 * nodes[:, None] + np.arange(3)).ravel()
    return matrix[unknowns][:, unknowns]
