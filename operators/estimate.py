"""How long the bake will take, asked before it starts: foreseen at once, then measured by the first frames of a bake
that is given up. In a window Blender stays alive meanwhile.
"""

import tempfile
import time
from pathlib import Path

import bpy

from ..bake.errors import BakeError
from ..bake.probe import probe
from ..bridge.scene import read_scene
from ..physics.validate import SceneError, forecast
from . import redraw, run_state
from .kernel_folder import kernel_folder
from .obstacles import Obstructed, nothing_in_scene

INTERVAL = 0.1  # s, between looks at what is measured


def forecasts(context):
    """Yields, whenever asked, what is known of the bake, first what is foreseen, until all it tells is measured.

    Nothing is measured beside a bake, which has the processor. Raises SceneError, BakeError.
    """
    # Windows keeps what is mapped
    with tempfile.TemporaryDirectory("", "tendril_", bpy.app.tempdir, ignore_cleanup_errors=True) as folder:
        scene, _meta = read_scene(context, Path(folder))
        found = forecast(scene)
        yield found
        if context.window_manager.tendril.running:
            return
        for seconds in probe(Path(folder), scene, bpy.app.python_args, kernel_folder()):
            if seconds is not None:
                found = found.measured(seconds)
            yield found


def slowly(forecasts):
    """The same, with a pause between them."""
    for found in forecasts:
        yield found
        time.sleep(INTERVAL)


class TENDRIL_OT_estimate(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.estimate"
    bl_label = "Estimate Duration"
    bl_description = "Check the scene and say how long its bake will take, at last by its first frames"
    bl_options = {"REGISTER"}

    @classmethod
    def obstacle(cls, context):
        return nothing_in_scene(context)

    def invoke(self, context, _event):
        self.forecasts, self.told = forecasts(context), ""
        if self.go_on(context) == {"CANCELLED"}:
            return {"CANCELLED"}
        manager = context.window_manager
        self.timer = manager.event_timer_add(INTERVAL, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        run = context.window_manager.tendril
        asked_still = run.estimate == self.told and not run.running  # no setting was changed
        went_on = self.go_on(context) if asked_still else {"FINISHED"}
        if went_on == {"RUNNING_MODAL"}:
            return {"PASS_THROUGH"}
        self.cancel(context)
        return went_on

    def cancel(self, context):
        """Blender ends the operator, or it is over."""
        self.forecasts.close()
        context.window_manager.event_timer_remove(self.timer)

    def execute(self, context):
        self.forecasts, self.told = slowly(forecasts(context)), ""
        while (went_on := self.go_on(context)) == {"RUNNING_MODAL"}:
            pass
        return went_on

    def go_on(self, context):
        """Tells what is known now."""
        try:
            found = next(self.forecasts, None)
        except (SceneError, BakeError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        if found is None:
            return {"FINISHED"}
        if found.text != self.told:
            self.told = context.window_manager.tendril.estimate = found.text
            run_state.compare(context)
            redraw.panels(context.window_manager)
        return {"RUNNING_MODAL"}


classes = (TENDRIL_OT_estimate,)
