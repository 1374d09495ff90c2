"""What a cable is made to do."""

from bpy.types import Panel

from .place import Documented, Foremost, OfCable, PhysicsTab, Sidebar

NARROW = 0.75  # of the button beside it, whose text is longer


class _Cable(Foremost, Documented, OfCable):
    bl_label = "At Rest"
    section = "cables"

    def draw(self, context):
        layout = self.layout.column(align=True)
        row = layout.row(align=True)
        row.operator("tendril.settle_cable")
        row.operator("tendril.settle_live", depress=context.window_manager.tendril.settle_live)
        row.operator("tendril.hold_as_drawn", text="", icon="PINNED")
        row = layout.row(align=True)
        row.operator("tendril.cable_to_mesh")
        narrow = row.row(align=True)
        narrow.scale_x = NARROW
        narrow.menu("TENDRIL_MT_harness")


class TENDRIL_PT_cable(_Cable, Sidebar, Panel):
    bl_parent_id = "TENDRIL_PT_active"


class PHYSICS_PT_tendril_cable(_Cable, PhysicsTab, Panel):
    bl_parent_id = "PHYSICS_PT_tendril"


classes = (TENDRIL_PT_cable, PHYSICS_PT_tendril_cable)
