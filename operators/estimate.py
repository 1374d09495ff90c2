"""How long the bake will take, asked before it starts."""

import bpy

from ..bake import samples
from ..bake.errors import BakeError
from ..bridge.scene import read_scene
from ..physics.validate import SceneError, forecast
from . import run_state
from .obstacles import Obstructed, nothing_in_scene


class TENDRIL_OT_estimate(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.estimate"
    bl_label = "Estimate Duration"
    bl_description = "Check the scene and say how long its bake will take"
    bl_options = {"REGISTER"}

    @classmethod
    def obstacle(cls, context):
        return nothing_in_scene(context)

    def execute(self, context):
        try:
            scene, _meta = read_scene(context)
        except (SceneError, BakeError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        context.window_manager.tendril.estimate = forecast(scene).text
        samples.discard(scene)
        run_state.compare(context)
        return {"FINISHED"}


classes = (TENDRIL_OT_estimate,)
