"""The collection that a rod, rigid body or soft body is limited to."""

import bpy
from bpy.props import PointerProperty

from .declare import forget_estimate


def collision_collection():
    """The property."""
    return PointerProperty(
        name="Collides With",
        type=bpy.types.Collection,
        description="Collide only with what is in this collection, or in those within it; with itself and the floor in "
        "any case. Empty: with everything that does not leave it out",
        update=forget_estimate,
    )
