"""Symmetric pentadiagonal systems, L D Lᵀ row by row, as their rows are laid (Golub & Van Loan, *Matrix Computations*,
§4.3): p of D, f and s of L, one and two columns on, and L⁻¹ of the side.
"""

import numpy as np

from .._jit import kernel

Row = tuple[float, float, float, float]  # p, f, s, L⁻¹y
NONE = (0.0, 0.0, 0.0, 0.0)  # before the first one


@kernel(forceinline=True)
def eliminate(d: float, one: float, two: float, y: float, last: Row, before: Row) -> Row:
    """A row with diagonal d, coupled with the next two, from the two before it; y: its side."""
    (p1, f1, s1, y1), (p2, _, s2, y2) = last, before
    p = d - f1 * f1 * p1 - s2 * s2 * p2
    return p, (one - f1 * s1 * p1) / p, two / p, y - f1 * y1 - s2 * y2


@kernel
def substitute(first: np.ndarray, second: np.ndarray, x: np.ndarray) -> None:
    """x (n,), D⁻¹L⁻¹y, becomes the solution; first, second (n,): L's f and s."""
    one = two = 0.0
    for i in range(len(x) - 1, -1, -1):
        one, two = x[i] - first[i] * one - second[i] * two, one
        x[i] = one
