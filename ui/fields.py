"""Wind and other force fields: which act, and how much on this object."""

from bpy.types import Panel

from ..properties.body import rod_of
from ..properties.fields import KINDS, field_objects
from .place import Documented, OfRod, PhysicsTab, Sidebar


class _Fields(Documented):
    bl_label = "Wind and Force Fields"
    section = "wind-and-force-fields"

    def draw(self, context):
        layout = self.layout
        for item in field_objects(context.view_layer):
            row = layout.row()
            if item.field.type in KINDS:
                row.label(text=item.name, icon=f"FORCE_{item.field.type}")
                row.prop(item.field, "strength", text="")
            else:
                row.label(text=f"{item.name} does not act", icon="ERROR")
        layout.operator("tendril.add_wind", icon="FORCE_WIND")


class _Weights(OfRod):
    bl_label = "Field Weights"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        draw_weights(self.layout, rod_of(context.object).tendril.weights)


def draw_weights(layout, weights):
    layout.use_property_split = True
    layout.use_property_decorate = False
    column = layout.column()
    column.prop(weights, "gravity")
    column.prop(weights, "all")
    column = layout.column(align=True)
    for kind in KINDS:
        column.prop(weights, kind.lower())


class TENDRIL_PT_fields(Sidebar, _Fields, Panel):
    pass


class TENDRIL_PT_weights(Sidebar, _Weights, Panel):
    bl_parent_id = "TENDRIL_PT_rod"


class PHYSICS_PT_tendril_fields(PhysicsTab, OfRod, _Fields, Panel):
    bl_parent_id = "PHYSICS_PT_tendril"


class PHYSICS_PT_tendril_weights(PhysicsTab, _Weights, Panel):
    bl_parent_id = "PHYSICS_PT_tendril"


classes = (TENDRIL_PT_fields, TENDRIL_PT_weights, PHYSICS_PT_tendril_fields, PHYSICS_PT_tendril_weights)
