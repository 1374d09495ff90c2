"""What a soft body is made of, how finely it is simulated and where it is held."""

import bpy
from bpy.types import Menu, Panel, UIList

from ..properties.body import soft_of
from ..properties.choice import no_soft_holder
from ..properties.soft import SUBDIVISION
from .fields import draw_weights
from .pins import ICONS
from .place import Documented, OfSoft, PhysicsTab, Sidebar, draw_help
from .presets import TENDRIL_PT_soft_presets
from .rod import draw_settings


class TENDRIL_UL_soft_pins(UIList):
    def draw_item(self, context, layout, _data, pin, _icon, _active_data, _active_name, _index):
        layout.prop(pin, "name", text="", emboss=False, icon="PINNED")
        held_by = pin.target.name if pin.target else "own animation"
        layout.label(text=f"{held_by} › {pin.bone}" if pin.bone else held_by)


class TENDRIL_MT_add_soft_pin(Menu):
    """What the active vertex group may be held by; what is off says why in its tooltip."""

    bl_label = "Pin Vertex Group"

    def draw(self, context):
        for holder, title in (("OBJECT", "Selected Object"), ("BONE", "Active Bone"), ("OWN", "Own Animation")):
            row = self.layout.row()
            row.enabled = not no_soft_holder(context, holder)
            row.operator("tendril.add_soft_pin", text=f"To {title}", icon=ICONS[holder]).holder = holder


class _Soft:
    bl_label = "Soft Body"
    section = "soft-bodies"

    def draw_header_preset(self, context):
        draw_help(self.layout, self.section)
        if soft_of(context.object):
            TENDRIL_PT_soft_presets.draw_panel_header(self.layout)

    def draw(self, context):
        soft = soft_of(context.object)
        if soft is None:
            column = self.layout.column(align=True)
            column.operator("tendril.add_soft", icon="ADD")
            column.operator("tendril.import_tetrahedra", icon="IMPORT")
            return
        row = self.layout.row(align=True)
        row.label(text=soft.name, icon="MESH_DATA")
        row.operator("tendril.remove_soft", text="", icon="X")
        settings = soft.tendril.soft
        material = bpy.path.display_name(settings.preset) or "Own Material"
        self.layout.popover("TENDRIL_PT_soft_presets", text=material, icon="MATERIAL")
        self.layout.row().prop(settings, "moduli", expand=True)
        pair = ("young", "squash") if settings.moduli == "STIFFNESS" else ("bulk", "shear")
        draw_settings(self.layout, settings, (*pair, "relaxation", "density"))
        draw_settings(self.layout, settings, ("friction", "drag_coefficient", "balanced"))
        draw_settings(self.layout, settings, ("resolution", "elements", "storage"))
        draw_settings(self.layout, settings, ("collision_collection",))
        shown = settings.wires is not None
        subdivided = SUBDIVISION in soft.modifiers
        self.layout.operator("tendril.subdivide_soft", icon="MOD_SUBSURF", depress=subdivided)
        self.layout.operator("tendril.show_tetrahedra", icon="MESH_ICOSPHERE", depress=shown)


class _Pins(Documented, OfSoft):
    bl_label = "Pins"
    section = "soft-bodies"

    def draw(self, context):
        layout, soft = self.layout, soft_of(context.object)
        settings = soft.tendril.soft
        row = layout.row()
        row.template_list("TENDRIL_UL_soft_pins", "", settings, "pins", settings, "active_pin", rows=3)
        column = row.column(align=True)
        column.menu("TENDRIL_MT_add_soft_pin", text="", icon="ADD")
        column.operator("tendril.remove_soft_pin", text="", icon="REMOVE")
        if settings.active_pin < len(settings.pins):
            draw_pin(layout, soft, settings.pins[settings.active_pin])


