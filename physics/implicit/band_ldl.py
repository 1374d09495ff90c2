"""LDLᵀ of a symmetric band matrix with a border, without pivoting, block by block (Golub & Van Loan, *Matrix
Computations*, §4.2, 4.3).

    [ A   C ] [ x ]   [ y ]
    [ Cᵀ  S ] [ z ] = [ b ],    S − Cᵀ A⁻¹ C and b − Cᵀ A⁻¹ y are left of the border once A is eliminated.

The columns of a block all reach down to the same row: eliminating them changes a square behind them, once for them all.

It serves indefinite matrices too where no pivot vanishes, and then tells their inertia: as many pivots are negative as
eigenvalues are (Sylvester).
"""

from collections.abc import Callable

import numpy as np

from .._jit import kernel


def band_elimination(size: int, width: int) -> tuple[Callable, Callable, Callable]:
    """The kernels (eliminate, resolve, substitute) for blocks of 4 or 5 columns, `size`, of which the first has `width`
    entries below the diagonal, and each of the others one less than that before it.
    """
    front = width + 1

    @kernel
    def eliminate(a: np.ndarray, y: np.ndarray, count: int, c: np.ndarray, s: np.ndarray, b: np.ndarray) -> int:
        """A[j + r, j] in a[j, r], a (n + width or more, width + 1), becomes 1/D and L; y (n + width or more,) D⁻¹L⁻¹y,
        c (n, k) D⁻¹L⁻¹C. All of a beyond n, which is `count`, is zero. s (k, k), on and below its diagonal, and b (k,)
        become what is left.

        Returns how many pivots are negative.
        """
        negative, most, coupled = 0, c.shape[1], 0  # as many columns of C are not zero any more
        for first in range(0, count, size):
            block = a[first : first + front]
            negative += eliminate_block(block)
            forward(block, y[first : first + front])
            for j in range(first, first + size):
                for k in range(coupled, most):
                    if c[j, k] != 0.0:
                        coupled = k + 1
            if coupled > 0:
                for k in range(coupled):
                    forward(block, c[first : first + front, k])
                reduce(block, y[first : first + size], c[first : first + size, :coupled], s, b)
            for k in range(size):
                y[first + k] *= block[k, 0]
        return negative

    @kernel
    def reduce(a: np.ndarray, y: np.ndarray, c: np.ndarray, s: np.ndarray, b: np.ndarray) -> None:
        """What one block, y (size,) and c (size, k) of which went forward, takes from the border; c becomes D⁻¹ c."""
        for k in range(c.shape[1]):
            for q in range(k + 1):
                value = s[k, q]
                for j in range(size):
                    value -= c[j, k] * a[j, 0] * c[j, q]
                s[k, q] = value
        for k in range(c.shape[1]):
            for j in range(size):
                c[j, k] *= a[j, 0]
                b[k] -= c[j, k] * y[j]

    @kernel
    def eliminate_block(a: np.ndarray) -> int:
        """The first block of a (front, width + 1). Returns how many of its pivots are negative."""
        negative = 0
        for k in range(size):
            if a[k, 0] < 0.0:
                negative += 1
            a[k, 0] = 1.0 / a[k, 0]
            for m in range(k + 1, size):
                l = a[k, 0] * a[k, m - k]
                for q in range(front - m):
                    a[m, q] -= l * a[k, m - k + q]
        d0, d1, d2, d3, d4 = a[0, 0], a[1, 0], a[2, 0], a[3, 0], a[size - 1, 0]
        for m in range(size, front):
            l0, l1, l2, l3 = d0 * a[0, m], d1 * a[1, m - 1], d2 * a[2, m - 2], d3 * a[3, m - 3]
            l4 = d4 * a[4, m - 4] if size > 4 else 0.0
            for q in range(front - m):
                change = l0 * a[0, m + q] + l1 * a[1, m - 1 + q] + l2 * a[2, m - 2 + q] + l3 * a[3, m - 3 + q]
                if size > 4:
                    change += l4 * a[4, m - 4 + q]
                a[m, q] -= change
        for k in range(size):
            for r in range(1, front - k):
                a[k, r] *= a[k, 0]
        return negative

    @kernel
    def forward(a: np.ndarray, y: np.ndarray) -> None:
        """Take from y (front,), or as much of it as there is, what the first block is coupled with."""
        for k in range(size):
            for m in range(k + 1, size):
                y[m] -= a[k, m - k] * y[k]
        for m in range(size, len(y)):
            value = y[m]
            for k in range(size):
                value -= a[k, m - k] * y[k]
            y[m] = value

    @kernel
    def resolve(a: np.ndarray, y: np.ndarray, count: int, c: np.ndarray, b: np.ndarray) -> None:
        """The same for another y and b, from what `eliminate` left of a and c."""
        begin = 0
        while begin < count and y[begin] == 0.0:
            begin += 1
        for first in range(begin - begin % size, count, size):
            forward(a[first : first + front], y[first : first + front])
            for j in range(first, first + size):
                for k in range(c.shape[1]):
                    b[k] -= c[j, k] * y[j]
                y[j] *= a[j, 0]

    @kernel
    def substitute(a: np.ndarray, y: np.ndarray, count: int, c: np.ndarray, z: np.ndarray) -> None:
        """y becomes x, from what `eliminate` left and the border's z (k,)."""
        for j in range(count - 1, -1, -1):
            value = y[j]
            for k in range(c.shape[1]):
                value -= c[j, k] * z[k]
            for r in range(width):  # the one that is known last comes last
                value -= a[j, width - r] * y[j + width - r]
            y[j] = value

    return eliminate, resolve, substitute
