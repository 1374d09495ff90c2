"""Material presets: apply one, save a rod's material as one, remove one's own. Trees have woods for presets."""

from functools import cache
from itertools import zip_longest
from pathlib import Path

import bpy
from bpy.props import BoolProperty, EnumProperty

from ..bridge import bevel, curves, presets
from ..bridge.units import Units
from ..properties.body import rod_of
from ..properties.choice import chosen_rods
from .obstacles import Obstructed, no_active_rod
from .own_presets import Removes, Saves
from .refusal import refuses

ADDON = __package__.rpartition(".")[0]


def own_folder(*, woods=False):
    """Where an artist's own presets are: in the user data folder Blender gives the extension."""
    return Path(bpy.utils.extension_path_user(ADDON, path="woods" if woods else "presets"))


def _of_tree(context):
    rod = rod_of(context.object) if context else None
    return bool(rod and rod.tendril.is_tree)


def _folder(context):
    return own_folder(woods=_of_tree(context))


def _found(context):
    return presets.find(_folder(context), woods=_of_tree(context))


@cache  # Blender keeps no reference to the texts of a dynamic enum, so they have to stay alive
def listed(paths):
    return [(name, bpy.path.display_name(name), presets.summary(path)) for name, path in paths]


def with_usual(name):
    """The presets of rods, that of such a name first, which is what is chosen at first."""
    found = presets.find(own_folder())
    usual = {name: found.pop(name)} if name in found else {}
    return listed(tuple((usual | found).items()))


def _preset_items(_operator, context):
    return listed(tuple(_found(context).items()))


def _own_preset_items(_operator, context):
    return listed(tuple(presets.find_own(_folder(context)).items()))


class _OfRod(Obstructed):
    @classmethod
    def obstacle(cls, context):
        return no_active_rod(context)


class TENDRIL_OT_apply_preset(_OfRod, bpy.types.Operator):
    bl_idname = "tendril.apply_preset"
    bl_label = "Apply Rod Preset"
    bl_description = "Make the selected rods of this material"

    preset: EnumProperty(name="Preset", items=_preset_items)
    with_radius: BoolProperty(
        name="Usual Thickness",
        description="Also make the rods as thick as such a thing usually is, by the bevel of their curves",
    )

    @refuses
    def execute(self, context):
        path, woods, units = _found(context)[self.preset], _of_tree(context), Units.of(context.scene, 0)
        rods = [rod for rod in chosen_rods(context) if rod.tendril.is_tree == woods]
        radius, inner_radius = presets.usual(path)
        drawn = [curves.read(context, rod) for rod in rods] if self.with_radius or inner_radius else []
        for rod, lines in zip_longest(rods, drawn):
            if radius and self.with_radius:
                bevel.give(rod, lines, radius, units)
            presets.apply(path, rod.tendril, bevel.thickest(rod, lines, units) if inner_radius else None)
        return {"FINISHED"}


class TENDRIL_OT_save_preset(Saves, _OfRod, bpy.types.Operator):
    bl_idname = "tendril.save_preset"
    bl_label = "Save Rod Preset"
    bl_description = "Keep the material of this rod, and its thickness, as a preset of your own"

    def folder(self, context):
        return _folder(context)

    def keep(self, context, path):
        rod, units = rod_of(context.object), Units.of(context.scene, 0)
        inner_radius = units.metres(rod.tendril.rod.inner_radius)
        presets.save(path, rod.tendril, bevel.of_rod(context, rod, units), inner_radius)


class TENDRIL_OT_remove_preset(Removes, Obstructed, bpy.types.Operator):
    bl_idname = "tendril.remove_preset"
    bl_label = "Remove Rod Preset"

    preset: EnumProperty(name="Preset", items=_own_preset_items)

    @staticmethod
    def folder(context):
        return _folder(context)


classes = (TENDRIL_OT_apply_preset, TENDRIL_OT_save_preset, TENDRIL_OT_remove_preset)
