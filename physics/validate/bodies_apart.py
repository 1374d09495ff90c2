"""Bodies that are drawn into each other, into colliders or into soft bodies, deeper than what they are rounded by, and
rods into soft bodies: no side of a surface is outside then, so such a scene is refused. What is tied may be.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..near_faces import distance_to_faces, near_faces
from ..rounding import rounded
from ..samples import points_at
from ..scene import Scene
from ..solid_angle import holds
from ..solids.tetrahedra import boundary
from ..strangers import touch
from .colliders import degenerate
from .errors import SceneError


class Surface(NamedTuple):
    """What touches, as it is drawn."""

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
            bodies.append((body, Surface(body.name, points, body.shape.triangles, radius)))
    for (body, one), (another, other) in combinations(bodies, 2):
        if touch(scene, body, another) and boxes_meet(one, other):
            depth = max(pierced(one, other), pierced(other, one))
            if depth < 0.0 and (encloses(one, other) or encloses(other, one)):
                raise SceneError(one.name, f"'{one.name}' and '{other.name}' are inside each other: move one out.")
            _refuse(one, other, depth)
    for collider in scene.colliders if bodies else ():
        ground = Surface(collider.name, points_at(collider, 0.0), collider.triangles, collider.thickness)
        for body, one in bodies:
            if touch(scene, body, collider) and boxes_meet(one, ground):
                _refuse(one, ground, max(pierced(one, ground), pierced(ground, one)))


def check_soft_apart(scene: Scene) -> None:
    """Raises SceneError where a soft body is drawn into a rigid body or a rod."""
    if not scene.contact or scene.scheme != "VERLET":
        return
    tied = {(tie.solid, tie.body) for tie in scene.ties}
    tied_rods = {(tie.solid, tie.vertex[0]) for tie in scene.ties if tie.vertex is not None}
    for s, solid in enumerate(scene.solids):
        soft = Surface(solid.name, np.asarray(solid.x), boundary(solid.tetrahedra)[0], solid.thickness)
        for b, body in enumerate(scene.bodies):
            if body.shape is not None and (s, b) not in tied and touch(scene, body, solid):
                points, radius = rounded(body.shape)
                _check_apart(Surface(body.name, points, body.shape.triangles, radius), soft)
        for r, rod in enumerate(scene.rods):
            if rod.touches and (s, r) not in tied_rods and touch(scene, rod, solid):
                along = np.stack([np.arange(len(rod.x)), np.roll(np.arange(len(rod.x)), -1)], axis=1)[: rod.edge_count]
                _check_apart(Surface(rod.name, rod.x, along[:, [0, 1, 1]], 0.0), soft)


def _check_apart(one: Surface, soft: Surface) -> None:
    """Raises SceneError where something is drawn through a soft body's surface, into it or around it."""
    if not boxes_meet(one, soft):
        return
    depth = max(pierced(one, soft), pierced(soft, one))
    closed = bool(np.all(one.triangles[:, 1] != one.triangles[:, 2]))
    if depth < 0.0 and (encloses(soft, one) or (closed and encloses(one, soft))):
        raise SceneError(one.name, f"'{one.name}' and '{soft.name}' are inside each other: move one out.")
    if depth >= 0.0:
        depth += one.radius + soft.radius
        raise SceneError(
            one.name,
            f"'{one.name}' is drawn about {1e3 * depth:.3g} mm into '{soft.name}': move them apart, or tie them to "
            "each other.",
        )


def _refuse(one: Surface, other: Surface, depth: float) -> None:
    if depth >= 0.0:
        depth += one.radius + other.radius
        raise SceneError(
            one.name,
            f"'{one.name}' is drawn about {1e3 * depth:.3g} mm into '{other.name}': move them apart, or "
            "turn off Collisions of one of them.",
        )


def boxes_meet(one: Surface, other: Surface) -> bool:
    """Whether the boxes around two surfaces do."""
    low, high = (np.array([f(s.points, axis=0) for s in (one, other)]) for f in (np.min, np.max))
    return bool(np.all(low[0] <= high[1]) and np.all(low[1] <= high[0]))


def pierced(one: Surface, other: Surface) -> float:
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


def encloses(one: Surface, other: Surface) -> bool:
    """Whether a closed surface holds the other, which does not go through it."""
    return holds(one.points[one.triangles], other.points[0])
