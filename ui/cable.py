"""What a cable is made to do."""

from ..properties.body import cable_of
from .bake import length
from .place import Closed, Documented, Foremost, OfCable, in_both
from .rod import draw_settings

ROUNDED = 1e-5  # of the length: what single precision makes a difference


class _Cable(Foremost, Documented, OfCable):
    bl_label = "At Rest"
    section = "cables"

    def draw(self, context):
        row = self.layout.row(align=True)
        row.operator("tendril.settle_cable")
        row.operator("tendril.settle_live", depress=context.window_manager.tendril.settle_live)
        row.operator("tendril.hold_as_drawn", text="", icon="PINNED")
        row.operator("tendril.fit_to_pose", text="", icon="CURVE_DATA")
        row.operator("tendril.cable_to_mesh", text="", icon="MESH_DATA")
        row.menu("TENDRIL_MT_harness", text="", icon="LINKED")


class _Length(Closed, Documented, OfCable):
    bl_label = "Length"
    section = "cables"

    def draw(self, context):
        layout, cable, units = self.layout, cable_of(context.object), context.scene.unit_settings
        own, rod, run = cable.tendril, cable.tendril.rod, context.window_manager.tendril
        column = layout.column(align=True)
        column.label(text=told(own, units) if own.length else "Settle it to know its length")
        if own.needed_length:
            column.label(text=f"Needed: {length(own.needed_length, units)}")
        row = column.row(align=True)
        row.operator("tendril.set_length", icon="DRIVER_DISTANCE")
        row.operator("tendril.needed_length")
        row = layout.row()
        row.enabled = run.settle_live
        row.prop(run, "pull_length", toggle=True, icon="ARROW_LEFTRIGHT")
        draw_settings(layout, rod, ("own_length",))
        sub = layout.column()
        sub.active = rod.own_length
        draw_settings(sub, rod, ("tautness",))
        column = layout.column(align=True)
        column.operator("tendril.keep_length", icon="LOCKED")
        column.operator("tendril.space_pins", icon="DRIVER_TRANSFORM")


def told(own, units):
    """Length, and Difference from what it was first."""
    more = own.length - own.first_length
    if abs(more) <= ROUNDED * own.first_length:
        return length(own.length, units)
    sign = "+" if more > 0.0 else "−"
    change = 100.0 * abs(more) / own.first_length
    return f"{length(own.length, units)} ({sign}{length(abs(more), units)}, {sign}{change:.3g} %)"


classes = (*in_both("cable", _Cable), *in_both("cable_length", _Length, within="cable"))
