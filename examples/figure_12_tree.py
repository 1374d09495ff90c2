"""Figure 12. A tree bends and twists in an arctic wind; its twin, of wood that does not resist twisting, spins.

Wind and vortices are Blender's, a vortex around each trunk; gravity is off, for nothing would hold the twin up.
"""

import sys
from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import sapling
import studio
import tree

FRAMES = 38
WIND, VORTEX, APART = 10.0, 7.0, 8.0  # m/s, 1/s², m
LEVELS = (replace(sapling.LEVELS[0], count=14), *sapling.LEVELS[1:])
NO_TWIST = 1e-6  # of the stiffness
MOMENTS = {1: "calm: left half painted red", 20: "in the wind", FRAMES: "one sways, one spins"}
PICTURE = {"size": (760, 400), "columns": 1}


def build():
    """The scene, ready to bake; returns the tree of oak and the one without twisting stiffness."""
    scene = studio.empty_scene(FRAMES)
    scene.use_gravity = False
    twins = [plant("Oak", 0.0, 1.0), plant("Twist-free", APART, NO_TWIST)]
    blow("WIND", (-5.0, -2.0, 2.0), (0.0, 0.5 * np.pi, 0.0), WIND)
    for place in (0.0, APART):
        blow("VORTEX", (place, 0.0, 4.0), (0.0, 0.0, 0.0), VORTEX).use_max_distance = True
    tree.outdoors(scene)
    studio.camera(scene, target=(0.5 * APART + 0.3, 0.0, 4.05), width=19.5, height=0.02)
    return twins


def plant(name, place, twist_factor):
    item = sapling.tree(name, sapling.grow(levels=LEVELS))
    item.location.x = place
    bpy.ops.tendril.add_tree()
    item.tendril.rod.twist_factor *= twist_factor
    paint(item)
    item.select_set(False)
    return item


def paint(item):
    """Boughs that begin on the left are red: where they went is seen."""
    item.data.materials.append(tree.bark())
    item.data.materials.append(looks.material("Red", (0.5, 0.03, 0.015), roughness=0.7))
    for spline in item.data.splines:
        spline.material_index = int(spline.bezier_points[-1].co.x < spline.bezier_points[0].co.x)
    item.data.splines[0].material_index = 0


def blow(kind, place, rotation, strength):
    """One of Blender's fields, growing in the first half second."""
    bpy.ops.object.effector_add(type=kind, location=place, rotation=rotation)
    item = bpy.context.object
    for frame, value in {1: 0.0, 12: strength}.items():
        item.field.strength = value
        item.field.keyframe_insert("strength", frame=frame)
    if kind == "VORTEX":
        item.field.distance_max = 0.4 * APART
    item.select_set(False)
    return item.field


def turned(x):
    """How far (F,) [rad] a crown has turned about the vertical through its root, x (F, n, 3) from there."""
    start, now = x[0, :, :2], x[:, :, :2]
    crown = np.linalg.norm(start, axis=1) > 0.5
    across = start[crown, 0] * now[:, crown, 1] - start[crown, 1] * now[:, crown, 0]
    return np.unwrap(np.arctan2(across.sum(axis=1), np.sum(start[crown] * now[:, crown], axis=(1, 2))))


def check(twins):
    """The tree holds out against the vortex, its twin turns and turns."""
    oak, free = np.split(measure.baked()[0], 2, axis=1)
    assert oak.shape[1] >= 2000, oak.shape
    oak, free = (np.degrees(np.abs(turned(x - x[0, 0])).max()) for x in (oak, free))
    assert 2.0 < oak < 15.0, oak
    assert free > 90.0, free
    return f"The crown of the oak turns by {oak:.0f}° at most, that of its twin by {free:.0f}°."


if __name__ == "__main__":
    studio.produce("figure_12_tree", build, check, MOMENTS, **PICTURE)
