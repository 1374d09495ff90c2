"""How far points of a surface are from others along it, over its edges and straight on from a triangle into the next.

Distances get shorter until none does, from all points at once whose own just did and which are not yet farther than a
limit that grows (Meyer & Sanders 2003, *Δ-stepping*). The way straight across an edge is that of the two triangles laid
flat.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from .walls import Walls

STEP = 4.0  # of the median way: by so much the limit grows


@dataclass(frozen=True)
class Ways:
    """From each point on: the points there, and how far, at first[point] … first[point + 1] of (w,)."""

    first: np.ndarray
    there: np.ndarray
    length: np.ndarray

    @classmethod
    def of(cls, walls: Walls) -> Self:
        """Of all points of Walls."""
        x, (a, b) = walls.x, walls.edges.T
        length = np.linalg.norm(x[b] - x[a], axis=1)
        c, d, across = _across(walls, length)
        start, end = np.concatenate([a, c]), np.concatenate([b, d])
        far = np.concatenate([length, across])
        tail, head, far = np.concatenate([start, end]), np.concatenate([end, start]), np.tile(far, 2)
        order = np.argsort(tail, kind="stable")
        first = np.concatenate([[0], np.cumsum(np.bincount(tail, minlength=len(x)))])
        return cls(first, head[order], far[order])

    def distance(self, sources: np.ndarray) -> np.ndarray:
        """(V,) from the nearest of some points; infinity where no way leads."""
        found, step = np.full(len(self.first) - 1, np.inf), STEP * float(np.median(self.length))
        found[sources] = 0.0
        waiting, limit, stamp = np.unique(sources), step, np.empty(len(found), dtype=int)
        while len(waiting):
            ready = found[waiting] < limit
            front = waiting[ready]
            if not len(front):
                limit = float(found[waiting].min()) + step
                continue
            start = self.first[front]
            number = self.first[front + 1] - start
            before = np.cumsum(number) - number
            way = np.arange(before[-1] + number[-1]) + np.repeat(start - before, number)
            there, far = self.there[way], np.repeat(found[front], number) + self.length[way]
            nearer = far < found[there]
            there = there[nearer]
            np.minimum.at(found, there, far[nearer])
            waiting = np.concatenate([waiting[~ready], there])
            stamp[waiting] = number = np.arange(len(waiting))
            waiting = waiting[stamp[waiting] == number]  # each once
        return found


def _across(walls: Walls, length: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(c (k,), d (k,), how far (k,)): the corners beside edges that the straight way between them crosses."""
    x, inner = walls.x, np.flatnonzero((walls.sides[:, 1] >= 0) & (length > 0.0))
    a, b = walls.edges[inner].T
    along = (x[b] - x[a]) / length[inner, None]
    beside, place = [], []
    for side in range(2):
        # the sum of a triangle's corners less those of the edge is the third
        corner = walls.triangles[walls.sides[inner, side]].sum(axis=1) - a - b
        to = x[corner] - x[a]
        on = np.sum(to * along, axis=1)
        beside.append(corner)
        place.append((on, np.linalg.norm(to - on[:, None] * along, axis=1)))
    (on_c, up), (on_d, down) = place
    wide = up + down
    crossing = on_c + (on_d - on_c) * up / np.where(wide > 0.0, wide, 1.0)
    straight = (wide > 0.0) & (crossing > 0.0) & (crossing < length[inner])
    return beside[0][straight], beside[1][straight], np.hypot(on_c - on_d, wide)[straight]
