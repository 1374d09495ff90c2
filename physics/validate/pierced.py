"""Surfaces that are drawn through each other, or one inside the other: contact keeps what touches on the side on which
it begins, and there no side is outside, so such a scene is refused.
"""

from typing import NamedTuple, Protocol

import numpy as np

from ..geometry.near_faces import distance_to_faces, near_faces
from ..geometry.solid_angle import holds
from .colliders import degenerate
from .errors import SceneError


class Surface(NamedTuple):
    """What touches. A rod is one of triangles that are its edges."""

    name: str
    points: np.ndarray  # (V, 3) [m]
    triangles: np.ndarray  # (T, 3)
    around: float  # [m] by which what is drawn reaches further than these
    closed: bool = True  # it may have something inside


def check_apart(one: Surface, other: Surface, cure: str) -> None:
    """Raises SceneError where one is inside the other, or goes through it."""
    if boxes_meet(one, other):
        check_unpierced(one, other, cure)
        if meet(one, other):
            raise SceneError(one.name, f"'{one.name}' and '{other.name}' are inside each other: move one out.")


def check_unpierced(one: Surface, other: Surface, cure: str) -> None:
    """Raises SceneError where one goes through the other."""
    depth = max(pierced(one, other), pierced(other, one)) if boxes_meet(one, other) else -1.0
    if depth >= 0.0:
        drawn = 1e3 * (depth + one.around + other.around)
        raise SceneError(one.name, f"'{one.name}' is drawn about {drawn:.3g} mm into '{other.name}': {cure}")


def meet(one: Surface, other: Surface) -> bool:
    """Whether one goes through the other, or is inside it."""
    if not boxes_meet(one, other):
        return False
    through = max(pierced(one, other), pierced(other, one)) >= 0.0
    return through or encloses(one, other) or encloses(other, one)


class HasPoints(Protocol):
    """Something of points (V, 3) [m]."""

    @property
    def points(self) -> np.ndarray: ...


def boxes_meet(one: HasPoints, other: HasPoints, reach: float = 0.0) -> bool:
    """Whether the boxes around two surfaces do, or are no further than `reach` [m] apart."""
    low, high = (np.array([f(s.points, axis=0) for s in (one, other)]) for f in (np.min, np.max))
    return bool(np.all(low[0] <= high[1] + reach) and np.all(low[1] <= high[0] + reach))


def edges_of(triangles: np.ndarray) -> np.ndarray:
    """(E, 2) numbers of the points at the ends of edges of triangles (T, 3), each once."""
    ends = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    return np.unique(ends[ends[:, 0] < ends[:, 1]], axis=0)


def pierced(one: Surface, other: Surface) -> float:
    """How far [m] edges of one that go through faces of the other do so at most, −1: none does."""
    faces = other.points[other.triangles[~degenerate(other.points, other.triangles)]]
    ends = edges_of(one.triangles)
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


def encloses(one: Surface, other: Surface) -> bool:
    """Whether a closed surface holds the other, which does not go through it."""
    return one.closed and holds(one.points[one.triangles], other.points[0])
