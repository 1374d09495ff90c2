"""Rods of effective mass as chains: a closed one is an open one whose ends overlap, and are closed.

Behind its last vertex the first two follow once more, half of their mass at either place, so that every hinge is inside
the chain. That they move alike are LAP constraints c·x = 0 of each coordinate. Closed one after the other, the k-th
takes from what solves the system before it, x, by v = A⁻¹c of that system

    x − v (c·x)/(c·v),    A⁻¹ − v vᵀ/(c·v),

elimination of a border (Golub & Van Loan, *Matrix Computations*, §4.2), column by column. No pivot c·v vanishes: of the
edge that is met twice only one keeps its length.
"""

import numpy as np

from .._jit import kernel
from .scratch import CLOSURES, LAP, ROOM, EffectiveMass
from .straight_rod import BLOCK, resolve, substitute


@kernel
def row_of(rod: np.record) -> int:
    """The first row of a rod: those of the next one begin a band's width, and a lap, behind its last."""
    return BLOCK * rod.first + ROOM * (rod.frame - rod.first)


@kernel
def end_of(rod: np.record) -> int:
    """The last vertex of a rod's chain, as if nodes went on."""
    return rod.last + LAP if rod.closed else rod.last


@kernel
def node_at(rod: np.record, v: int) -> int:
    """Node of vertex v of a rod's chain."""
    return v if v <= rod.last else v - rod.last - 1 + rod.first


@kernel
def rows_of(rod: np.record) -> int:
    """How many rows a rod's chain has."""
    return BLOCK * (end_of(rod) - rod.first + 1)


@kernel
def close(rod: np.record, own: EffectiveMass) -> None:
    """Find v of all constraints of a rod whose chain has been eliminated."""
    if not rod.closed:
        return
    row, count = row_of(rod), rows_of(rod)
    a = own.matrix[row:]
    for k in range(CLOSURES):
        one, other = ends_of(rod, k)
        v = own.closing[k, row : row + count + ROOM]
        for j in range(len(v)):
            v[j] = 0.0
        v[one], v[other] = 1.0, -1.0
        resolve(a, v, count)
        substitute(a, v, count)
        bring_together(rod, own, v, k)


@kernel
def solve(rod: np.record, own: EffectiveMass) -> None:
    """own.unknown of a rod, the right-hand side, becomes the solution."""
    row, count = row_of(rod), rows_of(rod)
    a, y = own.matrix[row:], own.unknown[row:]
    resolve(a, y, count)
    substitute(a, y, count)
    bring_together(rod, own, y, CLOSURES)


@kernel
def bring_together(rod: np.record, own: EffectiveMass, y: np.ndarray, count: int) -> None:
    """Let the chain's solution y keep so many of a closed rod's constraints."""
    if not rod.closed:
        return
    row, rows = row_of(rod), rows_of(rod)
    for k in range(count):
        one, other = ends_of(rod, k)
        v = own.closing[k, row : row + rows]
        part = (y[one] - y[other]) / (v[one] - v[other])
        for j in range(rows):
            y[j] -= part * v[j]


@kernel
def close_inverse(rod: np.record, own: EffectiveMass) -> None:
    """Take from the band of the chain's inverse what closing it does."""
    if not rod.closed:
        return
    row, count = row_of(rod), rows_of(rod)
    z = own.inverse[row:]
    for k in range(CLOSURES):
        one, other = ends_of(rod, k)
        v = own.closing[k, row : row + count]
        inverse = 1.0 / (v[one] - v[other])
        for j in range(count):
            base, part = j - j % BLOCK, inverse * v[j]
            for m in range(base, min(base + 2 * BLOCK, count)):
                z[j].value[m - base] -= part * v[m]


@kernel
def ends_of(rod: np.record, k: int) -> tuple[int, int]:
    """The two rows that the k-th constraint lets go alike."""
    one = BLOCK * (k // 3) + k % 3
    return one, one + BLOCK * (rod.last - rod.first + 1)
