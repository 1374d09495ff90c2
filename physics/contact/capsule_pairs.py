"""Pairs of capsules that may touch: their boxes overlap, grown by a skin, so that they may move for a while."""

from .._jit import njit
from .broad_phase import arrange, overlapping
from .contact_filter import may_touch


@njit
def bound(capsules, x, skin, boxes):
    """Fill in the boxes around capsules between the vertices x, each grown by half its skin (n,) [m]."""
    for i in range(len(capsules.tail)):
        grow = capsules.radius[i] + 0.5 * skin[i]
        for k in range(3):
            a, b = x[capsules.tail[i], k], x[capsules.head[i], k]
            boxes.low[i, k], boxes.high[i, k] = min(a, b) - grow, max(a, b) + grow


@njit
def capsule_pairs(capsules, x, skin, boxes, pairs):
    """Fill pairs (p, 2), the lower number first, with all capsules between the vertices x (N, 3) that are nearer than
    half their skins (n,) [m] together, and that contact has to watch. boxes: room for them.

    Returns the number of pairs found; more than p means that the list is too small.
    """
    bound(capsules, x, skin, boxes)
    grids, count = arrange(boxes), 0
    for p in range(len(boxes.number)):
        i = boxes.number[p]
        for q in range(overlapping(boxes, grids, p)):
            j = boxes.found[q]
            if may_touch(capsules, x, i, j):
                if count < len(pairs):
                    pairs[count, 0], pairs[count, 1] = min(i, j), max(i, j)
                count += 1
    return count
