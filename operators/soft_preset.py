"""Material presets of soft bodies: apply one, save a material as one, remove one's own."""

from pathlib import Path

import bpy
from bpy.props import EnumProperty

from ..bridge import presets
from ..properties.body import soft_of
from .obstacles import Obstructed, no_active_soft
from .own_presets import Removes, Saves
from .preset import ADDON, listed
from .refusal import refuses


def own_folder():
    """Where an artist's own presets are: in the user data folder Blender gives the extension."""
    return Path(bpy.utils.extension_path_user(ADDON, path="soft_presets"))


def _preset_items(_operator, _context):
    return listed(tuple(presets.find_soft(own_folder()).items()))


def _own_preset_items(_operator, _context):
    return listed(tuple(presets.find_own(own_folder()).items()))


class _OfSoft(Obstructed):
    @classmethod
    def obstacle(cls, context):
        return no_active_soft(context)


class TENDRIL_OT_apply_soft_preset(_OfSoft, bpy.types.Operator):
    bl_idname = "tendril.apply_soft_preset"
    bl_label = "Apply Soft Body Preset"
    bl_description = "Make the selected soft bodies of this material"
    bl_options = {"REGISTER", "UNDO"}

    preset: EnumProperty(name="Preset", items=_preset_items)

    @refuses
    def execute(self, context):
        chosen = [item for item in (context.object, *context.selected_objects) if item]
        path = presets.find_soft(own_folder())[self.preset]
        for soft in dict.fromkeys(soft for item in chosen if (soft := soft_of(item))):
            presets.apply_soft(path, soft.tendril.soft)
        return {"FINISHED"}


class TENDRIL_OT_save_soft_preset(Saves, _OfSoft, bpy.types.Operator):
    bl_idname = "tendril.save_soft_preset"
    bl_label = "Save Soft Body Preset"
    bl_description = "Keep the material of this soft body as a preset of your own"

    def folder(self, _context):
        return own_folder()

    def keep(self, context, path):
        presets.save_soft(path, soft_of(context.object).tendril.soft)


class TENDRIL_OT_remove_soft_preset(Removes, Obstructed, bpy.types.Operator):
    bl_idname = "tendril.remove_soft_preset"
    bl_label = "Remove Soft Body Preset"

    preset: EnumProperty(name="Preset", items=_own_preset_items)

    @staticmethod
    def folder(_context):
        return own_folder()


classes = (TENDRIL_OT_apply_soft_preset, TENDRIL_OT_save_soft_preset, TENDRIL_OT_remove_soft_preset)
