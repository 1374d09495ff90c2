"""What a rigid body weighs, how it moves and how it touches."""

from bpy.types import Panel

from ..properties.body import body_of, is_cable
from .fields import Weights
from .place import Documented, OfBody, PhysicsTab, in_both


class _Body(Documented, OfBody):
    bl_label = "Rigid Body"
    section = "rigid-bodies"

    def draw(self, context):
        draw_rigid_body(self.layout, body_of(context.object))


def draw_rigid_body(layout, body):
    row = layout.row(align=True)
    row.label(text=body.name, icon=f"{body.type}_DATA")
    row.operator("tendril.array", text="", icon="MOD_ARRAY")
    row.operator("tendril.remove_body", text="", icon="X")
    draw_body(layout, body.tendril.body, body.type == "MESH", _holds_cables(body))
    column = layout.column(align=True)
    row = column.row(align=True)
    if body.type == "MESH":
        row.operator("tendril.tie", icon="LINKED")
    row.operator("tendril.new_cable", text="New Cable")
    if body.tendril.body.motion != "DYNAMIC":
        row = column if body.type == "MESH" else row
        row.operator("tendril.separate_ends", icon="UNLINKED")


def _holds_cables(body):
    items = [item for scene in body.users_scene for item in scene.objects if item.tendril.is_rod and is_cable(item)]
    return any(pin.target == body for item in items for pin in item.tendril.pins)


def draw_body(layout, settings, has_mesh=True, holds_cables=False):
    layout.use_property_split = True
    layout.use_property_decorate = False
    if has_mesh:
        layout.prop(settings, "motion")
    if not has_mesh or holds_cables or settings.motion == "SUSPENDED":
        row = layout.row(align=True)
        for motion, text, own in (("FOLLOWS", "Follows", "SUSPENDED"), ("STAYS", "Stays", "ANIMATED")):
            row.operator("tendril.hang_on_cables", text=text, depress=settings.motion == own).motion = motion
    if settings.motion == "ANIMATED":
        return
    column = layout.column()
    if has_mesh:
        column.prop(settings, "shape")
        column.prop(settings, "use_density")
    column.prop(settings, "density" if has_mesh and settings.use_density else "mass")
    if settings.motion == "SUSPENDED":
        return
    layout.column().prop(settings, "velocity")
    layout.column().prop(settings, "spin")
    layout.column().prop(settings, "drag_coefficient")


class _Collisions(Documented, OfBody):
    bl_label = "Collisions"
    section = "bodies-that-collide"

    @classmethod
    def poll(cls, context):
        body = body_of(context.object)
        return body is not None and body.type == "MESH"

    def draw_header(self, context):
        self.layout.prop(body_of(context.object).tendril.body, "collide", text="")

    def draw(self, context):
        draw_collisions(self.layout, body_of(context.object).tendril.body)


def draw_collisions(layout, settings):
    layout.use_property_split = True
    layout.use_property_decorate = False
    layout.active = settings.collide
    column = layout.column()
    column.prop(settings, "collision_shape", text="Shape")
    if settings.motion != "SUSPENDED":
        column.prop(settings, "friction")
    if settings.motion == "DYNAMIC":
        column.prop(settings, "restitution")
        column.prop(settings, "rolling_resistance")
    column.prop(settings, "collision_collection")


class PHYSICS_PT_tendril_body(PhysicsTab, _Body, Panel):
    bl_label = "Rigid Body (Tendril)"


def draw_physics_button(panel, context):
    """Beside Blender's own kinds of physics, one of which has the same name."""
    if context.object.type != "MESH":
        return
    flow = panel.layout.grid_flow(row_major=True, columns=0, even_columns=True, even_rows=False, align=True)
    if body_of(context.object):
        flow.column().operator("tendril.remove_body", text="Rigid Body (Tendril)", icon="X")
    else:
        flow.column().operator("tendril.add_body", text="Rigid Body (Tendril)", icon="MESH_DATA")


classes = (
    PHYSICS_PT_tendril_body, *in_both("body_collisions", _Collisions, within="body"),
    *in_both("body_weights", Weights, OfBody, within="body"),
)  # fmt: skip
