"""What is set on a collider to which Blender gives no Collision tab."""

import bpy
from bpy.props import BoolProperty

from .declare import declare, forget_estimate
from .parameters import COLLIDER


class TendrilCollider(bpy.types.PropertyGroup):
    """How a curve, surface or text is touched; meshes have Blender's own Collision physics."""

    use: BoolProperty(
        name="Collider",
        description="Rods and rigid bodies do not pass through the surface of this object",
        options=set(),
        update=forget_estimate,
    )
    thickness: declare(COLLIDER["thickness"])
    friction: declare(COLLIDER["friction"])
