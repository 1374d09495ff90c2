"""The volume a surface encloses, also where it is open or runs through itself."""

import numpy as np

from .winding import INSIDE, winding

CUBES_ALONG = 64  # cubes along the longest side, whose middles are counted
TWICE = 1.5  # winding number above which the surface lies in itself


def enclosed_volume(x: np.ndarray, triangles: np.ndarray) -> float:
    """[m³] inside a surface of points x (V, 3) [m] and triangles (T, 3): the sum of signed tetrahedra where it is
    closed and does not run through itself, else counted on a grid. 0 where nothing is inside.
    """
    low, high = x.min(axis=0), x.max(axis=0)
    size = float((high - low).max()) / CUBES_ALONG
    count = np.maximum(np.ceil((high - low) / size), 1).astype(int)
    first = 0.5 * (low + high - size * (count - 1))
    around = np.abs(winding(x, triangles, first, size, (int(count[0]), int(count[1]), int(count[2]))))
    if around.max() < TWICE and is_closed(triangles):
        a, b, c = np.moveaxis(x[triangles] - x.mean(axis=0), 1, 0)
        return abs(float(np.einsum("ij,ij->", a, np.cross(b, c)))) / 6.0
    return float((around > INSIDE).sum()) * size**3


def is_closed(triangles: np.ndarray) -> bool:
    """Whether each edge of triangles (T, 3) is passed as often one way as the other."""
    ends = triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    _, edge = np.unique(np.sort(ends, axis=1), axis=0, return_inverse=True)
    return not np.bincount(edge.ravel(), np.where(ends[:, 0] < ends[:, 1], 1.0, -1.0)).any()


def total_volume(x: np.ndarray, tetrahedra: np.ndarray) -> float:
    """[m³] of tetrahedra (t, 4) of points x (n, 3) [m]."""
    a, b, c, d = np.moveaxis(x[tetrahedra], 1, 0)
    return float(np.einsum("ij,ij->", b - a, np.cross(c - a, d - a))) / 6.0
