"""Conjugate gradients (Hestenes & Stiefel 1952) for a sparse symmetric matrix, preconditioned by its diagonal.

They find a direction in which the matrix is negative, if the right-hand side leads there at all: in k steps they look
through the Krylov space, in which eigenvalues at the ends of the spectrum show first (Lanczos).
"""

from math import sqrt

import numpy as np
import scipy.sparse as sp

MOST_ITERATIONS = 20000  # iterations
NO_CURVATURE = 1e-9  # of the diagonal's, as of a body that slides freely; slow bending has 1e-7 of it


def solve(matrix: sp.csr_matrix, b: np.ndarray, precision: float) -> tuple[np.ndarray, np.ndarray | None]:
    """(x with A x = b but for a part `precision` of b, as far as there is one; a p with pᵀA p < 0, if one was met)."""
    x, r, diagonal = np.zeros_like(b), b.copy(), matrix.diagonal()
    inverse = 1.0 / np.where(diagonal > 0.0, diagonal, 1.0)
    p = inverse * r
    square, enough = _dot(r, p), precision * sqrt(_dot(b, b))
    for _ in range(MOST_ITERATIONS):
        if not sqrt(_dot(r, r)) > enough:
            break
        q = matrix @ p
        power = _dot(p, q)
        flat = NO_CURVATURE * _dot(p, diagonal * p)
        if not power > flat:
            return x, p if power < -flat else None
        step = square / power
        x += step * p
        r -= step * q
        z = inverse * r
        before, square = square, _dot(r, z)
        p = z + square / before * p
    return x, None


def _dot(a: np.ndarray, b: np.ndarray) -> float:
    """Added up by numpy, whose order no library of linear algebra chooses by the processor."""
    return float(np.sum(a * b))
