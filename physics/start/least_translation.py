"""The least translation that takes two convex hulls, each rounded by a radius, out of each other. numpy only.

Of points a of the one and b of the other let K be the hull of all a − b, which along a unit vector n reaches as far as
h(n) = max a·n − min b·n, and r the sum of the radii. Moved by t, the one is apart from the other where K + t is no
nearer to the origin than r: where h(n) + n·t ≤ −r for some n. So the least t is −n (r + h(n)), at the n of the least
h: towards the nearest point of K where the origin is outside (Wolfe 1976, *Finding the nearest point in a polytope*,
Math. Programming 11), across the nearest face where it is inside (van den Bergen 2001, *Proximity queries and
penetration depth computation on 3D game objects*: the expanding polytope, here grown from any tetrahedron in K).
Each h(n) that was asked for is a translation that does, so what rounding leaves is never too little.
"""

from typing import NamedTuple

import numpy as np

from ..arithmetic.fixed_order import dot, least_squares, norm, product

MOST_VERTICES = 300  # vertices of K that are asked for
EXACT = 1e-9  # of the size of K: less is rounding
ENOUGH = 1e-6  # of the size of K: how far from the least a round shape's translation may be
GENERIC = np.array([0.8367, 0.4513, 0.3101])  # of points equally far along n the one that is farthest along this
STEEP = 1e-3  # sine of the angle between a way and a face along which it hardly leads out
BLOCK = 1 << 21  # numbers looked at together


class Way(NamedTuple):
    """How deep [m] one is in the other, negative: apart by that much; the unit vector along which it leaves."""

    depth: float
    along: np.ndarray  # (3,)


class Difference:
    """K, of points one (V, 3) and other (W, 3) [m]."""

    def __init__(self, one: np.ndarray, other: np.ndarray) -> None:
        middle = one.mean(axis=0)
        self.one, self.other = one - middle, other - middle
        self.size = float(norm(np.ptp(one, axis=0) + np.ptp(other, axis=0)))

    def vertex(self, n: np.ndarray) -> np.ndarray:
        """That of K which is farthest along n, (3,) both."""
        return self._farthest(self.one, n) - self._farthest(self.other, -n)

    def _farthest(self, points: np.ndarray, n: np.ndarray) -> np.ndarray:
        along = dot(points, n)
        ties = np.flatnonzero(along >= along.max() - 1e-3 * EXACT * self.size * norm(n))
        # in the direction −n the other way round, so that together they are a vertex of K
        side = 1.0 if points is self.one else -1.0
        return points[ties[(side * dot(points[ties], GENERIC)).argmax()]]


def least_translation(one: np.ndarray, other: np.ndarray, radius: float) -> Way:
    """Of the hull of points one (V, 3) out of that of other (W, 3) [m], radius [m]: the sum of theirs."""
    both = Difference(one, other)
    nearest = _nearest(both)
    distance = float(norm(nearest))
    if distance > EXACT * both.size:
        return Way(radius - distance, nearest / distance)
    reach, n = _across(both)
    return Way(radius + reach, -n)


