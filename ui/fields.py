"""Wind and other force fields: which act, and how much on this object."""

from bpy.types import Panel

from ..properties.body import cable_of, rod_of
from ..properties.fields import KINDS, field_objects
from .place import Closed, Documented, OfRod, PhysicsTab, Sidebar, of_each_kind


class _Fields(Closed, Documented):
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


class _Weights(Closed, OfRod):
    bl_label = "Field Weights"

    def draw(self, context):
        draw_weights(self.layout, rod_of(context.object).tendril.weights, cable_of(context.object) is None)


def draw_weights(layout, weights, fields=True):
    """fields: whether others than gravity act on it."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    column = layout.column()
    column.prop(weights, "gravity")
    if not fields:
        return
    column.prop(weights, "all")
    column = layout.column(align=True)
    for kind in KINDS:
        column.prop(weights, kind.lower())


class TENDRIL_PT_fields(Sidebar, _Fields, Panel):
    bl_parent_id = "TENDRIL_PT_world"


class TENDRIL_PT_weights(Sidebar, _Weights, Panel):
    bl_parent_id = "TENDRIL_PT_motion"


class PHYSICS_PT_tendril_weights(PhysicsTab, _Weights, Panel):
    bl_parent_id = "PHYSICS_PT_tendril_motion"


classes = (
    TENDRIL_PT_fields, TENDRIL_PT_weights, *of_each_kind("fields", _Fields, within="world"), PHYSICS_PT_tendril_weights,
)  # fmt: skip
