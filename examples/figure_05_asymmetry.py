"""Figure 5. Two ribbons, at rest a V and a half circle; one end is clamped, the other turned about its own direction.

In a straight round rod twist would spread evenly. In these it gathers at the end that is turned, and needs many turns
to jump over the kink of the V.
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
LENGTH, RADIUS, ASPECT = 1.0, 0.008, 2.5  # m, half the thickness, half the width over that
TURN, TURNS = (10, 190), 2.4  # frames
PLACES = {"V": 0.0, "Half circle": 0.78}  # m
MOMENTS = {1: "at rest", 70: "0.8 turns", 145: "1.8 turns", FRAMES: "2.4 turns"}
PICTURE = {"size": (480, 220), "columns": 2}


def build(points=48):
    """The scene, ready to bake; returns the ribbons: the V and the half circle."""
    scene = studio.empty_scene(FRAMES)
    scene.use_gravity, scene.tendril.contact = False, False
    look, section = looks.striped_rope("Ribbon", LENGTH, 2.0 * RADIUS), ellipse()
    s = np.linspace(-1.0, 1.0, points + 1)
    vee = 0.5 * LENGTH * np.stack([0.65 * s, 0.0 * s, 0.3 - 0.76 * np.sqrt(s * s + 1e-3)], axis=1)
    arc = LENGTH / np.pi * np.stack([np.sin(0.5 * np.pi * s), 0.0 * s, np.cos(0.5 * np.pi * s) - 0.6], axis=1)
    ribbons = [
        ribbon(name, line + (PLACES[name], 0.0, 0.0), look, section)
        for name, line in (("V", vee), ("Half circle", arc))
    ]
    studio.corner(scene, size=0.9, floor=-0.45)
    studio.camera(scene, target=(0.39, 0.0, -0.05), width=1.7, height=0.2)
    return ribbons


def ellipse():
    """The ribbons' section, as wide as they bend."""
    angle = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    section = studio.curve(
        "Section", RADIUS * np.stack([ASPECT * np.cos(angle), np.sin(angle), 0 * angle], axis=1), 0.0, True
    )
    section.hide_render = True
    section.select_set(False)
    return section


def ribbon(name, line, look, section):
    item = studio.polylines(name, [line], RADIUS)
    item.data.bevel_mode, item.data.bevel_object = "OBJECT", section
    bpy.ops.tendril.add_rod()
    rod = item.tendril.rod
    rod.use_radius, rod.radius, rod.aspect, rod.shape_memory = True, RADIUS, ASPECT, 1.0
    rod.young, rod.poisson, rod.density, rod.internal_damping = 0.03, 0.5, 1200.0, 0.02
    rod.bend_factor, rod.twist_factor = 1.0, 0.3
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY", mode="TWIST")
    turned = item.tendril.pins[1].target
    turned.rotation_mode, turned.rotation_axis_angle = "AXIS_ANGLE", (0.0, *measure.tangents(line)[-1])
    studio.steadily(turned, "rotation_axis_angle", 0, {TURN[0]: 0.0, TURN[1]: TURNS * 2.0 * np.pi})
    item.data.materials.append(look)
    item.select_set(False)
    return item


def check(ribbons):
    """The share of the twist that is in the turned half: nearly all at first; in the V it jumps to about one half."""
    x, m1, _ = measure.baked()
    shares = []
    for k, place in enumerate(np.split(x, 2, axis=1)):
        edges = place.shape[1] - 1
        twist = measure.twist(place, m1[:, k * edges : (k + 1) * edges])
        shares.append(twist[:, edges // 2 :].sum(axis=1) / twist.sum(axis=1))
    turns = TURNS * np.clip((np.arange(FRAMES) - TURN[0] + 1) / (TURN[1] - TURN[0]), 0.0, 1.0)
    vee, arc = shares
    jump = int(np.argmax((turns > 0.3) & (vee < 0.75)))
    leak = int(np.argmax((turns > 0.3) & (arc < 0.75)))
    assert vee[(turns > 0.3) & (turns < turns[jump] - 0.2)].min() > 0.9, vee
    assert 0.4 < vee[jump + 15] < 0.6, vee[jump:]
    assert arc[(turns > 0.3) & (turns < 0.5 * turns[leak])].min() > 0.9, arc
    assert turns[leak] < 0.6 * turns[jump], (turns[leak], turns[jump])
    return (
        f"Over 90 % of the twist stays in the turned half of the V until it jumps the kink at {turns[jump]:.1f} turns; "
        f"in the half circle it comes round at {turns[leak]:.1f}."
    )


if __name__ == "__main__":
    studio.produce("figure_05_asymmetry", build, check, MOMENTS, **PICTURE)
