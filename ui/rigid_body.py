"""What a rigid body weighs and how it moves."""

from bpy.types import Panel

from ..properties.body import body_of, rod_of
from .fields import draw_weights
from .place import Documented, OfBody, PhysicsTab, Sidebar


class _Body(Documented):
    bl_label = "Rigid Body"
    section = "rigid-bodies"

    def draw(self, context):
        layout, body = self.layout, body_of(context.object)
        if body is None:
            layout.operator("tendril.add_body", icon="ADD")
        else:
            row = layout.row(align=True)
            row.label(text=body.name, icon="MESH_DATA")
            row.operator("tendril.remove_body", text="", icon="X")
            draw_body(layout, body.tendril.body)
        if body or rod_of(context.object):
            layout.operator("tendril.tie", icon="LINKED")


def draw_body(layout, settings):
    layout.use_property_split = True
    layout.use_property_decorate = False
    layout.prop(settings, "motion")
    if settings.motion == "ANIMATED":
        return
    column = layout.column()
    column.prop(settings, "shape")
    column.prop(settings, "use_density")
    column.prop(settings, "density" if settings.use_density else "mass")
    layout.column().prop(settings, "velocity")
    layout.column().prop(settings, "spin")
    layout.column().prop(settings, "drag_coefficient")


class _Weights(OfBody):
    bl_label = "Field Weights"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        draw_weights(self.layout, body_of(context.object).tendril.weights)


class TENDRIL_PT_body(Sidebar, _Body, Panel):
    pass


class TENDRIL_PT_body_weights(Sidebar, _Weights, Panel):
    bl_parent_id = "TENDRIL_PT_body"


class PHYSICS_PT_tendril_body(PhysicsTab, OfBody, _Body, Panel):
    bl_label = "Rigid Body (Tendril)"


class PHYSICS_PT_tendril_body_weights(PhysicsTab, _Weights, Panel):
    bl_parent_id = "PHYSICS_PT_tendril_body"


def draw_physics_button(panel, context):
    """Beside Blender's own kinds of physics, one of which has the same name."""
    if context.object.type != "MESH":
        return
    flow = panel.layout.grid_flow(row_major=True, columns=0, even_columns=True, even_rows=False, align=True)
    if body_of(context.object):
        flow.column().operator("tendril.remove_body", text="Rigid Body (Tendril)", icon="X")
    else:
        flow.column().operator("tendril.add_body", text="Rigid Body (Tendril)", icon="MESH_DATA")


classes = (TENDRIL_PT_body, TENDRIL_PT_body_weights, PHYSICS_PT_tendril_body, PHYSICS_PT_tendril_body_weights)
