"""Suzanne lands on the stairs. Of soft silicone, she falls on a flight of stairs, squashes, bounces, and rolls down."""

import sys
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio

FRAMES, FPS = 48, 24
SIZE = 0.17  # of Suzanne's own
STEPS, TREAD, RISE, WIDE = 5, 0.26, 0.13, 1.3  # , m, m, m
DROP = 0.48  # m above the landing
MOMENTS = {1: "let go", 10: "she lands", 15: "squashed", 20: "and up", 32: "on the next", 46: "and down"}
PICTURE = {"size": (420, 380), "columns": 3}


def build(resolution=8):
    """The scene, ready to bake; returns Suzanne."""
    scene = studio.empty_scene(FRAMES, FPS)
    stairs()
    top = STEPS * RISE
    bpy.ops.mesh.primitive_monkey_add(size=2.0, location=(1.45 * TREAD, 0.0, top + DROP), rotation=(0.2, 0.35, 0.5))
    suzanne = bpy.context.object
    suzanne.name, suzanne.scale = "Suzanne", (SIZE, SIZE, SIZE)
    suzanne.data.polygons.foreach_set("use_smooth", [True] * len(suzanne.data.polygons))
    suzanne.modifiers.new("Smooth", "SUBSURF").render_levels = 2
    suzanne.data.materials.append(looks.material("Silicone", (0.02, 0.30, 0.33), 0.3))
    bpy.ops.tendril.add_soft()
    bpy.ops.tendril.apply_soft_preset(preset="silicone")
    suzanne.tendril.soft.young, suzanne.tendril.soft.resolution = 40.0, resolution
    scene.tendril.use_floor, scene.tendril.floor_friction = True, 0.5
    studio.corner(scene, size=1.2, floor=0.0, centre=(0.5, 0.0, 0.3))
    middle = Vector((0.62, 0.0, 0.42))
    view = studio.camera(scene, target=middle, width=1.9, height=0.3)
    view.location.x += 0.9
    view.rotation_euler = (view.location - middle).to_track_quat("Z", "Y").to_euler()
    return suzanne


def stairs():
    """A closed mesh of steps that go down to the right, from x = −TREAD on, a collider."""
    profile = [(-TREAD, -0.05), (-TREAD, STEPS * RISE)]
    for step in range(STEPS):
        profile += [((step + 1) * TREAD, (STEPS - step) * RISE), ((step + 1) * TREAD, (STEPS - step - 1) * RISE)]
    profile[-1] = (STEPS * TREAD, -0.05)
    oak = looks.material("Oak", (0.24, 0.13, 0.06), 0.45)
    item = studio.add("Stairs", looks.extruded("Stairs", profile, WIDE, oak))
    studio.collider(item, 0.001)


def inside(x):
    """How deep [m] points (…, 3) are in the stairs; negative: above them."""
    step = np.clip(np.floor(x[..., 0] / TREAD), 0, STEPS)  # the top one begins at −TREAD
    above = (STEPS - step) * RISE - x[..., 2]
    beside = np.maximum(step + 1.0, 1.0) * TREAD - x[..., 0]
    on = (x[..., 0] > -TREAD) & (np.abs(x[..., 1]) < 0.5 * WIDE)
    return np.where(on, np.minimum(above, beside), -np.inf)


def check(_suzanne):
    """She has landed, is never in the stairs nor inside out, and keeps her size."""
    from tendril.physics.elements.tetrahedra import volumes

    scene, x = measure.description(), measure.baked()[0]
    (solid,) = scene.solids
    drawn = volumes(solid.x[solid.tetrahedra])
    least = min((volumes(frame[solid.tetrahedra]) / drawn).min() for frame in x)
    assert least > 0.1, least
    deep = inside(x).max()
    assert deep < 0.002, deep
    fallen = (x[0] - x[-1]).mean(axis=0)[2]
    assert fallen > 0.8 * DROP, fallen
    size = [np.linalg.norm(one - one.mean(axis=0), axis=1).mean() for one in x]
    squashed = [np.ptp(one[:, 2]) for one in x]
    assert abs(size[-1] / size[0] - 1.0) < 0.05, size[-1] / size[0]
    return (
        f"She falls {fallen:.2f} m, is {min(squashed) / squashed[0]:.2f} times as high as drawn where she is squashed "
        f"most, and is never deeper in the stairs than {max(1e3 * deep, 0.0):.1f} mm."
    )


if __name__ == "__main__":
    studio.produce("soft_landing", build, check, MOMENTS, **PICTURE)
