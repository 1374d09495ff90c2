"""Pairs of capsules that may touch: their boxes overlap, grown by a skin, so that they may move for a while."""

from math import sqrt

import numpy as np

from .._jit import kernel
from .broad_phase import Boxes, arrange, overlapping
from .contact_filter import may_touch
from .passage import separation


@kernel
def bound(capsules: np.ndarray, x: np.ndarray, skin: float, boxes: Boxes) -> None:
    """Fill in the boxes around capsules between the vertices x, each grown by half the skin [m]."""
    for i in range(len(capsules)):
        grow = capsules[i].radius + 0.5 * skin
        for k in range(3):
            a, b = x[capsules[i].tail, k], x[capsules[i].head, k]
            boxes.low[i, k], boxes.high[i, k] = min(a, b) - grow, max(a, b) + grow


@kernel
def gap_between(one: np.record, other: np.record, x: np.ndarray) -> float:
    """How far apart [m] the surfaces of two capsules are."""
    a, b, c, _, _ = separation(x, one.tail, one.head, other.tail, other.head)
    return sqrt(a * a + b * b + c * c) - one.radius - other.radius


@kernel
def capsule_pairs(
    capsules: np.ndarray,
    rods: np.ndarray,
    joined: np.ndarray,
    strangers: np.ndarray,
    x: np.ndarray,
    skin: float,
    boxes: Boxes,
    pairs: np.ndarray,
) -> int:
    """Fill pairs, the lower number first, with all capsules between the vertices x (N, 3) that are nearer than
    the skin [m], and that contact has to watch. boxes: room for them.

    Returns the number of pairs found; more than p means that the list is too small.
    """
    bound(capsules, x, skin, boxes)
    grids, count = arrange(boxes), 0
    for p in range(len(boxes.number)):
        i = boxes.number[p]
        for q in range(overlapping(boxes, grids, p)):
            j = boxes.found[q]
            if may_touch(capsules, rods, joined, strangers, x, i, j):
                gap = gap_between(capsules[i], capsules[j], x)
                if gap > skin:
                    continue
                if count < len(pairs):
                    pairs[count].i, pairs[count].j, pairs[count].gap = min(i, j), max(i, j), gap
                count += 1
    return count
