"""Rope on a moving staircase. It is dropped on an escalator that goes up, lands over several steps, and rides along.
The staircase is a mesh with Blender's own Collision physics that is keyed to move.
"""

import sys
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio
import touching

FRAMES = 120
LENGTH, RADIUS = 2.6, 0.012  # m
STEPS, TREAD, RISE, WIDE = 14, 0.3, 0.18, 1.4  # , m, m, m
TRAVEL = 4  # steps that it goes up
THIN = 0.002  # m
MOMENTS = {1: "let go", 10: "it lands", 40: "it settles", 120: "still there"}
PICTURE = {"size": (420, 360), "columns": 2}


def build(points=120):
    """The scene, ready to bake; returns the rope."""
    scene = studio.empty_scene(FRAMES)
    stairs = staircase()
    for axis, way in ((0, TREAD), (2, RISE)):
        studio.steadily(stairs, "location", axis, {1: -0.5 * TRAVEL * way, FRAMES: 0.5 * TRAVEL * way})
    a = np.linspace(0.0, 1.0, 40)
    x = 0.55 * (a - 0.5)
    way = np.stack([x, 0.42 * np.sin(3.0 * np.pi * a), 0.45 + RISE / TREAD * x], axis=1)
    rope = studio.curve("Rope", way, RADIUS)
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset="polyester_rope")
    rod = rope.tendril.rod
    rod.points, rod.shape_memory = points, 0.0
    rod.internal_damping = 0.03  # lest what hangs between two steps sways on
    rope.data.materials.append(looks.striped_rope("Rope", LENGTH, RADIUS))
    studio.corner(scene, size=1.6, floor=-1.8, centre=(0.0, 0.0, 0.4))
    view = studio.camera(scene, target=(0.0, 0.0, 0.1), width=2.2, height=0.35)
    view.location.x -= 1.8
    view.rotation_euler = (view.location - Vector((0.0, 0.0, 0.1))).to_track_quat("Z", "Y").to_euler()
    return rope


def staircase():
    """A closed mesh of steps that go up to the right, a collider."""
    k = np.arange(STEPS + 1) - 0.5 * STEPS
    x, z = TREAD * k, RISE * k
    lines = [(x, z - RISE), (x, z), (x, z + RISE)]  # beneath, where a tread ends, where the next begins
    corners = [(*place, y) for y in (-0.5 * WIDE, 0.5 * WIDE) for line in lines for place in zip(*line, strict=True)]
    n, half = STEPS + 1, 3 * (STEPS + 1)
    faces = [(2 * n + i, n + i + 1, half + n + i + 1, half + 2 * n + i) for i in range(STEPS)]  # treads
    faces += [(n + i, 2 * n + i, half + 2 * n + i, half + n + i) for i in range(STEPS)]  # and risers
    faces += [(i + 1, i, half + i, half + i + 1) for i in range(STEPS)]
    for side in (0, half):
        own = [(i, i + 1, n + i + 1, 2 * n + i, n + i) for i in range(STEPS)]
        faces += [tuple(side + j for j in (face if side == 0 else face[::-1])) for face in own]
    faces += [(0, n, half + n, half), (STEPS, half + STEPS, half + n + STEPS, n + STEPS)]
    mesh = bpy.data.meshes.new("Staircase")
    mesh.from_pydata([(x, y, z) for x, z, y in corners], [], faces)
    mesh.materials.append(looks.material("Steel", (0.30, 0.32, 0.34), 0.4, 0.6))
    item = studio.add("Staircase", mesh)
    studio.collider(item, THIN)
    return item


def check(_rope):
    """The rope is nowhere in the staircase. In the end what lies on it does not slip, however that moves; what hangs
    between two steps may sway a little.
    """
    x, fps = measure.baked()[0], bpy.context.scene.render.fps
    step = np.array([TREAD, 0.0, RISE]) * TRAVEL / (FRAMES - 1)
    on = x - step * np.arange(FRAMES)[:, None, None]
    way, moved = np.linalg.norm(step) * fps, np.linalg.norm(on[-fps:] - on[-1], axis=2).max(axis=0)
    slip, sway = np.median(moved), moved.max()  # more than half of it lies on treads
    assert slip < 1e-4 * way, slip
    assert sway < 0.1 * RADIUS, sway
    deep = touching.deepest(each=2)
    assert deep < 0.05, deep
    return (
        f"In its last second the rope is taken along by {way:.2f} m, where it lies, and slips by "
        f"{1e3 * slip:.3f} mm. It is never deeper in the steps than {max(deep, 0.0):.1%} of its radius."
    )


if __name__ == "__main__":
    studio.produce("staircase", build, check, MOMENTS, **PICTURE)
