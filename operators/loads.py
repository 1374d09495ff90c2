"""Forces from outside: add one, remove one."""

import bpy

from ..bridge import pin_keys
from ..properties.body import body_of, rod_of, soft_of, thing_of
from .obstacles import Obstructed

NOTHING = (
    "Select a rod, cable, rigid or soft body: Add Rod makes one of a curve, Add Rigid Body and Add Soft Body of a mesh"
)


def pushed(item):
    """The rod, rigid or soft body that an artist means by an object; None: none."""
    return rod_of(item) or body_of(item) or soft_of(item)


class TENDRIL_OT_add_load(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.add_load"
    bl_label = "Add Force"
    bl_description = (
        "Let a force act on the active rod, cable, rigid or soft body, along the Z axis of the other selected object, "
        "an empty as a rule; up, where no other is selected. On a soft body on the active vertex group"
    )

    @classmethod
    def obstacle(cls, context):
        return "" if pushed(context.object) else NOTHING

    def execute(self, context):
        thing = pushed(context.object)
        others = [item for item in context.selected_objects if thing_of(item) != thing]
        load = thing.tendril.loads.add()
        load.name = "Force" if len(thing.tendril.loads) == 1 else f"Force {len(thing.tendril.loads)}"
        load.target = others[0] if others else None
        if thing.tendril.is_soft and thing.vertex_groups.active:
            load.group = thing.vertex_groups.active.name
        thing.tendril.active_load = len(thing.tendril.loads) - 1
        return {"FINISHED"}


class TENDRIL_OT_remove_load(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.remove_load"
    bl_label = "Remove Force"
    bl_description = "Take the active force away"

    @classmethod
    def obstacle(cls, context):
        thing = pushed(context.object)
        return NOTHING if thing is None else "" if thing.tendril.loads else f"No force acts on '{thing.name}'"

    def execute(self, context):
        thing = pushed(context.object)
        own = thing.tendril
        pin_keys.remove(thing, "tendril.loads", min(own.active_load, len(own.loads) - 1))
        own.active_load = max(0, min(own.active_load, len(own.loads) - 1))
        return {"FINISHED"}


classes = (TENDRIL_OT_add_load, TENDRIL_OT_remove_load)
