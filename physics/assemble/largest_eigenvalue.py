"""The largest eigenvalue of a sparse symmetric matrix: Lanczos' method, every vector made orthogonal to all before it
(Golub & Van Loan, *Matrix Computations*, §10.3). The tridiagonal matrix T that it makes has it as its largest, from
below, after far fewer steps than there are unknowns; that of T is found by halving, counting by Sturm's sequence.
"""

import numpy as np
import scipy.sparse as sp

from ..arithmetic.fixed_order import dot, norm, product

STEPS = 10  # between one look and the next
SETTLED = 1e-6  # what the steps between two looks raise it by at most, relatively, once it is found
LOST = 1e-12  # of the first: a next vector as short as that is rounding, and T has all there is


def largest_eigenvalue(matrix: sp.csr_matrix) -> float:
    """Of one that is positive semidefinite, (n, n)."""
    n = matrix.shape[0]
    start = np.random.default_rng(0).standard_normal(n)
    vectors = [start / norm(start)]
    diagonal: list[float] = []
    beside: list[float] = []
    found = 0.0
    while True:
        ahead = matrix @ vectors[-1]
        diagonal.append(float(dot(ahead, vectors[-1])))
        known = np.array(vectors)
        for _ in range(2):  # what the first leaves of them is rounding, which grows
            ahead = ahead - product(product(known, ahead[:, None]).T, known)[0]
        size = float(norm(ahead))
        ends = len(vectors) == n or size <= LOST * max(diagonal)
        if ends or len(vectors) % STEPS == 0:
            before, found = found, _largest(diagonal, beside)
            if ends or found - before <= SETTLED * found:
                return found
        beside.append(size)
        vectors.append(ahead / size)


def _largest(diagonal: list[float], beside: list[float]) -> float:
    """The largest eigenvalue of a symmetric tridiagonal matrix, to rounding."""
    edge = [0.0, *beside, 0.0]
    low = max(diagonal)
    high = max(d + edge[k] + edge[k + 1] for k, d in enumerate(diagonal))  # Gershgorin's
    while low < (middle := 0.5 * (low + high)) < high:
        if _is_above(middle, diagonal, beside):
            high = middle
        else:
            low = middle
    return high


def _is_above(value: float, diagonal: list[float], beside: list[float]) -> bool:
    """Whether it is more than all eigenvalues: whether all pivots of value − T are positive."""
    pivot = value - diagonal[0]
    for d, b in zip(diagonal[1:], beside, strict=True):
        if pivot <= 0.0:
            return False
        pivot = value - d - b * b / pivot
    return pivot > 0.0
