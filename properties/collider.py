"""What is set on a collider.

A mesh has Thickness Outer in Blender's Collision physics too. What was set last counts, there or here: so files from
before Tendril had a thickness of its own, and scripts that set Blender's, keep what they have.
"""

import bpy
from bpy.props import BoolProperty, FloatProperty

from .declare import declare, forget_estimate
from .parameters import COLLIDER
from .thickness import automatic


def _of_blender(settings):
    """Thickness Outer of a mesh, None for other kinds of objects."""
    item = settings.id_data
    return item.collision.thickness_outer if item.type == "MESH" and item.collision else None


def by_blender(settings):
    """Whether Blender's number counts for these settings of a collider."""
    outer = _of_blender(settings)
    return outer is not None and outer != settings.outer


def thickness_of(settings):
    """Thickness [Blender units] that is set for a collider, None: Automatic."""
    if by_blender(settings):
        return _of_blender(settings)
    return None if settings.is_automatic else settings.thickness


def _set_automatic(settings, chosen):
    settings.is_automatic = chosen
    outer = _of_blender(settings)
    if outer is not None:
        settings.outer = outer


def _set_number(settings, context):
    _set_automatic(settings, False)
    forget_estimate(settings, context)


class TendrilCollider(bpy.types.PropertyGroup):
    """How a surface is touched; friction of meshes is that of Blender's own Collision physics."""

    use: BoolProperty(
        name="Collider",
        description="Rods and rigid bodies do not pass through the surface of this object",
        options=set(),
        update=forget_estimate,
    )
    automatic: BoolProperty(
        name="Automatic Thickness",
        description="Things stay off the surface by a twentieth of the radius with which the thinnest of them touches, "
        "too little to be seen. Off takes the number below",
        get=lambda settings: thickness_of(settings) is None,
        set=_set_automatic,
        update=forget_estimate,
        options=set(),
    )
    thickness: declare(COLLIDER["thickness"], update=_set_number)
    automatic_thickness: FloatProperty(
        name="Thickness",
        description="What Automatic takes: a twentieth of the radius with which the thinnest thing touches",
        subtype="DISTANCE",
        precision=4,
        get=lambda settings: automatic(bpy.context.view_layer, settings.id_data),
    )
    friction: declare(COLLIDER["friction"])
    cylinder: BoolProperty(
        name="Endless Cylinder",
        description="Things touch an exact cylinder around the object's Z axis, as wide as the object, in place of its "
        "faces, and go around with it as it turns: posts, drums and pulleys. It goes on beyond both ends",
        options=set(),
        update=forget_estimate,
    )
    is_automatic: BoolProperty(description="Whether Automatic was chosen last here", options=set())
    outer: FloatProperty(
        description="Blender's Thickness Outer when the thickness was set last here; below 0: it never was",
        default=-1.0,
        options=set(),
    )
