"""A crane. A rope lies over a roller without facets, its start on a winch, a crate at its end; *Paid Out* is keyed, so
the rope is drawn in over the roller and lifts the crate, which swings a little as the rope stops.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio

FRAMES = 96
WHOLE = 0.999  # of the length of the line, whose pieces are chords of it
KEYS = {1: 1.0, 8: 1.0, 72: 0.8}  # of the rope, paid out at frames
RADIUS, ROLLER, HEIGHT = 0.008, 0.07, 1.1  # m: of the rope, of the roller, of its axis
CLEAR = 0.003  # m off the roller, which the rope settles on
WINCH = np.array([-0.75, 0.0, 0.12])
SIDE, DOWN, DENSITY = 0.26, 0.42, 240.0  # m, m: how high the rope ends at the start, kg/m³
MOMENTS = {1: "made fast", 30: "drawn in", 54: "lifted", 96: "hanging"}
PICTURE = {"size": (360, 440), "columns": 4}


def build(points=100):
    """The scene, ready to bake; returns the rope."""
    scene = studio.empty_scene(FRAMES)
    steel = looks.material("Steel", (0.75, 0.77, 0.8), 0.35, 1.0)
    paint = looks.material("Paint", (0.85, 0.45, 0.03), 0.4)
    frame_of_crane(paint)
    roller(steel)
    crate = studio.add("Crate", looks.crate("Crate", (SIDE,) * 3, looks.material("Wood", (0.42, 0.24, 0.1), 0.65)))
    crate.location = over(1)[-1] - [0.0, 0.0, 0.5 * SIDE]
    studio.rigid_body(crate, DENSITY)
    line = over(12)
    length = np.linalg.norm(np.diff(line, axis=0), axis=1).sum()
    rope = studio.polylines("Rope", [line], RADIUS)
    rope.data.materials.append(looks.striped_rope("Rope", length, RADIUS))
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset="hemp_rope")
    rope.tendril.rod.points, rope.tendril.rod.friction = points, 0.1
    bpy.ops.tendril.add_pin(place="START", holder="EMPTY", mode="POSITION")
    crate.select_set(True)
    bpy.ops.tendril.add_pin(place="END", holder="OBJECT", mode="POSITION")
    crate.select_set(False)
    winch = rope.tendril.pins[0]
    winch.winch = True
    for frame, part in KEYS.items():
        winch.paid_out = part * WHOLE * length
        winch.keyframe_insert("paid_out", frame=frame)
    scene.tendril.settle = True
    studio.corner(scene, size=1.0, floor=0.0, centre=(0.0, 0.0, 0.6))
    studio.camera(scene, target=(-0.3, 0.0, 0.62), width=1.5, height=0.1)
    return rope


def over(steps):
    """Points (k, 3) from the winch, around the roller in so many steps, to the crate."""
    out = ROLLER + RADIUS + CLEAR
    foot = np.array([0.0, 0.0, HEIGHT]) - WINCH
    away = np.hypot(foot[0], foot[2])
    begin = np.arctan2(-foot[2], -foot[0]) - np.arccos(out / away)  # where the rope reaches it
    angle = np.linspace(begin % (2.0 * np.pi), 0.0, steps + 1)
    around = np.stack([out * np.cos(angle), 0.0 * angle, HEIGHT + out * np.sin(angle)], axis=1)
    return np.vstack([WINCH, around, [out, 0.0, DOWN]])


def roller(look):
    """What the rope runs over: a cylinder that has no facets for what touches it."""
    bpy.ops.mesh.primitive_cylinder_add(
        radius=ROLLER, depth=0.16, vertices=64, location=(0.0, 0.0, HEIGHT), rotation=(0.5 * np.pi, 0.0, 0.0)
    )
    item = bpy.context.object
    item.name = "Roller"
    item.data.materials.append(look)
    bpy.ops.object.shade_smooth_by_angle()
    studio.collider(item, 0.0, 0.1)
    item.tendril.collider.cylinder = True


def frame_of_crane(look):
    """Mast, foot and jib, beside the rope."""
    for name, place, sides in (
        ("Mast", (-0.75, 0.13, 0.58), (0.07, 0.07, 1.16)),
        ("Jib", (-0.36, 0.13, HEIGHT), (0.86, 0.06, 0.06)),
        ("Foot", (-0.6, 0.13, 0.03), (0.6, 0.3, 0.06)),
        ("Axle", (0.0, 0.06, HEIGHT), (0.03, 0.2, 0.03)),
    ):
        bpy.ops.mesh.primitive_cube_add(size=1.0, location=place)
        bpy.context.object.name, bpy.context.object.scale = name, sides
        bpy.context.object.data.materials.append(look)
        bpy.context.object.select_set(False)


def check(rope):
    """The rope is as long as its winch pays out at every frame, and the crate goes up by what has been drawn in."""
    scene, (x, _, poses) = measure.description(), measure.baked()
    length = np.linalg.norm(np.diff(x, axis=1), axis=2).sum(axis=1)
    off = np.abs(length / scene.rods[0].keyed.paid_out[: len(x)] - 1.0).max()
    assert off < 1e-6, off
    lifted, drawn_in = poses[-24:, 0, 2].mean() - poses[0, 0, 2], length[0] - length[-1]
    assert abs(lifted / drawn_in - 1.0) < 0.01, (lifted, drawn_in)
    assert not bpy.context.window_manager.tendril.warnings
    return f"{drawn_in:.3f} m of rope are drawn in, and the crate goes up by {lifted:.3f} m."


if __name__ == "__main__":
    studio.produce("crane", build, check, MOMENTS, **PICTURE)
