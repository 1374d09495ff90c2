"""How deep rods are in colliders, and whether their centre lines go through them, by brute force: all edges of rods and
all faces.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from ..scene import Collider, Rod
from .overlap import segment_distance

BLOCK = 1 << 18  # pairs of an edge and a face looked at together
Pairs = tuple[np.ndarray, np.ndarray]  # i (k,), j (k,)


def deepest_in_surface(rods: Sequence[Rod], x: np.ndarray, collider: Collider, points: np.ndarray) -> float:
    """How deep [m] the capsules of rods, at the vertices x (N, 3) of a Frame, are at most in the thickness of a
    collider whose vertices are at points (V, 3). Not positive: by how much all of them miss.

    Nearest are the ends of one over the inside of the other, or an edge of each.
    """
    deepest = -np.inf
    for a, b, radius, corners in _pairs(rods, x, collider, points):
        deepest = max(deepest, np.max(radius + collider.thickness - distances(a, b, *corners), initial=-np.inf))
    return float(deepest)


def intersections(rods: Sequence[Rod], x: np.ndarray, collider: Collider, points: np.ndarray) -> int:
    """How often edges of rods, at vertices x (N, 3), go through faces of a collider with vertices at points (V, 3)."""
    return sum(int(crosses(a, b, *corners).sum()) for a, b, _, corners in _pairs(rods, x, collider, points))


def all_pairs(count: int, others: int) -> Iterator[Pairs]:
    """Block by block, each of so many with each of the others."""
    step = max(1, BLOCK // max(others, 1))
    for begin in range(0, count, step):
        i = np.repeat(np.arange(begin, min(begin + step, count)), others)
        yield i, np.tile(np.arange(others), len(i) // max(others, 1))


def distances(a: np.ndarray, b: np.ndarray, p: np.ndarray, q: np.ndarray, r: np.ndarray) -> np.ndarray:
    """(k,) of segments a–b, or points, from faces p, q, r, (k, 3) each; nothing goes through one without area."""
    distance = np.minimum(_to_face(a, p, q, r), _to_face(b, p, q, r))
    for u, v in ((p, q), (q, r), (r, p)):
        distance = np.minimum(distance, segment_distance(a, b, u, v)[2])
    return np.where(crosses(a, b, p, q, r), 0.0, distance)


def _pairs(
    rods: Sequence[Rod], x: np.ndarray, collider: Collider, points: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    """Block by block: ends of an edge (k, 3), its radius (k,), corners of a face (3, k, 3)."""
    first = 0
    faces = points[collider.triangles]
    for rod in rods:
        own, m = x[first : first + len(rod.x)], rod.edge_count
        a, b = own[:m], np.roll(own, -1, axis=0)[:m]
        radius = 0.5 * (rod.radius + np.roll(rod.radius, -1))[:m]
        first += len(rod.x)
        for i, j in all_pairs(m, len(faces)):
            yield a[i], b[i], radius[i], np.moveaxis(faces[j], 1, 0)


def _to_face(x: np.ndarray, p: np.ndarray, q: np.ndarray, r: np.ndarray) -> np.ndarray:
    """(k,) distances of points from the planes of faces, where their feet are inside; infinite elsewhere."""
    n, d = np.cross(q - p, r - p), x - p
    area = np.sum(n * n, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        u = np.sum(np.cross(d, r - p) * n, axis=1) / area
        v = np.sum(np.cross(q - p, d) * n, axis=1) / area
        height = np.abs(np.sum(d * n, axis=1)) / np.sqrt(area)
    return np.where((u >= 0.0) & (v >= 0.0) & (u + v <= 1.0), height, np.inf)


def crosses(a: np.ndarray, b: np.ndarray, p: np.ndarray, q: np.ndarray, r: np.ndarray) -> np.ndarray:
    """(k,) whether the segments a–b go through faces; nothing goes through one without area."""

    def volume(u: np.ndarray, v: np.ndarray, w: np.ndarray, o: np.ndarray) -> np.ndarray:
        return np.sum(np.cross(u - o, v - o) * (w - o), axis=1)

    apart = volume(p, q, r, a) * volume(p, q, r, b) < 0.0
    one, two, three = volume(a, b, p, q), volume(a, b, q, r), volume(a, b, r, p)
    apart &= np.any(np.cross(q - p, r - p) != 0.0, axis=1)
    return apart & (((one > 0.0) == (two > 0.0)) & ((two > 0.0) == (three > 0.0)))
