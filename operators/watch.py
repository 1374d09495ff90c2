"""Looks, a moment after something was changed, whether the bake shown is still one of this scene."""

import bpy
from bpy.app.handlers import persistent

from . import redraw, run_state

PAUSE = 0.5  # s, between a change and the look, so that dragging a number stays smooth


@persistent
def changed(*_what):
    if not (bpy.app.background or bpy.app.timers.is_registered(look)):
        bpy.app.timers.register(look, first_interval=PAUSE)


def look():
    """Compare the scene with its bake, not while that is running, the animation plays or a mesh has half its edits
    or paint.
    """
    context = bpy.context
    manager = context.window_manager
    if (
        manager.tendril.running
        or not context.screen
        or context.screen.is_animation_playing
        or context.mode in {"EDIT_MESH", "PAINT_WEIGHT"}
    ):
        return
    before = told(manager.tendril)
    run_state.refresh(context)
    if told(manager.tendril) != before:
        redraw.panels(manager)


def told(run):
    return run.message, run.changed, run.cache_size, run.cache_unread, run.estimate, run.whole, run.hint


def unregister():
    if bpy.app.timers.is_registered(look):
        bpy.app.timers.unregister(look)
