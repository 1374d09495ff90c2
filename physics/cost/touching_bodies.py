"""Rigid bodies that touch, and what each is next to at the start."""

import numpy as np

from ..scene import Scene

BESIDE = 0.05  # of its box: what adjoins a rigid body


def shapes(scene: Scene) -> tuple[int, int]:
    """(how many rigid bodies touch something, how many pairs of them are next to each other at the start)."""
    found = [body.shape for body in scene.bodies if scene.contact and body.shape is not None]
    if not found:
        return 0, 0
    low = np.array([shape.points.min(axis=0) - shape.radius for shape in found])
    high = np.array([shape.points.max(axis=0) + shape.radius for shape in found])
    room = BESIDE * (high - low)
    meet = np.all((low[:, None] - room[:, None] <= high) & (low <= high[:, None] + room[:, None]), axis=2)
    return len(found), int(np.triu(meet, 1).sum())


def faces(scene: Scene) -> int:
    """How many triangles what of rigid bodies touches has."""
    return sum(len(body.shape.triangles) for body in scene.bodies if scene.contact and body.shape is not None)


def beside_soft_bodies(scene: Scene) -> int:
    """How many pairs of a rigid body that touches and a soft body are next to each other at the start."""
    shapes = [body.shape for body in scene.bodies if scene.contact and body.shape is not None]
    boxes = [(shape.points.min(axis=0) - shape.radius, shape.points.max(axis=0) + shape.radius) for shape in shapes]
    found = 0
    for solid in scene.solids:
        low, high = np.min(solid.x, axis=0), np.max(solid.x, axis=0)
        room = BESIDE * (high - low)
        found += sum(bool(np.all(a <= high + room) and np.all(low - room <= b)) for a, b in boxes)
    return found
