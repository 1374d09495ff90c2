"""Material presets of soft bodies: apply one, save a material as one, remove one's own."""

import re
from pathlib import Path

import bpy
from bpy.props import EnumProperty, StringProperty

from ..bridge import presets
from ..properties.body import soft_of
from .obstacles import Obstructed, no_active_soft
from .preset import ADDON, listed


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

    def execute(self, context):
        chosen = [item for item in (context.object, *context.selected_objects) if item]
        path = presets.find_soft(own_folder())[self.preset]
        try:
            for soft in dict.fromkeys(soft for item in chosen if (soft := soft_of(item))):
                presets.apply_soft(path, soft.tendril.soft)
        except presets.PresetError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class TENDRIL_OT_save_soft_preset(_OfSoft, bpy.types.Operator):
    bl_idname = "tendril.save_soft_preset"
    bl_label = "Save Soft Body Preset"
    bl_description = "Keep the material of this soft body as a preset of your own"
    bl_options = {"REGISTER"}

    name: StringProperty(name="Name", description="Name of the preset", maxlen=60, options={"SKIP_SAVE"})

    def invoke(self, context, _event):
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context):
        stem = re.sub(r"\W+", "_", self.name).strip("_").lower()
        if not stem:
            self.report({"ERROR"}, f"A preset cannot be called '{self.name}': give it a name with letters or digits")
            return {"CANCELLED"}
        try:
            presets.save_soft(own_folder() / f"{stem}.toml", soft_of(context.object).tendril.soft)
        except presets.PresetError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"Saved preset {bpy.path.display_name(stem)}")
        return {"FINISHED"}


class TENDRIL_OT_remove_soft_preset(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.remove_soft_preset"
    bl_label = "Remove Soft Body Preset"
    bl_description = "Delete one of your own presets. Those that come with Tendril stay"
    bl_options = {"REGISTER"}

    preset: EnumProperty(name="Preset", items=_own_preset_items)

    @classmethod
    def obstacle(cls, context):
        return "" if _own_preset_items(None, context) else "You have no presets of your own"

    def invoke(self, context, event):
        return context.window_manager.invoke_confirm(self, event)

    def execute(self, _context):
        try:
            (own_folder() / f"{self.preset}.toml").unlink(missing_ok=True)
        except OSError as error:
            self.report({"ERROR"}, f"Preset {bpy.path.display_name(self.preset)} cannot be removed ({error.strerror})")
            return {"CANCELLED"}
        self.report({"INFO"}, f"Removed preset {bpy.path.display_name(self.preset)}")
        return {"FINISHED"}


classes = (TENDRIL_OT_apply_soft_preset, TENDRIL_OT_save_soft_preset, TENDRIL_OT_remove_soft_preset)
