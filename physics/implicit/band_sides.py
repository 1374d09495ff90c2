"""Many right-hand sides of a band at once, solved for from what `band_ldl` leaves of blocks of five columns."""

import numpy as np

from .._jit import kernel
from .scratch import BLOCK, COLUMNS, WIDTH


@kernel
def solve_sides(a: np.ndarray, y: np.ndarray, first: int, count: int, low: int) -> None:
    """A x = y of SIDES (count + WIDTH,) in place, which are zero before row `first`, wanted from row `low` on, both of
    which begin a block; a: what `eliminate` left.
    """
    for j in range(first, count, BLOCK):
        forward(a[j : j + WIDTH + 1], y[j : j + WIDTH + 1])
    for j in range(count - BLOCK, low - 1, -BLOCK):
        backward(a[j : j + WIDTH + 1], y[j : j + WIDTH + 1])


@kernel
def forward(a: np.ndarray, y: np.ndarray) -> None:
    """The first block of SIDES (front,) becomes D⁻¹ L⁻¹ y, and what it is coupled with is taken from those behind."""
    for q in range(COLUMNS):
        y0 = y[0].value[q]
        y1 = y[1].value[q] - a[0, 1] * y0
        y2 = y[2].value[q] - a[0, 2] * y0 - a[1, 1] * y1
        y3 = y[3].value[q] - a[0, 3] * y0 - a[1, 2] * y1 - a[2, 1] * y2
        y4 = y[4].value[q] - a[0, 4] * y0 - a[1, 3] * y1 - a[2, 2] * y2 - a[3, 1] * y3
        for m in range(BLOCK, WIDTH + 1):
            taken = a[0, m] * y0 + a[1, m - 1] * y1 + a[2, m - 2] * y2 + a[3, m - 3] * y3 + a[4, m - 4] * y4
            y[m].value[q] -= taken
        y[0].value[q], y[1].value[q], y[2].value[q] = a[0, 0] * y0, a[1, 0] * y1, a[2, 0] * y2
        y[3].value[q], y[4].value[q] = a[3, 0] * y3, a[4, 0] * y4


@kernel
def backward(a: np.ndarray, y: np.ndarray) -> None:
    """The first block becomes the solution, where those behind it have."""
    for q in range(COLUMNS):
        y0, y1, y2, y3, y4 = y[0].value[q], y[1].value[q], y[2].value[q], y[3].value[q], y[4].value[q]
        for m in range(BLOCK, WIDTH + 1):
            z = y[m].value[q]
            y0, y1, y2 = y0 - a[0, m] * z, y1 - a[1, m - 1] * z, y2 - a[2, m - 2] * z
            y3, y4 = y3 - a[3, m - 3] * z, y4 - a[4, m - 4] * z
        y3 -= a[3, 1] * y4
        y2 -= a[2, 1] * y3 + a[2, 2] * y4
        y1 -= a[1, 1] * y2 + a[1, 2] * y3 + a[1, 3] * y4
        y0 -= a[0, 1] * y1 + a[0, 2] * y2 + a[0, 3] * y3 + a[0, 4] * y4
        y[0].value[q], y[1].value[q], y[2].value[q], y[3].value[q], y[4].value[q] = y0, y1, y2, y3, y4
