"""Bodies that are drawn into each other, or into colliders, deeper than what they are rounded by: no side of a surface
is outside then, so such a scene is refused.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..near_faces import distance_to_faces, near_faces
from ..rounding import rounded
from ..samples import points_at
from ..scene import Scene
from .colliders import degenerate
from .errors import SceneError

INSIDE = 3.0 * np.pi  # solid angle of a closed surface, seen from within: 4π


class _Surface(NamedTuple):
    name: str
    points: np.ndarray  # (V, 3) [m]
    triangles: np.ndarray  # (T, 3)
    radius: float  # [m] around it


def check_bodies_apart(scene: Scene) -> None:
    """Raises SceneError."""
    if not scene.contact:
        return
    bodies = []
    for body in scene.bodies:
        if body.shape is not None:
            points, radius = rounded(body.shape)
            bodies.append(_Surface(body.name, points, body.shape.triangles, radius))
    for one, other in combinations(bodies, 2):
        if _boxes_meet(one, other):
            depth = max(_pierced(one, other), _pierced(other, one))
            if depth < 0.0 and (_holds(one, other.points[0]) or _holds(other, one.points[0])):
                raise SceneError(one.name, f"'{one.name}' and '{other.name}' are inside each other: move one out.")
            _refuse(one, other, depth)
    for collider in scene.colliders if bodies else ():
        ground = _Surface(collider.name, points_at(collider, 0.0), collider.triangles, collider.thickness)
        for one in bodies:
            if _boxes_meet(one, ground):
                _refuse(one, ground, max(_pierced(one, ground), _pierced(ground, one)))


def _refuse(one: _Surface, other: _Surface, depth: float) -> None:
    if depth >= 0.0:
        depth += one.radius + other.radius
        raise SceneError(
            one.name,
            f"'{one.name}' is drawn about {1e3 * depth:.3g} mm into '{other.name}': move them apart, or "
            "turn off Collisions of one of them.",
        )


def _boxes_meet(one: _Surface, other: _Surface) -> bool:
    low, high = (np.array([f(s.points, axis=0) for s in (one, other)]) for f in (np.min, np.max))
    return bool(np.all(low[0] <= high[1]) and np.all(low[1] <= high[0]))


def _pierced(one: _Surface, other: _Surface) -> float:
    """How far [m] edges of one that go through faces of the other do so at most, −1: none does."""
    faces = other.points[other.triangles[~degenerate(other.points, other.triangles)]]
    ends = np.sort(one.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    ends = np.unique(ends[ends[:, 0] < ends[:, 1]], axis=0)
    if not len(faces) or not len(ends):
        return -1.0
    a, b, depth = one.points[ends[:, 0]], one.points[ends[:, 1]], -1.0
    for i, j in near_faces(a, b, np.zeros(len(ends)), faces):
        _, through = distance_to_faces(a[i], b[i], faces[j])
        p, q, r = np.moveaxis(faces[j[through]], 1, 0)
        normal = np.cross(q - p, r - p)
        normal /= np.linalg.norm(normal, axis=1)[:, None]
        heights = [np.abs(np.sum((end[i[through]] - p) * normal, axis=1)) for end in (a, b)]
        depth = max(depth, np.minimum(*heights).max(initial=-1.0))
    return float(depth)


def _holds(surface: _Surface, point: np.ndarray) -> bool:
    """Whether a closed surface holds a point, by its solid angle (Van Oosterom & Strackee 1983)."""
    a, b, c = np.moveaxis(surface.points[surface.triangles] - point, 1, 0)
    la, lb, lc = (np.linalg.norm(v, axis=1) for v in (a, b, c))
    volume = np.einsum("ti,ti->t", a, np.cross(b, c))
    bottom = la * lb * lc + np.sum(a * b, 1) * lc + np.sum(b * c, 1) * la + np.sum(c * a, 1) * lb
    return bool(abs(2.0 * np.arctan2(volume, bottom).sum()) > INSIDE)
