"""Forces from outside on the active rod, rigid or soft body."""

from bpy.types import Panel, UIList

from ..properties.body import body_of, cable_of, rod_of, soft_of
from .place import Closed, Documented, Sidebar, of_each_kind


class TENDRIL_UL_loads(UIList):
    def draw_item(self, _context, layout, _data, load, _icon, _active_data, _active_name, _index):
        layout.prop(load, "name", text="", emboss=False, icon="EMPTY_SINGLE_ARROW")
        layout.label(text=load.target.name if load.target else "up")


class _Loads(Closed, Documented):
    bl_label = "Forces"
    section = "forces"

    def draw(self, context):
        thing = rod_of(context.object) or body_of(context.object) or soft_of(context.object)
        own, row = thing.tendril, self.layout.row()
        row.template_list("TENDRIL_UL_loads", "", own, "loads", own, "active_load", rows=2)
        column = row.column(align=True)
        column.operator("tendril.add_load", text="", icon="ADD")
        column.operator("tendril.remove_load", text="", icon="REMOVE")
        if own.active_load < len(own.loads):
            draw_load(self.layout, thing, own.loads[own.active_load])


def draw_load(layout, thing, load):
    layout.use_property_split = True
    column = layout.column()
    column.prop(load, "target")
    if thing.tendril.is_soft:
        column.prop_search(load, "group", thing, "vertex_groups")
    column.prop(load, "force")
    hangs = cable_of(thing) or (thing.tendril.is_body and thing.tendril.body.motion == "SUSPENDED")
    if not (thing.tendril.is_soft or hangs):
        column.prop(load, "torque")
    if thing.tendril.is_body and not hangs:
        column.prop(load, "follows")


class TENDRIL_PT_loads(Sidebar, _Loads, Panel):
    bl_parent_id = "TENDRIL_PT_active"

    @classmethod
    def poll(cls, context):
        item = context.object
        return (rod_of(item) and not cable_of(item)) or body_of(item) or soft_of(item)


class TENDRIL_PT_cable_loads(Sidebar, _Loads, Panel):
    """Within another one, for a cable's are many."""

    bl_parent_id = "TENDRIL_PT_motion"

    @classmethod
    def poll(cls, context):
        return cable_of(context.object)


classes = (TENDRIL_UL_loads, TENDRIL_PT_loads, TENDRIL_PT_cable_loads, *of_each_kind("loads", _Loads))
