"""What a rod is made of and what shape it takes."""

import bpy
from bpy.types import Panel

from ..properties.body import cable_of, rod_of
from .place import OfMovingRod, OfRod, PhysicsTab, Sidebar, draw_help
from .presets import TENDRIL_PT_presets


class _Rod:
    bl_label = ""  # the header says what it is
    section = "rods"

    def draw_header(self, context):
        rod = rod_of(context.object)
        self.layout.label(text="Cable" if cable_of(rod) else "Tree" if rod and rod.tendril.is_tree else "Rod")

    def draw_header_preset(self, context):
        draw_help(self.layout, self.section)
        if rod_of(context.object):
            TENDRIL_PT_presets.draw_panel_header(self.layout)

    def draw(self, context):
        rod = rod_of(context.object)
        if rod is None:
            column = self.layout.column(align=True)
            column.operator("tendril.add_rod", icon="ADD")
            column.operator("tendril.add_tree", icon="ADD")
            column.operator("tendril.add_cable", icon="ADD")
            column.operator("tendril.new_cable", icon="ADD")
            if context.object and context.object.type == "MESH" and not context.object.data.polygons:
                column.operator("tendril.tree_from_skeleton", icon="ADD")
            return
        row = self.layout.row(align=True)
        row.label(text=rod.name, icon="CURVE_DATA")
        row.operator("tendril.copy_to_selected", text="", icon="COPYDOWN")
        row.operator("tendril.remove_rod", text="", icon="X")
        material = bpy.path.display_name(rod.tendril.rod.preset) or "Own Material"
        self.layout.popover("TENDRIL_PT_presets", text=material, icon="MATERIAL")
        _draw_usable(self.layout, not rod.tendril.is_tree, rod.tendril.rod, "model")  # branches are Kirchhoff rods


def draw_settings(layout, settings, names):
    """Plain settings, none of which can be animated."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    column = layout.column()
    for name in names:
        column.prop(settings, name)


def _draw_usable(layout, usable, settings, name):
    """A setting that is greyed where it is always on or means nothing; its tooltip says where."""
    column = layout.column()
    column.active = usable
    draw_settings(column, settings, (name,))


class _Material(OfRod):
    bl_label = "Material"

    def draw(self, context):
        rod = rod_of(context.object).tendril.rod
        draw_settings(self.layout, rod, ("young", "bend", "poisson", "twist_factor", "density"))
        if cable_of(context.object):
            return
        cosserat = rod.model == "COSSERAT"
        _draw_usable(self.layout, not cosserat, rod, "stretchable")
        _draw_usable(self.layout, cosserat or rod.rolls, rod, "spin_factor")
        _draw_usable(self.layout, cosserat, rod, "parallel_stiffness")


class _Shape(OfRod):
    bl_label = "Shape"

    def draw(self, context):
        settings = rod_of(context.object).tendril
        rod = settings.rod
        if not settings.is_tree:
            hangs = cable_of(context.object) is not None
            if not hangs:
                draw_settings(self.layout, rod, ("balanced",))
            memory = self.layout.column()
            memory.active = hangs or not rod.balanced
            draw_settings(memory, rod, ("shape_memory",))
            draw_settings(self.layout, rod, ("rest_length_factor", "points", "aspect"))
        self.layout.use_property_split = True
        self.layout.use_property_decorate = False
        row = self.layout.row(heading="Radius")
        row.prop(rod, "use_radius", text="")
        radius = row.row()
        radius.active = rod.use_radius
        radius.prop(rod, "radius", text="")
        draw_settings(self.layout, rod, ("inner_radius", "storage"))


class _Damping(OfMovingRod):
    bl_label = "Damping"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        rod = rod_of(context.object).tendril.rod
        draw_settings(self.layout, rod, ("internal_damping",))
        for name in ("stretch_damping_factor", "twist_damping_factor"):
            _draw_usable(self.layout, rod.model == "COSSERAT", rod, name)
        draw_settings(self.layout, rod, ("drag_coefficient",))


class _Contact(OfRod):
    bl_label = "Contact"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        settings = rod_of(context.object).tendril.rod
        if not cable_of(context.object):  # which meets colliders, and slides on them
            draw_settings(self.layout, settings, ("touches", "friction"))
            _draw_usable(self.layout, settings.model != "COSSERAT", settings, "rolls")
        draw_settings(self.layout, settings, ("collision_collection",))


class TENDRIL_PT_rod(Sidebar, _Rod, Panel):
    pass


class TENDRIL_PT_material(Sidebar, _Material, Panel):
    bl_parent_id = "TENDRIL_PT_rod"


class TENDRIL_PT_shape(Sidebar, _Shape, Panel):
    bl_parent_id = "TENDRIL_PT_rod"


class TENDRIL_PT_damping(Sidebar, _Damping, Panel):
    bl_parent_id = "TENDRIL_PT_rod"


class TENDRIL_PT_contact(Sidebar, _Contact, Panel):
    bl_parent_id = "TENDRIL_PT_rod"


class PHYSICS_PT_tendril(PhysicsTab, OfRod, _Rod, Panel):
    pass


class PHYSICS_PT_tendril_material(PhysicsTab, _Material, Panel):
    bl_parent_id = "PHYSICS_PT_tendril"


class PHYSICS_PT_tendril_shape(PhysicsTab, _Shape, Panel):
    bl_parent_id = "PHYSICS_PT_tendril"


class PHYSICS_PT_tendril_damping(PhysicsTab, _Damping, Panel):
    bl_parent_id = "PHYSICS_PT_tendril"


class PHYSICS_PT_tendril_contact(PhysicsTab, _Contact, Panel):
    bl_parent_id = "PHYSICS_PT_tendril"


def draw_physics_button(panel, context):
    """Beside Blender's own kinds of physics: a rod can be made of a curve, and unmade."""
    if context.object.type != "CURVE":
        return
    flow = panel.layout.grid_flow(row_major=True, columns=0, even_columns=True, even_rows=False, align=True)
    if rod_of(context.object):
        flow.column().operator("tendril.remove_rod", text="Rod", icon="X")
    else:
        flow.column().operator("tendril.add_rod", text="Rod", icon="CURVE_DATA")


classes = (
    TENDRIL_PT_rod,
    TENDRIL_PT_material,
    TENDRIL_PT_shape,
    TENDRIL_PT_damping,
    TENDRIL_PT_contact,
    PHYSICS_PT_tendril,
    PHYSICS_PT_tendril_material,
    PHYSICS_PT_tendril_shape,
    PHYSICS_PT_tendril_damping,
    PHYSICS_PT_tendril_contact,
)
