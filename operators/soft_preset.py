"""Material presets of soft bodies and sheets: apply one, save a material as one, remove one's own."""

from pathlib import Path

import bpy
from bpy.props import EnumProperty

from ..bridge import presets
from ..properties.body import sheet_of, soft_of, solid_of
from .obstacles import Obstructed, no_active_soft
from .own_presets import Removes, Saves
from .preset import ADDON, listed
from .refusal import refuses


def own_folder(sheets=False):
    """Where an artist's own presets of soft bodies, or of sheets, are: in the user data folder Blender gives the
    extension.
    """
    return Path(bpy.utils.extension_path_user(ADDON, path="sheet_presets" if sheets else "soft_presets"))


def find(sheets=False):
    """{name: path} of the presets of soft bodies, or of sheets."""
    return presets.find_soft(own_folder(sheets), sheets=sheets)


def _is_sheet(context):
    return sheet_of(context.object) is not None


def _preset_items(_operator, context):
    return listed(tuple(find(_is_sheet(context)).items()))


def _own_preset_items(_operator, context):
    return listed(tuple(presets.find_own(own_folder(_is_sheet(context))).items()))


class _OfSoft(Obstructed):
    @classmethod
    def obstacle(cls, context):
        return no_active_soft(context)


class TENDRIL_OT_apply_soft_preset(_OfSoft, bpy.types.Operator):
    bl_idname = "tendril.apply_soft_preset"
    bl_label = "Apply Soft Body Preset"
    bl_description = "Make the selected soft bodies, or sheets if the active one is a sheet, of this material"

    preset: EnumProperty(name="Preset", items=_preset_items)

    @refuses
    def execute(self, context):
        chosen = [item for item in (context.object, *context.selected_objects) if item]
        path, alike = find(_is_sheet(context))[self.preset], sheet_of if _is_sheet(context) else solid_of
        for soft in dict.fromkeys(soft for item in chosen if (soft := alike(item))):
            presets.apply_soft(path, soft.tendril.soft)
        return {"FINISHED"}


class TENDRIL_OT_save_soft_preset(Saves, _OfSoft, bpy.types.Operator):
    bl_idname = "tendril.save_soft_preset"
    bl_label = "Save Soft Body Preset"
    bl_description = "Keep the material of this soft body as a preset of your own"

    def folder(self, context):
        return own_folder(_is_sheet(context))

    def keep(self, context, path):
        presets.save_soft(path, soft_of(context.object).tendril.soft)


class TENDRIL_OT_remove_soft_preset(Removes, Obstructed, bpy.types.Operator):
    bl_idname = "tendril.remove_soft_preset"
    bl_label = "Remove Soft Body Preset"

    preset: EnumProperty(name="Preset", items=_own_preset_items)

    @staticmethod
    def folder(context):
        return own_folder(_is_sheet(context))


classes = (TENDRIL_OT_apply_soft_preset, TENDRIL_OT_save_soft_preset, TENDRIL_OT_remove_soft_preset)
