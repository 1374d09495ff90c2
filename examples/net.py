"""Net. Eighteen ropes, woven over and under each other and tied to a frame at their ends alone, catch a ball. Nothing
joins them where they cross but contact.
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

FRAMES = 144
COUNT, PITCH, RADIUS, SAG = 9, 0.12, 0.007, 0.1  # ropes each way, m, m, m
HALF = 0.5 * (COUNT + 1) * PITCH  # m from the middle to the frame
HIGH, BALL, FALL = 0.9, 0.2, 0.6  # m: of the net, of the ball, from net to ball
FIRM = 1e4  # N, more than the ball asks for
MOMENTS = {1: "let go", 10: "caught", 18: "thrown up", 144: "kept"}
PICTURE = {"size": (480, 360), "columns": 2}
CLIP = range(1, 97, 3)  # frames


def build(points=64):
    """The scene, ready to bake; returns the net."""
    scene = studio.empty_scene(FRAMES)
    net = studio.polylines("Net", [strand(k, way) for way in (0, 1) for k in range(COUNT)], RADIUS)
    net.data.materials.append(looks.striped_rope("Rope", 2.0 * HALF, RADIUS))
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset="polyester_rope")
    rod = net.tendril.rod
    rod.points, rod.shape_memory = points, 0.0
    frame = beams()
    frame.select_set(True)
    bpy.ops.tendril.add_pin(place="ENDS", holder="OBJECT", mode="POSITION")
    for pin in net.tendril.pins:
        pin.max_force = FIRM
    net.select_set(False)
    frame.select_set(False)
    look = looks.material("Ball", (0.55, 0.06, 0.03), 0.3)
    ball = studio.add("Ball", looks.ball("Ball", BALL, look), (0.02, 0.03, HIGH + BALL + FALL))
    studio.rigid_body(ball, density=100.0, shape="SPHERE")
    ball.tendril.body.rolling_resistance = 0.02
    studio.corner(scene, size=1.2, floor=0.0, centre=(0.0, 0.0, 0.6))
    studio.camera(scene, target=(0.0, 0.0, 0.95), width=2.5, height=0.35)
    return net


def strand(number, way):
    """Points (k, 3) [m] of a rope along x (way 0) or y (1) that sags: over and under what it
    crosses, by turns.
    """
    s = np.linspace(-HALF, HALF, 8 * (COUNT + 1) + 1)
    over = 1.2 * RADIUS * np.sin(np.pi * (s + HALF) / PITCH - 0.5 * np.pi) * (-1.0) ** (number + way)
    across = np.full_like(s, (number - 0.5 * (COUNT - 1)) * PITCH)
    up = HIGH + over - SAG * (1.0 - (s / HALF) ** 2) * (1.0 - (across / HALF) ** 2)
    return np.stack([s, across, up] if way == 0 else [across, s, up], axis=1)


def beams():
    """The frame that holds the ropes' ends."""
    mesh = bpy.data.meshes.new("Frame")
    inner, outer = HALF - 0.01, HALF + 0.05
    ring = [(x * r, y * r, z) for z in (HIGH - 0.03, HIGH + 0.03) for r in (inner, outer)
            for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]  # fmt: skip
    faces = []
    for k in range(4):
        j = (k + 1) % 4
        faces += [
            (4 + k, 4 + j, j, k),
            (8 + k, 8 + j, 12 + j, 12 + k),
            (k, j, 8 + j, 8 + k),
            (12 + k, 12 + j, 4 + j, 4 + k),
        ]
    mesh.from_pydata(ring, [], faces)
    mesh.materials.append(looks.material("Wood", (0.20, 0.105, 0.045), 0.65))
    return studio.add("Frame", mesh)


def check(_net):
    """The ball is caught, thrown up less high than it fell from, and kept; nothing is in anything at any frame."""
    ball, fps = measure.baked()[2][:, 0, :3], bpy.context.scene.render.fps
    assert np.abs(ball[:, :2]).max() < HALF
    low = int(np.argmin(ball[: 2 * fps, 2]))
    fall, thrown = ball[0, 2] - ball[low, 2], ball[low:, 2].max() - ball[low, 2]
    assert thrown < 0.8 * fall, (thrown, fall)
    assert np.ptp(ball[-fps:, 2]) < 0.05, np.ptp(ball[-fps:, 2])
    deep = touching.deepest(each=6)
    assert deep < 0.05, deep
    return (
        f"The ball falls by {fall:.2f} m, is thrown up by {thrown:.2f} m, and rolls in the net at last. "
        f"Nothing overlaps by more than {max(deep, 0.0):.1%}."
    )


if __name__ == "__main__":
    studio.produce("net", build, check, MOMENTS, **PICTURE)
