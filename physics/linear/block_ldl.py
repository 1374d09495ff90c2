"""LDLᵀ of a symmetric band of blocks of any one size, without pivoting, in place (Golub & Van Loan, *Matrix
Computations*, §4.3).

The rows of a block of b unknowns are coupled with the `reach` rows behind it: b where a block is coupled with the next
one, more where with some of the one after that too. Rows are records: a[j].value[k] is column k, counted from the first
one of the row's own block; what is before the diagonal counts for nothing. Eliminating a block changes a square behind
it, of `reach` rows. The work is about b³/3 + b² r + b r² multiplications a block for the factors, b² + 2 b r for a
solution.

As many pivots are negative as eigenvalues are (Sylvester).

The kernels are written here line by line, as text, for one size and reach: so all of a block's multipliers are scalars
and each loop is one over columns, as long for every block, four or eight of which the processor changes at once. Loops
over a block's rows in its place take twice as long, functions that call each other five times as long to compile.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .._jit import kernel

LANES = 4  # columns that the processor changes at once
NOTHING = 1e-12  # of what a pivot was before elimination: ten times what that rounds in a band 10 wide, squared


class Elimination(NamedTuple):
    """Kernels for a band a of `block_row` (count + size + reach or more,), zero from row `count` on, and a side y as
    long.
    """

    eliminate: Callable[[np.ndarray, np.ndarray, int], int]  # (a, y, count): a becomes 1/D on its diagonal and D Lᵀ
    # behind it, y L⁻¹y. Returns how many pivots are negative.
    resolve: Callable[[np.ndarray, np.ndarray, int], None]  # (a, y, count): L⁻¹y of another y
    substitute: Callable[[np.ndarray, np.ndarray, int], None]  # (a, y, count): y, L⁻¹y, becomes the solution


def block_row(size: int, reach: int) -> np.dtype:
    """A row of such a block: its own columns, those it is coupled with, and zeros to a multiple of LANES."""
    return np.dtype([("value", float, size + _whole(reach))], align=True)


def block_elimination(size: int, reach: int, singular: bool = False) -> Elimination:
    """The kernels for blocks of `size` rows, coupled with `reach` rows behind them, at most two blocks of them.

    singular: in place of a side eliminate takes what each pivot was (n,), and adds what elimination takes from it. A
    pivot that only rounding tells from 0 is left out, 1/D = 0.
    """
    if not size <= reach <= 2 * size:
        raise ValueError(f"A block of {size} rows is coupled with {size} to {2 * size} rows behind it, not {reach}.")
    eliminate_block = written(_eliminate_block(size, reach, singular))
    resolve_block, substitute_block = written(_resolve_block(size, reach)), written(_substitute_block(size, reach))
    front = size + reach

    @kernel
    def eliminate(a: np.ndarray, y: np.ndarray, count: int) -> int:
        negative = 0
        for first in range(0, count, size):
            negative += eliminate_block(a[first : first + front], y[first : first + front])
        return negative

    @kernel
    def resolve(a: np.ndarray, y: np.ndarray, count: int) -> None:
        begin = 0
        while begin < count and y[begin] == 0.0:
            begin += 1
        for first in range(begin - begin % size, count, size):
            resolve_block(a[first : first + front], y[first : first + front])

    @kernel
    def substitute(a: np.ndarray, y: np.ndarray, count: int) -> None:
        for first in range(count - size, -1, -size):
            substitute_block(a[first : first + front], y[first : first + front])

    return Elimination(eliminate, resolve, substitute)


def _whole(columns: int) -> int:
    return -(-columns // LANES) * LANES


def written(lines: list[str]) -> Callable:
    """The kernel of such a text."""
    found: dict[str, Callable] = {}
    exec("\n    ".join(lines), found)
    return kernel(found.popitem()[1])


def rows(size: int) -> str:
    """Text: a0, a1 … are the rows of a block."""
    return "; ".join(f"a{k} = a[{k}].value" for k in range(size))


def less(terms: list[str]) -> str:
    """Text: minus all of these."""
    return "".join(f" - {term}" for term in terms)


def _eliminate_block(size: int, reach: int, singular: bool) -> list[str]:
    """With u = D Lᵀ and l = L of the block's own columns and those behind it, by numbers, s its side, or each pivot's
    size before it was found and all that was taken from it.
    """
    own, behind = range(size), range(size, size + reach)
    lines = ["def eliminate_block(a, y):", rows(size)]
    for k in own:
        lines += [f"u{k}_{m} = a{k}[{m}]" + less([f"l{j}_{k} * u{j}_{m}" for j in range(k)]) for m in own[k:]]
        if singular:
            lines += [f"s{k} = " + " + ".join([f"y[{k}]", *(f"abs(l{j}_{k} * u{j}_{k})" for j in range(k))])]
            lines += [f"d{k} = 1.0 / u{k}_{k} if abs(u{k}_{k}) > {NOTHING} * s{k} else 0.0"]
        else:
            lines += [f"s{k} = y[{k}]" + less([f"l{j}_{k} * s{j}" for j in range(k)])]
            lines += [f"d{k} = 1.0 / u{k}_{k}"]
        lines += [f"l{k}_{m} = d{k} * u{k}_{m}" for m in own[k + 1 :]]
    lines += [f"for q in range({size}, {size + _whole(reach)}):"]
    lines += [f"    u{k} = a{k}[q]" + less([f"l{j}_{k} * u{j}" for j in range(k)]) for k in own]
    lines += [f"    a{k}[q] = u{k}" for k in own[1:]]
    for k in own:
        lines += [f"a{k}[{k}] = d{k}; y[{k}] = s{k}", *(f"a{k}[{m}] = u{k}_{m}" for m in own[k + 1 :] if k)]
    lines += [f"l{k}_{m} = d{k} * a{k}[{m}]" for m in behind for k in own]
    lines += [f"for q in range({_whole(reach)}):"]
    lines += [f"    u{k} = a{k}[{size} + q]" for k in own]
    lines += [f"    a[{m}].value[q] -= " + " + ".join(f"l{k}_{m} * u{k}" for k in own) for m in behind[:size]]
    for m in behind[size:]:
        for q in range(m, size + reach):
            lines += [f"a[{m}].value[{q - 2 * size}] -= " + " + ".join(f"l{k}_{m} * a{k}[{q}]" for k in own)]
    for m in behind:
        if singular:
            lines += [f"y[{m}] += " + " + ".join(f"abs(l{k}_{m} * a{k}[{m}])" for k in own)]
        else:
            lines += [f"y[{m}] -= " + " + ".join(f"l{k}_{m} * s{k}" for k in own)]
    return [*lines, "return " + " + ".join(f"int(d{k} < 0.0)" for k in own)]


def _resolve_block(size: int, reach: int) -> list[str]:
    lines = ["def resolve_block(a, y):", rows(size)]
    for k in range(size):
        lines += [f"s{k} = y[{k}]" + less([f"a{j}[{k}] * w{j}" for j in range(k)])]
        lines += [f"w{k} = a{k}[{k}] * s{k}; y[{k}] = s{k}"]
    lines += [f"for m in range({size}, {size + reach}):"]
    return [*lines, "    y[m] -= " + " + ".join(f"a{k}[m] * w{k}" for k in range(size))]


def _substitute_block(size: int, reach: int) -> list[str]:
    """What is known last comes last."""
    lines = ["def substitute_block(a, y):", rows(size), *(f"y{k} = y[{k}]" for k in range(size))]
    lines += [f"for m in range({size + reach - 1}, {size - 1}, -1):"]
    lines += ["    z = y[m]", *(f"    y{k} -= a{k}[m] * z" for k in range(size))]
    for k in reversed(range(size)):
        known = less([f"a{k}[{m}] * y{m}" for m in reversed(range(k + 1, size))])
        lines += [f"y{k} = a{k}[{k}] * (y{k}{known})", f"y[{k}] = y{k}"]
    return lines
