"""Piano wire. A hammer strikes a steel wire, at 192 000 frames a second. Its stiffness sharpens what it sounds:
f_n = n f₀ √(1 + B n²), B = π² EI/(T L²) (Fletcher 1964, *Normal vibration frequencies of a stiff piano string*), and
short waves run ahead of long ones. Steps of h slow a motion by (ω h)²/3, which is counted in.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio

FRAMES, FPS = 560, 192_000
LENGTH, RADIUS, TENSION = 0.2, 0.0005, 600.0  # m, m, N
STRUCK = 1 / 7  # of the length: there the seventh partial has a node
HAMMER, GAP = 0.003, 5e-5  # m, its radius and how far below the wire it starts
LIFT, FORTH, AWAY = 4e-4, 40, 120  # m, frames: how far it goes, when it is there, and 3 mm away again
HEARD = 120  # frame, of the sound without the blow
PARTIALS = np.arange(1, 7)
SHAPES, EVERY, STACK, MAGNIFIED = 19, 13, 0.1, 40.0  # so many shapes, frames apart, m
MOMENTS = {30: "heights × 40"}


def build(points=160):
    """The scene, ready to bake; returns the wire."""
    scene = studio.empty_scene(FRAMES)
    scene.render.fps, scene.render.fps_base = FPS // 10, 0.1
    hammer()
    wire = studio.polylines("Wire", [np.linspace([0.0, 0.0, 0.0], [LENGTH, 0.0, 0.0], 5)], RADIUS)
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset="spring_steel")
    rod = wire.tendril.rod
    rod.stretchable, rod.internal_damping, rod.points = True, 0.0, points
    rod.rest_length_factor = 1.0 / (1.0 + TENSION / (rod.young * 1e9 * np.pi * RADIUS**2))
    wire.data.materials.append(looks.material("Steel", (0.75, 0.77, 0.8), 0.3, 1.0))
    for x in (0.0, LENGTH):
        bridge(wire, x)
    scene.tendril.solver, scene.tendril.air_density = "IMPLICIT", 0.0
    studio.corner(scene, size=0.25, floor=-0.03, centre=(0.5 * LENGTH, 0.0, 0.0))
    studio.camera(scene, target=(0.5 * LENGTH, 0.0, 0.5 * STACK), width=0.27)
    return wire


def bridge(wire, x):
    """A block that does not move, to which an end of the wire is tied."""
    block = studio.add("Bridge", looks.prism("Bridge", 4, 0.008, 0.03, looks.brass()), (x, 0.0, -0.015))
    bpy.context.view_layer.objects.active = block
    wire.select_set(False)
    block.select_set(True)
    bpy.ops.tendril.add_body()
    block.tendril.body.motion, block.tendril.body.collide = "ANIMATED", False
    wire.select_set(True)
    bpy.ops.tendril.tie(mode="POSITION")
    block.select_set(False)


def hammer():
    """A short rod across the wire, held by an empty that goes up and comes back."""
    line = np.linspace([0.0, -2.0 * HAMMER, 0.0], [0.0, 2.0 * HAMMER, 0.0], 3)
    item = studio.polylines("Hammer", [line], HAMMER)
    item.location = (STRUCK * LENGTH, 0.0, -HAMMER - RADIUS - GAP)
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset="steel_wire")
    item.tendril.rod.points = 2
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY", mode="POSITION")
    for pin in item.tendril.pins:
        z = pin.target.location.z
        studio.steadily(pin.target, "location", 2, {1: z, FORTH: z + LIFT, AWAY: z - HAMMER})
    item.data.materials.append(looks.material("Felt", (0.6, 0.1, 0.04), 0.9))
    item.select_set(False)


def check(_wire):
    """Six partials sound as a stiff string's do, the seventh hardly, and the wire stays in its plane."""
    z = heights()
    n, place = np.arange(1, z.shape[1]), np.linspace(0.0, 1.0, z.shape[1])
    sound = 2.0 / n[-1] * z[HEARD:] @ np.sin(np.pi * np.outer(place, n))
    found = np.array([frequency(sound[:, k - 1]) for k in PARTIALS])
    law = stiff_string(measure.description().rods[1])
    law *= 1.0 - (2.0 * np.pi * law / FPS) ** 2 / 3.0
    off = np.abs(found / law - 1.0).max()
    assert off < 3e-3, found / law
    loud = np.abs(sound).max(axis=0)
    assert loud[6] < 0.05 * loud[5], loud[:8]
    return (
        f"The partials sound at {', '.join(f'{f:.0f}' for f in found)} Hz, "
        f"{100 * off:.1f} % from a stiff string's at most; "
        f"the sixth is {100 * (found[5] / found[0] / 6.0 - 1.0):.1f} % sharp."
    )


def heights():
    """How far the wire's points are from rest (F, n) [m]."""
    return measure.baked()[0][:, 3:, 2]


def stiff_string(rod):
    """Frequencies [Hz] of its partials."""
    first = np.sqrt(TENSION * LENGTH / rod.mass.sum()) / (2.0 * LENGTH)
    stiffness = np.pi**2 * rod.bend_stiffness[0, 0] / (TENSION * LENGTH**2)
    return PARTIALS * first * np.sqrt(1.0 + stiffness * PARTIALS**2)


def frequency(a, stride=3):
    """Of a decaying oscillation a (k,), in Hz: a_{k+1} = c a_k − d a_{k−1} has the roots e^{(−s ± iω)t}."""
    before, now, after = a[: -2 * stride], a[stride:-stride], a[2 * stride :]
    (c, d), *_ = np.linalg.lstsq(np.stack([now, -before], axis=1), after, rcond=None)
    return np.abs(np.angle(np.roots([1.0, -c, d])[0])) * FPS / (2.0 * np.pi * stride)


def draw(_wire):
    """The wire's shapes from the blow on, one above the other, its heights magnified."""
    z, x = heights(), np.linspace(0.0, LENGTH, 161)
    for k in range(SHAPES):
        share = k / (SHAPES - 1)
        line = np.column_stack([x, 0.0 * x, 0.012 + share * STACK + MAGNIFIED * z[EVERY * k]])
        item = studio.polylines("Shape", [line], 0.0003)
        item.data.materials.append(looks.glow("Shape", (0.9 - 0.8 * share, 0.25, 0.03 + 0.9 * share)))


PICTURE = {"size": (960, 560), "columns": 1, "draw": draw}

if __name__ == "__main__":
    studio.produce("piano_wire", build, check, MOMENTS, **PICTURE)
