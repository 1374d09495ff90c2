"""What a soft body or sheet is made of, how finely it is simulated and where it is held."""

import bpy
from bpy.types import Menu, Panel, UIList

from ..properties.body import sheet_of, soft_of
from ..properties.choice import no_soft_holder
from ..properties.soft import SUBDIVISION
from .fields import Weights
from .pins import ICONS
from .place import AfterPins, Closed, Documented, Foremost, OfSoft, OfSolid, PhysicsTab, draw_help, in_both
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


def section_of(obj):
    """Where the manual tells of the soft body or sheet that an object is."""
    return "sheets" if sheet_of(obj) else "soft-bodies"


class _Soft(OfSoft):
    def draw_header(self, context):
        self.layout.label(text=f"{'Sheet' if sheet_of(context.object) else 'Soft Body'} (Tendril)")

    def draw_header_preset(self, context):
        draw_help(self.layout, section_of(context.object))
        TENDRIL_PT_soft_presets.draw_panel_header(self.layout)

    def draw(self, context):
        draw_soft_body(self.layout, soft_of(context.object))


def draw_soft_body(layout, soft):
    row = layout.row(align=True)
    row.label(text=soft.name, icon="MESH_DATA")
    row.operator("tendril.array", text="", icon="MOD_ARRAY")
    row.operator("tendril.remove_soft", text="", icon="X")
    material = bpy.path.display_name(soft.tendril.soft.preset) or "Own Material"
    layout.popover("TENDRIL_PT_soft_presets", text=material, icon="MATERIAL")


class _Shape(AfterPins, OfSoft):
    bl_label = "Shape"

    def draw(self, context):
        soft = soft_of(context.object)
        if soft.tendril.soft.is_sheet:
            draw_settings(self.layout, soft.tendril.soft, ("thickness",))
            draw_settings(self.layout, context.scene.tendril, ("use_floor",))
            return
        draw_settings(self.layout, soft.tendril.soft, ("resolution", "balanced"))
        draw_settings(self.layout, context.scene.tendril, ("use_floor",))
        subdivided = SUBDIVISION in soft.modifiers
        self.layout.operator("tendril.subdivide_soft", icon="MOD_SUBSURF", depress=subdivided)


class _Material(Closed, OfSoft):
    bl_label = "Material"

    def draw(self, context):
        settings = soft_of(context.object).tendril.soft
        if settings.is_sheet:
            draw_stiffness(self.layout, settings)
        stiffness = ("membrane", "poisson") if settings.is_sheet else ("young", "squash")
        names = ("relaxation", "density", "drag_coefficient", "friction", "collision_collection")
        draw_settings(self.layout, settings, (*stiffness, *names))


def draw_stiffness(layout, settings):
    """Of a sheet, in MPa; the key beside it is that of the number which is kept."""
    layout.use_property_split = True
    row = layout.row(align=True)
    row.use_property_decorate = False
    row.prop(settings, "sheet_young")
    row.prop_decorator(settings, "young")


class _Pressure(Closed, Documented, OfSolid):
    bl_label = "Pressure"
    section = "soft-bodies"

    def draw_header(self, context):
        self.layout.prop(soft_of(context.object).tendril.soft, "use_pressure", text="")

    def draw(self, context):
        settings = soft_of(context.object).tendril.soft
        self.layout.use_property_split = True
        column = self.layout.column()
        column.active = settings.use_pressure
        for name in ("pressure", "sealed", "gas_density"):
            column.prop(settings, name)


class _Thrown(Closed, Documented, OfSoft):
    bl_label = "Start"
    section = "soft-bodies"

    def draw(self, context):
        draw_settings(self.layout, soft_of(context.object).tendril.soft, ("velocity", "spin"))


class _Advanced(Closed, Documented, OfSolid):
    bl_label = "Advanced"
    section = "soft-bodies"

    def draw(self, context):
        settings = soft_of(context.object).tendril.soft
        draw_settings(self.layout, settings, ("elements", "bulk", "shear"))
        column = self.layout.column(align=True)
        shown = settings.wires is not None
        column.operator("tendril.show_tetrahedra", icon="MESH_ICOSPHERE", depress=shown)
        column.operator("tendril.import_tetrahedra", icon="IMPORT")


