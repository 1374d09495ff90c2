"""The first thing to try: a rope hangs from an empty, which moves aside and stops; the rope swings on.

It swings as a hanging chain does, with the angular frequency 1.2024 √(g/L) (the first zero of J₀, halved).
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import studio

FRAMES = 240
LENGTH, RADIUS = 1.0, 0.012  # m
MOVED, FROM, TO = 0.12, 10, 16  # m, frames
TILT = -0.25 * np.pi  # the stripe faces the camera
MOMENTS = {1: "settled", 14: "carried aside", 26: "swinging on", 46: "and back"}


def build(points=60):
    """The scene, ready to bake; returns the rope."""
    scene = studio.empty_scene(FRAMES)
    height = np.linspace(0.0, -LENGTH, 5)
    rope = studio.curve("Rope", np.stack([0.0 * height, 0.0 * height, height], axis=1), RADIUS, tilt=TILT)
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset="polyester_rope")
    rope.tendril.rod.points = points
    scene.tendril.settle = True
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.0, holder="EMPTY", mode="POSITION")
    hook = rope.tendril.pins[0].target
    for frame, x in ((FROM, 0.0), (TO, MOVED)):
        hook.location.x = x
        hook.keyframe_insert("location", index=0, frame=frame)
    studio.add("Hook", looks.ball("Hook", 0.03, looks.brass()), (0.0, 0.0, 0.02), parent=hook)
    rope.data.materials.append(looks.striped_rope("Rope", LENGTH, RADIUS))
    studio.corner(scene, size=1.0, floor=-1.15, centre=(0.0, 0.0, -0.4))
    studio.camera(scene, target=(-0.02, 0.0, -0.52), width=0.68)
    return rope


def check(rope):
    """The rope keeps its length, stays at its hook, and swings with the frequency of a hanging chain."""
    x = studio.shown(rope)
    length = np.linalg.norm(np.diff(x, axis=1), axis=2)
    assert np.abs(length / length.mean() - 1.0).max() < 1e-4
    assert np.abs(x[TO:, 0, 0] - MOVED).max() < 1e-4
    fps = bpy.context.scene.render.fps
    swing = x[TO + 24 :, -1, 0] - MOVED
    crossings = np.flatnonzero(np.diff(np.sign(swing)) != 0)
    times = crossings + swing[crossings] / (swing[crossings] - swing[crossings + 1])
    frequency = np.pi * fps / np.polyfit(np.arange(len(times)), times, 1)[0]
    chain = 1.2024 * np.sqrt(9.81 / LENGTH)
    assert abs(frequency / chain - 1.0) < 0.02, (frequency, chain)
    return f"The rope swings with {frequency:.3f} rad/s; a hanging chain with {chain:.3f}."


if __name__ == "__main__":
    studio.produce("hanging_rope", build, check, MOMENTS, size=(300, 540), columns=4)
