"""Pairs of capsules that may touch within some time: those whose gap is less than a skin and what they close by as they
are expected to move. Edges of one rod go much the same way, however fast it is: of them few do.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..vectors import Vector, dot
from .along_rod import nearest
from .broad_phase import Boxes, arrange, overlapping
from .contact_filter import may_touch
from .passage import closing_along


@kernel
def bound(capsules: np.ndarray, x: np.ndarray, skin: float, lasting: float, boxes: Boxes) -> None:
    """Fill in the boxes around capsules between the vertices x (N, 6) [m, m/s], each grown by half the skin [m], and
    by the way that it goes against all together in so long [s].
    """
    for k in range(3):
        whole = 0.0
        if lasting > 0.0:
            for i in range(len(capsules)):
                whole += x[capsules[i].tail, 3 + k]
            whole /= len(capsules)
        for i in range(len(capsules)):
            grow, a, b = capsules[i].radius + 0.5 * skin, x[capsules[i].tail, k], x[capsules[i].head, k]
            low, high = min(a, b) - grow, max(a, b) + grow
            if lasting > 0.0:
                a += lasting * (x[capsules[i].tail, 3 + k] - whole)
                b += lasting * (x[capsules[i].head, 3 + k] - whole)
                low, high = min(low, min(a, b) - grow), max(high, max(a, b) + grow)
            boxes.low[i, k], boxes.high[i, k] = low, high


@kernel
def apart(capsules: np.ndarray, rods: np.ndarray, i: int, j: int, x: np.ndarray) -> tuple[float, float, Vector]:
    """(the gap of two capsules [m], less where lengths that change may close it, how far apart their axes are, and the
    way from the second one to the first).

    Where it goes by how far places are apart along a rod, the gap closes by what edges stretch by, besides.
    """
    way, _, edges = nearest(capsules, rods, i, j, x, 0.0)
    distance = sqrt(dot(way, way))
    gap = distance - capsules[i].radius - capsules[j].radius
    return gap / (1.0 + abs(edges)) if rods[capsules[i].rod].stretchable else gap, distance, way


@kernel
def capsule_pairs(
    capsules: np.ndarray,
    rods: np.ndarray,
    joined: np.ndarray,
    collision_filter: np.ndarray,
    x: np.ndarray,
    within: tuple[float, float],
    boxes: Boxes,
    pairs: np.ndarray,
) -> int:
    """Fill pairs, the lower number first, with all capsules between the vertices x (N, 6) [m, m/s] that are, or by
    their velocities may come, nearer than a skin [m] within some time [s], and that contact has to watch. boxes: room
    for them; velocities are not looked at within no time.

    Returns the number of pairs found; more than p means that the list is too small.
    """
    skin, lasting = within
    bound(capsules, x, skin, lasting, boxes)
    grids, count = arrange(boxes), 0
    for p in range(len(boxes.number)):
        i = boxes.number[p]
        for q in range(overlapping(boxes, grids, p)):
            j = boxes.found[q]
            if may_touch(capsules, rods, joined, collision_filter, x, i, j, skin):
                gap, distance, way = apart(capsules, rods, i, j, x)
                closing = 0.0
                if lasting > 0.0:
                    closing = closing_along(x[:, 3:], way, distance, capsules[i], capsules[j])
                if gap > skin + closing * lasting:
                    continue
                if count < len(pairs):
                    pairs[count].i, pairs[count].j = min(i, j), max(i, j)
                    pairs[count].gap, pairs[count].clear = gap, closing
                count += 1
    return count