def deepest_of(one: np.ndarray, normals: np.ndarray, radius: float, corners: np.ndarray, least: float) -> Way | None:
    """The longest of the least translations of the hull of points one (V, 3), whose faces have unit normals (N, 3),
    out of each triangle (T, 3, 3) [m]; None: none is longer than `least` [m].
    """
    deepest, low, high = None, one.min(axis=0) - radius, one.max(axis=0) + radius
    corners = corners[np.all((corners.min(axis=1) <= high) & (corners.max(axis=1) >= low), axis=1)]
    bound = np.concatenate([np.zeros(0), *(
        _bound(one, normals, part) for part in np.array_split(corners, 1 + len(corners) * len(one) // BLOCK)
    )])  # fmt: skip
    for t in np.argsort(-bound, kind="stable"):
        if bound[t] + radius <= (least if deepest is None else deepest.depth):
            break
        way = least_translation(one, corners[t], radius)
        if way.depth > (least if deepest is None else deepest.depth):
            deepest = way
    return deepest


def way_along(one: np.ndarray, normals: np.ndarray, radius: float, corners: np.ndarray, along: np.ndarray) -> float:
    """How far [m] at most the hull, as in `deepest_of`, has to go along a unit vector (3,) to be out of the triangles
    that it meets, seen from the normals of its faces and of theirs; 0: it meets none.
    """
    low, high = one.min(axis=0) - radius, one.max(axis=0) + radius
    corners = corners[np.all((corners.min(axis=1) <= high) & (corners.max(axis=1) >= low), axis=1)]
    corners = corners[_bound(one, normals, corners) + radius > EXACT * norm(high - low)]
    if not len(corners):
        return 0.0
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    across /= np.linalg.norm(across, axis=1)[:, None] * np.where(dot(across, along) < 0.0, -1.0, 1.0)[:, None]
    reach = dot(across, corners[:, 0]) - product(across, one.T).min(axis=1) + radius
    ahead = -normals[dot(normals, along) < -STEEP]
    far = reach / np.maximum(dot(across, along), STEEP)
    if len(ahead):
        found = product(corners, ahead.T).max(axis=1) - product(one, ahead.T).min(axis=0) + radius
        far = np.minimum(far, (found / dot(ahead, along)).min(axis=1))
    return float(far.max())


def _bound(one: np.ndarray, normals: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """(T,) [m] the least h(n) of n normal to faces of the one and to the triangle: of all n it is no more."""
    p = corners[:, 0]
    across = np.cross(corners[:, 1] - p, corners[:, 2] - p)
    across /= np.maximum(np.linalg.norm(across, axis=1), np.finfo(float).tiny)[:, None]
    heights = product(across, one.T) - dot(across, p)[:, None]
    found = np.minimum(heights.max(axis=1), -heights.min(axis=1))
    if len(normals):
        lowest = product(corners, normals.T).min(axis=1)
        found = np.minimum(found, (product(one, normals.T).max(axis=0) - lowest).min(axis=1))
    return found


def _nearest(both: Difference) -> np.ndarray:
    """The point (3,) of K that is nearest to the origin, by Wolfe's algorithm."""
    corral, weights = both.vertex(GENERIC)[None], np.ones(1)
    for _ in range(MOST_VERTICES):
        x = dot(corral.T, weights)
        distance = norm(x)
        vertex = both.vertex(-x)
        done = distance <= EXACT * both.size or dot(x, x) - dot(x, vertex) <= EXACT * both.size * distance
        if done or (corral == vertex).all(axis=1).any():
            break
        corral, weights = np.vstack([corral, vertex]), np.append(weights, 0.0)
        while True:
            best = _affine(corral)
            if np.all(best > 0.0):
                weights = best
                break
            falls = best <= 0.0
            part = (weights[falls] / np.maximum(weights[falls] - best[falls], np.finfo(float).tiny)).min()
            weights = (1.0 - part) * weights + part * best
            stays = weights > 1e-14
            stays[falls] &= weights[falls] > weights[falls].min()
            corral, weights = corral[stays], weights[stays] / weights[stays].sum()
    return dot(corral.T, weights)


def _affine(points: np.ndarray) -> np.ndarray:
    """Weights (k,), of sum 1, of the point nearest to the origin in the plane, or line, through points (k, 3)."""
    along = points[1:] - points[0]
    rest = -least_squares(along.T, points[0], EXACT)
    return np.concatenate([[1.0 - rest.sum()], rest])


def _across(both: Difference) -> tuple[float, np.ndarray]:
    """(the least h [m], its n), of K that has the origin in it."""
    points, normal = _tetrahedron(both)
    if normal is not None:
        return 0.0, -normal
    corners = np.array([[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]])
    normals, offsets = _planes(points, corners)
    if offsets[0] < dot(points[3], normals[0]):
        corners = corners[:, ::-1]
        normals, offsets = _planes(points, corners)
    least, best = np.inf, normals[0]
    for _ in range(MOST_VERTICES):
        face = int(offsets.argmin())
        n = normals[face]
        vertex = both.vertex(n)
        reach = float(dot(vertex, n))
        if reach < least:
            least, best = reach, n
        seen = dot(normals, vertex) - offsets > EXACT * both.size
        if reach - offsets[face] <= ENOUGH * both.size or not seen.any():
            break
        points = np.vstack([points, vertex])
        rims = corners[seen][:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
        inner = {(int(b), int(a)) for a, b in rims}
        rims = np.array([rim for rim in rims if (int(rim[0]), int(rim[1])) not in inner])
        new = np.column_stack([rims, np.full(len(rims), len(points) - 1)])
        planes = _planes(points, new)
        corners = np.concatenate([corners[~seen], new])
        normals, offsets = (np.concatenate([own[~seen], more]) for own, more in (
            (normals, planes[0]), (offsets, planes[1]),
        ))  # fmt: skip
        if len(corners) > 2 * len(points) - 4:  # Euler's: rounding has torn it, and it would grow without end
            break
    return least, best


def _planes(points: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(unit normals (F, 3), how far along them [m]) of faces with these corners (F, 3); of one without area: ∞."""
    p, q, r = np.moveaxis(points[corners], 1, 0)
    normal = np.cross(q - p, r - p)
    size = np.linalg.norm(normal, axis=1)
    flat = size <= np.finfo(float).tiny
    normal = np.where(flat[:, None], 0.0, normal / np.where(flat, 1.0, size)[:, None])
    return normal, np.where(flat, np.inf, dot(normal, p))


def _tetrahedron(both: Difference) -> tuple[np.ndarray, np.ndarray | None]:
    """(vertices (k, 3) of K, far from each other, None), or a unit vector across K where it is flat, upwards."""
    points = both.vertex(GENERIC)[None]
    while len(points) < 4:
        span = points[1:] - points[0]
        axes = _across_all(span)
        found = [both.vertex(sign * axis) for axis in axes for sign in (1.0, -1.0)]
        away = [norm(dot(axes, one - points[0])) for one in found]
        if max(away) <= EXACT * both.size:
            up = dot(axes.T, axes[:, 2])
            return points, up / norm(up) if norm(up) > EXACT else axes[0]
        points = np.vstack([points, found[int(np.argmax(away))]])
    return points, None


def _across_all(span: np.ndarray) -> np.ndarray:
    """Unit vectors (3 − k, 3) at right angles to each other and to vectors (k, 3), k < 3, none along another."""
    if not len(span):
        return np.eye(3)
    first = span[0] / norm(span[0])
    if len(span) == 2:
        last = np.cross(first, span[1])
        return (last / norm(last))[None]
    side = np.cross(first, np.eye(3)[np.argmin(np.abs(first))])
    side /= norm(side)
    return np.stack([side, np.cross(first, side)])
