"""Soft bodies that are drawn through colliders: contact keeps what touches on the side on which it begins."""

from collections.abc import Iterator

import numpy as np

from ..collision_filter import touch
from ..samples import points_at
from ..scene import Scene
from ..solids.tetrahedra import boundary
from .pierced import Surface, boxes_meet, pierced


def soft_in_colliders(scene: Scene) -> Iterator[tuple[float, str, str]]:
    """(depth [m], name, sentence) of each soft body and each collider that it goes through."""
    if not scene.contact or scene.scheme != "VERLET" or not scene.solids:
        return
    grounds = [
        (collider, Surface(collider.name, points_at(collider, 0.0), collider.triangles, 0.0))
        for collider in scene.colliders
    ]
    for solid in scene.solids:
        own = Surface(solid.name, np.asarray(solid.x, np.float64), boundary(np.asarray(solid.tetrahedra))[0], 0.0)
        for collider, ground in grounds:
            if touch(scene, solid, collider) and boxes_meet(own, ground):
                depth = pierced(own, ground)
                depth = depth if depth > 0.0 else pierced(ground, own)
                if depth > 0.0:
                    text = f"'{own.name}' is drawn about {1e3 * depth:.3g} mm through '{ground.name}'"
                    yield depth, own.name, f"{text}: each part stays on the side on which it is. Move it off."
