"""Torque transducer. A rod of a hundred pieces, a Cosserat rod, hangs between two clamps; one of them turns it, on and
on (Spillmann & Teschner 2007, *CORDE*, figure 1). It leaves the plane, snaps into a loop, and winds that up, with more
and more contacts with itself.
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

FRAMES, TURNS = 144, 9.0
EDGES, LENGTH, RADIUS, SPAN = 100, 1.0, 0.004, 0.6  # m
COUNTED = (60, 80, 108, 132)  # frames
NEAR = 2.05  # radii from axis to axis: nearer than this it touches
MOMENTS = {1: "clamped", 54: "out of the plane", 72: "a loop", FRAMES: "wound"}
PICTURE = {"size": (420, 260), "columns": 2}
CLIP = range(44, FRAMES + 1, 5)  # frames


def build():
    """The scene, ready to bake; returns the rod."""
    scene = studio.empty_scene(FRAMES)
    rod = hang("Rod", EDGES, SPAN, TURNS, FRAMES, (0.75, 0.35, 0.03))
    rod.tendril.rod.friction = 0.1
    studio.corner(scene, size=0.9, floor=-0.5, centre=(0.5 * SPAN, 0.0, 0.0))
    studio.camera(scene, target=(0.5 * SPAN, 0.0, -0.07), width=0.68, height=1.0)
    return rod


def hang(name, edges, span, turns, last, color, place=(0.0, 0.0, 0.0)):
    """A Cosserat rod, clamped at both ends, `span` [m] apart, and turned at its first until a frame."""
    rod = studio.polylines(name, [sagging(span) + place], RADIUS)
    bpy.ops.tendril.add_rod()
    settings = rod.tendril.rod
    settings.model, settings.young, settings.poisson, settings.density = "COSSERAT", 0.02, 0.5, 1000.0
    settings.bend_factor, settings.internal_damping, settings.drag_coefficient = 0.5, 0.03, 2.0
    settings.points, settings.shape_memory = edges + 1, 0.0
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY", mode="TWIST")
    motor = rod.tendril.pins[0].target
    motor.rotation_mode, motor.rotation_axis_angle = "AXIS_ANGLE", (0.0, 1.0, 0.0, 0.0)
    studio.steadily(motor, "rotation_axis_angle", 0, {1: 0.0, last: turns * 2.0 * np.pi})
    rod.data.materials.append(looks.striped_rope(name, LENGTH, RADIUS, stripe=color))
    rod.select_set(False)
    return rod


def sagging(span):
    """A line (k, 3) [m] of the length between ends that far apart, level at both."""
    u = np.linspace(0.0, 1.0, 2001)
    low, high = 0.0, LENGTH
    for _ in range(50):  # bisection
        deep = 0.5 * (low + high)
        line = np.column_stack([span * u, 0.0 * u, -deep * np.sin(np.pi * u) ** 2])
        longer = np.linalg.norm(np.diff(line, axis=0), axis=1).sum() > LENGTH
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
    return f"After {turned} turns {said} of {EDGES} pieces touch others."


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
