"""Give a scene the gravity of the Earth."""

import bpy

from ..bridge.units import Units
from ..properties.gravity import STANDARD, forgotten
from .obstacles import Obstructed


class TENDRIL_OT_set_gravity(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.set_gravity"
    bl_label = "Set Gravity to 9.81 m/s²"
    bl_description = "Make things fall as on Earth, in the unit scale of this scene"

    @classmethod
    def obstacle(cls, context):
        return "" if forgotten(context.scene) else "Gravity is as it should be in this unit scale"

    def execute(self, context):
        scene = context.scene
        scene.gravity = scene.gravity.normalized() * Units.of(scene, 0).blender_units(STANDARD)
        return {"FINISHED"}


classes = (TENDRIL_OT_set_gravity,)
