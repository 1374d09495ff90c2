"""A rope on Suzanne. It falls on her and stays, however she shakes her head, by Blender's own Collision physics."""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio

FRAMES = 120
LENGTH, RADIUS = 2.4, 0.009  # m
SIZE = 0.25  # of Suzanne's own
SHAKES = ((50, 0.0), (56, 0.5), (64, -0.5), (72, 0.5), (80, -0.5), (88, 0.0))  # frame, turn about the vertical [rad]
MOMENTS = {1: "let go", 12: "it lands", 45: "it lies", 58: "she shakes her head", 76: "and again", 120: "still there"}
PICTURE = {"size": (380, 380), "columns": 3}


def build(points=160):
    """The scene, ready to bake; returns the rope."""
    scene = studio.empty_scene(FRAMES)
    bpy.ops.mesh.primitive_monkey_add(size=2.0)
    suzanne = bpy.context.object
    suzanne.name, suzanne.scale = "Suzanne", (SIZE, SIZE, SIZE)
    suzanne.modifiers.new("Subdivision", "SUBSURF")
    suzanne.data.polygons.foreach_set("use_smooth", [True] * len(suzanne.data.polygons))
    suzanne.data.materials.append(looks.material("Clay", (0.42, 0.16, 0.07), 0.45))
    suzanne.modifiers.new("Collision", "COLLISION")
    suzanne.collision.thickness_outer = 0.002
    for frame, turn in SHAKES:
        suzanne.rotation_euler.z = turn
        suzanne.keyframe_insert("rotation_euler", index=2, frame=frame)
    suzanne.select_set(False)
    a = np.linspace(0.0, 1.0, 60)
    turns = 2.0 * np.pi * 2.2 * a
    across = 0.15 + 0.04 * a
    rope = studio.curve(
        "Rope", np.stack([across * np.cos(turns), 0.02 + across * np.sin(turns), 0.34 + 0.16 * a], axis=1), RADIUS
    )
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset="polyester_rope")
    rope.tendril.rod.points = points
    rope.tendril.rod.shape_memory = 0.0
    rope.data.materials.append(looks.striped_rope("Rope", LENGTH, RADIUS))
    scene.tendril.use_floor, scene.tendril.floor_height = True, -0.26
    studio.corner(scene, size=1.0, floor=-0.26, centre=(0.0, 0.0, 0.0))
    studio.camera(scene, target=(0.0, 0.0, 0.02), width=1.0)
    return rope


def check(_rope):
    """By brute force, at every tenth frame: how deep the rope is in Suzanne at most, and that it is nowhere through
    her.
    """
    from tendril.physics.diagnostics.surface_overlap import deepest_in_surface, intersections

    scene = measure.description()
    (suzanne,) = scene.colliders
    deepest = -np.inf
    for frame, x in list(enumerate(measure.baked()[0]))[::10]:
        sample = np.searchsorted(suzanne.times, frame * scene.frame_duration - 1e-9)  # none where she stands still
        points = suzanne.points[min(sample, len(suzanne.times) - 1)]
        assert intersections(scene.rods, x, suzanne, points) == 0
        deepest = max(deepest, deepest_in_surface(scene.rods, x, suzanne, points) / RADIUS)
    assert deepest < 0.05, deepest
    return f"The rope is never deeper in Suzanne than {max(deepest, 0.0):.1%} of its radius, and nowhere through her."


if __name__ == "__main__":
    studio.produce("suzanne", build, check, MOMENTS, **PICTURE)
