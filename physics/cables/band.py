"""Factors of a band of blocks of seven unknowns, those of a point and of the segment behind it, each coupled with the
next block alone.

The band is laid by rows from the diagonal on: band[j, k] = A[j, j + k], shape (n, w + 1), for a half-bandwidth w. What
a row has beyond the last column counts for nothing; the last block may be cut short, as a cable's is behind its last
point. See linear/block_ldl: as many pivots are negative as eigenvalues are, which tells a minimum from a saddle; the
row of a negative pivot gives a direction of negative curvature.
"""

import numpy as np

from .._jit import entry
from ..linear.block_ldl import block_elimination, block_row
from .tables import STRIDE

ROW = block_row(STRIDE, STRIDE)
eliminate, resolve, substitute = block_elimination(STRIDE, STRIDE, singular=True)


class BandFactors:
    """Of a band (n, w + 1) + shift 1."""

    def __init__(self, band: np.ndarray, shift: float) -> None:
        self.n = len(band)
        rows = STRIDE * (-(-self.n // STRIDE) + 1)  # and what is behind the last block
        self.a, self.y = np.empty(rows, ROW), np.empty(rows)
        self.negative = int(factorise(band, shift, self.a, self.y))

    @property
    def blocks(self) -> list[tuple[slice, "BandFactors"]]:
        """See linear/border: it is all one."""
        return [(slice(0, self.n), self)]

    def solve(self, b: np.ndarray) -> None:
        """The rows of b (r, n), right-hand sides, become solutions."""
        solve(self.a, b, self.y)

    def negative_direction(self, p: np.ndarray) -> None:
        """p (n,) = L⁻ᵀe of the most negative pivot, which is pᵀAp."""
        negative_direction(self.a, p, self.y)


@entry
def factorise(band: np.ndarray, shift: float, a: np.ndarray, y: np.ndarray) -> int:
    """a (m,) of ROW becomes the factors; y (m,) is scratch. Returns how many pivots are negative."""
    n, width = band.shape
    for j in range(len(a)):
        row, own = a[j].value, j % STRIDE
        for k in range(len(row)):
            row[k] = 0.0
        if j < n:
            for k in range(min(width, n - j, 2 * STRIDE - own)):
                row[own + k] = band[j, k]
            row[own] += shift
        y[j] = row[own]
    return eliminate(a, y, len(a) - STRIDE)


@entry
def solve(a: np.ndarray, b: np.ndarray, y: np.ndarray) -> None:
    """The rows of b (r, n) become solutions."""
    n, count = b.shape[1], len(a) - STRIDE
    for one in b:
        for j in range(len(y)):
            y[j] = one[j] if j < n else 0.0
        resolve(a, y, count)
        substitute(a, y, count)
        for j in range(n):
            one[j] = y[j]


@entry
def negative_direction(a: np.ndarray, p: np.ndarray, y: np.ndarray) -> None:
    """p (n,) = L⁻ᵀe of the most negative pivot."""
    row, lowest = 0, np.inf
    for j in range(len(p)):
        inverse = a[j].value[j % STRIDE]
        if inverse < 0.0 and 1.0 / inverse < lowest:
            row, lowest = j, 1.0 / inverse
    y[:] = 0.0
    y[row] = lowest
    substitute(a, y, len(a) - STRIDE)
    for j in range(len(p)):
        p[j] = y[j]
