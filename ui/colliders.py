"""What rods, rigid and soft bodies collide with: which objects, how thick and how rough they are."""

from bpy.types import Panel

from ..properties.body import body_of, rod_of, soft_of
from ..properties.collider import by_blender
from ..properties.colliders import WITHOUT_TAB, collider_objects, hindered, kind_of
from ..properties.instancers import shown_colliders
from .place import Closed, Documented, Foremost, PhysicsTab, Sidebar, of_each_kind

MOST_NAMES = 8


class _Colliders(Documented):
    bl_label = "Colliders"
    section = "colliders"

    def draw(self, context):
        layout, item = self.layout, context.object
        if not takes_part(item):
            draw_active(layout, item, context.scene)
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column()
        column.prop(context.scene.tendril, "collision_collection")
        column.prop(context.scene.tendril, "use_passive_bodies")
        draw_names(layout, context.view_layer)


def takes_part(item):
    """Whether an object is a rod, a rigid or a soft body, or the bake of one: it is no collider then."""
    return any(of(item) is not None for of in (rod_of, body_of, soft_of))


def draw_active(layout, item, scene):
    """The settings of the active object, or the button that makes a collider of it."""
    kind = kind_of(item, scene) if item else ""
    if not kind:
        layout.operator("tendril.add_collider", icon="ADD")
        return
    row = layout.row(align=True)
    row.label(text=item.name, icon="MOD_PHYSICS")
    row.operator("tendril.remove_collider", text="", icon="X")
    draw_touch(layout, item, kind)


def draw_touch(layout, item, kind):
    """Thickness and friction of a collider, wherever they are kept."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    column = layout.column()
    if kind == "COLLISION":
        draw_thickness(column, item)
        column.prop(item.collision, "cloth_friction", text="Friction × 10")
    elif kind == "OWN":
        draw_thickness(column, item)
        column.prop(item.tendril.collider, "friction")
    else:
        column.prop(item.rigid_body, "friction")
        column.prop(item.rigid_body, "use_margin")
        column = layout.column()
        column.active = item.rigid_body.use_margin
        column.prop(item.rigid_body, "collision_margin")
    layout.prop(item.tendril.collider, "cylinder")


def draw_thickness(column, item):
    """The number that counts, greyed where it is chosen by itself."""
    settings = item.tendril.collider
    column.prop(settings, "automatic")
    row = column.row()
    row.enabled = not settings.automatic
    if settings.automatic:
        row.prop(settings, "automatic_thickness")
    elif by_blender(settings):
        row.prop(item.collision, "thickness_outer", text="Thickness")
    else:
        row.prop(settings, "thickness")


def draw_names(layout, view_layer):
    """How many there are, and the first few by name; what would be one but for something else."""
    found = [*collider_objects(view_layer), *shown_colliders(view_layer)]
    column = layout.column(align=True)
    column.label(text="1 collider" if len(found) == 1 else f"{len(found) or 'No'} colliders")
    for item in found[:MOST_NAMES]:
        column.label(text=item.name, icon="MOD_PHYSICS")
    if len(found) > MOST_NAMES:
        column.label(text=f"and {len(found) - MOST_NAMES} more", icon="BLANK1")
    for item, _why in hindered(view_layer)[:MOST_NAMES]:
        column.label(text=f"{item.name} takes no part as a collider", icon="ERROR")


class TENDRIL_PT_colliders(Foremost, Sidebar, _Colliders, Panel):
    @classmethod
    def poll(cls, context):
        return not takes_part(context.object)


class TENDRIL_PT_colliders_around(Closed, Sidebar, _Colliders, Panel):
    bl_parent_id = "TENDRIL_PT_world"

    @classmethod
    def poll(cls, context):
        return takes_part(context.object)


class PHYSICS_PT_tendril_collider(PhysicsTab, Documented, Panel):
    """Where Blender shows no Collision panel."""

    bl_label = "Collider (Tendril)"
    section = "colliders"

    @classmethod
    def poll(cls, context):
        return context.object is not None and kind_of(context.object, context.scene) == "OWN"

    def draw(self, context):
        draw_touch(self.layout, context.object, "OWN")


class PHYSICS_PT_tendril_collision(PhysicsTab, Documented, Panel):
    """In Blender's Collision panel."""

    bl_label = "Rods and Bodies (Tendril)"
    bl_parent_id = "PHYSICS_PT_collision"
    section = "colliders"

    @classmethod
    def poll(cls, context):
        return context.object is not None and kind_of(context.object, context.scene) == "COLLISION"

    def draw(self, context):
        self.layout.use_property_split = True
        draw_thickness(self.layout.column(), context.object)
        self.layout.prop(context.object.tendril.collider, "cylinder")


def draw_physics_button(panel, context):
    """Beside Blender's own kinds of physics, where it has no Collision for this kind of object."""
    item = context.object
    if item.type not in WITHOUT_TAB or rod_of(item):
        return
    flow = panel.layout.grid_flow(row_major=True, columns=0, even_columns=True, even_rows=False, align=True)
    if item.tendril.collider.use:
        flow.column().operator("tendril.remove_collider", text="Collider (Tendril)", icon="X")
    else:
        flow.column().operator("tendril.add_collider", text="Collider (Tendril)", icon="MOD_PHYSICS")


classes = (
    TENDRIL_PT_colliders, TENDRIL_PT_colliders_around, *of_each_kind("colliders", Closed, _Colliders, within="world"),
    PHYSICS_PT_tendril_collider, PHYSICS_PT_tendril_collision,
)  # fmt: skip
