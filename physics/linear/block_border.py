"""A band of blocks with a border (Golub & Van Loan, *Matrix Computations*, §4.2),

    [ A   C ] [ x ]   [ y ]
    [ Cᵀ  S ] [ z ] = [ b ],    S − Cᵀ A⁻¹ C and b − Cᵀ A⁻¹ y are left of the border once A is eliminated.

The columns of C are records, so many of them in a panel, which lie one behind the other; S has a square of such records
for each pair of panels. What is left of it is for `sparse_ldl`.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .._jit import kernel
from .block_ldl import written
from .block_sides import forward_block

Rows = tuple[int, int]  # the first one, and behind the last


class Border(NamedTuple):
    """Kernels for a border of P panels of so many columns, `panel`; first (P,): rows before which they are zero, which
    begin blocks.
    """

    eliminate: Callable[..., None]  # (a, y, rows, c, tied, first, s, b), from what `block_ldl` left of these rows of a
    # and y, with size + reach behind the last: c, panels of as many rows as tied, becomes L⁻¹C, where tied is not −1 of
    # `few` rows of the block alone; s (P² panel,), on and below its diagonal, and b (P panel,) what is left
    resolve: Callable[..., None]  # (a, y, rows, c, stride, first, b): b for another y; stride: rows of a panel of c
    substitute: Callable[..., None]  # (y, rows, c, stride, first, z): takes from L⁻¹y what z (P panel,) asks for


def block_border(size: int, reach: int, panel: int, few: int) -> Border:
    """The kernels for blocks of `size` rows, coupled with `reach` rows behind them; of tied ones the last `few`."""
    begin, front, reduce_side = size - few, size + reach, _reduce_side(size)
    forward, forward_few = forward_block(size, reach), forward_block(size, reach, begin)
    reduce, reduce_few = _reduce(size, panel, 0), _reduce(size, panel, begin)

    @kernel
    def eliminate(
        a: np.ndarray, y: np.ndarray, rows: Rows, c: np.ndarray, tied: np.ndarray, first: np.ndarray, s: np.ndarray,
        b: np.ndarray,
    ) -> None:  # fmt: skip
        panels, stride = len(b) // panel, len(tied)
        lanes = len(b) // max(panels, 1)  # unknown to the compiler: else it deems so short a loop not worth a check
        for p in range(panels):
            own = c[p * stride :]
            for j in range(max(rows[0], first[p]), rows[1], size):
                end = j + front
                if tied[j] >= 0:
                    forward_few(a[j:end], own[j:end], lanes)
                else:
                    forward(a[j:end], own[j:end], lanes)
                for r in range(p + 1):
                    if j >= first[r]:
                        square = panel * (panels * p + r)
                        if tied[j] >= 0:
                            reduce_few(a[j:end], own[j:end], c[r * stride + j :], s[square : square + panel], lanes)
                        else:
                            reduce(a[j:end], own[j:end], c[r * stride + j :], s[square : square + panel], lanes)
                reduce_side(a[j:end], y[j:end], own[j:end], b[panel * p : panel * p + panel], lanes)

    @kernel
    def resolve(
        a: np.ndarray, y: np.ndarray, rows: Rows, c: np.ndarray, stride: int, first: np.ndarray, b: np.ndarray
    ) -> None:
        for p in range(len(b) // panel):
            for j in range(max(rows[0], first[p]), rows[1], size):
                reduce_side(a[j:], y[j:], c[p * stride + j :], b[panel * p : panel * p + panel], panel)

    @kernel
    def substitute(y: np.ndarray, rows: Rows, c: np.ndarray, stride: int, first: np.ndarray, z: np.ndarray) -> None:
        for p in range(len(z) // panel):
            for j in range(max(rows[0], first[p]), rows[1]):
                taken, cell = 0.0, c[p * stride + j].value
                for q in range(panel):
                    taken += cell[q] * z[panel * p + q]
                y[j] -= taken

    return Border(eliminate, resolve, substitute)


def _reduce(size: int, panel: int, begin: int) -> Callable:
    """(a, c, other, s, lanes): what one block of two panels, of its rows from `begin` on, takes from their square s."""
    lines = ["def reduce(a, c, other, s, lanes):"]
    lines += [f"d{k} = a[{k}].value[{k}]" for k in range(begin, size)]
    lines += ["for q in range(lanes):"]
    lines += [f"    w{k} = d{k} * other[{k}].value[q]" for k in range(begin, size)]
    lines += [f"    for k in range({panel}):"]
    lines += ["        s[k].value[q] -= " + " + ".join(f"c[{j}].value[k] * w{j}" for j in range(begin, size))]
    return written(lines)


def _reduce_side(size: int) -> Callable:
    """(a, y, c, b, lanes): what one block of a panel takes from the panel's part b of the border's side."""
    lines = ["def reduce_side(a, y, c, b, lanes):"]
    lines += [f"w{k} = a[{k}].value[{k}] * y[{k}]" for k in range(size)]
    lines += ["for q in range(lanes):", "    b[q] -= " + " + ".join(f"c[{k}].value[q] * w{k}" for k in range(size))]
    return written(lines)
