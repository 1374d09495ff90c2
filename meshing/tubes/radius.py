"""How thick a tube is: how far the corners of its sections are from its centre line.

A vertex counts by how much the surface bends there around the tube: Σ |e·t| φ over its edges e, φ between the faces
beside one, t along the tube. Vertices on flat sides of a tube with few sides count for nothing, and caps neither.
"""

import numpy as np

from .line import Line
from .walls import Walls

TAPERS = 0.02  # of the radius: what varies by less along a piece is the same all along
PARTS = 8  # of a piece
SAME = 0.0025  # of the radius: a part whose mean is nearer to a straight line is on it,
CHANCE = 3.0  # standard errors: and so is one that noise may have put so far off it
PIECE = 1.0  # radii: a shorter one is not halved
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
    order = np.argsort(s)
    pieces = _pieces(s[order], far[order], weight[order], (float(s.min()), float(s.max())), about, 0.5 * TAPERS)
    low, high, first, last = np.array(pieces).T
    if len(pieces) == 1 and first[0] == last[0]:
        return np.full(len(line.x), about)
    known = np.concatenate([[0.0], low[1:], [line.length]])
    slope = (last - first) / np.maximum(high - low, 1e-9 * about)
    ends = first[0] - slope[0] * low[0], last[-1] + slope[-1] * (line.length - high[-1])
    values = np.concatenate([ends[:1], 0.5 * (first[1:] + last[:-1]), ends[1:]])
    found = np.interp(line.s, known, values)
    return np.clip(found, 0.5 * min(first.min(), last.min()), 1.5 * max(first.max(), last.max()))


def _pieces(
    s: np.ndarray, far: np.ndarray, weight: np.ndarray, span: tuple[float, float], about: float, even: float
) -> list[tuple[float, float, float, float]]:
    """Straight lines (from, to, value there, value there) through values far (n,) at sorted s (n,) of a span, in halves
    of halves, until the parts of each are on them; even: by how much of
    it they may be off where it does not lean.
    """
    low, high = span
    half, mean = 0.5 * (high - low), float(np.average(far, weights=weight))
    middle = float(np.average(s, weights=weight))
    spread = float(np.average((s - middle) ** 2, weights=weight))
    slope = float(np.average((s - middle) * (far - mean), weights=weight)) / spread if spread > 0.0 else 0.0
    part = np.clip((0.5 * PARTS * (s - low) / max(half, 1e-300)).astype(int), 0, PARTS - 1)
    share = np.maximum(np.bincount(part, weight, PARTS), 1e-9 * weight.sum())
    noise = 0.5 * float(np.mean(np.diff(far) ** 2)) if len(far) > 1 else 0.0  # von Neumann 1941
    error = CHANCE * np.sqrt(noise * np.bincount(part, weight**2, PARTS)) / share
    for leaning, least in ((0.0, even), (slope, SAME)):
        off = far - mean - leaning * (s - middle)
        ends = mean + leaning * (low - middle), mean + leaning * (high - middle)
        if (np.abs(np.bincount(part, weight * off, PARTS)) / share < np.maximum(least * mean, error)).all():
            return [(low, high, *ends)]
    cut = int(np.searchsorted(s, low + half))
    if half < PIECE * about or cut in (0, len(s)):
        return [(low, high, *ends)]
    halves = (slice(0, cut), (low, low + half)), (slice(cut, len(s)), (low + half, high))
    return [piece for own, there in halves for piece in _pieces(s[own], far[own], weight[own], there, about, SAME)]


def _median(values: np.ndarray, weight: np.ndarray) -> float:
    """Weighted."""
    order = np.argsort(values)
    share = np.cumsum(weight[order]) - 0.5 * weight[order]
    return float(np.interp(0.5 * weight.sum(), share, values[order]))
