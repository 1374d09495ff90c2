"""Rods, and balls, that are drawn into rigid bodies, and these into colliders: the bake pushes them out, but leaves as
it is what of a rod lies inside or goes through, as a rope through a bead does (see assemble/rooted). What is welded to
a body is drawn into it on purpose.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from ..geometry.near_faces import distance_to_faces, distances_to_faces
from ..geometry.neighbours import nearest
from ..geometry.rounding import rounded
from ..geometry.samples import points_at
from ..geometry.solid_angle import holds
from ..scene import Scene, Shape
from ..scenes.collision_filter import touch
from .colliders import degenerate
from .overlap_with_colliders import OUT, Deepest, Edges, note_deepest

SLANT = 0.5  # sine of the angle at which a rod leaves a body at least: one that leaves flatter lies on it
STAYS = ", or through it: what is inside stays as it is drawn and does not touch it. Tie it with a pin, or move it out."


def overlap_with_bodies(scene: Scene, owners: Sequence[str], least: float) -> list[tuple[float, str, str]]:
    """As `overlap_with_colliders`, of bodies that touch rods."""
    shapes = [(body, body.shape) for body in scene.bodies if body.shape is not None] if scene.contact else []
    if not scene.rods or not shapes:
        return []
    edges, deepest = Edges(scene), Deepest()
    for body, shape in shapes:
        meet = np.array([rod.touches and touch(scene, rod, body) for rod in scene.rods])[edges.rod]
        depths, inside = depths_in(shape, edges.tail, edges.head, np.where(meet, edges.radius, -np.inf))
        stay = edges.along(inside, depths > 0.0, (edges.radius + rounded(shape)[1]) / SLANT)
        note_deepest(scene, owners, edges, (body.name, depths, stay), least, deepest)
    return [
        (depth, owner, f"'{owner}' is drawn {1e3 * depth:.3g} mm into '{name}'{STAYS if stays else OUT}")
        for (owner, name, stays), depth in deepest.items()
    ]


def bodies_into_each_other(scene: Scene, least: float) -> Iterator[tuple[float, str, str]]:
    """The same of balls and capsules in other bodies: of a mesh in a mesh what is deeper than seen is refused."""
    shapes = [(body, body.shape) for body in scene.bodies if body.shape is not None] if scene.contact else []
    for pair in combinations(shapes, 2):
        (one, own), (other, shape) = sorted(pair, key=lambda thing: thing[1].radius == 0.0)
        if own.radius == 0.0 or not touch(scene, one, other):
            continue
        sides = sides_of(own)
        radius = np.full(len(sides), own.radius)
        depth, _ = depths_in(shape, own.points[sides[:, 0]], own.points[sides[:, 1]], radius)
        if depth.max() > least * own.radius:
            deep = f"{depth.max():.3g} m deep: the bake will push them apart. Move them apart."
            yield float(depth.max()), one.name, f"'{one.name}' and '{other.name}' are drawn into each other, {deep}"


def sides_of(shape: Shape) -> np.ndarray:
    """(E, 2) numbers of the points at the ends of its triangles' sides, each once."""
    return np.unique(np.sort(shape.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)


def bodies_in_colliders(scene: Scene, least: float) -> Iterator[tuple[float, str, str]]:
    """The same of bodies in colliders: balls, capsules and what is rounded, by less than their radius. What goes
    through a collider is refused.
    """
    bodies = []
    for body in scene.bodies if scene.contact else ():
        if body.shape is not None and not body.kinematic:
            points, radius = rounded(body.shape)
            bodies.append((body, *points[sides_of(body.shape).T], radius))
    for collider in scene.colliders if bodies else ():
        points = points_at(collider, 0.0)
        faces = points[collider.triangles[~degenerate(points, collider.triangles)]]
        for body, tail, head, radius in bodies if len(faces) else ():
            if touch(scene, body, collider):
                depth = radius - float(distances_to_faces(tail, head, np.full(len(tail), radius), faces)[0].min())
                if depth > least * radius:
                    text = f"'{body.name}' is drawn {1e3 * depth:.3g} mm into '{collider.name}'"
                    yield depth, body.name, f"{text}: the bake will push it out. Move it off."


def depths_in(shape: Shape, tail: np.ndarray, head: np.ndarray, radius: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(how deep [m] lines from tail to head (E, 3) of these radii (E,), −∞: they do not count, are in a body, not
    positive: they are not; whether their middles are), each (E,).
    """
    points, around = rounded(shape)
    depth, inside, through = depths_below(points, shape.triangles, around, tail, head, radius)
    return depth, inside | through


def depths_below(
    points: np.ndarray, triangles: np.ndarray, around: float, tail: np.ndarray, head: np.ndarray, radius: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same of a surface of triangles (T, 3) of points (V, 3) that reaches so far around them [m]: (depths [m],
    whether an end is inside or a line so near, whether a line goes through a face), each (E,).
    """
    flat = degenerate(points, triangles)
    faces, lines = points[triangles[~flat]], points[triangles[flat]]
    apart, deep, through = np.full(len(tail), np.inf), np.zeros(len(tail)), np.zeros(len(tail), bool)
    reach = radius + around
    corners = points[triangles]
    low = corners.min(axis=(0, 1), initial=np.inf) - reach[:, None]
    high = corners.max(axis=(0, 1), initial=-np.inf) + reach[:, None]
    near = np.flatnonzero(np.all((np.minimum(tail, head) <= high) & (np.maximum(tail, head) >= low), axis=1))
    apart[near], through[near] = distances_to_faces(tail[near], head[near], reach[near], faces)
    if len(faces) and len(near):
        points, which = np.unique(np.concatenate([tail[near], head[near]]), axis=0, return_inverse=True)
        inside = [k for k, point in enumerate(points) if holds(faces, point)]
        below = np.zeros(len(points))
        for k in inside:
            point = np.repeat(points[k][None], len(faces), axis=0)
            below[k] = distance_to_faces(point, point, faces)[0].min()
        deep[near] = below[which.ravel()].reshape(2, -1).max(axis=0)
    for a, b in (side for p, q, r in lines for side in ((p, q), (q, r))):
        ends = (np.repeat(end[None], len(near), axis=0) for end in (a, b))
        apart[near] = np.minimum(apart[near], nearest(tail[near], head[near], *ends)[2])
    return np.where(deep > 0.0, reach + deep, reach - apart), (deep > 0.0) | (apart < around), through
