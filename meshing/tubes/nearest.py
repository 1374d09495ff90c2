"""Which of several lines is nearest to points, of those whose tube a point may be in."""

import numpy as np

from ..candidates import Candidates
from .line import Line


def nearest(points: np.ndarray, lines: list[Line], reach: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(line (n,), −1: none within its reach (b,), how far along it (n,), the distance as a part of that reach (n,)) of
    points (n, 3).
    """
    start = np.concatenate([line.x[:-1] for line in lines])
    way = np.concatenate([np.diff(line.x, axis=0) for line in lines])
    before = np.concatenate([line.s[:-1] for line in lines])
    of = np.repeat(np.arange(len(lines)), [len(line.x) - 1 for line in lines])
    square = np.sum(way * way, axis=1)
    size = max(float(reach.max()), float(np.sqrt(square.mean())))
    grid = Candidates(np.stack([start, start + way], axis=1), size, float(reach.max()))
    found, along, best = np.full(len(points), -1), np.zeros(len(points)), np.ones(len(points))
    for point, piece in grid.pairs(points):
        to = points[point] - start[piece]
        share = np.clip(np.sum(to * way[piece], axis=1) / square[piece], 0.0, 1.0)
        gap = np.linalg.norm(to - share[:, None] * way[piece], axis=1) / reach[of[piece]]
        start = np.flatnonzero(np.diff(point, prepend=-1))
        least = np.repeat(np.minimum.reduceat(gap, start), np.diff(start, append=len(gap))) if len(gap) else gap
        first = np.flatnonzero(gap == least)
        first = first[np.flatnonzero(np.diff(point[first], prepend=-1))]
        nearer = first[gap[first] < best[point[first]]]
        best[point[nearer]], found[point[nearer]] = gap[nearer], of[piece[nearer]]
        along[point[nearer]] = before[piece[nearer]] + share[nearer] * np.sqrt(square[piece[nearer]])
    return found, along, best
