"""Things come in tuples, of the right kind: who writes a scene by hand forgets the comma of (rod,) easily."""

from ..scene import Collider, ForceField, Hold, Pin, Pulley, RigidBody, Rod, Scene, SoftBody, Tie, Weld
from .errors import SceneError

KINDS = {
    "rods": Rod, "pins": Pin, "bodies": RigidBody, "welds": Weld, "fields": ForceField, "colliders": Collider,
    "solids": SoftBody, "holds": Hold, "ties": Tie, "pulleys": Pulley,
}  # fmt: skip


def check_kinds(scene: Scene) -> None:
    """Raises SceneError."""
    for name, kind in KINDS.items():
        things = getattr(scene, name)
        if isinstance(things, kind):
            raise SceneError(
                "scene", f"The scene's {name} are one {kind.__name__}: give a tuple, ({kind.__name__.lower()},)."
            )
        if not isinstance(things, tuple | list):
            raise SceneError("scene", f"The scene's {name} are {things!r:.40}: give a tuple of {kind.__name__}.")
        for thing in things:
            if not isinstance(thing, kind):
                what = type(thing).__name__
                raise SceneError("scene", f"Among the scene's {name} is a {what}: give each as a {kind.__name__}.")
