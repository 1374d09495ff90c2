"""Add wind."""

from math import pi

import bpy
from bpy.props import FloatProperty, IntProperty

from ..bridge.scene import frame_range
from ..bridge.units import Units
from ..bridge.wind import blow
from ..physics.validate import SceneError
from .obstacles import Obstructed, not_object_mode


class TENDRIL_OT_add_wind(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.add_wind"
    bl_label = "Add Wind"
    bl_description = (
        "Add Blender's wind at the 3D cursor: air that moves everywhere along the arrow, rises in the first second and "
        "then blows in gusts. Turn the arrow as you like; the gusts are F-curves with Noise modifiers"
    )
    bl_options = {"REGISTER", "UNDO"}

    speed: FloatProperty(
        name="Speed (m/s)",
        description="How fast the air moves on average: 3 stirs leaves, 8 sways branches, 17 whole trees",
        default=8.0,
        min=0.0,
        soft_max=40.0,
    )
    gusts: FloatProperty(
        name="Gusts",
        description="How much the air swells, falls and veers. More keeps trees moving; 0 is steady as from a fan",
        default=0.8,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
    )
    seed: IntProperty(name="Seed", description="Each number gives other gusts", min=0, soft_max=100)

    @classmethod
    def obstacle(cls, context):
        return not_object_mode(context, cls.bl_label)

    def execute(self, context):
        scene = context.scene
        try:
            first, _last = frame_range(scene)
        except SceneError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        bpy.ops.object.effector_add(
            type="WIND", align="WORLD", location=scene.cursor.location, rotation=(0.0, pi / 2, 0.0)
        )
        units = Units.of(scene, first)
        blow(context.object, units.blender_units(self.speed), self.gusts, self.seed, first, units.fps)
        return {"FINISHED"}


classes = (TENDRIL_OT_add_wind,)