def draw_pin(layout, soft, pin):
    layout.use_property_split = True
    layout.use_property_decorate = False
    column = layout.column()
    column.prop_search(pin, "group", soft, "vertex_groups")
    column.prop(pin, "target")
    if pin.target and pin.target.type == "ARMATURE":
        column.prop_search(pin, "bone", pin.target.data, "bones")
    column.prop(pin, "use_weights")
    column.prop(pin, "kind")
    if pin.kind != "POINT":
        column.row().prop(pin, "axis", expand=True)
    draw_switched(column, pin, "use_spring", "spring", "Soft (N/m)")
    draw_switched(column, pin, "use_release", "release", "Release")
    influence = column.row()
    influence.use_property_decorate = True  # the one setting that can be keyed
    influence.prop(pin, "influence")


def draw_switched(column, settings, switch, value, text):
    """A number behind the switch that makes it count, as Blender draws them."""
    row = column.row(align=True, heading=text)
    row.prop(settings, switch, text="")
    number = row.row(align=True)
    number.active = getattr(settings, switch)
    number.prop(settings, value, text="")


class _Varied(Documented, OfSoft):
    bl_label = "Variation"
    bl_options = {"DEFAULT_CLOSED"}
    section = "soft-bodies"

    def draw(self, context):
        layout, soft = self.layout, soft_of(context.object)
        settings = soft.tendril.soft
        layout.use_property_split = True
        layout.use_property_decorate = False
        for name in ("stiffness", "density"):
            column = layout.column()
            column.prop_search(settings, f"{name}_group", soft, "vertex_groups")
            if getattr(settings, f"{name}_group"):
                column.prop(settings, f"{name}_factor")
        relaxed = layout.row()
        relaxed.active = not settings.balanced  # which finds one
        if keys := soft.data.shape_keys:
            relaxed.prop_search(settings, "relaxed", keys, "key_blocks")
        else:
            relaxed.prop(settings, "relaxed")


class _Weights(OfSoft):
    bl_label = "Field Weights"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        draw_weights(self.layout, soft_of(context.object).tendril.weights)


class TENDRIL_PT_soft(Sidebar, _Soft, Panel):
    pass


class TENDRIL_PT_soft_varied(Sidebar, _Varied, Panel):
    bl_parent_id = "TENDRIL_PT_soft"


class TENDRIL_PT_soft_pins(Sidebar, _Pins, Panel):
    bl_parent_id = "TENDRIL_PT_soft"


class TENDRIL_PT_soft_weights(Sidebar, _Weights, Panel):
    bl_parent_id = "TENDRIL_PT_soft"


class PHYSICS_PT_tendril_soft(PhysicsTab, OfSoft, _Soft, Panel):
    bl_label = "Soft Body (Tendril)"


class PHYSICS_PT_tendril_soft_varied(PhysicsTab, _Varied, Panel):
    bl_parent_id = "PHYSICS_PT_tendril_soft"


class PHYSICS_PT_tendril_soft_pins(PhysicsTab, _Pins, Panel):
    bl_parent_id = "PHYSICS_PT_tendril_soft"


class PHYSICS_PT_tendril_soft_weights(PhysicsTab, _Weights, Panel):
    bl_parent_id = "PHYSICS_PT_tendril_soft"


def draw_physics_button(panel, context):
    """Beside Blender's own kinds of physics, one of which has the same name."""
    if context.object.type != "MESH":
        return
    flow = panel.layout.grid_flow(row_major=True, columns=0, even_columns=True, even_rows=False, align=True)
    if soft_of(context.object):
        flow.column().operator("tendril.remove_soft", text="Soft Body (Tendril)", icon="X")
    else:
        flow.column().operator("tendril.add_soft", text="Soft Body (Tendril)", icon="MESH_DATA")


classes = (
    TENDRIL_UL_soft_pins, TENDRIL_MT_add_soft_pin, TENDRIL_PT_soft, TENDRIL_PT_soft_varied, TENDRIL_PT_soft_pins,
    TENDRIL_PT_soft_weights, PHYSICS_PT_tendril_soft, PHYSICS_PT_tendril_soft_varied, PHYSICS_PT_tendril_soft_pins,
    PHYSICS_PT_tendril_soft_weights,
)  # fmt: skip
