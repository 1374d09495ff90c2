"""Add wind."""

from contextlib import suppress
from math import ceil, inf, pi

import bpy
from bpy.props import FloatProperty, IntProperty

from ..bridge.scene import frame_range
from ..bridge.survey import sway
from ..bridge.units import Units
from ..bridge.wind import blow
from ..physics.validate import SceneError
from ..properties.choice import chosen_rods
from .obstacles import Obstructed, not_object_mode
from .refusal import refuses

USUAL = 8.0  # m/s, a fresh breeze
FASTEST = 42.0  # m/s, at which trees break (Virot et al. 2016, Phys. Rev. E 93, 023001)
VISIBLE = 0.05  # of a tree's height
ALONG = (1.0, 0.0, 0.0)  # the arrow of a new wind


class TENDRIL_OT_add_wind(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.add_wind"
    bl_label = "Add Wind"
    bl_description = (
        "Add Blender's wind at the 3D cursor: air that moves everywhere along the arrow, rises in the first second and "
        "then blows in gusts. Turn the arrow as you like; the gusts are F-curves with Noise modifiers"
    )

    speed: FloatProperty(
        name="Speed (m/s)",
        description="How fast the air moves on average: 3 stirs leaves, 8 sways branches, 17 whole trees. Where there "
        "are trees, at first as fast as moves them visibly",
        default=USUAL,
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

    @refuses
    def execute(self, context):
        scene = context.scene
        first, _last = frame_range(scene)
        if not self.properties.is_property_set("speed"):
            self.speed = self.speed_for_trees(context)
        bpy.ops.object.effector_add(
            type="WIND", align="WORLD", location=scene.cursor.location, rotation=(0.0, pi / 2, 0.0)
        )
        units = Units.of(scene, first)
        blow(context.object, units.blender_units(self.speed), self.gusts, self.seed, first, units.fps)
        return {"FINISHED"}

    def speed_for_trees(self, context):
        """[m/s] that moves the trees, the chosen ones or all, by VISIBLE of their height, as far as air is so fast."""
        trees = [tree for tree in chosen_rods(context) if tree.tendril.is_tree]
        trees = trees or [item for item in context.view_layer.objects if item.tendril.is_tree]
        found = []
        for tree in trees:
            with suppress(SceneError):  # which the bake tells
                found.append(sway(context, tree, ALONG, FASTEST, VISIBLE))
        if not found:
            return USUAL
        stiffest = max(found, key=lambda one: one.speed(VISIBLE))
        wanted = stiffest.speed(VISIBLE)
        speed = max(USUAL, ceil(min(wanted, FASTEST)))
        if wanted > FASTEST:
            way = f"{stiffest.way(speed):.2g} of {stiffest.height:.2g} m"
            moves = f"At {speed:.0f} m/s '{stiffest.name}' moves by {way}"
            more = f"{wanted:.0f} m/s would move it by a twentieth of that" if wanted < inf else "no wind moves it"
            self.report({"WARNING"}, f"{moves}; {more}: less Stiffness or thickness, or more Leaves")
        elif speed > USUAL:
            self.report({"INFO"}, f"{speed:.0f} m/s move '{stiffest.name}' by a twentieth of its height")
        return speed


classes = (TENDRIL_OT_add_wind,)
