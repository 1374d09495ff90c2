"""Draws in timelines, while a bake is running, which of its frames are there, as Blender does of its own caches: its
line of those knows only them.
"""

import bpy
import gpu
from gpu_extras.batch import batch_for_shader

COLOUR = (0.9, 0.5, 0.15)  # none of Blender's own caches has it
WHOLE, THERE = 0.25, 0.9  # opacity of the range, and of the frames that are there
HEIGHT = 4.0  # pixels, of a timeline drawn at scale 1
_handle = None


def show():
    """From now on."""
    global _handle
    if _handle is None and not bpy.app.background:
        _handle = bpy.types.SpaceDopeSheetEditor.draw_handler_add(_draw, (), "WINDOW", "POST_PIXEL")


def hide():
    global _handle
    if _handle is not None:
        bpy.types.SpaceDopeSheetEditor.draw_handler_remove(_handle, "WINDOW")
    _handle = None


def spans(run):
    """[(first frame, last frame, opacity)] to draw."""
    first, start = run.first_frame, run.first_frame + run.there_from
    found = [(first, first + run.frames - 1, WHOLE), (first, first + run.before - 1, THERE)]
    found.append((start, start + run.there - 1, THERE))
    return [(start, end, opacity) for start, end, opacity in found if end >= start]


def _draw():
    context = bpy.context
    space, view = context.space_data, context.region.view2d
    if space.mode != "TIMELINE" or not space.show_cache:
        return
    shader, height = gpu.shader.from_builtin("UNIFORM_COLOR"), HEIGHT * context.preferences.system.ui_scale
    gpu.state.blend_set("ALPHA")
    for start, end, opacity in spans(context.window_manager.tendril):
        left, right = (view.view_to_region(frame, 0.0, clip=False)[0] for frame in (start - 0.5, end + 0.5))
        corners = [(left, 0.0), (right, 0.0), (right, height), (left, height)]
        batch = batch_for_shader(shader, "TRI_FAN", {"pos": corners})
        shader.uniform_float("color", (*COLOUR, opacity))
        batch.draw(shader)
    gpu.state.blend_set("NONE")


def redraw(manager):
    for window in manager.windows:
        for area in window.screen.areas:
            if area.type == "DOPESHEET_EDITOR":
                area.tag_redraw()
