"""Coils. Three Cosserat rods of 50, 100 and 1000 pieces hang between clamps; one end of each is turned, as in figure 5
of Spillmann & Teschner 2007, *CORDE*, but these are shorter and softer, and end before they touch themselves. Each
leaves the plane in a wide, open coil; of however many pieces they are, they look the same.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio
import transducer

FRAMES, TURNS = 52, 7.0
LENGTH, RADIUS, SPAN = 1.0, 0.004, 0.75  # m
EDGES = {"Coarse": 50, "Medium": 100, "Fine": 1000}
COLORS = {"Coarse": (0.75, 0.35, 0.03), "Medium": (0.03, 0.3, 0.4), "Fine": (0.6, 0.05, 0.05)}
AWAY = 0.3  # m, from one to the next
ALIKE = 0.03  # of the coil's diameter: how far they may be from each other
MOMENTS = {1: "clamped", 22: "out of the plane", 38: "further", FRAMES: "coiled"}
PICTURE = {"size": (420, 260), "columns": 2}


def build(edges=EDGES):
    """The scene, ready to bake; returns the finest rod."""
    scene = studio.empty_scene(FRAMES)
    scene.tendril.contact, scene.tendril.quality = False, "PREVIEW"  # a fine explicit rod takes many steps
    for k, (name, count) in enumerate(edges.items()):
        hang(name, count, (0.0, AWAY * (1 - k), 0.0))
    studio.corner(scene, size=0.9, floor=-0.4, centre=(0.5 * SPAN, 0.0, 0.0))
    studio.camera(scene, target=(0.5 * SPAN, 0.0, -0.12), width=1.05, height=0.9)
    return bpy.data.objects["Fine"]


def hang(name, pieces, place):
    """A Cosserat rod, clamped at both ends and turned at its first."""
    rod = studio.polylines(name, [transducer.sagging(LENGTH, SPAN) + place], RADIUS)
    bpy.ops.tendril.add_rod()
    settings = rod.tendril.rod
    settings.model, settings.young, settings.poisson, settings.density = "COSSERAT", 0.02, 0.5, 1000.0
    settings.bend_factor, settings.internal_damping, settings.drag_coefficient = 0.15, 0.03, 2.0
    settings.points, settings.shape_memory = pieces + 1, 0.0
    transducer.turn_on(rod, TURNS, FRAMES)
    rod.data.materials.append(looks.striped_rope(name, LENGTH, RADIUS, stripe=COLORS[name]))
    rod.select_set(False)


def check(_rod):
    """Neither is further than the bound from the finest, at the end and on the way."""
    x, rods = measure.baked()[0], measure.description().rods
    parts = np.split(x, np.cumsum([len(rod.x) for rod in rods])[:-1], axis=1)
    shapes = {rod.name: part - part[0, 0] for rod, part in zip(rods, parts, strict=True)}
    apart = {}
    for name in ("Coarse", "Medium"):
        apart[name] = max(
            between(shapes[name][frame - 1], shapes["Fine"][frame - 1]) / diameter(shapes["Fine"][frame - 1])
            for frame in (FRAMES - 16, FRAMES - 8, FRAMES)
        )
    assert max(apart.values()) <= ALIKE, apart
    wide = diameter(shapes["Fine"][-1])
    return (
        f"After {TURNS:.0f} turns the coils are {100.0 * wide:.0f} cm wide. Rods of 50 and 100 pieces are nowhere "
        f"further than {apart['Coarse']:.1%} and {apart['Medium']:.1%} of that from the one of 1000."
    )


def diameter(x):
    """Of the coil of a rod (n, 3) [m]: how wide it is across the line between its ends, level."""
    return np.ptp(x[:, 1])


def between(one, other):
    """How far a point of two lines (n, 3), (m, 3) is at most from the other line [m]."""
    return max(away(one, other), away(other, one))


def away(points, line):
    """How far points (n, 3) are at most from a line (m, 3) [m]."""
    e = np.diff(line, axis=0)
    from_start = points[:, None] - line[:-1]
    at = np.clip(np.sum(from_start * e, axis=2) / np.sum(e * e, axis=1), 0.0, 1.0)
    return np.linalg.norm(from_start - at[:, :, None] * e, axis=2).min(axis=1).max()


if __name__ == "__main__":
    studio.produce("coils", build, check, MOMENTS, **PICTURE)