class _Pins(Foremost, Documented, OfSoft):
    bl_label = "Pins"
    section = "soft-bodies"

    def draw(self, context):
        layout, soft = self.layout, soft_of(context.object)
        settings = soft.tendril.soft
        row = layout.row()
        row.template_list("TENDRIL_UL_soft_pins", "", settings, "pins", settings, "active_pin", rows=2)
        column = row.column(align=True)
        column.menu("TENDRIL_MT_add_soft_pin", text="", icon="ADD")
        column.operator("tendril.remove_soft_pin", text="", icon="REMOVE")
        if settings.active_pin < len(settings.pins):
            draw_pin(layout, soft, settings.pins[settings.active_pin])


def draw_pin(layout, soft, pin):
    layout.use_property_split = True
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
    column.prop(pin, "influence")  # the one setting that can be keyed; room for that is kept beside all


def draw_switched(column, settings, switch, value, text):
    """A number behind the switch that makes it count, as Blender draws them."""
    row = column.row(align=True, heading=text)
    row.prop(settings, switch, text="")
    number = row.row(align=True)
    number.active = getattr(settings, switch)
    number.prop(settings, value, text="")


class _Varied(Closed, Documented, OfSoft):
    bl_label = "Variation"
    section = "soft-bodies"

    def draw(self, context):
        layout, soft = self.layout, soft_of(context.object)
        settings = soft.tendril.soft
        layout.use_property_split = True
        layout.use_property_decorate = False
        if settings.is_sheet:
            column = layout.column()
            column.prop(settings, "curl")
            column.row().prop(settings, "curl_axis", expand=True)
        for name in ("stiffness", "density", *(["thickness"] if settings.is_sheet else [])):
            column = layout.column()
            column.prop_search(settings, f"{name}_group", soft, "vertex_groups")
            if getattr(settings, f"{name}_group"):
                column.prop(settings, f"{name}_factor")
        relaxed = layout.row()
        relaxed.active = settings.is_sheet or not settings.balanced  # which finds one
        if keys := soft.data.shape_keys:
            relaxed.prop_search(settings, "relaxed", keys, "key_blocks")
        else:
            relaxed.prop(settings, "relaxed")


class PHYSICS_PT_tendril_soft(PhysicsTab, _Soft, Panel):
    bl_label = ""  # the header says what it is


def draw_import(menu, _context):
    """In the menu File › Import."""
    menu.layout.operator("tendril.import_tetrahedra", text="Tetrahedra as Soft Body (.msh, .vtk, .vtu)")


def draw_physics_button(panel, context):
    """Beside Blender's own kinds of physics, one of which has the same name."""
    if context.object.type != "MESH":
        return
    flow = panel.layout.grid_flow(row_major=True, columns=0, even_columns=True, even_rows=False, align=True)
    if soft_of(context.object):
        kind = "Sheet" if sheet_of(context.object) else "Soft Body"
        flow.column().operator("tendril.remove_soft", text=f"{kind} (Tendril)", icon="X")
    else:
        flow.column().operator("tendril.add_soft", text="Soft Body (Tendril)", icon="MESH_DATA")
        flow.column().operator("tendril.add_sheet", text="Sheet (Tendril)", icon="MESH_GRID")


classes = (
    TENDRIL_UL_soft_pins, TENDRIL_MT_add_soft_pin, PHYSICS_PT_tendril_soft,
    *in_both("soft_pins", _Pins, within="soft"), *in_both("soft_shape", _Shape, within="soft"),
    *in_both("soft_material", _Material, within="soft"), *in_both("soft_varied", _Varied, within="soft_material"),
    *in_both("soft_weights", Weights, OfSoft, within="soft_material"),
    *in_both("soft_pressure", _Pressure, within="soft_material"), *in_both("soft_thrown", _Thrown, within="soft"),
    *in_both("soft_advanced", _Advanced, within="soft"),
)  # fmt: skip
