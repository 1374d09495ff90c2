"""The slowest mode of a soft body under its weight, found apart from what bakes it: Newton's method brings it to rest,
and the least eigenvalue of stiffness there over lumped mass is ω². The energy is (J⁴ + J⁻⁴ − 2) K/32 +
(tr D J^(−2/3) − 3) G/2, its derivatives those of its stress along the imaginary axis. Deformation gradients are those
of tetrahedra, averaged around each edge by volume.
"""

import numpy as np
from scipy.sparse import bsr_array, coo_array, kron
from scipy.sparse.linalg import eigsh, spsolve

STEPS = 3  # in which the weight comes on
SMALL = 1e-20  # imaginary, of a deformation gradient


def lowest_frequency(solid, held, gravity):
    """[Hz], of `solid` whose nodes `held` stand still, under gravity (3,) [m/s²]."""
    slopes, volume, mass = domains(solid)
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


def domains(solid):
    """Slopes (3E, N) [1/m] of the E edges, such that Fᵀ of each are three rows of slopes @ x; volumes (E,) [m³] around
    them, a sixth of each tetrahedron's; and masses (N,) [kg].
    """
    tetrahedra = solid.tetrahedra
    edges = np.swapaxes(solid.x[tetrahedra[:, 1:]] - solid.x[tetrahedra[:, :1]], 1, 2)  # (T, 3, 3): in columns
    volume = np.linalg.det(edges) / 6.0
    inner = np.linalg.inv(edges)
    own = np.concatenate([-inner.sum(axis=1, keepdims=True), inner], axis=1)  # (T, 4, 3): of a node's share
    mass = np.bincount(tetrahedra.ravel(), np.repeat(solid.density * volume / 4.0, 4))
    count = 3 * len(tetrahedra)
    rows, columns = np.repeat(np.arange(count), 4), np.repeat(tetrahedra, 3, axis=0).ravel()
    of_tetrahedra = coo_array((np.swapaxes(own, 1, 2).ravel(), (rows, columns)), shape=(count, len(mass)))
    ends = np.sort(tetrahedra[:, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]], axis=2).reshape(-1, 2)
    _, edge = np.unique(ends, axis=0, return_inverse=True)
    sixth = np.repeat(volume / 6.0, 6)
    around = np.bincount(edge.ravel(), sixth)
    mean = coo_array((sixth / around[edge.ravel()], (edge.ravel(), np.repeat(np.arange(len(volume)), 6))))
    return (kron(mean, np.eye(3)) @ of_tetrahedra).tocsr(), around, mass


def tangent(solid, x, slopes, volume):
    """Gradient (N, 3) [N] of the elastic energy at nodes x (N, 3), and its Hessian (3N, 3N) [N/m]."""
    F = np.swapaxes((slopes @ x).reshape(-1, 3, 3), 1, 2)
    pull = volume[:, None, None] * stress(solid, F)
    turned = np.empty((len(F), 3, 3, 3, 3))  # by Fᵀ as by rows of slopes @ x
    for i, j in np.ndindex(3, 3):
        aside = F.astype(complex)
        aside[:, i, j] += 1j * SMALL
        turned[:, :, :, j, i] = np.swapaxes(stress(solid, aside).imag / SMALL, 1, 2)
    blocks = (volume[:, None, None, None, None] * turned).reshape(-1, 9, 9)
    inside = bsr_array((blocks, np.arange(len(F)), np.arange(len(F) + 1)))
    moves = kron(slopes, np.eye(3)).tocsr()
    return slopes.T @ np.swapaxes(pull, 1, 2).reshape(-1, 3), (moves.T @ inside @ moves).tocsc()


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
