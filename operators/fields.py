"""Add wind."""

from math import pi

import bpy
from bpy.props import FloatProperty

from ..bridge.units import Units
from .obstacles import Obstructed, not_object_mode


class TENDRIL_OT_add_wind(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.add_wind"
    bl_label = "Add Wind"
    bl_description = (
        "Add Blender's wind at the 3D cursor: air that moves everywhere along the arrow. Turn it as you like"
    )
    bl_options = {"REGISTER", "UNDO"}

    speed: FloatProperty(
        name="Speed (m/s)",
        description="How fast the air moves: 3 stirs leaves, 8 sways branches, 17 whole trees",
        default=8.0,
        min=0.0,
        soft_max=40.0,
    )

    @classmethod
    def obstacle(cls, context):
        return not_object_mode(context, cls.bl_label)

    def execute(self, context):
        bpy.ops.object.effector_add(
            type="WIND", align="WORLD", location=context.scene.cursor.location, rotation=(0.0, pi / 2, 0.0)
        )
        context.object.field.strength = Units.of(context.scene, 0).blender_units(self.speed)
        return {"FINISHED"}


classes = (TENDRIL_OT_add_wind,)
