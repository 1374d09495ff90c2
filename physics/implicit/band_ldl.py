"""LDLᵀ of a symmetric band matrix with a border, without pivoting, column by column (Golub & Van Loan, *Matrix
Computations*, §4.3).

    [ A   C ] [ x ]   [ y ]
    [ Cᵀ  S ] [ z ] = [ b ],    S − Cᵀ A⁻¹ C and b − Cᵀ A⁻¹ y are left of the border once A is eliminated.

It serves indefinite matrices too where no pivot vanishes, and then tells their inertia: as many pivots are negative as
eigenvalues are (Sylvester).
"""

from collections.abc import Callable

import numpy as np

from .._jit import kernel


def band_elimination(width: int) -> tuple[Callable, Callable, Callable]:
    """The kernels (eliminate, resolve, substitute) for bands of so many entries below the diagonal."""

    @kernel
    def eliminate(a: np.ndarray, y: np.ndarray, count: int, c: np.ndarray, s: np.ndarray, b: np.ndarray) -> int:
        """A[j + r, j] in a[j, r], a (n + width or more, width + 1), becomes 1/D and L; y (n + width or more,) D⁻¹L⁻¹y,
        c (n, k) D⁻¹L⁻¹C. All of a beyond n, which is `count`, is zero. s (k, k) and b (k,) become what is left.

        Returns how many pivots are negative.
        """
        negative, most, coupled = 0, c.shape[1], 0  # as many columns of C are not zero any more
        for j in range(count):
            pivot, value = a[j, 0], y[j]
            if pivot < 0.0:
                negative += 1
            inverse = 1.0 / pivot
            for r in range(1, width + 1):
                l = inverse * a[j, r]
                y[j + r] -= l * value
                for q in range(width + 1 - r):
                    a[j + r, q] -= l * a[j, r + q]
            for k in range(coupled, most):
                if c[j, k] != 0.0:
                    coupled = k + 1
            if coupled > 0:
                for r in range(1, min(width + 1, count - j)):
                    l = inverse * a[j, r]
                    for k in range(coupled):
                        c[j + r, k] -= l * c[j, k]
                for k in range(coupled):
                    l = inverse * c[j, k]
                    b[k] -= l * value
                    for q in range(coupled):
                        s[k, q] -= l * c[j, q]
                for k in range(coupled):
                    c[j, k] *= inverse
            for r in range(1, width + 1):
                a[j, r] *= inverse
            a[j, 0], y[j] = inverse, value * inverse
        return negative

    @kernel
    def resolve(a: np.ndarray, y: np.ndarray, count: int, c: np.ndarray, b: np.ndarray) -> None:
        """The same for another y and b, from what `eliminate` left of a and c."""
        for j in range(count):
            value = y[j]
            if value == 0.0:
                continue
            for r in range(1, width + 1):
                y[j + r] -= a[j, r] * value
            for k in range(c.shape[1]):
                b[k] -= c[j, k] * value
            y[j] = value * a[j, 0]

    @kernel
    def substitute(a: np.ndarray, y: np.ndarray, count: int, c: np.ndarray, z: np.ndarray) -> None:
        """y becomes x, from what `eliminate` left and the border's z (k,)."""
        for j in range(count - 1, -1, -1):
            value = y[j]
            for k in range(c.shape[1]):
                value -= c[j, k] * z[k]
            for r in range(1, width + 1):
                value -= a[j, r] * y[j + r]
            y[j] = value

    return eliminate, resolve, substitute
