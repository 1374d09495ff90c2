"""A surface cut into slices between level sets of its distance from one place, and how these follow one another.

The slices of a tube are rings one after the other, those of a tree branch (the Reeb graph: Reeb 1946; as slices, Singh,
Mémoli & Carlsson 2007, *Topological methods for the analysis of high dimensional data sets*, "mapper").
"""

from dataclasses import dataclass
from functools import reduce
from typing import Self

import numpy as np

from ...physics.scenes.linked import linked
from .walls import Walls

OFF = 0.137  # of a slice: where levels begin, so that none goes through whole rings of vertices


@dataclass(frozen=True)
class Slices:
    """slice (p,) and triangle (p,) of the pieces that triangles are cut into; at (V,): the level of each point.

    Of each slice: its level (n,), width (n,), centre (n, 3) and girth (n,) of the level set in its middle, 0: it has
    none. links (k, 2): slices below and above a level set.
    """

    piece_of: np.ndarray
    triangle_of: np.ndarray
    at: np.ndarray
    level: np.ndarray
    width: np.ndarray
    centre: np.ndarray
    girth: np.ndarray
    links: np.ndarray

    @classmethod
    def of(cls, walls: Walls, distance: np.ndarray, width: np.ndarray) -> Self:
        """Of Walls whose points are so far (V,) from where the slices begin, which are as wide (V,), the same all over
        a shell.
        """
        height = distance / width + OFF
        levels = np.floor(height).astype(int)
        low, high = _span(levels[walls.triangles])
        number = high - low + 1
        first = np.cumsum(number) - number
        triangle = np.repeat(np.arange(len(low)), number)
        level = np.arange(len(triangle)) - np.repeat(first - low, number)
        piece = linked(_links(walls, levels, first - low), len(triangle))
        count = int(piece.max()) + 1
        level_of, width_of = np.empty(count, dtype=int), np.empty(count)
        level_of[piece], width_of[piece] = level, width[walls.triangles[triangle, 0]]
        onward = np.flatnonzero(np.diff(triangle) == 0)
        links = np.unique(piece[onward] * count + piece[onward + 1])
        centre, girth = _rings(walls, height, triangle, level, piece, count)
        links = np.stack([links // count, links % count], axis=1)
        return cls(piece, triangle, levels, level_of, width_of, centre, girth, links)

    @property
    def first(self) -> np.ndarray:
        """(n,) a triangle of each."""
        triangle = np.empty(len(self.level), dtype=int)
        triangle[self.piece_of] = self.triangle_of
        return triangle

    @property
    def middle(self) -> np.ndarray:
        """(n,) the distance at which the level set in the middle is."""
        return (self.level + 0.5 - OFF) * self.width


def _span(levels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    columns = levels.T  # a reduction over so few is ten times as slow
    return reduce(np.minimum, columns), reduce(np.maximum, columns)


def _links(walls: Walls, levels: np.ndarray, base: np.ndarray) -> np.ndarray:
    """Pairs of pieces that are in one slice beside an edge; the piece of a triangle at a level is base (T,) + level."""
    inner = walls.sides[:, 1] >= 0
    low, high = _span(levels[walls.edges[inner]])
    number = high - low + 1
    edge = np.repeat(np.arange(len(low)), number)
    level = np.arange(len(edge)) - np.repeat(np.cumsum(number) - number - low, number)
    return base[walls.sides[inner][edge]] + level[:, None]


def _rings(
    walls: Walls, height: np.ndarray, triangle: np.ndarray, level: np.ndarray, piece: np.ndarray, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """The centres (n, 3) and lengths (n,) of the level sets in the middle of slices; of one that has none, the mean of
    its corners.
    """
    corner = walls.triangles[triangle]
    above = height[corner] - (level + 0.5)[:, None]
    up = above > 0.0
    own = np.flatnonzero((up[:, 0] != up[:, 1]) | (up[:, 0] != up[:, 2]))
    place = crossings(walls.x[corner[own]], above[own])
    length = np.linalg.norm(place[:, 1] - place[:, 0], axis=1)
    girth = np.bincount(piece[own], length, count)
    weighed = [np.bincount(piece[own], length * place.mean(axis=1)[:, axis], count) for axis in range(3)]
    number = 3.0 * np.bincount(piece, minlength=count)
    middle = walls.x[walls.triangles].sum(axis=1)[triangle]
    mean = [np.bincount(piece, middle[:, axis], count) for axis in range(3)]
    there = girth > 0.0
    centre = np.where(there, np.array(weighed) / np.where(there, girth, 1.0), np.array(mean) / number)
    return centre.T, girth


def crossings(corners: np.ndarray, above: np.ndarray) -> np.ndarray:
    """The two places (k, 2, 3) on the edges of triangles with corners (k, 3, 3) where a function that is `above` (k, 3)
    at these is nothing: some are above and some are not.
    """
    edge = crossed(above)
    rows = np.arange(len(above))[:, None]
    after = (edge + 1) % 3
    start, end = above[rows, edge], above[rows, after]
    share = (start / (start - end))[..., None]
    return corners[rows, edge] + share * (corners[rows, after] - corners[rows, edge])


def crossed(above: np.ndarray) -> np.ndarray:
    """The numbers (k, 2) of the edges where a function passes from above to not above."""
    up = above > 0.0
    first, second = up[:, 0] != up[:, 1], up[:, 1] != up[:, 2]
    return np.stack([np.where(first, 0, 1), np.where(first & second, 1, 2)], axis=1)
