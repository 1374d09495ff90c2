"""How far points of a cubic grid are from a surface, where that is near.

The nearest point of a triangle is found as Ericson does, *Real-Time Collision Detection* (2005), §5.1.5: in its inside,
on an edge or at a corner.
"""

import numpy as np

from .candidates import grid_points

TRIANGLE_PAIRS = 1_000_000  # pairs of a point and a triangle at a time


def distance(
    x: np.ndarray, triangles: np.ndarray, first: np.ndarray, size: float, count: tuple[int, int, int]
) -> np.ndarray:
    """Distances (nx·ny·nz,) [m], the last axis fastest, of the points of a grid as `winding` takes it from a surface of
    points x (V, 3) and triangles (T, 3), as far as they are within `size`; infinity of others.
    """
    corners = x[triangles]
    low = np.clip(np.ceil((corners.min(axis=1) - size - first) / size), 0, count).astype(int)
    high = np.clip(np.floor((corners.max(axis=1) + size - first) / size) + 1, 0, count).astype(int)
    number = np.maximum(high - low, 0)
    pairs = np.cumsum(number.prod(axis=1))
    parts = int(pairs[-1] // TRIANGLE_PAIRS) + 1
    found = np.full(int(np.prod(count)), np.inf)
    for own in np.split(np.arange(len(triangles)), np.searchsorted(pairs, np.linspace(0, pairs[-1], parts + 1)[1:-1])):
        triangle, point = grid_points(low[own], number[own])
        flat = np.ravel_multi_index(tuple(point.T), count)
        near = nearest(first + size * point, corners[own][triangle])
        apart = np.linalg.norm(near - first - size * point, axis=1)
        np.minimum.at(found, flat, np.where(apart < size, apart, np.inf))
    return found


def nearest(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The points (k, 3) of triangles with corners (k, 3, 3) nearest to points (k, 3)."""
    a, ab, ac = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    best = _on_segment(points, a, ab)
    for start, along in ((a, ac), (corners[:, 1], corners[:, 2] - corners[:, 1])):
        other = _on_segment(points, start, along)
        closer = _square(other - points) < _square(best - points)
        best = np.where(closer[:, None], other, best)
    d11, d12, d22 = _square(ab), np.sum(ab * ac, axis=1), _square(ac)
    to = points - a
    p1, p2 = np.sum(ab * to, axis=1), np.sum(ac * to, axis=1)
    area = d11 * d22 - d12 * d12
    safe = np.where(area > 0.0, area, 1.0)
    v, w = (d22 * p1 - d12 * p2) / safe, (d11 * p2 - d12 * p1) / safe
    within = (area > 0.0) & (v >= 0.0) & (w >= 0.0) & (v + w <= 1.0)
    return np.where(within[:, None], a + v[:, None] * ab + w[:, None] * ac, best)


def _on_segment(points: np.ndarray, start: np.ndarray, along: np.ndarray) -> np.ndarray:
    length = _square(along)
    share = np.sum((points - start) * along, axis=1) / np.where(length > 0.0, length, 1.0)
    return start + np.clip(share, 0.0, 1.0)[:, None] * along


def _square(vectors: np.ndarray) -> np.ndarray:
    return np.einsum("ij,ij->i", vectors, vectors)
