"""Rods and bodies that are shown as instances of a collection become objects, which a bake takes in."""

import bpy

from ..properties.instancers import simulated_as, simulated_in
from .obstacles import Obstructed, not_object_mode
from .result import select


class TENDRIL_OT_make_real(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.make_real"
    bl_label = "Make Rods and Bodies Real"
    bl_description = (
        "Make objects of what the selected objects show of their collections, tied to each other as there: as Make "
        "Instances Real does, which makes two of each curve with a bevel. Keys, drivers and constraints are left out"
    )

    @classmethod
    def obstacle(cls, context):
        if not any(map(simulated_in, context.selected_objects)):
            return "No selected object shows a collection with rods or bodies: select one"
        return not_object_mode(context, cls.bl_label)

    def execute(self, context):
        instancers = [item for item in context.selected_objects if simulated_in(item)]
        if obstacle := next(filter(None, (_nested(item) or _unseen(item, context) for item in instancers)), ""):
            self.report({"ERROR"}, obstacle)
            return {"CANCELLED"}
        before, stripped = set(bpy.data.objects), sorted({name for item in instancers for name in _animated_in(item)})
        bpy.ops.object.duplicates_make_real(use_hierarchy=True)
        made = {}
        for item in [item for item in bpy.data.objects if item not in before]:
            place = tuple(value for row in item.matrix_world for value in row)
            kept = made.setdefault((item.data, place) if item.type == "CURVE" else item, item)
            if kept != item:
                item.user_remap(kept)
                bpy.data.objects.remove(item)
        select(context, list(made.values()))
        text = f"{len(made)} object{'s' * (len(made) > 1)}"
        if stripped:
            left = ", ".join(map(repr, stripped))
            text += f", placed as shown now: keys, drivers, constraints and parents elsewhere of {left} are left out"
        self.report({"WARNING" if stripped else "INFO"}, text)
        return {"FINISHED"}


def _nested(item):
    """Why what is shown within what an instancer shows cannot be made real: all of it would be tied to one of them."""
    collection = item.instance_collection
    for own in collection.all_objects:
        if not simulated_as(own) and simulated_in(own):
            cure = f"link the collection '{collection.name}' to the scene, and make '{own.name}' real there first"
            return f"'{item.name}' shows '{own.name}', which shows rods or bodies of another collection: {cure}"
    return ""


def _unseen(item, context):
    """Why a rod or body in the collection of an instancer would not be among what is made, as it is not shown."""
    shown = {
        own.instance_object.original
        for own in context.evaluated_depsgraph_get().object_instances
        if own.is_instance and own.parent.original == item
    }
    for own in simulated_in(item):
        if own.tendril.result:
            return f"'{own.name}', of which '{item.name}' shows an instance, is shown by its bake: free that first"
        if own not in shown:
            return f"'{own.name}', in the collection that '{item.name}' shows, is hidden: show it in viewports first"
    return ""


def _animated_in(item):
    """The names of what moves in the collection of an instancer by what Blender makes no copy of."""
    inside = item.instance_collection.all_objects
    return [own.name for own in inside if own.animation_data or own.constraints or own.parent not in {None, *inside}]


classes = (TENDRIL_OT_make_real,)
