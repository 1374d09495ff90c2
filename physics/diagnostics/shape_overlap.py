"""How deep surfaces of bodies are in each other, by brute force: all edges of one and all faces of the other, and the
other way round.
"""

from typing import NamedTuple

import numpy as np

from ..geometry.solid_angle import holds
from .surface_overlap import all_pairs, distances


class Solid(NamedTuple):
    """A surface somewhere: points (V, 3) [m], triangles (T, 3), and how far around them it reaches [m]."""

    points: np.ndarray
    triangles: np.ndarray
    radius: float


def deepest_between(one: Solid, other: Solid, within: float = np.inf) -> float:
    """How deep [m] two surfaces are in each other at most. Not positive: by how much they miss each other; −∞ where
    that is more than `within` [m]. Where a surface passes through the other, both radii; where vertices are inside a
    closed one, their distance from it too.
    """
    least = min(-_buried(one, other), -_buried(other, one))
    a, b = (_near(*pair, one.radius + other.radius + within) for pair in ((one, other), (other, one)))
    if len(a.triangles) and len(b.triangles):
        least = min(least, _least(a, b), _least(b, a))
    return one.radius + other.radius - least


def _near(one: Solid, other: Solid, reach: float) -> Solid:
    """What of one is in the box around another, or no further from it than `reach` [m]."""
    corners, low, high = one.points[one.triangles], other.points.min(axis=0), other.points.max(axis=0)
    near = np.all((corners.max(axis=1) > low - reach) & (corners.min(axis=1) < high + reach), axis=1)
    return one._replace(triangles=one.triangles[near])


def _buried(one: Solid, other: Solid) -> float:
    """How far [m] from other's surface vertices of one are at most, inside it; −∞ where none is, or it is open."""
    if not _is_closed(other.triangles):
        return -np.inf
    points, faces = one.points[np.unique(one.triangles)], other.points[other.triangles]
    low, high = faces.min(axis=(0, 1)), faces.max(axis=(0, 1))
    deepest = -np.inf
    for point in points[np.all((points > low) & (points < high), axis=1)]:
        if holds(faces, point):
            alone = Solid(point[None], np.zeros((1, 3), np.int64), 0.0)
            deepest = max(deepest, _least(alone, other))
    return deepest


def _is_closed(triangles: np.ndarray) -> bool:
    """Whether every edge is one of two triangles (T, 3)."""
    edges = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    return bool(np.all(np.unique(edges, axis=0, return_counts=True)[1] == 2))


def _least(one: Solid, other: Solid) -> float:
    """The least distance [m] of edges of one from faces and edges of the other; a point is an edge of no length."""
    ends = np.unique(np.sort(one.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)
    faces, least = other.points[other.triangles], np.inf
    for i, j in all_pairs(len(ends), len(faces)):
        a, b = one.points[ends[i, 0]], one.points[ends[i, 1]]
        least = min(least, float(distances(a, b, *np.moveaxis(faces[j], 1, 0)).min()))
    assert not np.isnan(least)
    return least
