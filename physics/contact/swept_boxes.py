"""Who may have met: boxes around all that edges sweep over, and the parts of a scene joined whose boxes overlap.

Between two steps points move along straight lines, so the box of a vertex's positions at the steps holds all of its
way, and what has no box in common with something never touched it. A disjoint-set forest joins (Tarjan 1975): the root
of each tree is its smallest number.
"""

import numpy as np

from .._jit import entry, kernel
from .broad_phase import Boxes, arrange, overlapping, room_for


@kernel
def widen(x: np.ndarray, low: np.ndarray, high: np.ndarray) -> None:
    """Let the boxes low to high (N, 3) of vertices hold the positions x (N, 3)."""
    for i in range(len(x)):
        for c in range(3):
            low[i, c] = min(low[i, c], x[i, c])
            high[i, c] = max(high[i, c], x[i, c])


def joined(capsules: np.ndarray, part: np.ndarray, low: np.ndarray, high: np.ndarray, root: np.ndarray) -> np.ndarray:
    """(P,) for each part of a scene the first of those that it is joined with, as in `root` (P,) and where they met.

    capsules: CAPSULE (C,), part (C,) of each, of vertices in the boxes low to high (N, 3) [m].
    """
    boxes, first = _boxes(capsules, low, high)
    root = root.copy()
    join_overlapping(boxes, part[first], root)
    return root


def _boxes(capsules: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[Boxes, np.ndarray]:
    """Boxes around runs of edges, and the first capsule of each. The further a rod moves, the longer its runs are:
    boxes of single edges would all overlap, and be no more precise.
    """
    tail, head, radius = capsules["tail"], capsules["head"], capsules["radius"][:, None]
    rod = np.flatnonzero(np.diff(capsules["rod"], prepend=-1))
    way = (high - low).max(axis=1)
    way = np.repeat(np.maximum.reduceat(np.maximum(way[tail], way[head]), rod), np.diff([*rod, len(tail)]))
    run = capsules["arc"] // np.maximum(way, capsules["radius"])
    first = np.union1d(rod, np.flatnonzero(np.diff(run, prepend=-1.0)))
    boxes = room_for(len(first))
    boxes.low[:] = np.minimum.reduceat(np.minimum(low[tail], low[head]) - radius, first)
    boxes.high[:] = np.maximum.reduceat(np.maximum(high[tail], high[head]) + radius, first)
    return boxes, first


@entry
def join_overlapping(boxes: Boxes, part: np.ndarray, root: np.ndarray) -> None:
    """Join the parts (B,) of all boxes that overlap: root (P,) of each is at most its own number."""
    grids = arrange(boxes)
    for p in range(len(part)):
        i = boxes.number[p]
        for q in range(overlapping(boxes, grids, p)):
            a, b = root_of(root, part[i]), root_of(root, part[boxes.found[q]])
            root[max(a, b)] = min(a, b)
    for k in range(len(root)):
        root[k] = root[root[k]]


@kernel
def root_of(root: np.ndarray, k: int) -> int:
    """The root of k's tree; what is passed on the way moves nearer to it."""
    while root[k] != k:
        root[k] = root[root[k]]
        k = root[k]
    return k
