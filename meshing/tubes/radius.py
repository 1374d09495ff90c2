"""How thick a tube is: how far the corners of its sections are from its centre line.

A vertex counts by how much the surface bends there around the tube: Σ |e·t| φ over its edges e, φ between the faces
beside one, t along the tube. Vertices on flat sides of a tube with few sides count for nothing, and caps neither.
"""

import numpy as np

from .line import Line
from .walls import Walls

PARTS = 8  # of a branch, in which it is seen whether it tapers
TAPERS = 0.02  # of the radius: if it varies by more from part to part
END = 1.2  # radii: what is so near an end, on a round cap, counts for nothing, where there is anything else


def corner_weights(walls: Walls, along: np.ndarray) -> np.ndarray:
    """(V,) of points of Walls, with the unit direction (V, 3) of the tube at each."""
    inner = walls.sides[:, 1] >= 0
    normal = walls.normals
    one, other = normal[walls.sides[inner, 0]], normal[walls.sides[inner, 1]]
    bend = np.arctan2(np.linalg.norm(np.cross(one, other), axis=1), np.sum(one * other, axis=1))
    a, b = walls.edges[inner].T
    direction = along[a] + along[b]
    weight = bend * np.abs(np.sum((walls.x[b] - walls.x[a]) * direction, axis=1))
    return np.bincount(a, weight, len(walls.x)) + np.bincount(b, weight, len(walls.x))


def radii(line: Line, s: np.ndarray, far: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """(k,) at the points of a Line: of vertices at lengths s (n,), far (n,) from it, with weights (n,); the same all
    along unless it tapers.
    """
    weight = weight if weight.any() else np.ones(len(weight))
    about = _median(far, weight)
    inner = (s > END * about) & (s < line.length - END * about) & (weight > 0.0)
    if weight[inner].sum() > 0.2 * weight.sum():
        s, far, weight = s[inner], far[inner], weight[inner]
    about = _median(far, weight)
    part = np.clip((PARTS * s / line.length).astype(int), 0, PARTS - 1)
    total = np.bincount(part, weight, PARTS)
    there = total > 0.0
    mean = np.bincount(part, weight * far, PARTS)[there] / total[there]
    if np.ptp(mean) <= TAPERS * about:
        return np.full(len(line.x), about)
    place = (s / about).astype(int)
    total = np.bincount(place, weight)
    there = total > 0.0
    middle, mean = (np.bincount(place, weight * values)[there] / total[there] for values in (s, far))
    return _straight_on(line.s, middle, mean)


def _straight_on(s: np.ndarray, known: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values (k,) between known ones, and beyond the first and the last one, as from these to their neighbours."""
    if len(known) < 2:
        return np.full(len(s), values[0])
    found = np.interp(s, known, values)
    low, high = s < known[0], s > known[-1]
    found[low] = values[0] + (s[low] - known[0]) * (values[1] - values[0]) / (known[1] - known[0])
    found[high] = values[-1] + (s[high] - known[-1]) * (values[-1] - values[-2]) / (known[-1] - known[-2])
    return np.clip(found, 0.5 * values.min(), 1.5 * values.max())


def _median(values: np.ndarray, weight: np.ndarray) -> float:
    """Weighted."""
    order = np.argsort(values)
    share = np.cumsum(weight[order]) - 0.5 * weight[order]
    return float(np.interp(0.5 * weight.sum(), share, values[order]))
