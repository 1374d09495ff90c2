"""Bake, Resume, Settle and Cancel. In a window the worker process bakes while Blender stays alive; in background, or
when called with 'EXEC_DEFAULT', the operator waits for it."""

import weakref

import bpy

from ..bake.errors import BakeError
from ..physics.validate import SceneError
from . import auto_update, previewing, reading, redraw, run_state
from .baking import Baking
from .obstacles import (
    Obstructed,
    bake_is_running,
    no_cache,
    no_frame_here,
    nothing_in_scene,
    nothing_selected,
)
from .refusal import refuses

INTERVAL = 0.05  # s, between looks at what the worker says
SIDEBAR = "Tendril"  # the tab of the 3D view's sidebar


def is_over_panel(window, event):
    """Whether the mouse is over a sidebar or Properties editor that shows the bake."""
    for area in window.screen.areas:
        for region in area.regions:
            across, up = event.mouse_x - region.x, event.mouse_y - region.y
            if 0 <= across < region.width and 0 <= up < region.height:
                if area.type == "VIEW_3D" and region.type == "UI" and region.active_panel_category == SIDEBAR:
                    return True
                if area.type == "PROPERTIES" and area.spaces.active.context == "PHYSICS":
                    return True
    return False


class _Bake(Obstructed):
    choices = {}  # of Baking

    def baking_of(self, context):
        """What it bakes. Raises SceneError, BakeError."""
        return Baking(context, **self.choices)

    @classmethod
    def obstacle(cls, context):
        return bake_is_running(context) or nothing_in_scene(context)

    def invoke(self, context, _event):
        auto_update.pause()
        try:
            with reading.shown_at_mouse(context.window_manager):
                self.baking = self.baking_of(context)
            self.worker = self.baking.start()
            weakref.finalize(self.baking, self.worker.kill)  # also when the add-on is disabled meanwhile
        except (SceneError, BakeError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        manager = context.window_manager
        run_state.begin(manager.tendril)
        redraw.panels(manager)
        self.timer = manager.event_timer_add(INTERVAL, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC" and event.value == "PRESS" and is_over_panel(context.window, event):
            bpy.ops.tendril.cancel()
            return {"RUNNING_MODAL"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        run, manager = context.window_manager.tendril, context.window_manager
        if run.cancelling:
            self.worker.cancel()
        before = run.message
        for said in self.worker.poll():
            self.baking.hear(context, said)
        over = self.worker.over
        if not over:
            self.baking.preview(context)
        elif bpy.app.is_job_running("RENDER"):  # it reads what the end of the bake changes
            return {"PASS_THROUGH"}
        if not over:
            self.baking.tell_what_lasts(run)
        if run.message != before:
            redraw.panels(manager)
            redraw.status(f"Baking: {run.message}. Esc, with the mouse over the Bake panel, cancels")
        if not over:
            return {"PASS_THROUGH"}
        self.stop(context)
        self.baking.end(context)
        redraw.panels(manager)
        return self.outcome(context)

    def cancel(self, context):
        """Blender ends the operator: another file is opened, the window is closed."""
        self.worker.kill()
        self.stop(context)
        previewing.end()
        run_state.end(context.window_manager.tendril)

    def stop(self, context):
        context.window_manager.event_timer_remove(self.timer)
        redraw.status(None)
        redraw.panels(context.window_manager)

    @refuses
    def execute(self, context):
        auto_update.pause()
        self.baking = self.baking_of(context)
        self.baking.run(context)
        return self.outcome(context)

    def outcome(self, context):
        run = context.window_manager.tendril
        if run.warnings:
            first, more = run.warnings[0], len(run.warnings) - 1
            self.report({"WARNING"}, f"Frame {first.frame}: {first.text}" + f" (and {more} more)" * (more > 0))
        self.report({"ERROR" if run.failed else "INFO"}, run.message)
        return {"FINISHED"} if self.baking.began else {"CANCELLED"}


class TENDRIL_OT_bake(_Bake, bpy.types.Operator):
    bl_idname = "tendril.bake"
    bl_label = "Bake"
    bl_description = "Simulate all rods, rigid and soft bodies of the scene and make the frames native animation"


class TENDRIL_OT_resume(_Bake, bpy.types.Operator):
    bl_idname = "tendril.resume"
    bl_label = "Resume"
    bl_description = (
        "Go on with a bake that was cancelled or stopped, or that is to have more frames, if nothing else was changed "
        "since"
    )
    choices = {"resume": True}

    @classmethod
    def obstacle(cls, context):
        return super().obstacle(context) or no_cache(context)

    @classmethod
    def description(cls, context, _settings):
        """The tooltip, which also says why the panel has it off."""
        whole = context.window_manager.tendril.whole
        return f"{cls.bl_description}.\nOff: {whole}" if whole else cls.bl_description


class TENDRIL_OT_bake_selected(_Bake, bpy.types.Operator):
    bl_idname = "tendril.bake_selected"
    bl_label = "Bake Selected"
    bl_description = (
        "Bake the selected rods, rigid and soft bodies anew. All others stay as they were baked: they act and are "
        "touched, but nothing moves them"
    )
    choices = {"selected": True}

    @classmethod
    def obstacle(cls, context):
        return super().obstacle(context) or no_cache(context) or nothing_selected(context)


class TENDRIL_OT_bake_from_here(_Bake, bpy.types.Operator):
    bl_idname = "tendril.bake_from_here"
    bl_label = "Bake from Here"
    bl_description = (
        "Bake the frames behind the current one anew, with the settings as they are now. Places and velocities go on "
        "from the current frame; frames up to it stay as they are"
    )
    choices = {"from_here": True}

    @classmethod
    def obstacle(cls, context):
        return super().obstacle(context) or no_cache(context) or no_frame_here(context)


class TENDRIL_OT_settle(_Bake, bpy.types.Operator):
    bl_idname = "tendril.settle"
    bl_label = "Show Start"
    bl_description = (
        "Show how all rods and rigid bodies come to rest before the first frame with Settle First. What is drawn stays "
        "as it is"
    )
    choices = {"settle_only": True}


class TENDRIL_OT_cancel(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.cancel"
    bl_label = "Cancel"
    bl_description = "End the bake after the current frame. The frames so far are kept"
    bl_options = {"REGISTER"}

    @classmethod
    def obstacle(cls, context):
        return "" if bake_is_running(context) else "No bake is running"

    def execute(self, context):
        context.window_manager.tendril.cancelling = True
        return {"FINISHED"}


classes = (
    TENDRIL_OT_bake,
    TENDRIL_OT_bake_selected,
    TENDRIL_OT_bake_from_here,
    TENDRIL_OT_resume,
    TENDRIL_OT_settle,
    TENDRIL_OT_cancel,
)
