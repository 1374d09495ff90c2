"""A stretchy cord: an empty pulls its end down to twice the length and lets go, by the keyed influence of the pin.

Settled, it is longer by ρgL²/2E: its own weight.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import studio

FRAMES, FPS = 260, 240  # in slow motion
LENGTH, RADIUS = 0.6, 0.006  # m
DOWN, LET_GO = (10, 190), 200  # frames
MOMENTS = {1: "hanging", 110: "stretching", 199: "twice as long", 202: "let go", 206: "recoiling", 220: "crumpled"}


def build(points=40):
    """The scene, ready to bake; returns the cord."""
    scene = studio.empty_scene(FRAMES, FPS)
    height = np.linspace(0.0, -LENGTH, 5)
    cord = studio.curve("Cord", np.stack([0.0 * height, 0.0 * height, height], axis=1), RADIUS)
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset="rubber_cord")
    cord.tendril.rod.points = points
    scene.tendril.settle = True
    for fraction in (0.0, 1.0):
        bpy.ops.tendril.add_pin(place="FRACTION", fraction=fraction, holder="EMPTY", mode="POSITION")
    bottom = cord.tendril.pins[1]
    for frame, influence in ((DOWN[0] - 1, 0.0), (DOWN[0], 1.0), (LET_GO - 1, 1.0), (LET_GO, 0.0)):
        bottom.influence = influence
        bottom.keyframe_insert("influence", frame=frame)
    for frame, z in ((DOWN[0], -LENGTH), (DOWN[1], -2.0 * LENGTH)):
        bottom.target.location.z = z
        bottom.target.keyframe_insert("location", index=2, frame=frame)
    for pin, size in zip(cord.tendril.pins, (0.03, 0.014), strict=True):
        studio.add("Ball", looks.ball("Ball", size, looks.brass()), parent=pin.target)
    cord.data.materials.append(looks.material("Rubber", (0.55, 0.05, 0.03), 0.35))
    studio.corner(scene, size=1.0, floor=-1.4, centre=(0.0, 0.0, -0.5))
    studio.camera(scene, target=(-0.05, 0.0, -0.63), width=0.68)
    return cord


def check(cord):
    """It is longer by its weight at first, evenly twice as long when pulled, and comes back."""
    x = studio.shown(cord)
    length = np.linalg.norm(np.diff(x, axis=1), axis=2)
    hanging = length[0].sum() - LENGTH
    own_weight = 950.0 * 9.81 * LENGTH**2 / (2.0 * 1.5e6)
    assert abs(hanging / own_weight - 1.0) < 0.02, (hanging, own_weight)
    pulled = length[LET_GO - 2]
    assert abs(pulled.sum() - 2.0 * LENGTH) < 1e-3, pulled.sum()
    assert np.ptp(pulled) < 0.02 * pulled.mean(), np.ptp(pulled)
    shortest = length[LET_GO:].sum(axis=1).min()
    assert shortest < 1.3 * LENGTH, shortest
    return f"It hangs {1e3 * hanging:.2f} mm longer than drawn; its weight asks for {1e3 * own_weight:.2f} mm."


if __name__ == "__main__":
    studio.produce("rubber_cord", build, check, MOMENTS, size=(240, 500), columns=6)
