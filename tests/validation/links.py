"""Which knot or link closed curves form: Jones's polynomial, and how often one winds around another."""

from itertools import pairwise

import numpy as np
from tendril.physics.diagnostics.crossings import crossings, edge_starts


def linking_number(x: np.ndarray, y: np.ndarray) -> int:
    """How often the closed polylines x (n, 3) and y (m, 3) wind around each other, by the signs of crossings."""
    edge, _, _, sign = crossings([x, y])
    one, other = np.split(edge < len(x), 2)
    return int(sign[one != other].sum()) // 2


def jones(curves: list[np.ndarray], t: complex) -> complex:
    """V(t), |t| = 1, of the link of oriented closed polylines (n, 3): unknot 1, right-handed trefoil t + t³ − t⁴.

    Kauffman, *State models and the Jones polynomial*, Topology 26 (1987): V(A⁻⁴) = (−A³)^{−w} ⟨D⟩ with ⟨crossing⟩ =
    A ⟨one smoothing⟩ + A⁻¹ ⟨the other⟩, a loop for −A² − A⁻² and w the sum of signs. Crossings are taken up one after
    the other, with a sum for each way in which the ends that are open by then are joined.
    """
    A = t**-0.25
    loop = -(A**2) - A**-2
    around, uncrossed, writhe = _arcs(curves)
    sums: dict[frozenset[tuple[int, int]], complex] = {frozenset(): 1.0 + 0.0j}
    for a, b, c, d in around:
        after: dict[frozenset[tuple[int, int]], complex] = {}
        for joined, value in sums.items():
            for factor, pairs in ((A, ((a, b), (c, d))), (1.0 / A, ((a, d), (b, c)))):
                mate = dict(joined) | {j: i for i, j in joined}
                loops = sum(_join(mate, i, j) for i, j in pairs)
                key = frozenset((i, j) for i, j in mate.items() if i < j)
                after[key] = after.get(key, 0.0) + value * factor * loop**loops
        sums = after
    return (-(A**3)) ** -writhe * sums[frozenset()] * loop ** (uncrossed - 1)


def _join(mate: dict[int, int], i: int, j: int) -> int:
    """Join the ends of arcs i and j, mates being what is joined already → how many loops that closes."""
    if i == j or mate.get(i) == j:
        mate.pop(i, None)
        mate.pop(j, None)
        return 1
    far_i, far_j = mate.pop(i, i), mate.pop(j, j)
    mate[far_i], mate[far_j] = far_j, far_i
    return 0


def _arcs(curves: list[np.ndarray]) -> tuple[np.ndarray, int, int]:
    """(of each crossing the four arcs around it (c, 4), anticlockwise from where the strand below comes in; how many
    curves cross nothing; the sum of signs). Arcs run from one crossing to the next along a curve.
    """
    edge, place, over, sign = crossings(curves)
    around = np.zeros((len(sign), 4), dtype=int)
    first_arc = uncrossed = 0
    for first, last in pairwise(edge_starts(curves)):
        own = np.nonzero((edge >= first) & (edge < last))[0]
        own = own[np.lexsort((place[own], edge[own]))]
        uncrossed += len(own) == 0
        for k, passage in enumerate(own):
            crossing = passage % len(sign)
            into, out = (0, 2) if not over[passage] else (3, 1) if sign[crossing] > 0 else (1, 3)
            around[crossing, into], around[crossing, out] = first_arc + k, first_arc + (k + 1) % len(own)
        first_arc += len(own)
    return around, uncrossed, int(sign.sum())
