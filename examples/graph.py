"""A graph in a scene: lines of what was measured over the frames of the bake, their names, and a bar at the frame."""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import studio


def draw(lines, place, size, frames, text=0.035, span=None):
    """Lines over time that face the camera in front.

    lines: {name: (values (k,), colour)}, evenly over the whole bake; place (3,) [m] of the lower left corner; size
    (width, height) [m]; frames: how many the bake has; span: (lowest, highest) value, None: as they are.
    """
    values = np.concatenate([value for value, _ in lines.values()])
    low, high = span or (values.min(), values.max())
    place, thick = np.asarray(place, dtype=float), 0.012 * size[1]

    def line(name, x, z, color, radius):
        points = place + np.column_stack([np.ravel(x), np.zeros(len(x)), np.ravel(z)])
        item = studio.polylines(name, [points], radius)
        item.data.materials.append(looks.glow(name, color))
        item.select_set(False)
        return item

    grey = (0.2, 0.22, 0.24)
    line("Axis", [0.0, size[0]], [0.0, 0.0], grey, 0.6 * thick)
    heights = {name: (value - low) / (high - low) * size[1] for name, (value, _) in lines.items()}
    beside = apart({name: z[-1] for name, z in heights.items()}, 1.2 * text)
    for name, (_, color) in lines.items():
        z = heights[name]
        line(name, np.linspace(0.0, size[0], len(z)), z, color, thick)
        studio.label(name, place + (size[0] + 0.5 * text, 0.0, beside[name]), text, looks.glow(name, color), "LEFT")
    now = line("Now", [0.0, 0.0], [0.0, size[1]], (0.75, 0.75, 0.72), 0.6 * thick)
    studio.steadily(now, "location", 0, {1: 0.0, frames: size[0]})
    bpy.context.scene.frame_set(1)


def apart(heights, least):
    """{name: height} of labels, each at least so far above the one below it."""
    found, below = {}, -np.inf
    for name, height in sorted(heights.items(), key=lambda item: item[1]):
        found[name] = below = max(height, below + least)
    return found
