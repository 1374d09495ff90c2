"""A jelly of eight points, and the same subdivided. Two cubes fall on balls. What is simulated is the same, with the
same tetrahedra, but the left one has points only at its corners, so its faces stay flat; *Subdivide* gave the right one
more.
"""

import sys
from pathlib import Path

import bpy
from mathutils import Vector
from mathutils.bvhtree import BVHTree

sys.path.append(str(Path(__file__).parent))
import looks
import studio

FRAMES, FPS = 40, 60
SIDE, APART = 0.2, 0.2  # m
BALL = 0.05  # m
PLAIN, FINE = "Eight points", "Subdivided"
MOMENTS = {1: "drawn", 24: "strikes", 34: "dented"}
PICTURE = {"size": (560, 300), "columns": 1}


def build(resolution=7):
    """The scene, ready to bake; returns the subdivided jelly."""
    scene = studio.empty_scene(FRAMES, FPS)
    for name, side, color in ((PLAIN, -1.0, (0.55, 0.012, 0.03)), (FINE, 1.0, (0.10, 0.28, 0.02))):
        bpy.ops.mesh.primitive_ico_sphere_add(radius=BALL, subdivisions=4, location=(side * APART, 0.0, BALL))
        ball = bpy.context.object
        ball.data.materials.append(looks.material("Ball", (0.6, 0.6, 0.62), 0.3))
        bpy.ops.object.shade_smooth()
        studio.collider(ball, 0.001)
        ball.select_set(False)
        bpy.ops.mesh.primitive_cube_add(size=SIDE, location=(side * APART, 0.0, 2.0 * BALL + 0.53 * SIDE))
        cube = bpy.context.object
        cube.name = name
        cube.data.materials.append(looks.material(name, color, 0.12))
        bpy.ops.tendril.add_soft()
        bpy.ops.tendril.apply_soft_preset(preset="gelatine")
        cube.tendril.soft.resolution = resolution
        if name == FINE:
            bpy.ops.tendril.subdivide_soft()
        cube.select_set(False)
        studio.label(name, (side * APART, -0.19, 0.02), 0.03, align="CENTER")
    scene.tendril.use_floor = True
    studio.corner(scene, size=0.6, floor=0.0, centre=(0.0, 0.0, 0.1), color=(0.10, 0.09, 0.085))
    studio.camera(scene, target=(0.0, 0.0, 0.13), width=0.86, height=0.12)
    return bpy.data.objects[FINE]


def check(_jelly):
    """The drawn face of the one runs through the ball, that of the other lies on it."""
    scene = bpy.context.scene
    scene.frame_set(FRAMES - 6)
    poked = [deepest(bpy.data.objects[name].tendril.result, side) for name, side in ((PLAIN, -1.0), (FINE, 1.0))]
    assert poked[1] < 0.25 * poked[0], poked
    assert poked[0] > 0.2 * BALL, poked
    return (
        f"The ball stands {1e3 * poked[0]:.0f} mm into the flat face, and {1e3 * max(poked[1], 0.0):.0f} mm into the "
        "one that is subdivided."
    )


def deepest(shown, side):
    """[m] by which what is drawn of a bake runs through its ball."""
    tree = BVHTree.FromObject(shown, bpy.context.evaluated_depsgraph_get())
    centre = Vector((side * APART, 0.0, BALL))
    place = tree.find_nearest(shown.matrix_world.inverted() @ centre)[0]
    return BALL - (shown.matrix_world @ place - centre).length


if __name__ == "__main__":
    studio.produce("facets", build, check, MOMENTS, **PICTURE)
