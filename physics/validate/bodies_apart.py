"""Rigid bodies that are drawn into each other, or into colliders, deeper than what they are rounded by."""

from itertools import combinations

from ..geometry.rounding import rounded
from ..geometry.samples import points_at
from ..scene import Scene, Shape
from ..scenes.collision_filter import touch
from .pierced import Surface, check_apart, check_unpierced

CURES = {  # by whether they are to be pushed apart
    False: "move them apart, turn on Push Apart, or turn off Collisions of one of them.",
    True: "move them apart, or turn off Collisions of one of them.",
}


def check_bodies_apart(scene: Scene) -> None:
    """Raises SceneError. A body may be inside a collider, as in a room."""
    if not scene.contact:
        return
    cure = CURES[scene.push_apart]
    bodies = [(body, surface_of(body.name, body.shape)) for body in scene.bodies if body.shape is not None]
    for (one, surface), (other, another) in combinations(bodies, 2):
        if touch(scene, one, other):
            check_apart(surface, another, cure)
    for collider in scene.colliders if bodies else ():
        ground = Surface(collider.name, points_at(collider, 0.0), collider.triangles, collider.thickness)
        for body, surface in bodies:
            if touch(scene, body, collider):
                check_unpierced(surface, ground, cure)


def surface_of(name: str, shape: Shape) -> Surface:
    """That of a rigid body, as it is rounded."""
    points, radius = rounded(shape)
    return Surface(name, points, shape.triangles, radius)
