"""Rigid bodies that are drawn into each other, or into colliders, deeper than what they are rounded by."""

from itertools import combinations

from ..rounding import rounded
from ..samples import points_at
from ..scene import Scene, Shape
from .pierced import Surface, check_apart, check_unpierced

CURE = "move them apart, or turn off Collisions of one of them."


def check_bodies_apart(scene: Scene) -> None:
    """Raises SceneError. A body may be inside a collider, as in a room."""
    if not scene.contact:
        return
    bodies = [surface_of(body.name, body.shape) for body in scene.bodies if body.shape is not None]
    for one, other in combinations(bodies, 2):
        check_apart(one, other, CURE)
    for collider in scene.colliders if bodies else ():
        ground = Surface(collider.name, points_at(collider, 0.0), collider.triangles, collider.thickness)
        for body in bodies:
            check_unpierced(body, ground, CURE)


def surface_of(name: str, shape: Shape) -> Surface:
    """That of a rigid body, as it is rounded."""
    points, radius = rounded(shape)
    return Surface(name, points, shape.triangles, radius)
