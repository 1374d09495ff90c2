"""Rods and bodies that are shown as instances of a collection become objects, which a bake takes in."""

import bpy

from ..properties.choice import chosen_objects
from ..properties.instancers import simulated_in
from .obstacles import Obstructed, not_object_mode
from .result import select


class TENDRIL_OT_make_real(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.make_real"
    bl_label = "Make Rods and Bodies Real"
    bl_description = (
        "Make objects of what the selected objects show of their collections, tied to each other as there: as Make "
        "Instances Real does, which makes two of each curve with a bevel"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def obstacle(cls, context):
        if not any(map(simulated_in, chosen_objects(context))):
            return "No selected object shows a collection with rods or bodies: select one"
        return not_object_mode(context, cls.bl_label)

    def execute(self, context):
        before = set(bpy.data.objects)
        bpy.ops.object.duplicates_make_real()
        made = {}
        for item in [item for item in bpy.data.objects if item not in before]:
            place = tuple(value for row in item.matrix_world for value in row)
            kept = made.setdefault((item.data, place) if item.type == "CURVE" else item, item)
            if kept != item:
                item.user_remap(kept)
                bpy.data.objects.remove(item)
        select(context, list(made.values()))
        self.report({"INFO"}, f"{len(made)} object{'s' * (len(made) > 1)}")
        return {"FINISHED"}


classes = (TENDRIL_OT_make_real,)
