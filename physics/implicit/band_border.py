"""A band with a border (Golub & Van Loan, *Matrix Computations*, §4.2),

    [ A   C ] [ x ]   [ y ]
    [ Cᵀ  S ] [ z ] = [ b ],    S − Cᵀ A⁻¹ C and b − Cᵀ A⁻¹ y are left of the border once A is eliminated.

The columns of C are CELLS, so many of them in a panel, which lie one behind the other; S has a square of CELLS for each
pair of panels.
"""

import numpy as np

from .._jit import kernel
from .band_sides import forward
from .scratch import BLOCK, PANEL, WIDTH

Rows = tuple[int, int]  # the first one, and behind the last


@kernel
def eliminate_border(
    a: np.ndarray,
    y: np.ndarray,
    rows: Rows,
    c: np.ndarray,
    tied: np.ndarray,
    first: np.ndarray,
    s: np.ndarray,
    b: np.ndarray,
) -> None:
    """From what `eliminate` left of these rows of a and y, with WIDTH or more behind the last: c, P panels of as many
    rows as tied, zero before their rows first (P,), which begin blocks, and where tied is not −1, in rows that are
    uncoupled, becomes L⁻¹C; s (P² PANEL,), of panels on and below its diagonal, and b (P PANEL,) what is left.
    """
    panels, stride = len(b) // PANEL, len(tied)
    lanes = len(b) // max(panels, 1)  # PANEL, unknown to the compiler: else it deems so short a loop not worth a check
    for p in range(panels):
        own = c[p * stride :]
        for j in range(max(rows[0], first[p]), rows[1], BLOCK):
            end = j + WIDTH + 1
            if tied[j] >= 0:
                forward_few(a[j:end], own[j:end], lanes)
            else:
                forward(a[j:end], own[j:end], lanes)
            for r in range(p + 1):
                if j >= first[r]:
                    square = PANEL * (panels * p + r)
                    if tied[j] >= 0:
                        reduce_few(a[j:end], own[j:end], c[r * stride + j :], s[square : square + PANEL], lanes)
                    else:
                        reduce(a[j:end], own[j:end], c[r * stride + j :], s[square : square + PANEL], lanes)
            reduce_side(a[j:end], y[j:end], own[j:end], b[PANEL * p : PANEL * p + PANEL], lanes)


@kernel
def reduce(a: np.ndarray, c: np.ndarray, other: np.ndarray, s: np.ndarray, lanes: int) -> None:
    """What one block of two panels takes from their square s (PANEL,)."""
    d0, d1, d2, d3, d4 = a[0].value[0], a[1].value[1], a[2].value[2], a[3].value[3], a[4].value[4]
    for q in range(lanes):
        w0, w1, w2 = d0 * other[0].value[q], d1 * other[1].value[q], d2 * other[2].value[q]
        w3, w4 = d3 * other[3].value[q], d4 * other[4].value[q]
        for k in range(PANEL):
            taken = c[0].value[k] * w0 + c[1].value[k] * w1 + c[2].value[k] * w2 + c[3].value[k] * w3
            s[k].value[q] -= taken + c[4].value[k] * w4


@kernel
def forward_few(a: np.ndarray, c: np.ndarray, lanes: int) -> None:
    """`forward` of a block whose vertex is tied: of its rows the last two."""
    for q in range(lanes):
        w3 = a[3].value[3] * c[3].value[q]
        c4 = c[4].value[q] - a[3].value[4] * w3
        w4 = a[4].value[4] * c4
        c[4].value[q] = c4
        for m in range(BLOCK, WIDTH + 1):
            c[m].value[q] -= a[3].value[m] * w3 + a[4].value[m] * w4


@kernel
def reduce_few(a: np.ndarray, c: np.ndarray, other: np.ndarray, s: np.ndarray, lanes: int) -> None:
    """`reduce` of such a block."""
    d3, d4 = a[3].value[3], a[4].value[4]
    for q in range(lanes):
        w3, w4 = d3 * other[3].value[q], d4 * other[4].value[q]
        for k in range(PANEL):
            s[k].value[q] -= c[3].value[k] * w3 + c[4].value[k] * w4


@kernel
def reduce_side(a: np.ndarray, y: np.ndarray, c: np.ndarray, b: np.ndarray, lanes: int) -> None:
    """What one block of a panel takes from the panel's part b (PANEL,) of the border's side."""
    w0, w1, w2 = a[0].value[0] * y[0], a[1].value[1] * y[1], a[2].value[2] * y[2]
    w3, w4 = a[3].value[3] * y[3], a[4].value[4] * y[4]
    for q in range(lanes):
        taken = c[0].value[q] * w0 + c[1].value[q] * w1 + c[2].value[q] * w2 + c[3].value[q] * w3
        b[q] -= taken + c[4].value[q] * w4


@kernel
def resolve_border(
    a: np.ndarray, y: np.ndarray, rows: Rows, c: np.ndarray, stride: int, first: np.ndarray, b: np.ndarray
) -> None:
    """b for another y."""
    for p in range(len(b) // PANEL):
        for j in range(max(rows[0], first[p]), rows[1], BLOCK):
            reduce_side(a[j:], y[j:], c[p * stride + j :], b[PANEL * p : PANEL * p + PANEL], PANEL)


@kernel
def substitute_border(y: np.ndarray, rows: Rows, c: np.ndarray, stride: int, first: np.ndarray, z: np.ndarray) -> None:
    """Take from L⁻¹y what the border's z (P PANEL,) asks for."""
    for p in range(len(z) // PANEL):
        own = z[PANEL * p : PANEL * p + PANEL]
        z0, z1, z2, z3, z4, z5, z6, z7 = own[0], own[1], own[2], own[3], own[4], own[5], own[6], own[7]
        for j in range(max(rows[0], first[p]), rows[1]):
            cell = c[p * stride + j].value
            one = cell[0] * z0 + cell[1] * z1 + cell[2] * z2 + cell[3] * z3
            y[j] -= one + (cell[4] * z4 + cell[5] * z5 + cell[6] * z6 + cell[7] * z7)
