"""LDLᵀ of a symmetric band, without pivoting, in place (Golub & Van Loan, *Matrix Computations*, §4.3).

The band is stored by rows from the diagonal on: a[j, k] = A[j, j + k], shape (n, w + 1), for a half-bandwidth w; what a
row has beyond the last column counts for nothing. Blocks of b unknowns, each coupled with the r blocks behind it, have
w = (r + 1)b − 1. The work is nw² for the factors and 4nw for a solution.

As many pivots are negative as eigenvalues are (Sylvester), which tells a minimum from a saddle; the row of a negative
pivot gives a direction of negative curvature.
"""

import numpy as np

from .._jit import entry

NOTHING = 1e-12  # of what a pivot was before elimination: ten times what that rounds in a band 10 wide, squared


@entry
def factorise(a: np.ndarray, whole: np.ndarray) -> int:
    """a becomes 1/D on its diagonal and Lᵀ behind it. Returns how many pivots are negative. whole (n,) is scratch.

    A pivot that only rounding tells from 0 belongs to a direction in which nothing resists: it is left out, 1/D = 0, so
    that solutions do not go there.
    """
    n, width = a.shape
    negative = 0
    for j in range(n):
        whole[j] = a[j, 0]  # what each pivot was, and what elimination takes from it
    for j in range(n):
        d = a[j, 0]
        inverse = 1.0 / d if abs(d) > NOTHING * whole[j] else 0.0
        if inverse < 0.0:
            negative += 1
        a[j, 0] = inverse
        for k in range(1, min(width, n - j)):
            l = a[j, k] * inverse
            if l != 0.0:
                whole[j + k] += abs(l * a[j, k])
                for m in range(k, width):
                    a[j + k, m - k] -= l * a[j, m]
        for k in range(1, width):
            a[j, k] *= inverse
    return negative


@entry
def solve(a: np.ndarray, b: np.ndarray) -> None:
    """The rows of b (r, n), right-hand sides, become solutions, from what `factorise` left of a."""
    n, width = a.shape
    for y in b:
        for j in range(n):
            for k in range(1, min(width, n - j)):
                y[j + k] -= a[j, k] * y[j]
        for j in range(n - 1, -1, -1):
            value = y[j] * a[j, 0]
            for k in range(1, min(width, n - j)):
                value -= a[j, k] * y[j + k]
            y[j] = value


@entry
def negative_direction(a: np.ndarray, p: np.ndarray) -> None:
    """p (n,) = L⁻ᵀe of the most negative pivot, from what `factorise` left of a: pᵀAp is that pivot."""
    n, width = a.shape
    row, lowest = 0, np.inf
    for j in range(n):
        if a[j, 0] < 0.0 and 1.0 / a[j, 0] < lowest:
            row, lowest = j, 1.0 / a[j, 0]
    p[:] = 0.0
    p[row] = 1.0
    for j in range(row - 1, -1, -1):
        value = 0.0
        for k in range(1, min(width, n - j)):
            value -= a[j, k] * p[j + k]
        p[j] = value
