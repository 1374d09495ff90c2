"""A knot, from a curve to keyframes to a picture: `make demo`, or in any Blender that has Tendril

    blender -b --python examples/trefoil_knot.py

A curve tied in a loose trefoil knot becomes a springy rope that is straight at rest, and settles. Its ends are clamped
to two empties, which pull it tight, then twist it and give way, until the knot jumps to another shape (Bergou 2008,
figure 1).
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import studio

FRAMES = 250
RADIUS = 0.011  # m
PULL, TWIST = (15, 85), (100, 215)  # frames
JUMP = 8  # frames, from the twisted shape to the other one


def loose_knot(reach=0.11, gap=0.022, loop=0.10, tail=0.14):
    """Control points (k, 3) [m]: two strands turn around each other by three half turns; a loop; tails along x."""
    s = np.linspace(-1.0, 1.0, 15)
    turn = 1.5 * np.pi * (s + 1.0)
    strand = np.stack([reach * s, -gap * np.sin(turn), gap * np.cos(turn)], axis=1)
    angle = np.linspace(-0.34 * np.pi, 1.34 * np.pi, 13)
    around = np.stack([1.25 * loop * np.cos(angle), 0.0 * angle, -gap - 0.02 - loop * (1.0 + np.sin(angle))], axis=1)
    out = np.stack([np.linspace(0.05, tail, 4) + reach, np.zeros(4), np.full(4, gap)], axis=1)
    return np.vstack([out[::-1] * (-1, 1, 1), strand, around, strand * (1, -1, -1), out])


def build(points=140):
    """The scene, ready to bake; returns the rope."""
    scene = studio.empty_scene(FRAMES)
    rope = studio.curve("Rope", loose_knot(), RADIUS)
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset="garden_hose")
    rod = rope.tendril.rod
    rod.shape_memory, rod.points, rod.friction = 0.0, points, 0.15
    scene.tendril.settle = True
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY", mode="TWIST")
    clamps = [pin.target for pin in rope.tendril.pins]
    for clamp, side in zip(clamps, (-1.0, 1.0), strict=True):
        animate(clamp, side)
        grip(clamp, side)
    rope.data.materials.append(looks.striped_rope("Rope", 1.46, RADIUS))
    studio.corner(scene, size=0.9, floor=-0.42)
    studio.camera(scene, target=(0.0, 0.0, -0.085), width=1.38, height=0.2)
    return rope


def animate(clamp, side, pull=0.35, give=0.24, turns=3.5):
    """Keys of a clamp: it draws away, then turns while it gives way."""
    for frame, moved in ((PULL[0], 0.0), (PULL[1], pull), (TWIST[0], pull), (TWIST[1], pull - give)):
        clamp.location.x += side * moved
        clamp.keyframe_insert("location", index=0, frame=frame)
        clamp.location.x -= side * moved
    for frame, turned in ((TWIST[0], 0.0), (TWIST[1], turns)):
        clamp.rotation_euler.x = side * turned * 2.0 * np.pi
        clamp.keyframe_insert("rotation_euler", index=0, frame=frame)


def grip(clamp, side):
    """A hexagonal chuck with a bar across, which shows how far it has turned."""
    clamp.empty_display_size = 0.05
    brass, steel = looks.brass(), looks.material("Steel", (0.5, 0.52, 0.55), 0.3, 1.0)
    for data, place, across in (
        (looks.prism("Chuck", 6, 0.032, 0.075, brass), 0.03, False),
        (looks.prism("Collar", 48, 0.022, 0.02, steel), -0.015, False),
        (looks.prism("Bar", 32, 0.0065, 0.15, steel), 0.035, True),
    ):
        part = studio.add(data.name, data, (side * place, 0.0, 0.0), clamp)
        part.rotation_euler = (0.0, 0.0, 0.0) if across else (0.0, 0.5 * np.pi, 0.0)


def check(rope):
    """What has to be true of a baked knot: it plays, its rope keeps its length, it stays a trefoil, and it jumps."""
    from tendril.physics.diagnostics.knots import closing_points, knot_determinant

    assert len(rope.tendril.result.data.shape_keys.key_blocks) == FRAMES
    x = studio.shown(rope)
    length = np.linalg.norm(np.diff(x, axis=1), axis=2)
    stretch = np.abs(length / length.mean() - 1.0).max()
    assert stretch < 1e-4, stretch
    knots = {knot_determinant(np.vstack([frame, closing_points(frame)])) for frame in x}
    assert knots == {3}, knots
    speed = speeds(x).max()
    assert speed > 0.5, speed
    return f"{FRAMES} frames of a trefoil knot; lengths true to {stretch:.0e}; it jumps at up to {speed:.1f} m/s."


def speeds(x):
    """The speed [m/s] of the fastest vertex in each frame after the twisting has begun, x (F, n, 3)."""
    return np.linalg.norm(np.diff(x[TWIST[0] :], axis=0), axis=2).max(axis=1) * bpy.context.scene.render.fps


def moments(rope):
    """What there is to see; the knot jumps when it is fastest, which is not the same frame on every machine."""
    jump = TWIST[0] + int(speeds(studio.shown(rope)).argmax()) + 1
    return {
        PULL[0]: "loose", PULL[1]: "tight", (TWIST[0] + jump - JUMP) // 2: "twisting",
        jump - JUMP: "twisted", jump: "jumping", FRAMES: "at rest",
    }  # fmt: skip


if __name__ == "__main__":
    studio.produce("trefoil_knot", build, check, moments, size=(720, 290), columns=2)
