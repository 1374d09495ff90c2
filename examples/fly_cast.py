"""Fly casting. A rod is swung forward and stopped; the line that it has drawn after it runs on over its tip in a loop.
What keeps its length rolls from one leg of the loop to the other, so the loop is as fast as both legs in the mean: half
as fast as the line, were the other leg at rest (Spolek 1986, *The mechanics of flycasting: the flyline*).
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio

FRAMES, FPS = 100, 96
ROD, BUTT, TIP = 2.7, 0.006, 0.0013  # m: its length, its radius at both ends
LINE, THICK, LEADER = 10.0, 0.0007, 0.0002  # m: its length, its radius, and that at its end
RISE = 0.17  # of the line behind the rod, drawn straight
HAND = 1.3  # m above the ground
BACK, FORTH = np.radians(45.0), np.radians(22.0)  # from the vertical
REACH, LOWERED = 0.9, 0.25  # m, of the hand
LOOP, BEND = (64, 84), 30  # frames, of the loop on its way; vertices, to either side of its front
STROKE, STOP = 0.32, 0.07  # s: the hand speeds up, and comes to rest
DRAWN = 25.0  # times as thick as they are


def build():
    """The scene, ready to bake; returns the line."""
    scene = studio.empty_scene(FRAMES, FPS)
    away = ROD * np.array([-np.sin(BACK), 0.0, np.cos(BACK)])
    pole = tapered("Rod", np.linspace((0.0, 0.0, HAND), away + (0.0, 0.0, HAND), 9), np.linspace(BUTT, TIP, 9))
    rod = pole.tendril.rod
    rod.young, rod.density, rod.internal_damping, rod.points = 80.0, 1200.0, 0.01, 60
    pole.data.materials.append(looks.material("Cane", (0.6, 0.3, 0.08), 0.4))
    swing(grip(pole))
    tip = away + (0.0, 0.0, HAND)
    thick = np.interp(np.arange(9), [0, 6, 8], [THICK, THICK, LEADER])
    line = tapered("Line", np.linspace(tip, tip + LINE * np.array([-1.0, 0.0, RISE]), 9), thick)
    rod = line.tendril.rod
    rod.young, rod.density, rod.internal_damping, rod.points = 0.2, 900.0, 0.01, 300
    line.data.materials.append(looks.material("Line", (0.8, 0.9, 0.1), 0.5))
    tie([pole, line], studio.add("Ring", looks.ball("Ring", 0.012, looks.brass()), tip))
    scene.tendril.solver, scene.tendril.contact = "IMPLICIT", False
    studio.corner(scene, size=8.0, floor=-0.3, centre=(0.0, 0.0, 2.0))
    studio.camera(scene, target=(-0.5, 0.0, 2.8), width=20.0, height=0.02)
    return line


def tapered(name, line, thick):
    """A solid rod along a line (k, 3), of radius `thick` (k,)."""
    item = studio.polylines(name, [line], 1.0)
    item.data.splines[0].points.foreach_set("radius", thick)
    bpy.ops.tendril.add_rod()
    item.tendril.rod.bend_factor = 1.0
    return item


def grip(pole):
    """What the hand holds."""
    cork = looks.material("Cork", (0.5, 0.3, 0.12), 0.8)
    item = studio.add("Grip", looks.prism("Grip", 32, 0.03, 0.3, cork), (0.0, 0.0, HAND))
    item.rotation_euler.y = -BACK
    item.select_set(True)
    bpy.ops.tendril.add_pin(place="START", holder="OBJECT", mode="TWIST")
    item.select_set(False)
    pole.select_set(False)
    return item


def tie(rods, ring):
    """Tie the rods to the ring at the rod's tip."""
    bpy.context.view_layer.objects.active = ring
    rods[-1].select_set(False)
    ring.select_set(True)
    bpy.ops.tendril.add_body()
    ring.tendril.body.mass, ring.tendril.body.collide = 5e-4, False
    for item in rods:
        item.select_set(True)
    bpy.ops.tendril.tie(mode="POSITION")


def swing(grip):
    """Faster and faster, then a stop; lower when the rod is upright, so that its tip goes straight."""
    for frame in range(1, FRAMES + 1):
        time = (frame - 1) / FPS
        left = max(1.0 - max(time - STROKE, 0.0) / STOP, 0.0)
        way = (min(time, STROKE) ** 2 / STROKE + STOP * (1.0 - left**2)) / (STROKE + STOP)
        angle = -BACK + (BACK + FORTH) * way
        grip.rotation_euler.y = angle
        grip.location = (REACH * way, 0.0, HAND - LOWERED * ROD * (np.cos(angle) - np.cos(BACK)))
        grip.keyframe_insert("rotation_euler", index=1, frame=frame)
        grip.keyframe_insert("location", frame=frame)


def check(_line):
    """No edge changes its length, the tip outruns the hand, and the loop is as fast as its legs in the mean."""
    x, _, _ = measure.baked()
    start = len(measure.description().rods[0].x)
    line = x[:, start:]
    length = np.linalg.norm(np.diff(line, axis=1), axis=2)
    assert np.abs(length / length[0] - 1.0).max() < 1e-5
    hand, tip = (np.linalg.norm(np.diff(x[:, v], axis=0), axis=1).max() * FPS for v in (0, start))
    assert tip > 4.0 * hand, (tip, hand)
    first, last = LOOP
    front, speed = line[:, :, 0].argmax(axis=1), np.gradient(line[:, :, 0], axis=0) * FPS
    legs = [
        0.5 * (speed[k, : front[k] - BEND].mean() + speed[k, front[k] + BEND : front[k] + 2 * BEND].mean())
        for k in range(first, last)
    ]
    loop, law = (line[last - 1, :, 0].max() - line[first, :, 0].max()) * FPS / (last - 1 - first), np.mean(legs)
    assert abs(loop / law - 1.0) < 0.1, (loop, law)
    return (
        f"The hand goes with {hand:.1f} m/s at most, the rod's tip with {tip:.1f}, the loop with {loop:.1f}: "
        f"half as fast as its two legs together, {law:.1f}."
    )


def draw(line):
    """Rod and line thick enough to be seen from far."""
    for item, times in ((line, DRAWN), (bpy.data.objects["Rod"], 0.5 * DRAWN)):
        item.tendril.result.data.bevel_depth *= times


MOMENTS = {1: "behind", 30: "forward", 44: "stopped", 60: "over the tip", 76: "a loop", 88: "unrolls"}
PICTURE = {"size": (480, 220), "columns": 2, "draw": draw}

if __name__ == "__main__":
    studio.produce("fly_cast", build, check, MOMENTS, **PICTURE)
