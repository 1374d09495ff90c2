"""A force from outside on a rod, rigid or soft body."""

import bpy
from bpy.props import BoolProperty, PointerProperty, StringProperty

from .declare import declare, forget_estimate
from .parameters import LOAD


class TendrilLoad(bpy.types.PropertyGroup):
    """A force along the Z axis of an object, and on a rod or rigid body a torque about it."""

    name: StringProperty(name="Name", default="Force")
    target: PointerProperty(
        name="Target",
        type=bpy.types.Object,
        description="The object along whose Z axis the force acts, an empty as a rule, turned as it is at each frame. "
        "It acts where that is at the first frame: there on a rigid body, on the nearest point of a rod. None: up, on "
        "all of it",
        update=forget_estimate,
    )
    group: StringProperty(
        name="Vertex Group",
        description="The vertices of the soft body that share the force, those with a weight above a half. None: all",
        options=set(),
        update=forget_estimate,
    )
    force: declare(LOAD["force"], animatable=True)
    torque: declare(LOAD["torque"], animatable=True)
    follows: BoolProperty(
        name="Turns with Body",
        description="The axis turns with the rigid body from the first frame on, as that of a rocket does. Off leaves "
        "it to the target",
        options=set(),
        update=forget_estimate,
    )


classes = (TendrilLoad,)
