"""LDLᵀ of a sparse symmetric matrix whose factor's entries are known beforehand (Davis 2006, *Direct Methods for Sparse
Linear Systems*, ch. 4; here column by column: what a column is coupled with, each column that it changes has as well).

The matrix may be quasi-definite: pivots of either sign. A pivot that is zero belongs to something that cannot move;
its unknown stays zero.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, plus, scaled


@kernel
def factorise(column: np.ndarray, below: np.ndarray, diagonal: np.ndarray, entries: np.ndarray) -> None:
    """In place: entries (Z,) below the diagonal become L, diagonal (U,) the inverse pivots."""
    for k in range(len(diagonal)):
        pivot = diagonal[k]
        diagonal[k] = inverse = 1.0 / pivot if pivot != 0.0 else 0.0
        end = column[k + 1]
        for p in range(column[k], end):
            x = entries[p]
            scaled = x * inverse
            diagonal[below[p]] -= scaled * x
            t = column[below[p]]
            for q in range(p + 1, end):
                while below[t] != below[q]:
                    t += 1
                entries[t] -= scaled * entries[q]
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


@kernel
def solve_three(
    order: np.ndarray,
    column: np.ndarray,
    below: np.ndarray,
    entries: np.ndarray,
    inverse: np.ndarray,
    y: np.ndarray,
    f: np.ndarray,
) -> None:
    """f (N, 3) becomes the solution of three sides at once, of the unknowns in `order` (U,), as they are eliminated;
    inverse (U,): of the pivots. Fills y (N, 3), in which rows are in that order.
    """
    for k in range(len(order)):
        y[k, 0], y[k, 1], y[k, 2] = f[order[k], 0], f[order[k], 1], f[order[k], 2]
    for k in range(len(order)):
        u = y[k, 0], y[k, 1], y[k, 2]
        for p in range(column[k], column[k + 1]):
            j, l = below[p], entries[p]
            y[j, 0] -= l * u[0]
            y[j, 1] -= l * u[1]
            y[j, 2] -= l * u[2]
    for k in range(len(order) - 1, -1, -1):
        u, rest = scaled(inverse[k], (y[k, 0], y[k, 1], y[k, 2])), (0.0, 0.0, 0.0)
        p, end = column[k], column[k + 1]
        while p + 1 < end:  # two sums at once, of which neither waits for the other
            u = less(u, entries[p], y, below[p])
            rest = less(rest, entries[p + 1], y, below[p + 1])
            p += 2
        if p < end:
            u = less(u, entries[p], y, below[p])
        u = plus(u, 1.0, rest)
        y[k, 0], y[k, 1], y[k, 2] = u
        i = order[k]
        f[i, 0], f[i, 1], f[i, 2] = u


@kernel
def less(u: Vector, l: float, y: np.ndarray, j: int) -> Vector:
    """u − l y_j."""
    return u[0] - l * y[j, 0], u[1] - l * y[j, 1], u[2] - l * y[j, 2]
