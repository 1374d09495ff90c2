"""Soft bodies that are drawn through colliders deeper than what they are rounded by: contact keeps what touches on the
side on which it begins. What is less deep begins apart (see start/drawn_flush).
"""

from collections.abc import Iterator

from ..geometry.samples import points_at
from ..scene import Scene
from ..scenes.collision_filter import touch
from .pierced import Surface, pierced
from .solids_apart import skin_of, within


def soft_in_colliders(scene: Scene) -> Iterator[tuple[float, str, str]]:
    """(depth [m], name, sentence) of each soft body and each collider that it goes through."""
    if not scene.contact or scene.scheme != "VERLET" or not scene.solids:
        return
    grounds = [
        (collider, Surface(collider.name, points_at(collider, 0.0), collider.triangles, 0.0))
        for collider in scene.colliders
    ]
    for solid in scene.solids:
        own, gone = skin_of(solid)[0], within(solid)
        for collider, ground in grounds:
            if touch(scene, solid, collider) and max(pierced(gone, ground), pierced(ground, gone)) > 0.0:
                depth = pierced(own, ground)
                depth = depth if depth > 0.0 else pierced(ground, own)
                if depth > 0.0:
                    text = f"'{own.name}' is drawn about {1e3 * depth:.3g} mm through '{ground.name}'"
                    yield depth, own.name, f"{text}: each part stays on the side on which it is. Move it off."
