"""Tying a knot. A straight rope becomes an overhand knot: an empty leads its end over, under and through its own loop.

A second pin holds the standing part still until the end is through, then lets go; water around the limp rope keeps the
loop where it was laid.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import studio

LENGTH, RADIUS = 1.6, 0.008  # m
FRAMES, ARRIVAL = 240, 228
HELD, LET_GO = 0.3, 216  # of the length; frame
WAY = np.array([  # of the end: to the right, up, and towards the viewer [m]
    (1.6, 0, 0), (1.4, 0.4, 0.03), (1.0, 0.55, 0.06), (0.5, 0.42, 0.08), (0.3, 0.2, 0.1),  # back over a large bow,
    (0.26, 0, 0.09), (0.27, -0.14, 0), (0.34, -0.14, -0.08), (0.38, 0, -0.1),  # over the standing part, under it,
    (0.4, 0.13, -0.08), (0.41, 0.19, 0.03), (0.43, 0.19, 0.17),  # through the loop to the front,
    (0.55, 0.1, 0.25), (0.8, 0, 0.25), (0.95, -0.05, 0.15), (1.25, -0.05, 0.05),  # and away
])  # fmt: skip
MOMENTS = {1: "a straight rope", 105: "back in a bow", 128: "over", 138: "under", 152: "through", 240: "tied"}
PICTURE = {"size": (480, 250), "columns": 3}
CLIP = range(1, FRAMES + 1, 6)  # frames


def build(points=100):
    """The scene, ready to bake; returns the rope."""
    scene = studio.empty_scene(FRAMES)
    scene.use_gravity, scene.tendril.air_density = False, 1000.0
    rope = studio.curve("Rope", np.linspace((0, 0, 0), (LENGTH, 0, 0), 9), RADIUS)
    bpy.ops.tendril.add_rod()
    rod = rope.tendril.rod
    rod.young, rod.poisson, rod.density, rod.bend_factor = 2e-4, 0.5, 10.0, 1.0  # water that goes along is its inertia
    rod.internal_damping, rod.friction, rod.shape_memory, rod.points = 0.02, 0.3, 0.0, points
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY", mode="POSITION")
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=HELD, holder="EMPTY", mode="POSITION")
    start, end, middle = rope.tendril.pins
    start.mode = "TWIST"
    lead(end.target)
    for frame, influence in ((LET_GO, 1.0), (LET_GO + 1, 0.0)):
        middle.influence = influence
        middle.keyframe_insert("influence", frame=frame)
    for pin in (start, end):
        pin.target.empty_display_size = 0.05
    rope.data.materials.append(looks.striped_rope("Rope", LENGTH, RADIUS))
    studio.corner(scene, size=1.2, floor=-0.35, centre=(0.7, 0.0, 0.1))
    studio.camera(scene, target=(0.64, 0.0, 0.17), width=1.35)
    return rope


def lead(end):
    """Keys of the empty at the rope's end: along WAY, slowly at first and at last."""
    far = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(WAY, axis=0), axis=1)))
    part = 0.5 - np.sin(np.arcsin(1.0 - 2.0 * far / far[-1]) / 3.0)  # where 3 u² − 2 u³ is so much of the way
    for (right, up, near), u in zip(WAY, part, strict=True):
        end.location = (right, -near, up)
        end.keyframe_insert("location", frame=1.0 + u * (ARRIVAL - 1.0))


def check(rope):
    """A straight rope at first, an overhand knot from when the end is through; no strand in another."""
    from tendril.physics.diagnostics.knots import closing_points, knot_determinant
    from tendril.physics.diagnostics.overlap import deepest_overlap
    from tendril.physics.materials import Material
    from tendril.physics.scene import Rod

    frames = studio.shown(rope)
    rod = Rod.from_material("Rope", frames[0], RADIUS, Material(2e5, 0.5, 1000.0))
    deepest = max(deepest_overlap([rod], x, relative=True) for x in frames[::6])
    assert deepest < 0.05, deepest
    first, tied = (
        {knot_determinant(np.vstack([x, closing_points(x)])) for x in frames[span]}
        for span in (np.s_[:60], np.s_[-60:])
    )
    assert first == {1}, first
    assert tied == {3}, tied
    return f"Determinant 1 at first, 3 when tied; strands overlap by {max(100.0 * deepest, 0.0):.1f} % of the radius."


if __name__ == "__main__":
    studio.produce("tying", build, check, MOMENTS, **PICTURE)
