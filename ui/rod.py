"""What a rod is made of and what shape it takes."""

import bpy
from bpy.types import Panel

from ..properties.body import ROD_TYPES, cable_of, rod_of
from ..properties.painted import PAINTED
from .place import AfterPins, Closed, Documented, OfRod, PhysicsTab, draw_help, in_both
from .presets import TENDRIL_PT_presets


class _Rod(OfRod):
    bl_label = ""  # the header says what it is
    section = "rods"

    def draw_header(self, context):
        self.layout.label(text=heading(rod_of(context.object)))

    def draw_header_preset(self, context):
        draw_help(self.layout, self.section)
        TENDRIL_PT_presets.draw_panel_header(self.layout)

    def draw(self, context):
        draw_rod(self.layout, rod_of(context.object))


def heading(rod):
    if rod.type == "CURVES":
        return "Hair"
    return "Cable" if cable_of(rod) else "Tree" if rod.tendril.is_tree else "Rod"


def draw_rod(layout, rod):
    row = layout.row(align=True)
    row.label(text=rod.name, icon="CURVES_DATA" if rod.type == "CURVES" else "CURVE_DATA")
    row.operator("tendril.copy_to_selected", text="", icon="COPYDOWN")
    row.operator("tendril.array", text="", icon="MOD_ARRAY")
    row.operator("tendril.remove_rod", text="", icon="X")
    material = bpy.path.display_name(rod.tendril.rod.preset) or "Own Material"
    layout.popover("TENDRIL_PT_presets", text=material, icon="MATERIAL")


def draw_settings(layout, settings, names):
    """Plain settings; where any can be keyed, with Blender's decorators, and room for them beside the others."""
    layout.use_property_split = True
    column = layout.column()
    keyed = any(settings.bl_rna.properties[name].is_animatable for name in names)
    column.use_property_decorate = keyed and cable_of(settings.id_data) is None  # whose numbers stay
    for name in names:
        column.prop(settings, name)


class _Shape(AfterPins):
    bl_label = "Shape"

    @classmethod
    def poll(cls, context):
        rod = rod_of(context.object)
        return rod is not None and not rod.tendril.is_tree

    def draw(self, context):
        rod, hangs = rod_of(context.object).tendril.rod, cable_of(context.object) is not None
        memory = self.layout.column()
        memory.active = hangs or not rod.balanced
        draw_settings(memory, rod, ("shape_memory",))
        points = [] if rod.id_data.type == "CURVES" else ["points"]  # hair has its own
        draw_settings(self.layout, rod, ("rest_length_factor", *points, *([] if hangs else ["balanced"])))
        if rod.id_data.type == "CURVES":
            guides = self.layout.column()
            guides.active = not rod.guides_in
            draw_settings(guides, rod, ("guides",))
            self.layout.prop_search(rod, "guides_in", rod.id_data.data, "attributes")


class _Material(Closed, OfRod):
    bl_label = "Material"

    def draw(self, context):
        rod = rod_of(context.object).tendril.rod
        stretches = rod.model != "COSSERAT" or rod_of(context.object).tendril.is_tree  # which always does
        names = ("young", "bend", "density", *(["stretchable"] if stretches else []))
        draw_settings(self.layout, rod, names)


class _Section(Closed, OfRod):
    bl_label = "Section and Twist"

    def draw(self, context):
        settings, layout = rod_of(context.object).tendril, self.layout
        rod = settings.rod
        layout.use_property_split = True
        layout.use_property_decorate = False
        row = layout.row(heading="Radius")
        row.prop(rod, "use_radius", text="")
        radius = row.row()
        radius.active = rod.use_radius
        radius.prop(rod, "radius", text="")
        draw_settings(layout, rod, ("inner_radius", *([] if settings.is_tree else ["aspect"])))
        draw_settings(layout, rod, ("poisson", "twist_factor"))
        hangs = cable_of(context.object) is not None
        curl = layout.column()
        curl.active = rod.shape_memory < 1.0 if hangs else not rod.balanced
        draw_settings(curl, rod, ("spool_radius", "spool_direction") if hangs else ("natural_twist",))
        spins = rod.model == "COSSERAT" and not settings.is_tree
        if cable_of(context.object):
            draw_settings(layout, rod, ("bend_limit", "tension_limit", "transverse_limit"))
        if spins or (rod.rolls and cable_of(context.object) is None):
            draw_settings(layout, rod, ("spin_factor",))
        if spins:
            draw_settings(layout, rod, ("parallel_stiffness",))


class _Motion(Closed, OfRod):
    bl_label = "Motion"

    def draw(self, context):
        settings = rod_of(context.object).tendril
        if not settings.is_tree:  # whose branches are Kirchhoff rods
            draw_settings(self.layout, settings.rod, ("model",))
        if not cable_of(context.object):
            spins = settings.rod.model == "COSSERAT" and not settings.is_tree
            more = ("stretch_damping_factor", "twist_damping_factor") if spins else ()
            draw_settings(self.layout, settings.rod, ("internal_damping", *more, "drag_coefficient"))


class _Contact(Closed, OfRod):
    bl_label = "Contact"

    def draw(self, context):
        settings = rod_of(context.object).tendril.rod
        own = ["touches", "friction"]
        if not cable_of(context.object):  # which does not roll
            always = settings.model == "COSSERAT" and not rod_of(context.object).tendril.is_tree
            own += [] if always else ["rolls"]
        draw_settings(self.layout, settings, (*own, "collision_collection"))


class _Varied(Closed, Documented, OfRod):
    bl_label = "Variation"
    section = "rods"

    @classmethod
    def poll(cls, context):
        """A cable is the same all along: what is chosen there is shown to be cleared."""
        rod = rod_of(context.object)
        chosen = rod and any(getattr(rod.tendril.rod, f"{name}_attribute") for name in PAINTED)
        return rod is not None and bool(chosen or cable_of(context.object) is None)

    def draw(self, context):
        rod = rod_of(context.object).tendril.rod
        self.layout.use_property_split = True
        self.layout.use_property_decorate = False
        for name in PAINTED:
            column = self.layout.column()
            column.prop(rod, f"{name}_attribute")
            if getattr(rod, f"{name}_attribute"):
                column.prop(rod, f"{name}_factor")


class PHYSICS_PT_tendril(PhysicsTab, _Rod, Panel):
    pass


def draw_physics_button(panel, context):
    """Beside Blender's own kinds of physics: a rod can be made of a curve, and unmade."""
    if context.object.type not in ROD_TYPES:
        return
    flow = panel.layout.grid_flow(row_major=True, columns=0, even_columns=True, even_rows=False, align=True)
    if rod_of(context.object):
        flow.column().operator("tendril.remove_rod", text="Rod", icon="X")
    else:
        flow.column().operator("tendril.add_rod", text="Rod", icon="CURVE_DATA")


classes = (
    PHYSICS_PT_tendril, *in_both("shape", _Shape), *in_both("material", _Material),
    *in_both("varied", _Varied, within="material"), *in_both("section", _Section), *in_both("motion", _Motion),
    *in_both("contact", _Contact),
)  # fmt: skip
