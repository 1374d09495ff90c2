"""The body-centred cubic lattice: points at the corners and in the middle of cubes, between them tetrahedra of one
shape (Labelle & Shewchuk 2007, §3).

Each tetrahedron is an edge of a cube's face and the line that joins the two middles across that face. Those two long
edges, opposite each other, are as long as a cube; the four short ones √3/2 of that.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

AXES = range(3)


@dataclass(frozen=True)
class Lattice:
    """Points of `cubes` (3,) cubes of the length `size` [m] along each axis, from `origin` (3,) [m]: the corners first,
    each grid with the last axis fastest.
    """

    origin: np.ndarray
    size: float
    cubes: tuple[int, int, int]

    @property
    def corner_grid(self) -> tuple[int, int, int]:
        return self.cubes[0] + 1, self.cubes[1] + 1, self.cubes[2] + 1

    @property
    def grids(self) -> tuple[tuple[np.ndarray, tuple[int, int, int]], ...]:
        """(first point (3,) [m], points along each axis) of the corners and of the middles."""
        return (self.origin, self.corner_grid), (self.origin + 0.5 * self.size, self.cubes)

    @cached_property
    def points(self) -> np.ndarray:
        """(n, 3) [m]."""
        grids = [
            first + self.size * np.moveaxis(np.indices(count), 0, -1).reshape(-1, 3) for first, count in self.grids
        ]
        return np.concatenate(grids)

    @cached_property
    def parity(self) -> np.ndarray:
        """(n,) 0 or 1: never the same at the two ends of a long edge."""
        return np.concatenate([np.indices(count).sum(axis=0).ravel() % 2 for _, count in self.grids])

    @cached_property
    def tetrahedra(self) -> np.ndarray:
        """(t, 4): two middles, then two corners; the long edges are 0–1 and 2–3."""
        corner = np.arange(np.prod(self.corner_grid)).reshape(self.corner_grid)
        middle = corner.size + np.arange(np.prod(self.cubes)).reshape(self.cubes)
        found = []
        for axis in AXES:
            corners, middles = np.moveaxis(corner, axis, 0)[1:-1], np.moveaxis(middle, axis, 0)
            low, high = middles[:-1], middles[1:]
            ring = corners[:, :-1, :-1], corners[:, 1:, :-1], corners[:, 1:, 1:], corners[:, :-1, 1:]
            for here, there in zip(ring, ring[1:] + ring[:1], strict=True):
                found.append(np.stack([low, high, here, there], axis=-1).reshape(-1, 4))
        return np.concatenate(found)
