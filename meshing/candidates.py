"""Pairs of points and of what may be near them, by a grid."""

from collections.abc import Iterator

import numpy as np

ELEMENT_PAIRS = 2_000_000  # pairs of a point and an element at a time


class Candidates:
    """Which of the elements with corners (e, k, 3) may be within `margin` [m] of a point: those whose bounds, widened
    by it, reach into the point's cell of a grid, `size` [m] wide.
    """

    def __init__(self, corners: np.ndarray, size: float, margin: float):
        self.size = size
        low, high = corners.min(axis=1) - margin, corners.max(axis=1) + margin
        self.first = low.min(axis=0)
        low, high = ((bound - self.first) // self.size for bound in (low, high))
        low, number = low.astype(int), (high - low).astype(int) + 1
        self.count = (low + number).max(axis=0)
        owner, place = grid_points(low, number)
        cell = np.ravel_multi_index(tuple(place.T), self.count)
        order = np.argsort(cell, kind="stable")
        self.cell, self.owner = cell[order], owner[order]

    def pairs(self, points: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """(numbers of points (k,), of elements (k,)), portion by portion."""
        place = ((points - self.first) // self.size).astype(int)
        there = ((place >= 0) & (place < self.count)).all(axis=1)
        own = np.flatnonzero(there)
        cell = np.ravel_multi_index(place[own].T, self.count)
        start, end = np.searchsorted(self.cell, cell), np.searchsorted(self.cell, cell, side="right")
        number = end - start
        done = np.cumsum(number)
        parts = int(done[-1] // ELEMENT_PAIRS) + 1 if len(done) else 0
        cuts = np.searchsorted(done, np.linspace(0, done[-1], parts + 1)[1:-1]) if parts else []
        for portion in np.split(np.arange(len(own)), cuts):
            count = number[portion]
            point = np.repeat(portion, count)
            step = np.arange(len(point)) - np.repeat(np.cumsum(count) - count, count)
            yield own[point], self.owner[start[point] + step]


def grid_points(low: np.ndarray, number: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(owner (k,), grid point (k, 3)) of all points in boxes from low (b, 3) on, number (b, 3) along each axis."""
    total = number.prod(axis=1)
    owner = np.repeat(np.arange(len(low)), total)
    step = np.arange(len(owner)) - np.repeat(np.cumsum(total) - total, total)
    wide, deep = number[owner, 1], number[owner, 2]
    return owner, low[owner] + np.stack([step // (wide * deep), step // deep % wide, step % deep], axis=1)
