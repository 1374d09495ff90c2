"""What can be done with a bake: delete its frames on disk, turn it into keyframes, take it back."""

import bpy

from ..bake.cache import Cache
from ..bake.errors import BakeError
from . import run_state
from .cache_folder import cache_folder


class TENDRIL_OT_free(bpy.types.Operator):
    bl_idname = "tendril.free"
    bl_label = "Free Cache"
    bl_description = "Delete the frames of this scene's bake on disk. The animation in this file stays"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context):
        if context.window_manager.tendril.running:
            cls.poll_message_set("A bake is writing the cache")
            return False
        return True

    def execute(self, context):
        try:
            cache = Cache(cache_folder(context.scene))
            frames, megabytes = len(cache.frames), cache.size() / 1e6
            cache.free()
        except BakeError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        run_state.measure_cache(context)
        self.report({"INFO"}, f"Deleted {frames} frames, {megabytes:.1f} MB")
        return {"FINISHED"}


classes = (TENDRIL_OT_free,)
