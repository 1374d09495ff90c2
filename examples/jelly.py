"""A jelly on a plate that somebody shakes. Its lowest face sticks to the plate; the rest wobbles on, at last as the
slowest mode of what stands there, sagged by its weight (`modes.py`).
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import modes
import studio

FRAMES, FPS = 120, 48
WIDTH, HEIGHT, ROUND = 0.10, 0.14, 0.02  # m
SHAKES = ((5, 0.0), (9, 0.02), (15, -0.02), (21, 0.02), (25, 0.0))  # frame, place of the plate [m]
CALM = 48  # the frame from which on only the slowest wobble is left
MOMENTS = {1: "served", 9: "to the right", 15: "to the left", 19: "and back", 27: "the plate stands", 33: "wobbling on"}
PICTURE = {"size": (380, 380), "columns": 3}


def build(resolution=8):
    """The scene, ready to bake; returns the jelly."""
    scene = studio.empty_scene(FRAMES)
    scene.render.fps = FPS
    plate = studio.add("Plate", disc("Plate", 0.11, 0.008))
    for frame, place in SHAKES:
        plate.location.x = place
        plate.keyframe_insert("location", index=0, frame=frame)
    jelly = studio.add("Jelly", rounded_box("Jelly"))
    bottom = jelly.vertex_groups.new(name="Bottom")
    low = [vertex.index for vertex in jelly.data.vertices if vertex.co.z < 1e-5]
    bottom.add(low, 1.0, "REPLACE")
    jelly.select_set(True)
    bpy.context.view_layer.objects.active = jelly
    bpy.ops.tendril.add_soft()
    bpy.ops.tendril.apply_soft_preset(preset="gelatine")
    jelly.tendril.soft.resolution = resolution
    plate.select_set(True)
    bpy.ops.tendril.add_soft_pin()
    studio.corner(scene, size=0.3, floor=-0.008, centre=(0.0, 0.0, 0.05), color=(0.10, 0.09, 0.085))
    studio.camera(scene, target=(0.0, 0.0, 0.065), width=0.34, height=0.25)
    return jelly


def rounded_box(name, cuts=16):
    """A mesh: a box with round edges on its lower face, z = 0, fine enough to bend smoothly."""
    bpy.ops.mesh.primitive_cube_add(size=2.0)
    cube = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.subdivide(number_cuts=cuts)
    bpy.ops.object.mode_set(mode="OBJECT")
    mesh = cube.data
    bpy.data.objects.remove(cube)
    x = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", x)
    half = 0.5 * np.array([WIDTH, WIDTH, HEIGHT])
    x = x.reshape(-1, 3) * half
    inner = np.clip(x, ROUND - half, half - ROUND)
    inner[:, 2] = np.minimum(x[:, 2], half[2] - ROUND)  # the lower edge stays sharp
    away = x - inner
    length = np.linalg.norm(away, axis=1, keepdims=True)
    x = np.where(length > 0.0, inner + ROUND * away / np.maximum(length, 1e-9), x) + [0.0, 0.0, half[2]]
    mesh.vertices.foreach_set("co", x.astype(np.float32).ravel())
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    mesh.name = name
    mesh.materials.append(looks.material("Raspberry", (0.55, 0.012, 0.03), 0.12))
    return mesh


def disc(name, radius, thickness):
    """A round plate whose upper side is at z = 0."""
    bpy.ops.mesh.primitive_cylinder_add(vertices=96, radius=radius, depth=thickness)
    item = bpy.context.object
    mesh = item.data
    bpy.data.objects.remove(item)
    mesh.vertices.foreach_set("co", (np.array([vertex.co for vertex in mesh.vertices]) - [0, 0, thickness / 2]).ravel())
    mesh.name = name
    mesh.materials.append(looks.material("China", (0.8, 0.79, 0.76), 0.2))
    return mesh


def check(_jelly):
    """The lowest face goes with the plate, no tetrahedron is inside out, and the rest wobbles in its slowest mode."""
    from tendril.physics.elements.tetrahedra import volumes

    scene = measure.description()
    (solid,), x = scene.solids, measure.baked()[0]
    held = [hold.node for hold in scene.holds]
    led = np.array([np.interp(np.arange(FRAMES) / FPS, hold.times, hold.track[:, 0]) for hold in scene.holds]).T
    astray = np.abs(x[:, held, 0] - led).max()
    assert astray < 1e-4 * HEIGHT, astray
    least = min((volumes(frame[solid.tetrahedra]) / volumes(solid.x[solid.tetrahedra])).min() for frame in x)
    assert least > 0.2, least
    upper = solid.x[:, 2] > 0.5 * HEIGHT
    sway = (x[CALM:, upper, 0] - solid.x[upper, 0]).mean(axis=1)
    turn = np.flatnonzero(np.diff(np.sign(sway)))
    times = (turn + sway[turn] / (sway[turn] - sway[turn + 1])) / FPS
    pitch = 0.5 / np.polyfit(np.arange(len(times)), times, 1)[0]
    law = modes.lowest_frequency(solid, held, scene.gravity)
    assert abs(pitch / law - 1.0) < 0.02, (pitch, law)
    return f"The jelly wobbles {pitch:.2f} times a second, in the slowest mode of what sags there: {law:.2f} times."


if __name__ == "__main__":
    studio.produce("jelly", build, check, MOMENTS, **PICTURE)
