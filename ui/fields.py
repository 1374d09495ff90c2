"""Wind and other force fields: which act, and how much on this object."""

from bpy.types import Panel

from ..properties.body import cable_of, thing_of
from ..properties.fields import KINDS, field_objects
from .place import Closed, Documented, OfRod, Sidebar, in_both, of_each_kind


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


class Weights(Closed):
    """Of a rod, rigid or soft body: how much acts on it."""

    bl_label = "Field Weights"

    def draw(self, context):
        layout, weights = self.layout, thing_of(context.object).tendril.weights
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column()
        column.prop(weights, "gravity")
        if cable_of(context.object):  # on which no field acts
            return
        column.prop(weights, "all")
        column = layout.column(align=True)
        for kind in KINDS:
            column.prop(weights, kind.lower())


class TENDRIL_PT_fields(Sidebar, _Fields, Panel):
    bl_parent_id = "TENDRIL_PT_world"


classes = (
    TENDRIL_PT_fields, *of_each_kind("fields", _Fields, within="world"),
    *in_both("weights", Weights, OfRod, within="motion"),
)  # fmt: skip
