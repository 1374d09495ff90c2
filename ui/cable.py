"""What a cable is made to do, and how far it is bent and pulled."""

from bpy.types import Panel

from ..properties.body import cable_of
from .bake import draw_text
from .place import Documented, Foremost, OfCable, PhysicsTab, Sidebar
from .rod import draw_settings


class _Cable(Documented, OfCable):
    bl_label = "At Rest"
    section = "cables"

    def draw(self, context):
        cable, layout = cable_of(context.object), self.layout
        row = layout.row(align=True)
        row.operator("tendril.settle_cable", icon="FORCE_FORCE")
        row.operator("tendril.hold_as_drawn", text="", icon="PINNED")
        run = context.window_manager.tendril
        on, characters = run.settle_live, context.region.width // (7 * context.preferences.system.ui_scale)
        layout.operator("tendril.settle_live", icon="CHECKBOX_HLT" if on else "CHECKBOX_DEHLT", depress=on)
        if on and run.live_message:
            draw_text(layout, run.live_message, "ERROR" if run.live_failed else "INFO", characters)
        layout.operator("tendril.cable_to_mesh", icon="MESH_DATA")
        own = cable.tendril
        draw_settings(layout, own.rod, ("bend_limit",))
        results = layout.column()
        results.enabled = False
        draw_settings(results, own, [name for name in ("bend_radius", "tension", "missing") if getattr(own, name)])
        if 0.0 < own.bend_radius < own.rod.bend_limit:
            layout.label(text="Bent more tightly than it may be", icon="ERROR")


class TENDRIL_PT_cable(Foremost, Sidebar, _Cable, Panel):
    bl_parent_id = "TENDRIL_PT_rod"


class PHYSICS_PT_tendril_cable(Foremost, PhysicsTab, _Cable, Panel):
    bl_parent_id = "PHYSICS_PT_tendril"


classes = (TENDRIL_PT_cable, PHYSICS_PT_tendril_cable)
