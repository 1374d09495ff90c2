"""LDLᵀ of a sparse symmetric matrix along a precomputed elimination (Davis 2006, *Direct Methods for Sparse Linear
Systems*, ch. 4; here column by column, every update's target known beforehand).

The matrix may be quasi-definite: pivots of either sign. A pivot that is zero belongs to something that cannot move;
its unknown stays zero.
"""

import numpy as np

from .._jit import kernel


@kernel
def factorise(
    column: np.ndarray, below: np.ndarray, update: np.ndarray, diagonal: np.ndarray, entries: np.ndarray
) -> None:
    """In place: entries (Z,) below the diagonal become L, diagonal (U,) the inverse pivots."""
    t = 0
    for k in range(len(diagonal)):
        pivot = diagonal[k]
        diagonal[k] = inverse = 1.0 / pivot if pivot != 0.0 else 0.0
        end = column[k + 1]
        for p in range(column[k], end):
            x = entries[p]
            scaled = x * inverse
            diagonal[below[p]] -= scaled * x
            for q in range(p + 1, end):
                entries[update[t]] -= scaled * entries[q]
                t += 1
            entries[p] = scaled


@kernel
def solve(column: np.ndarray, below: np.ndarray, diagonal: np.ndarray, entries: np.ndarray, b: np.ndarray) -> None:
    """b (U,) becomes the solution, from what `factorise` left."""
    n = len(diagonal)
    for k in range(n):
        y = b[k]
        for p in range(column[k], column[k + 1]):
            b[below[p]] -= entries[p] * y
    for k in range(n - 1, -1, -1):
        y = b[k] * diagonal[k]
        for p in range(column[k], column[k + 1]):
            y -= entries[p] * b[below[p]]
        b[k] = y
