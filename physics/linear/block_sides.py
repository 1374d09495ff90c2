"""Many right-hand sides of a band of blocks at once, from what `block_ldl` leaves of it.

Sides are records: y[j].value[q] is row j of side q, zero from row `count` on. Of what lies behind all that is not zero,
and all that is asked for, only its first `reach` rows are met. How these answer to what elimination hands on to them, a
square of the inverse of that rest, is found once for all sides.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .._jit import kernel
from .block_ldl import less, rows, written


class Sides(NamedTuple):
    """Kernels for a band a and so many sides y, with size + reach rows or more behind the last."""

    solve: Callable[[np.ndarray, np.ndarray, int, int, int, np.ndarray], None]  # (a, y, first, end, low, rest): A x = y
    # in place, which is zero before row `first` and from `end` on, wanted from row `low` on, all of which begin a
    # block. rest (2 reach,): see find_rest; its second half is overwritten
    find_rest: Callable[[np.ndarray, np.ndarray, int, int, np.ndarray], None]  # (a, y, end, count, rest): fills the
    # first half of rest: how the first `reach` of the rows from `end` on, which begins a block, to `count` answer to
    # each other once those before are eliminated. y is overwritten from `end` on


def block_sides(size: int, reach: int, columns: int) -> Sides:
    """The kernels for blocks of `size` rows, coupled with `reach` rows behind them, and `columns` sides."""
    forward, backward, front = forward_block(size, reach), _backward_block(size, reach, columns), size + reach

    @kernel
    def solve(a: np.ndarray, y: np.ndarray, first: int, end: int, low: int, rest: np.ndarray) -> None:
        for j in range(first, end, size):
            forward(a[j : j + front], y[j : j + front], columns)
        for k in range(reach):
            for q in range(columns):
                rest[reach + k].value[q] = 0.0
            for m in range(reach):
                for q in range(columns):
                    rest[reach + k].value[q] += rest[k].value[m] * y[end + m].value[q]
        for k in range(reach):
            for q in range(columns):
                y[end + k].value[q] = rest[reach + k].value[q]
        for j in range(end - size, low - 1, -size):
            backward(a[j : j + front], y[j : j + front])

    @kernel
    def find_rest(a: np.ndarray, y: np.ndarray, end: int, count: int, rest: np.ndarray) -> None:
        for j in range(end, count + front - 1):
            for q in range(columns):
                y[j].value[q] = 0.0
        for k in range(reach):
            y[end + k].value[k] = 1.0
        for j in range(end, count, size):
            forward(a[j : j + front], y[j : j + front], columns)
        for j in range(count - size, end - 1, -size):
            backward(a[j : j + front], y[j : j + front])
        for k in range(reach):
            for q in range(columns):
                rest[k].value[q] = y[end + k].value[q]

    return Sides(solve, find_rest)


def forward_block(size: int, reach: int, begin: int = 0) -> Callable:
    """(a, y, lanes): the first block of so many sides becomes L⁻¹ y, and what it is coupled with is taken from those
    behind; of its rows those from `begin` on, where the others are coupled with none.
    """
    own = range(begin, size)
    lines = ["def forward(a, y, lanes):", rows(size), "for q in range(lanes):"]
    for k in own:
        lines += [f"    s{k} = y[{k}].value[q]" + less([f"a{j}[{k}] * w{j}" for j in range(begin, k)])]
        lines += [f"    w{k} = a{k}[{k}] * s{k}"]
    lines += [f"    for m in range({size}, {size + reach}):"]
    lines += ["        y[m].value[q] -= " + " + ".join(f"a{k}[m] * w{k}" for k in own)]
    return written([*lines, *(f"    y[{k}].value[q] = s{k}" for k in own[1:])])


def _backward_block(size: int, reach: int, columns: int) -> Callable:
    """(a, y): the first block becomes the solution, where those behind it have."""
    lines = ["def backward(a, y):", rows(size), f"for q in range({columns}):"]
    lines += [f"    y{k} = y[{k}].value[q]" for k in range(size)]
    lines += [f"    for m in range({size}, {size + reach}):", "        z = y[m].value[q]"]
    lines += [f"        y{k} -= a{k}[m] * z" for k in range(size)]
    for k in reversed(range(size)):
        lines += [f"    y{k} = a{k}[{k}] * (y{k}" + less([f"a{k}[{m}] * y{m}" for m in range(k + 1, size)]) + ")"]
        lines += [f"    y[{k}].value[q] = y{k}"]
    return written(lines)
