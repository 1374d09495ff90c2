"""Torque transducer. The rope of Table 2 of Spillmann & Teschner 2007, *CORDE*, a Cosserat rod of 10 m in a hundred
pieces, hangs between two clamps; one of them turns it, on and on, as in figure 1 there. It leaves the plane, snaps
into a loop, and winds that up, with more and more contacts with itself. Air, which the paper has none of, calms it.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio
import touching

FRAMES, FPS, TURNS = 193, 12, 6.0
PIECES, LENGTH, RADIUS, SPAN, AIR = 100, 10.0, 0.01, 7.5, 10.0  # m; drag coefficient
COUNTED = (56, 97, 121, 153)  # frames
NEAR = 2.05  # radii from axis to axis: nearer than this it touches
MOMENTS = {1: "clamped", 48: "out of the plane", 72: "a loop", FRAMES: "wound"}
PICTURE = {"size": (420, 260), "columns": 2}
CLIP = range(33, FRAMES + 1, 8)  # frames


def build():
    """The scene, ready to bake; returns the rod."""
    scene = studio.empty_scene(FRAMES, FPS)
    rod = studio.polylines("Rope", [sagging(LENGTH, SPAN)], RADIUS)
    bpy.ops.tendril.add_rod()
    rod.tendril.rod.model = "COSSERAT"
    bpy.ops.tendril.apply_preset(preset="paper_rope")
    settings = rod.tendril.rod
    settings.points, settings.shape_memory, settings.drag_coefficient = PIECES + 1, 0.0, AIR
    turn_on(rod, TURNS, FRAMES)
    rod.data.materials.append(looks.striped_rope("Rope", LENGTH, RADIUS, stripe=(0.75, 0.35, 0.03)))
    studio.corner(scene, size=9.0, floor=-5.0, centre=(0.5 * SPAN, 0.0, 0.0))
    studio.camera(scene, target=(0.5 * SPAN, 0.0, -1.2), width=8.4, height=0.6)
    return rod


def turn_on(rod, turns, last):
    """Clamp both ends, and turn the first steadily until a frame."""
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY", mode="TWIST")
    motor = rod.tendril.pins[0].target
    motor.rotation_mode, motor.rotation_axis_angle = "AXIS_ANGLE", (0.0, 1.0, 0.0, 0.0)
    studio.steadily(motor, "rotation_axis_angle", 0, {1: 0.0, last: turns * 2.0 * np.pi})


def sagging(length, span):
    """A line (k, 3) [m] so long between ends that far apart, level at both."""
    u = np.linspace(0.0, 1.0, 2001)
    low, high = 0.0, length
    for _ in range(50):  # bisection
        deep = 0.5 * (low + high)
        line = np.column_stack([span * u, 0.0 * u, -deep * np.sin(np.pi * u) ** 2])
        longer = np.linalg.norm(np.diff(line, axis=0), axis=1).sum() > length
        low, high = (low, deep) if longer else (deep, high)
    return line


def check(_rod):
    """It touches itself along more and more pieces, and is never deep in itself."""
    x = measure.baked()[0]
    touched = [touches(x[frame - 1]) for frame in (1, *COUNTED, FRAMES)]
    assert touched[0] == touched[1] == 0, touched
    assert all(np.diff(touched[1:]) > 0), touched
    deep = touching.deepest(each=6)
    assert deep < 0.05, deep
    said = ", ".join(str(count) for count in touched[1:])
    turned = ", ".join(f"{TURNS * (frame - 1) / (FRAMES - 1):.1f}" for frame in (*COUNTED, FRAMES))
    return f"After {turned} turns {said} of {PIECES} pieces touch others."


def touches(x):
    """How many edges of a rod at x (n, 3) touch some that are further along it than half a turn around one another."""
    from tendril.physics.diagnostics.overlap import segment_distance

    i, j = np.triu_indices(len(x) - 1, 2)
    s, t, distance = segment_distance(x[i], x[i + 1], x[j], x[j + 1])
    apart = (j + t - i - s) * LENGTH / (len(x) - 1) > 2.0 * np.pi * RADIUS
    hit = apart & (distance < NEAR * RADIUS)
    return len(np.union1d(i[hit], j[hit]))


if __name__ == "__main__":
    studio.produce("transducer", build, check, MOMENTS, **PICTURE)
