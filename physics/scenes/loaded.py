"""What acts on a scene from outside besides gravity, and is looked at a few times on the way through a frame."""

from ..scene import RigidBody, Rod, Scene, SoftBody


def has_loads(scene: Scene) -> bool:
    """Whether anything in it bears a load."""
    things: tuple[Rod | RigidBody | SoftBody, ...] = (*scene.rods, *scene.bodies, *scene.solids)
    return any(thing.loads for thing in things)


def acted_on(scene: Scene) -> bool:
    """Whether it has loads or force fields."""
    return bool(scene.fields) or has_loads(scene)
