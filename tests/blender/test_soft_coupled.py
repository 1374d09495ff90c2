"""A rope, a rigid body and a soft body that meet, baked by the buttons an artist presses."""

import bpy
import numpy as np
import pytest
from bl_ext.user_default.tendril.bridge.scene import read_scene
from seen import places

FRAMES = 14
# A flat punch of side a presses by k = 1.15 E a/(1 − ν²) = 750 N/m; 1 kg that falls on it by .04 m dents by
# mg/k + √((mg/k)² + 2 (mg/k) .04 m).
DENT = 0.048  # m, at most

pytestmark = pytest.mark.once


def cube(name, size, place):
    bpy.ops.object.select_all(action="DESELECT")
    bpy.ops.mesh.primitive_cube_add(location=place)
    item = bpy.context.object
    item.name, item.scale = name, [0.5 * size] * 3
    bpy.context.view_layer.update()
    return item


def test_a_crate_lands_on_a_jelly_and_a_rope_over_both(tmp_path):
    jelly = cube("Jelly", 0.2, (0.0, 0.0, 0.11))
    bpy.ops.tendril.add_soft()
    bpy.ops.tendril.apply_soft_preset(preset="gelatine")
    jelly.tendril.soft.resolution = 3
    crate = cube("Crate", 0.1, (0.0, 0.0, 0.3))
    bpy.ops.tendril.add_body()
    data = bpy.data.curves.new("Rope", "CURVE")
    data.dimensions, data.bevel_depth = "3D", 0.006
    spline = data.splines.new("POLY")
    spline.points.add(16)
    for point, x in zip(spline.points, np.linspace(-0.3, 0.3, 17), strict=True):
        point.co = (x, 0.08, 0.3, 1.0)
    rope = bpy.data.objects.new("Rope", data)
    bpy.context.collection.objects.link(rope)
    bpy.ops.object.select_all(action="DESELECT")
    rope.select_set(True)
    bpy.context.view_layer.objects.active = rope
    bpy.ops.tendril.add_rod()
    bpy.context.scene.tendril.use_floor = True
    bpy.context.scene.frame_end = FRAMES
    given, _ = read_scene(bpy.context)
    assert (len(given.rods), len(given.bodies), len(given.solids)) == (1, 1, 1)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    top = places(jelly.tendril.result, FRAMES)[:, 2].max()
    height = crate.tendril.result.matrix_world.translation.z
    assert 0.05 < top < 0.215
    assert top - DENT < height - 0.05 < 0.24


def test_a_default_cube_hangs_calmly_on_a_light_body(tmp_path):
    """Some hundred nodes, of 8 t in all, on the 1 kg that a new rigid body has."""
    jelly = cube("Jelly", 2.0, (0.0, 0.0, 0.0))
    bpy.ops.tendril.add_soft()
    jelly.tendril.soft.resolution = 6
    group = jelly.vertex_groups.new(name="Top")
    group.add([vertex.index for vertex in jelly.data.vertices if vertex.co.z > 0.0], 1.0, "REPLACE")
    body = cube("Body", 0.5, (0.0, 0.0, 1.4))
    bpy.ops.tendril.add_body()
    pin = jelly.tendril.soft.pins.add()
    pin.name, pin.group, pin.target = "Glue", "Top", body
    bpy.context.scene.frame_end = 6
    given, _ = read_scene(bpy.context)
    assert len(given.ties[0].nodes) > 40
    assert given.bodies[0].mass == 1.0
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    drop = 0.5 * 9.81 * (5.0 / 24.0) ** 2
    assert np.abs(np.ptp(places(jelly.tendril.result, 6), axis=0) - 2.0).max() < 1e-4
    assert abs(body.tendril.result.matrix_world.translation.z - 1.4 + drop) < 0.01
