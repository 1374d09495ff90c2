"""The floor as the viewport shows it: a sheet with a grid around what is looked at, for the floor has no end.

Drawn as an overlay in Object Mode: over what is below it, behind what is above.
"""

from math import floor, log10

import bpy
import gpu
from gpu_extras.batch import batch_for_shader
from mathutils import Vector

CELLS = 20  # to each side
SHEET, LINES = (0.35, 0.6, 0.75, 0.12), (0.35, 0.6, 0.75, 0.45)


def draw():
    """Called by Blender for each 3D viewport."""
    context = bpy.context
    settings, view = context.scene.tendril, context.region_data
    if not (settings.use_floor and context.mode == "OBJECT" and context.space_data.overlay.show_overlays):
        return
    sheet, lines = grid(looked_at(view), view.view_distance, settings.floor_height)
    fill("TRI_STRIP", sheet, SHEET)
    fill("LINES", lines, LINES)


def fill(kind, places, color):
    """Draw primitives of a kind of the gpu's, where nothing is in front of them."""
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    shader.uniform_float("color", color)
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("LESS_EQUAL")
    batch_for_shader(shader, kind, {"pos": places}).draw(shader)
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("NONE")


def looked_at(view):
    """The place (3,) that a RegionView3D looks at; through a camera, one as far away as without."""
    if view.view_perspective != "CAMERA":
        return view.view_location
    return view.view_matrix.inverted() @ Vector((0.0, 0.0, -view.view_distance))


def grid(middle, distance, height):
    """(corners of the sheet as a strip, ends of its lines) around a place that is seen from a distance.

    Cells are a power of ten wide, and stay where they are in the world as the view moves.
    """
    cell = 10.0 ** floor(log10(0.5 * distance))
    x, y = (cell * round(value / cell) for value in middle[:2])
    reach = CELLS * cell
    sheet = [(x + a, y + b, height) for a in (-reach, reach) for b in (-reach, reach)]
    lines = []
    for k in range(-CELLS, CELLS + 1):
        lines += [(x + k * cell, y - reach, height), (x + k * cell, y + reach, height)]
        lines += [(x - reach, y + k * cell, height), (x + reach, y + k * cell, height)]
    return sheet, lines


def register():
    global _handle
    _handle = bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", "POST_VIEW")


def unregister():
    bpy.types.SpaceView3D.draw_handler_remove(_handle, "WINDOW")
