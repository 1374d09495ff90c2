"""How deep surfaces of bodies are in each other, by brute force: all edges of one and all faces of the other, and the
other way round.
"""

from typing import NamedTuple

import numpy as np

from .overlap import segment_distance
from .surface_overlap import _crosses, _to_face

BLOCK = 1 << 18  # pairs looked at together


class Solid(NamedTuple):
    """A surface somewhere: points (V, 3) [m], triangles (T, 3), and how far around them it reaches [m]."""

    points: np.ndarray
    triangles: np.ndarray
    radius: float


def deepest_between(one: Solid, other: Solid) -> float:
    """How deep [m] two surfaces are in each other at most. Not positive: by how much they miss each other. Where a
    surface passes through the other, both radii; where vertices are inside a closed one, their distance from it too.
    """
    least = min(_least(one, other), _least(other, one), -_buried(one, other), -_buried(other, one))
    return one.radius + other.radius - least


def _buried(one: Solid, other: Solid) -> float:
    """How far [m] from other's surface vertices of one are at most, inside it; −∞ where none is inside.

    Inside a closed surface its solid angle is 4π, outside 0 (Van Oosterom & Strackee 1983).
    """
    points, faces = one.points[np.unique(one.triangles)], other.points[other.triangles]
    low, high = faces.min(axis=(0, 1)), faces.max(axis=(0, 1))
    deepest = -np.inf
    for point in points[np.all((points > low) & (points < high), axis=1)]:
        p, q, r = np.moveaxis(faces - point, 1, 0)
        a, b, c = (np.linalg.norm(arm, axis=1) for arm in (p, q, r))
        volume = np.einsum("ti,ti->t", p, np.cross(q, r))
        bottom = a * b * c + np.sum(p * q, 1) * c + np.sum(q * r, 1) * a + np.sum(r * p, 1) * b
        if abs(2.0 * np.arctan2(volume, bottom).sum()) > 2.0 * np.pi:
            alone = Solid(point[None], np.zeros((1, 3), np.int64), 0.0)
            deepest = max(deepest, _least(alone, other))
    return deepest


def _least(one: Solid, other: Solid) -> float:
    """The least distance [m] of edges of one from faces and edges of the other; a point is an edge of no length."""
    ends = np.unique(np.sort(one.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)
    faces, least = other.points[other.triangles], np.inf
    step = max(1, BLOCK // len(faces))
    for begin in range(0, len(ends), step):
        i = np.repeat(np.arange(begin, min(begin + step, len(ends))), len(faces))
        j = np.tile(np.arange(len(faces)), len(i) // len(faces))
        a, b, p, q, r = (one.points[ends[i, 0]], one.points[ends[i, 1]], *np.moveaxis(faces[j], 1, 0))
        distance = np.minimum(_to_face(a, p, q, r), _to_face(b, p, q, r))
        for u, v in ((p, q), (q, r), (r, p)):
            distance = np.minimum(distance, segment_distance(a, b, u, v)[2])
        distance[_crosses(a, b, p, q, r)] = 0.0
        least = min(least, float(distance.min()))
    assert not np.isnan(least)
    return least
