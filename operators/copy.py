"""Copy what is set on one rod to others, as Rigid Body › Copy from Active does."""

import bpy
from bpy.props import BoolProperty

from ..properties.choice import chosen_rods
from .obstacles import Obstructed, no_active_rod


class TENDRIL_OT_copy_to_selected(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.copy_to_selected"
    bl_label = "Copy to Selected"
    bl_description = "Give the other selected rods the settings of the active one, but not the thickness of its curve"

    with_pins: BoolProperty(
        name="Pins", description="Also put copies of its pins, without their keyframes, in place of theirs"
    )

    @classmethod
    def obstacle(cls, context):
        if no_active_rod(context):
            return no_active_rod(context)
        return "" if len(chosen_rods(context)) > 1 else "Select other rods too, this one last: they get its settings"

    def execute(self, context):
        rod, *others = chosen_rods(context)
        for other in others:
            copy_settings(rod.tendril, other.tendril)
            if self.with_pins:
                copy_pins(rod.tendril, other.tendril)
        self.report({"INFO"}, f"Copied to {len(others)} rod{'s' * (len(others) > 1)}")
        return {"FINISHED"}


def copy_settings(source, target):
    """Material, shape and field weights from one TendrilObject to another; of trees what those have besides."""
    _copy(source.rod, target.rod)
    target.rod.preset = source.rod.preset  # which each change of a material erased
    _copy(source.weights, target.weights)
    if source.is_tree and target.is_tree:
        _copy(source.tree, target.tree)


def copy_pins(source, target):
    target.pins.clear()
    for pin in source.pins:
        own = target.pins.add()
        _copy(pin, own)
        own.property_unset("grip")
    target.active_pin = source.active_pin


def _copy(source, target):
    for item in source.bl_rna.properties:
        if not item.is_readonly and item.identifier != "bend":  # which is the bend factor, shown otherwise
            setattr(target, item.identifier, getattr(source, item.identifier))


classes = (TENDRIL_OT_copy_to_selected,)
