"""Many right-hand sides of a band at once, SIDES or CELLS, from what `block_ldl` leaves of blocks of five rows.

Of what lies behind all that forces act on, and all that is asked for, only its first rows are met. How these answer to
what elimination hands on to them, a square of the inverse of that rest, is found once for all right-hand sides.
"""

import numpy as np

from .._jit import kernel
from .scratch import BLOCK, COLUMNS, MET, WIDTH


@kernel
def solve_sides(a: np.ndarray, y: np.ndarray, first: int, end: int, low: int, rest: np.ndarray) -> None:
    """A x = y (end + MET,) in place, which is zero before row `first` and from `end` on, wanted from row `low` on, all
    of which begin a block. rest (2 MET,): see `find_rest`; its second half is overwritten.
    """
    for j in range(first, end, BLOCK):
        forward(a[j : j + WIDTH + 1], y[j : j + WIDTH + 1], COLUMNS)
    for k in range(MET):
        for q in range(COLUMNS):
            rest[MET + k].value[q] = 0.0
        for m in range(MET):
            for q in range(COLUMNS):
                rest[MET + k].value[q] += rest[k].value[m] * y[end + m].value[q]
    for k in range(MET):
        for q in range(COLUMNS):
            y[end + k].value[q] = rest[MET + k].value[q]
    for j in range(end - BLOCK, low - 1, -BLOCK):
        backward(a[j : j + WIDTH + 1], y[j : j + WIDTH + 1])


@kernel
def find_rest(a: np.ndarray, y: np.ndarray, end: int, count: int, rest: np.ndarray) -> None:
    """Fill the first half of rest (2 MET,), SIDES: how the first MET of the rows from `end` on, which begins a block,
    to `count` answer to each other once those before are eliminated. y (count + WIDTH,) is overwritten from `end` on.
    """
    for j in range(end, count + WIDTH):
        for q in range(COLUMNS):
            y[j].value[q] = 0.0
    for k in range(MET):
        y[end + k].value[k] = 1.0
    for j in range(end, count, BLOCK):
        forward(a[j : j + WIDTH + 1], y[j : j + WIDTH + 1], COLUMNS)
    for j in range(count - BLOCK, end - 1, -BLOCK):
        backward(a[j : j + WIDTH + 1], y[j : j + WIDTH + 1])
    for k in range(MET):
        for q in range(COLUMNS):
            rest[k].value[q] = y[end + k].value[q]


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
