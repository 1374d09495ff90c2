"""Saving and removing a preset of one's own, whatever it is of: `folder` says where they are, `keep` what is kept."""

import re

import bpy
from bpy.props import StringProperty

from ..bridge import presets
from .refusal import refuses


class Saves:
    """An operator that keeps what is chosen as a preset: folder(context) → Path, keep(context, path) writes it."""

    bl_options = {"REGISTER"}

    name: StringProperty(name="Name", description="Name of the preset", maxlen=60, options={"SKIP_SAVE"})

    def invoke(self, context, _event):
        return context.window_manager.invoke_props_dialog(self)

    @refuses
    def execute(self, context):
        stem = re.sub(r"\W+", "_", self.name).strip("_").lower()
        if not stem:
            self.report({"ERROR"}, f"A preset cannot be called '{self.name}': give it a name with letters or digits")
            return {"CANCELLED"}
        path = self.folder(context) / f"{stem}.toml"
        replaced = path.exists()
        self.keep(context, path)
        done = "Replaced your preset" if replaced else "Saved preset"  # as with Blender's own, a name is there once
        self.report({"INFO"}, f"{done} {bpy.path.display_name(stem)}")
        return {"FINISHED"}


class Removes:
    """An operator that deletes the preset of one's own that `preset` names: folder(context) → Path."""

    bl_description = "Delete one of your own presets. Those that come with Tendril stay"
    bl_options = {"REGISTER"}

    @classmethod
    def obstacle(cls, context):
        return "" if presets.find_own(cls.folder(context)) else "You have no presets of your own"

    def invoke(self, context, event):
        return context.window_manager.invoke_confirm(self, event)

    def execute(self, context):
        try:
            (self.folder(context) / f"{self.preset}.toml").unlink(missing_ok=True)
        except OSError as error:
            self.report({"ERROR"}, f"Preset {bpy.path.display_name(self.preset)} cannot be removed ({error.strerror})")
            return {"CANCELLED"}
        self.report({"INFO"}, f"Removed preset {bpy.path.display_name(self.preset)}")
        return {"FINISHED"}
