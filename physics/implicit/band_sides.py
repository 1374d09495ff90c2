"""Many right-hand sides of a band at once, SIDES or CELLS, from what `band_ldl` leaves of blocks of five rows."""

import numpy as np

from .._jit import kernel
from .scratch import BLOCK, COLUMNS, WIDTH


@kernel
def solve_sides(a: np.ndarray, y: np.ndarray, first: int, count: int, low: int) -> None:
    """A x = y (count + WIDTH,) in place, which is zero before row `first`, wanted from row `low` on, both of which
    begin a block.
    """
    for j in range(first, count, BLOCK):
        forward(a[j : j + WIDTH + 1], y[j : j + WIDTH + 1], COLUMNS)
    for j in range(count - BLOCK, low - 1, -BLOCK):
        backward(a[j : j + WIDTH + 1], y[j : j + WIDTH + 1])


@kernel
def forward(a: np.ndarray, y: np.ndarray, lanes: int) -> None:
    """The first block of y (WIDTH + 1,) becomes L⁻¹ y, and what it is coupled with is taken from those behind."""
    for q in range(lanes):
        w0 = a[0].value[0] * y[0].value[q]
        y1 = y[1].value[q] - a[0].value[1] * w0
        w1 = a[1].value[1] * y1
        y2 = y[2].value[q] - a[0].value[2] * w0 - a[1].value[2] * w1
        w2 = a[2].value[2] * y2
        y3 = y[3].value[q] - a[0].value[3] * w0 - a[1].value[3] * w1 - a[2].value[3] * w2
        w3 = a[3].value[3] * y3
        y4 = y[4].value[q] - a[0].value[4] * w0 - a[1].value[4] * w1 - a[2].value[4] * w2 - a[3].value[4] * w3
        w4 = a[4].value[4] * y4
        for m in range(BLOCK, WIDTH + 1):
            taken = a[0].value[m] * w0 + a[1].value[m] * w1 + a[2].value[m] * w2 + a[3].value[m] * w3
            y[m].value[q] -= taken + a[4].value[m] * w4
        y[1].value[q], y[2].value[q], y[3].value[q], y[4].value[q] = y1, y2, y3, y4


@kernel
def backward(a: np.ndarray, y: np.ndarray) -> None:
    """The first block becomes the solution, where those behind it have."""
    for q in range(COLUMNS):
        y0, y1, y2, y3, y4 = y[0].value[q], y[1].value[q], y[2].value[q], y[3].value[q], y[4].value[q]
        for m in range(BLOCK, WIDTH + 1):
            z = y[m].value[q]
            y0, y1, y2 = y0 - a[0].value[m] * z, y1 - a[1].value[m] * z, y2 - a[2].value[m] * z
            y3, y4 = y3 - a[3].value[m] * z, y4 - a[4].value[m] * z
        y4 *= a[4].value[4]
        y3 = a[3].value[3] * (y3 - a[3].value[4] * y4)
        y2 = a[2].value[2] * (y2 - a[2].value[3] * y3 - a[2].value[4] * y4)
        y1 = a[1].value[1] * (y1 - a[1].value[2] * y2 - a[1].value[3] * y3 - a[1].value[4] * y4)
        y0 -= a[0].value[1] * y1 + a[0].value[2] * y2 + a[0].value[3] * y3 + a[0].value[4] * y4
        y[0].value[q], y[1].value[q], y[2].value[q] = a[0].value[0] * y0, y1, y2
        y[3].value[q], y[4].value[q] = y3, y4
