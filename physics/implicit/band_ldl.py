"""LDLᵀ of a symmetric band matrix, without pivoting, column by column (Golub & Van Loan, *Matrix Computations*, §4.3).

It serves indefinite matrices too where no pivot vanishes, and then tells their inertia: as many pivots are negative as
eigenvalues are (Sylvester).
"""

from collections.abc import Callable

import numpy as np

from .._jit import kernel


def band_solver(width: int) -> Callable[[np.ndarray, np.ndarray, int], int]:
    """The kernel for bands of so many entries below the diagonal."""

    @kernel
    def solve(a: np.ndarray, y: np.ndarray, count: int) -> int:
        """Solve A x = y in place, y (count + width or more,): A[j + r, j] in a[j, r], a (count + width or more, width +
        1), which becomes 1/D and L. All beyond `count` is zero. Returns how many pivots are negative.
        """
        negative = 0
        for j in range(count):
            pivot, value = a[j, 0], y[j]
            if pivot < 0.0:
                negative += 1
            inverse = 1.0 / pivot
            for s in range(1, width + 1):
                l = inverse * a[j, s]
                y[j + s] -= l * value
                for r in range(width + 1 - s):
                    a[j + s, r] -= l * a[j, s + r]
            for s in range(1, width + 1):
                a[j, s] *= inverse
            y[j] = value * inverse
        for j in range(count - 1, -1, -1):
            value = y[j]
            for s in range(1, width + 1):
                value -= a[j, s] * y[j + s]
            y[j] = value
        return negative

    return solve
