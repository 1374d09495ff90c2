"""Material presets: apply one, save a rod's material as one, remove one's own. Trees have woods for presets."""

import re
from functools import cache
from pathlib import Path

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty

from ..bridge import bevel, curves, presets
from ..bridge.units import Units
from ..physics.validate import SceneError
from ..properties.body import rod_of
from ..properties.choice import chosen_rods
from .obstacles import Obstructed, no_active_rod

ADDON = __package__.rpartition(".")[0]


def own_folder(*, woods=False):
    """Where an artist's own presets are: in the user data folder Blender gives the extension."""
    return Path(bpy.utils.extension_path_user(ADDON, path="woods" if woods else "presets"))


def _of_tree(context):
    rod = rod_of(context.object) if context else None
    return bool(rod and rod.tendril.is_tree)


def _found(context):
    woods = _of_tree(context)
    return presets.find(own_folder(woods=woods), woods=woods)


@cache  # Blender keeps no reference to the texts of a dynamic enum, so they have to stay alive
def listed(paths):
    return [(name, bpy.path.display_name(name), presets.summary(path)) for name, path in paths]


def _preset_items(_operator, context):
    return listed(tuple(_found(context).items()))


def _own_preset_items(_operator, context):
    return listed(tuple(presets.find_own(own_folder(woods=_of_tree(context))).items()))


class _OfRod(Obstructed):
    @classmethod
    def obstacle(cls, context):
        return no_active_rod(context)


class TENDRIL_OT_apply_preset(_OfRod, bpy.types.Operator):
    bl_idname = "tendril.apply_preset"
    bl_label = "Apply Rod Preset"
    bl_description = "Make the selected rods of this material"
    bl_options = {"REGISTER", "UNDO"}

    preset: EnumProperty(name="Preset", items=_preset_items)
    with_radius: BoolProperty(
        name="Usual Thickness",
        description="Also make the rods as thick as such a thing usually is, by the bevel of their curves",
    )

    def execute(self, context):
        path, woods = _found(context)[self.preset], _of_tree(context)
        rods = [rod for rod in chosen_rods(context) if rod.tendril.is_tree == woods]
        try:
            drawn = [curves.read(context, rod) for rod in rods] if self.with_radius else []
            radius = {presets.apply(path, rod.tendril) for rod in rods}.pop()
        except (SceneError, presets.PresetError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for rod, lines in zip(rods, drawn, strict=False):
            if radius:
                bevel.give(rod, lines, radius, Units.of(context.scene, 0))
        return {"FINISHED"}


class TENDRIL_OT_save_preset(_OfRod, bpy.types.Operator):
    bl_idname = "tendril.save_preset"
    bl_label = "Save Rod Preset"
    bl_description = "Keep the material of this rod, and its thickness, as a preset of your own"
    bl_options = {"REGISTER"}

    name: StringProperty(name="Name", description="Name of the preset", maxlen=60, options={"SKIP_SAVE"})

    def invoke(self, context, _event):
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context):
        stem = re.sub(r"\W+", "_", self.name).strip("_").lower()
        if not stem:
            self.report({"ERROR"}, f"A preset cannot be called '{self.name}': give it a name with letters or digits")
            return {"CANCELLED"}
        path = own_folder(woods=_of_tree(context)) / f"{stem}.toml"
        replaced = path.exists()
        try:
            rod = rod_of(context.object)
            presets.save(path, rod.tendril, bevel.of_rod(context, rod, Units.of(context.scene, 0)))
        except (SceneError, presets.PresetError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        done = "Replaced your preset" if replaced else "Saved preset"  # as with Blender's own, a name is there once
        self.report({"INFO"}, f"{done} {bpy.path.display_name(stem)}")
        return {"FINISHED"}


class TENDRIL_OT_remove_preset(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.remove_preset"
    bl_label = "Remove Rod Preset"
    bl_description = "Delete one of your own presets. Those that come with Tendril stay"
    bl_options = {"REGISTER"}

    preset: EnumProperty(name="Preset", items=_own_preset_items)

    @classmethod
    def obstacle(cls, context):
        return "" if _own_preset_items(None, context) else "You have no presets of your own"

    def invoke(self, context, event):
        return context.window_manager.invoke_confirm(self, event)

    def execute(self, context):
        try:
            (own_folder(woods=_of_tree(context)) / f"{self.preset}.toml").unlink(missing_ok=True)
        except OSError as error:
            self.report({"ERROR"}, f"Preset {bpy.path.display_name(self.preset)} cannot be removed ({error.strerror})")
            return {"CANCELLED"}
        self.report({"INFO"}, f"Removed preset {bpy.path.display_name(self.preset)}")
        return {"FINISHED"}


classes = (TENDRIL_OT_apply_preset, TENDRIL_OT_save_preset, TENDRIL_OT_remove_preset)
