"""Looping. Three Kirchhoff rods of 50, 100 and 1000 edges hang between clamps, one end of each is turned, as are the
Cosserat rods in figures 1 and 5 of Spillmann & Teschner 2007, *CORDE*. They leave the plane, throw a loop each, and
wind it up, with more and more contacts; of however many edges they are, they look the same.
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
import transducer

FRAMES = 156
EDGES = {"Coarse": 50, "Medium": 100, "Fine": 1000}
COLORS = {"Coarse": (0.75, 0.35, 0.03), "Medium": (0.03, 0.3, 0.4), "Fine": (0.6, 0.05, 0.05)}
LENGTH, RADIUS, SPAN = 1.0, 0.004, 0.75  # m
AWAY = 0.3  # m, from one to the next
TURNS, TURNED = 7.0, 145  # frame
WINDS = (100, 112, 124, 136, FRAMES)  # frames
ALIKE = {"Coarse": 0.04, "Medium": 0.03}  # of the length: how far from the finest
MOMENTS = {1: "clamped", 76: "out of the plane", 112: "a loop", FRAMES: "wound"}
PICTURE = {"size": (420, 260), "columns": 2}
CLIP = range(1, FRAMES + 1, 5)  # frames


def build():
    """The scene, ready to bake; returns the finest rod."""
    scene = studio.empty_scene(FRAMES)
    line = transducer.sagging(LENGTH, SPAN)
    for k, (name, edges) in enumerate(EDGES.items()):
        rod = studio.polylines(name, [line + (0.0, AWAY * (1 - k), 0.0)], RADIUS)
        bpy.ops.tendril.add_rod()
        settings = rod.tendril.rod
        settings.young, settings.poisson, settings.density, settings.bend_factor = 0.02, 0.5, 1000.0, 1.0
        settings.friction, settings.internal_damping, settings.drag_coefficient = 0.1, 0.02, 2.0
        settings.points, settings.shape_memory = edges + 1, 0.0
        transducer.turn_on(rod, TURNS, TURNED)
        rod.data.materials.append(looks.material(name, COLORS[name], 0.35))
        rod.select_set(False)
    studio.corner(scene, size=0.9, floor=-0.4, centre=(0.5 * SPAN, 0.0, 0.0))
    studio.camera(scene, target=(0.5 * SPAN, 0.0, -0.12), width=1.0, height=0.4)
    return bpy.data.objects["Fine"]


def check(_rod):
    """The rods look the same at the end, and touch themselves at more and more places; not too deep."""
    x, rods = measure.baked()[0], measure.description().rods
    shapes = np.split(x, np.cumsum([len(rod.x) for rod in rods])[:-1], axis=1)
    shapes = {rod.name: shape for rod, shape in zip(rods, shapes, strict=True)}
    fine = shapes["Fine"][-1] - shapes["Fine"][0, 0]
    apart = {name: off(shapes[name][-1] - shapes[name][0, 0], fine) / LENGTH for name in ALIKE}
    assert all(apart[name] < most for name, most in ALIKE.items()), apart
    touched = [touches(shapes["Fine"][frame]) for frame in (0, *(frame - 1 for frame in WINDS))]
    assert touched[0] == 0, touched
    assert all(np.diff(touched[1:]) > 0), touched
    deep = touching.deepest(each=6)
    assert deep < 0.05, deep
    return (
        f"After {TURNS:.0f} turns the rods of 50 and 100 edges are {apart['Coarse']:.1%} and {apart['Medium']:.1%} of "
        f"their length from that of 1000, which touches itself along {touched[-1]} edges."
    )


def off(coarse, fine):
    """How far the vertices (n, 3) of a coarse rod are at most from where a fine one is at the same length [m]."""
    at = np.linspace(0.0, 1.0, len(coarse))
    same = np.column_stack([np.interp(at, np.linspace(0.0, 1.0, len(fine)), fine[:, c]) for c in range(3)])
    return np.linalg.norm(coarse - same, axis=1).max()


def touches(x):
    """How many edges of a rod at x (n, 3) touch some that are further along it than half a turn around one another."""
    middle = 0.5 * (x[1:] + x[:-1])
    along = LENGTH / len(middle) * np.arange(len(middle))
    distance = np.linalg.norm(middle[:, None] - middle, axis=2)
    apart = np.abs(along[:, None] - along) > 2.0 * np.pi * RADIUS
    return int(np.any(apart & (distance < 2.05 * RADIUS), axis=1).sum())


if __name__ == "__main__":
    studio.produce("looping", build, check, MOMENTS, **PICTURE)
