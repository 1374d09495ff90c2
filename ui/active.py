"""The first panel of the side panel: what the active object is, or what can be made of it.

It is one for all kinds, and there always. Blender puts a panel that appears for the first time behind the one that is
drawn before it then, and leaves it there: of panels that come and go the order is that in which they were met.
"""

from bpy.types import Panel

from ..properties.body import body_of, rod_of, sheet_of, soft_of
from .place import Foremost, Sidebar, draw_help
from .presets import TENDRIL_PT_presets, TENDRIL_PT_soft_presets
from .rigid_body import draw_rigid_body
from .rod import draw_rod, heading
from .soft_body import draw_soft_body, section_of


class TENDRIL_PT_active(Foremost, Sidebar, Panel):
    bl_label = ""  # the header says what it is

    def draw_header(self, context):
        active = context.object
        body = body_of(active)
        solid = "" if body is None else "Rigid Body" if body.type == "MESH" else "Joint"
        kind = "Sheet" if sheet_of(active) else "Soft Body" if soft_of(active) else solid
        self.layout.label(text=heading(rod_of(active)) if rod_of(active) else kind or "Add")

    def draw_header_preset(self, context):
        active = context.object
        body = body_of(active)
        solid = "rods" if body is None else "rigid-bodies" if body.type == "MESH" else "harnesses"
        section = section_of(active) if soft_of(active) else solid
        draw_help(self.layout, section)
        presets = TENDRIL_PT_presets if rod_of(active) else TENDRIL_PT_soft_presets if soft_of(active) else None
        if presets:
            presets.draw_panel_header(self.layout)

    def draw(self, context):
        layout, active = self.layout, context.object
        if rod := rod_of(active):
            draw_rod(layout, rod)
        elif body := body_of(active):
            draw_rigid_body(layout, body)
        elif soft := soft_of(active):
            draw_soft_body(layout, soft)
        else:
            draw_choice(layout, active)


def draw_choice(layout, active):
    """What can be made; what is off says why in its tooltip."""
    names = ["add_rod", "add_tree", "add_cable", "new_cable", "hang_on_cables"]
    if active and active.type == "MESH" and not active.data.polygons:
        names.append("tree_from_skeleton")
    elif active and active.type == "MESH":
        names.append("cable_from_tube")
    for group in (names, ["add_body", "add_soft", "add_sheet"]):
        column = layout.column(align=True)
        for name in group:
            column.operator(f"tendril.{name}", icon="ADD")


classes = (TENDRIL_PT_active,)
