"""How deep things of a bake are in each other, by brute force: rods, rigid bodies, colliders and the floor."""

from itertools import combinations
from typing import NamedTuple

import measure
import numpy as np


class Thing(NamedTuple):
    """A surface at a frame: points (V, 3) [m], triangles (T, 3), how far around it reaches, how thick it is [m]."""

    points: np.ndarray
    triangles: np.ndarray
    radius: float
    size: float


def deepest(each=1):
    """How deep anything is in anything else at most, at every `each`-th baked frame, over the smaller radius of rods
    and least extent of bodies. Not positive: nothing overlaps. What of a rod begins in a body is left out.
    """
    from tendril.physics.diagnostics.overlap import deepest_overlap

    scene, (x, _, poses) = measure.description(), measure.baked()
    free, found = untied(scene, x[0], poses[0]), -np.inf
    count = len(scene.rods) + len(scene.bodies)
    for frame in range(0, len(x), each):
        now = things(scene, x[frame], poses[frame], frame)
        if scene.rods:
            found = max(found, deepest_overlap(scene.rods, x[frame], relative=True))
        for i, j in combinations(range(len(now)), 2):
            if i < count and j >= len(scene.rods):
                one = now[i]._replace(triangles=free[i, j]) if (i, j) in free else now[i]
                found = max(found, between(one, now[j]))
        if scene.floor:
            low = [(scene.floor.height + one.radius - one.points[:, 2].min()) / one.size for one in now[:count]]
            found = max(found, *low)
    return found


def things(scene, x, poses, frame):
    """All that touches, at a frame: rods, bodies that have a shape, colliders."""
    from tendril.physics.geometry.samples import points_at

    found, first = [], 0
    for rod in scene.rods:
        tail = np.arange(rod.edge_count)
        head = (tail + 1) % len(rod.x)
        radius = float(rod.radius.max())
        found.append(Thing(x[first : first + len(rod.x)], np.stack([tail, head, head], axis=1), radius, radius))
        first += len(rod.x)
    for body, pose in zip(scene.bodies, poses, strict=True):
        if body.shape:
            arm = body.shape.points - body.position
            extent = np.ptp(arm @ np.linalg.svd(arm)[2].T, axis=0).min() if len(arm) > 2 else 0.0
            points = pose[:3] + rotated(pose[3:], arm)
            size = extent + 2.0 * body.shape.radius
            found.append(Thing(points, body.shape.triangles, body.shape.radius, size))
    for collider in scene.colliders:
        points = np.asarray(points_at(collider, frame * scene.frame_duration), dtype=float)
        found.append(Thing(points, collider.triangles, collider.thickness, np.inf))
    return found


def untied(scene, x, poses):
    """{(rod, thing): triangles} of what of a rod is off the body it is tied to, at the start."""
    start, found = things(scene, x, poses, 0), {}
    number = np.cumsum([body.shape is not None for body in scene.bodies]) + len(scene.rods) - 1
    for weld in scene.welds:
        if scene.bodies[weld.body].shape:
            rod, body = start[weld.rod], start[number[weld.body]]
            found[weld.rod, number[weld.body]] = rod.triangles[~near(rod, body, rod.radius + body.radius)]
    return found


def between(one, other):
    """How deep one Thing is in another, −∞ where nothing of one is near the other."""
    from tendril.physics.diagnostics.shape_overlap import Solid, deepest_between

    solids = [Solid(thing.points, thing.triangles, thing.radius) for thing in (one, other)]
    return deepest_between(*solids, within=0.0) / min(one.size, other.size)


def near(one, other, reach):
    """(T,) which triangles of a Thing are in the box around another, or as near to it as `reach` [m]."""
    corners, low, high = one.points[one.triangles], other.points.min(axis=0), other.points.max(axis=0)
    return np.all((corners.max(axis=1) > low - reach) & (corners.min(axis=1) < high + reach), axis=1)


def rotated(turn, arms):
    """Arms (V, 3) turned by a unit quaternion (4,) (w, x, y, z)."""
    axis = turn[1:]
    return arms + 2.0 * np.cross(axis, np.cross(axis, arms) + turn[0] * arms)
