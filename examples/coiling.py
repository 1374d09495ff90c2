"""A rope that coils. It is let down through a pipe and lays itself on the floor in turns, each about as wide as its
weight can bend it: R is of the order of (B/w)^⅓, with the bending stiffness B and the weight w of a metre (Habibi et
al. 2007, *Coiling of elastic ropes*).
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

FRAMES, LET_DOWN = 84, 66
RADIUS, TOP, YOUNG, DENSITY = 0.004, 2.6, 4e5, 1000.0  # m, m, Pa, kg/m³
FIRST = 0.03  # m, radius of the turn it begins with
PIPE, MOUTH = 0.012, 0.3  # m: radius inside, height above the floor
LAID = 0.03  # m: lower than this it is laid
MOMENTS = {1: "let down", 16: "first turns", 36: "on and on", FRAMES: "coiled"}
PICTURE = {"size": (400, 320), "columns": 2}
CLIP = range(1, FRAMES + 1, 3)  # frames


def build(points=300):
    """The scene, ready to bake; returns the rope."""
    scene = studio.empty_scene(FRAMES)
    rope = studio.curve("Rope", line(), RADIUS)
    bpy.ops.tendril.add_rod()
    rod = rope.tendril.rod
    rod.young, rod.poisson, rod.density, rod.bend_factor = 1e-9 * YOUNG, 0.5, DENSITY, 1.0
    rod.friction, rod.internal_damping, rod.drag_coefficient = 0.5, 0.02, 2.0
    rod.points, rod.shape_memory = points, 0.0
    bpy.ops.tendril.add_pin(place="END", holder="EMPTY", mode="POSITION")
    studio.steadily(rope.tendril.pins[0].target, "location", 2, {1: TOP, LET_DOWN: MOUTH + 0.05})
    rope.data.materials.append(looks.striped_rope("Rope", 3.0, RADIUS))
    rope.select_set(False)
    pipe()
    scene.tendril.use_floor, scene.tendril.floor_friction = True, 0.5
    studio.corner(scene, size=0.7, floor=0.0)
    studio.camera(scene, target=(0.0, 0.0, 0.13), width=0.55, height=0.6)
    return rope


def line():
    """Its way (k, 3) [m]: once round on the floor, then up into the pipe."""
    turn = np.linspace(0.0, 2.0 * np.pi, 13)
    flat = [(FIRST * np.cos(a), FIRST * np.sin(a), RADIUS + 0.008 * (a / (2.0 * np.pi)) ** 4) for a in turn]
    rise = [(0.8 * FIRST * np.cos(a), 0.8 * FIRST * np.sin(a), z) for a, z in ((0.6, 0.02), (1.3, 0.05))]
    return np.array([*flat, *rise, (0, 0.01, 0.13), (0, 0, 0.3), (0, 0, 0.6), (0, 0, 0.5 * TOP), (0, 0, TOP)])


def pipe():
    """A slippery collider around the rope's way down."""
    around = np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False)
    ends = [(PIPE * np.cos(a), PIPE * np.sin(a), z) for z in (MOUTH, TOP + 0.1) for a in around]
    mesh = bpy.data.meshes.new("Pipe")
    mesh.from_pydata(ends, [], [(k, (k + 1) % 16, 16 + (k + 1) % 16, 16 + k) for k in range(16)])
    mesh.materials.append(looks.brass())
    item = studio.add("Pipe", mesh)
    studio.collider(item, 0.001, 0.0)


def check(_rope):
    """It lies in turns, all the same way round, none of them in another, and as wide as the law has them."""
    x = measure.baked()[0]
    low = int((x[-1, :, 2] > LAID).argmax())
    step = np.diff(x[-1, :low, :2], axis=0)
    heading = np.unwrap(np.arctan2(step[:, 1], step[:, 0]))
    turns = (heading[-1] - heading[0]) / (2.0 * np.pi)
    back = np.max(np.maximum.accumulate(heading) - heading)
    assert turns > 4.0, turns
    assert back < 0.5 * np.pi, back
    laid = np.linalg.norm(step, axis=1).sum()
    wide = laid / (2.0 * np.pi * turns)
    area = np.pi * RADIUS**2
    bears = (YOUNG * area * RADIUS**2 / 4.0 / (DENSITY * area * 9.81)) ** (1.0 / 3.0)
    assert 0.5 < wide / bears < 2.0, wide / bears
    deep = touching.deepest(each=6)
    assert deep < 0.05, deep
    return f"{laid:.2f} m lie in {turns:.1f} turns of {100.0 * wide:.1f} cm; (B/w)^⅓ is {100.0 * bears:.1f} cm."


if __name__ == "__main__":
    studio.produce("coiling", build, check, MOMENTS, **PICTURE)
