"""Figure 9. A rod drawn as a parabola is twisted at its ends in a thick liquid and winds around itself: a plectoneme.

Then two empties, far away, draw at its ends with pins that give way at T. A long plectoneme of a rod of radius r winds
at the angle α with T = (B/r²) sin⁴α (½ + 1/cos 2α), and twists its ends with M = (2B/r) cos α sin³α/cos 2α.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio

FRAMES = 200
RADIUS, WIDE, DEEP, LEAD = 0.0065, 0.3, 0.45, 0.03  # m, LEAD of it straight at each end
TURN, TURNS = (2, 110), 8.0  # frames
PULL, AWAY = (125, 145), 0.5  # frames, m
NAIL, OUT = 0.0125, 118  # of the length, frame
TENSION = 0.026  # B/r²
STIFF = 1.2e-3  # GPa
MOMENTS = {1: "drawn", 70: "twisted", 96: "winding", FRAMES: "wound"}
PICTURE = {"size": (240, 300), "columns": 4}
CLIP = range(1, FRAMES + 1, 6)  # frames


def build(points=160):
    """The scene, ready to bake; returns the rod."""
    scene = studio.empty_scene(FRAMES)
    scene.use_gravity, scene.tendril.air_density = False, 50.0
    s = np.linspace(-1.0, 1.0, 201)
    line = np.stack([0.5 * WIDE * s, 0.0 * s, -DEEP * (1.0 - s * s) ** 2], axis=1)
    lead = np.array([[-LEAD, 0.0, 0.0], [LEAD, 0.0, 0.0]])
    rod = studio.polylines("Rod", [np.vstack([line[0] + lead[0], line, line[-1] + lead[1]])], RADIUS)
    bpy.ops.tendril.add_rod()
    settings = rod.tendril.rod
    settings.young, settings.poisson, settings.density, settings.bend_factor = STIFF, 0.5, 1000.0, 1.0
    settings.drag_coefficient, settings.friction, settings.internal_damping = 2.0, 0.0, 0.02
    settings.points, settings.shape_memory = points, 0.0
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY", mode="TWIST")
    for pin, side in zip(rod.tendril.pins, (-1.0, 1.0), strict=True):
        pin.max_force = TENSION * bend_stiffness() / RADIUS**2
        empty, end = pin.target, side * (0.5 * WIDE + LEAD)
        empty.rotation_mode, empty.rotation_axis_angle = "AXIS_ANGLE", (0.0, 1.0, 0.0, 0.0)
        studio.steadily(empty, "rotation_axis_angle", 0, {TURN[0]: 0.0, TURN[1]: side * TURNS * np.pi})
        studio.steadily(empty, "location", 0, {PULL[0]: end, PULL[1]: end + side * AWAY})
    for fraction in (NAIL, 1.0 - NAIL):  # hold the ends' places until it is wound
        bpy.ops.tendril.add_pin(place="FRACTION", fraction=fraction, holder="EMPTY", mode="POSITION")
        nail = rod.tendril.pins[-1]
        nail.max_force = 100.0 * rod.tendril.pins[0].max_force
        for frame, influence in ((OUT, 1.0), (OUT + 4, 0.0)):
            nail.influence = influence
            nail.keyframe_insert("influence", frame=frame)
    rod.data.materials.append(looks.striped_rope("Rod", 1.06, RADIUS))
    studio.corner(scene, size=0.7, floor=-0.62)
    studio.camera(scene, target=(0.0, 0.0, -0.23), width=0.52)
    return rod


def bend_stiffness():
    """B [N m²]."""
    return STIFF * 1e9 * 0.25 * np.pi * RADIUS**4


def strands(x):
    """Of the plectoneme's middle: the vertices (k,) of one strand and those (k,) of the other next to them."""
    apart = np.linalg.norm(x[:, None] - x[None], axis=2)
    steps = np.abs(np.subtract.outer(np.arange(len(x)), np.arange(len(x))))
    apart[steps * np.linalg.norm(x[1] - x[0]) < 8.0 * RADIUS] = np.inf
    partner = apart.argmin(axis=1)
    touching = np.flatnonzero((apart.min(axis=1) < 2.2 * RADIUS) & (partner > np.arange(len(x))))
    inner = touching[len(touching) // 4 : -len(touching) // 4]
    return inner, partner[inner]


def check(rod):
    """α from the two strands, M from the twist: both closed forms hold."""
    x, m1, _ = (frames[-1] for frames in measure.baked())
    one, other = strands(x)
    assert len(one) >= 10, one
    ahead = np.gradient(x, axis=0)
    ahead /= np.linalg.norm(ahead, axis=1)[:, None]
    alpha = 0.5 * np.arccos(-np.sum(ahead[one] * ahead[other], axis=1))
    assert np.ptp(alpha) < 0.1 * alpha.mean(), alpha
    a, r, b = alpha.mean(), RADIUS, bend_stiffness()
    torque = b / 1.5 * np.abs(measure.twist(x, m1)).mean() / np.linalg.norm(x[1] - x[0])
    law = 2.0 * b / r * np.cos(a) * np.sin(a) ** 3 / np.cos(2.0 * a)
    tension = b / r**2 * np.sin(a) ** 4 * (0.5 + 1.0 / np.cos(2.0 * a))
    drawn = TENSION * b / RADIUS**2
    assert abs(torque / law - 1.0) < 0.1, (torque, law)
    assert abs(drawn / tension - 1.0) < 0.1, (drawn, tension)
    return (
        f"Wound at α = {np.degrees(a):.1f}°, it turns its ends with {1e6 * torque:.0f} µN m where the closed form asks "
        f"for {1e6 * law:.0f}, and is drawn with {1e3 * drawn:.0f} mN for {1e3 * tension:.0f}."
    )


if __name__ == "__main__":
    studio.produce("figure_09_plectoneme", build, check, MOMENTS, **PICTURE)
