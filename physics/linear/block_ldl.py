"""LDLᵀ of a symmetric band of blocks of any one size, each coupled with the next one alone, without pivoting, in place
(Golub & Van Loan, *Matrix Computations*, §4.3).

Rows are those of `block_row`: a[j].value[k] is column k, counted from the first one of the row's own block; what is
before the diagonal counts for nothing. Of blocks of b unknowns the work is about 13 b³/6 for the factors and 4 b² for
a solution: 7 unknowns take 160 and 40 ns (2.5 GHz, AVX2), in the straight-line code that is made here, whose columns
are changed four at a time.

As many pivots are negative as eigenvalues are (Sylvester).
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .._jit import kernel

FOUR = 4  # columns that the processor changes at once


def block_row(size: int) -> np.dtype:
    """A row of blocks of `size` unknowns: its own and the next one's columns, and zeros to a multiple of FOUR."""
    return np.dtype([("value", float, size + _wide(size))], align=True)


def _wide(size: int) -> int:
    return -(-size // FOUR) * FOUR


def block_elimination(size: int) -> tuple[Callable, Callable]:
    """The kernels (eliminate_block, substitute) for blocks of `size` rows.

    eliminate_block(a (2 size,) of block_row, y (2 size,)) → how many pivots of the first block are negative: it becomes
    1/D on its diagonal and D Lᵀ behind it, its side L⁻¹y, and the next block what is left of it; behind the last block
    are rows of zeros. So blocks are eliminated as they are laid, while the processor has them at hand. substitute(a
    (count + size,), y (count + size,), count): y becomes the solution.
    """
    wide, front, times = _wide(size), 2 * size, _dot(size)
    column, multipliers, side = (_gathered(number, size) for number in (_entry, _multiplier, _side))

    def pivot(k: int) -> Callable:
        @kernel
        def within_block(a: np.ndarray, y: np.ndarray) -> int:
            p = a[k].value[k]
            d = 1.0 / p
            for m in range(k + 1, size):
                l = d * a[k].value[m]
                y[m] -= l * y[k]
                for q in range(m, size):
                    a[m].value[q] -= l * a[k].value[q]
            a[k].value[k] = d
            return int(p < 0.0)

        return within_block

    def couple(k: int) -> Callable:
        l_of, u_of, dot = _gathered(_multiplier, k), _gathered(_entry, k), _dot(k)

        @kernel
        def behind_block(a: np.ndarray, y: np.ndarray) -> int:
            l = l_of(a, k)
            for q in range(size, size + wide):
                a[k].value[q] -= dot(l, u_of(a, q))
            return 0

        return behind_block

    def reduce(m: int) -> Callable:
        @kernel
        def in_next_block(a: np.ndarray, y: np.ndarray) -> int:
            l = multipliers(a, size + m)
            for q in range(wide):
                a[size + m].value[q] -= times(l, column(a, size + q))
            y[size + m] -= times(l, side(y, 0))
            return 0

        return in_next_block

    def back(k: int) -> Callable:
        @kernel
        def one(a: np.ndarray, y: np.ndarray) -> int:
            y[k] *= a[k].value[k]
            for m in range(k):
                y[m] -= a[m].value[k] * y[k]
            return 0

        return one

    forward = _in_turn([*map(pivot, range(size)), *map(couple, range(1, size)), *map(reduce, range(size))])
    backward = _in_turn([back(k) for k in range(size - 1, -1, -1)])

    @kernel
    def substitute(a: np.ndarray, y: np.ndarray, count: int) -> None:
        for first in range(count - size, -1, -size):
            block, own = a[first : first + front], y[first : first + front]
            for m in range(size, front):
                for k in range(size):
                    own[k] -= block[k].value[m] * own[m]
            backward(block, own)

    return forward, substitute


def _in_turn(parts: Sequence[Any]) -> Any:
    """One kernel of several (a, y) → int, whose sum it returns."""
    if len(parts) == 1:
        return parts[0]
    first, rest = parts[0], _in_turn(parts[1:])

    @kernel
    def both(a: np.ndarray, y: np.ndarray) -> int:
        return first(a, y) + rest(a, y)

    return both


def _gathered(number: Callable[[int], Any], count: int) -> Any:
    """(a, m) → the tuple of number(k)(a, m) for all k < count."""
    own, before = number(count - 1), _gathered(number, count - 1) if count > 1 else None
    if before is None:

        @kernel
        def one(a: np.ndarray, m: int) -> tuple[float, ...]:
            return (own(a, m),)

        return one

    @kernel
    def more(a: np.ndarray, m: int) -> tuple[float, ...]:
        return before(a, m) + (own(a, m),)

    return more


def _entry(k: int) -> Any:
    @kernel
    def in_column(a: np.ndarray, m: int) -> float:
        return a[k].value[m]

    return in_column


def _multiplier(k: int) -> Any:
    @kernel
    def of_row(a: np.ndarray, m: int) -> float:
        return a[k].value[k] * a[k].value[m]

    return of_row


def _side(k: int) -> Any:
    @kernel
    def of_side(y: np.ndarray, m: int) -> float:
        return y[m + k]

    return of_side


def _dot(count: int) -> Any:
    """(l, u) → l·u of tuples."""
    k, before = count - 1, _dot(count - 1) if count > 1 else None
    if before is None:

        @kernel
        def one(l: tuple[float, ...], u: tuple[float, ...]) -> float:
            return l[0] * u[0]

        return one

    @kernel
    def more(l: tuple[float, ...], u: tuple[float, ...]) -> float:
        return before(l, u) + l[k] * u[k]

    return more
