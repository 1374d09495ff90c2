"""Which objects rods collide with, and by whose settings."""

from .body import rod_of, source_of
from .enabled import enabled_objects

WITHOUT_TAB = ("CURVE", "SURFACE", "FONT")  # have faces, but no Collision physics of Blender's


def kind_of(item, scene):
    """What makes an object a collider: its Collision physics ("COLLISION"), Tendril's own settings ("OWN"), being a
    passive rigid body of Blender's ("PASSIVE"); "" if nothing does.
    """
    if item.type == "MESH" and item.collision and item.collision.use and collision_modifier(item):
        return "COLLISION"
    if item.type in WITHOUT_TAB and item.tendril.collider.use:
        return "OWN"
    if scene.tendril.use_passive_bodies and is_passive(item, scene):
        return "PASSIVE"
    return ""


def collision_modifier(item):
    """The modifier of Blender's Collision physics, or None."""
    return next((modifier for modifier in item.modifiers if modifier.type == "COLLISION"), None)


def is_passive(item, scene):
    """Whether an object is a passive body in Blender's rigid body world."""
    world, body = scene.rigidbody_world, item.rigid_body
    if not (body and body.type == "PASSIVE" and world and world.collection):
        return False
    return item.name in world.collection.all_objects


def collider_objects(view_layer):
    """The colliders that take part: as Blender's cloth sees them, those disabled in viewports do not, those merely
    hidden do; if a collection is chosen to collide with, all others do not.
    """
    return [item for item in _candidates(view_layer) if not (item.tendril.source or hindrance(item))]


def hindered(view_layer):
    """(object, sentence) of those that would be colliders if they were nothing else."""
    return [(item, hindrance(item)) for item in _candidates(view_layer) if hindrance(item)]


def hindrance(item):
    """Why an object, or the one whose bake it shows, takes no part as a collider, in a sentence; "" if nothing is in
    its way.
    """
    own = source_of(item)
    for is_one, what in (
        (own.tendril.is_rod, "rod"),
        (own.tendril.is_body, "rigid body"),
        (own.tendril.is_soft, "soft body"),
    ):
        if is_one:
            return f"'{own.name}' takes part as a {what}, not as a collider too: remove one of the two."
    if rod_of(own):
        what = "follows a cable, which is met in its place"
        return f"'{own.name}' {what}: remove its Collision, or separate what of it does not follow."
    if carrier := _carrier(own.parent):
        return f"'{own.name}' moves with the simulated '{carrier.name}', as no collider can: clear its parent."
    return ""


def _carrier(parent):
    """The tree or rigid body that a bake moves, and that takes along what is parented to it, or to what is."""
    while parent:
        own = source_of(parent)
        if own.tendril.is_tree or (own.tendril.is_body and own.tendril.body.motion != "ANIMATED"):
            return own
        parent = parent.parent
    return None


def _candidates(view_layer):
    scene = view_layer.id_data
    chosen = scene.tendril.collision_collection
    return [
        item
        for item in enabled_objects(view_layer)
        if kind_of(item, scene) and (chosen is None or item.name in chosen.all_objects)
    ]
