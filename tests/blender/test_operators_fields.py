"""Add Wind: air that comes up in a second and then blows in gusts, as F-curves an artist can edit."""

import sys
from pathlib import Path

import bpy
import numpy as np
import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "examples"))
import sapling
import studio

LEVELS = (sapling.Level(5, (0.3, 0.95), 1.0, 0.4, 5, 0.1, 0.1), sapling.Level(3, (0.3, 0.9), 0.8, 0.4, 4, 0.1, 0.1))


@pytest.fixture
def scene():
    return bpy.context.scene


def speeds(item, last=1000):
    """Of the air [Blender units/s] at every frame from 1 on."""
    found = []
    for frame in range(1, last + 1):
        bpy.context.scene.frame_set(frame)
        found.append(item.evaluated_get(bpy.context.evaluated_depsgraph_get()).field.strength)
    return np.array(found)


def arrows(item, last=1000):
    """Unit vectors (last, 3) along which the air moves at every frame from 1 on."""
    found = []
    for frame in range(1, last + 1):
        bpy.context.scene.frame_set(frame)
        found.append(item.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.col[2][:3])
    return np.array(found)


@pytest.mark.once
def test_a_tree_in_the_wind_starts_without_a_jolt_and_never_stops_moving(scene):
    scene.frame_end, tree = 100, sapling.tree("Oak", sapling.grow(levels=LEVELS))
    bpy.ops.tendril.add_tree()
    bpy.ops.tendril.add_wind()
    bpy.context.view_layer.objects.active = tree
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    keys = tree.tendril.result.data.shape_keys.key_blocks
    every = np.array([[tuple(point.co) for point in key.data] for key in keys])
    assert np.linalg.norm(every - every[0], axis=2).max() >= 0.05 * np.ptp(every[0, :, 2])
    x = studio.shown(tree)  # of the trunk
    speed = np.linalg.norm(np.diff(x, axis=0), axis=2).max(axis=1) * scene.render.fps
    assert speed[0] < 0.01 * speed.max()
    assert speed[:6].max() < 0.1 * speed.max()
    assert np.median(speed[-25:]) > 0.03  # m/s


def skeleton(radius):
    """A small tree of a skeleton of edges, 2.4 m high: a trunk with four limbs."""
    x, edges = [(0.0, 0.0, 0.3 * k) for k in range(9)], [(k, k + 1) for k in range(8)]
    for number, at in enumerate((3, 4, 5, 6)):
        side = np.array([np.cos(2.4 * number), np.sin(2.4 * number), 0.8])
        for k in range(1, 5):
            x.append(tuple(np.array(x[at]) + 0.2 * k * side))
            edges.append((at if k == 1 else len(x) - 2, len(x) - 1))
    mesh = bpy.data.meshes.new("Skeleton")
    mesh.from_pydata(x, edges, [])
    item = bpy.data.objects.new("Skeleton", mesh)
    bpy.context.collection.objects.link(item)
    item.modifiers.new("Skin", "SKIN")
    bpy.context.view_layer.objects.active = item
    item.select_set(True)
    for vertex in mesh.skin_vertices[0].data:
        vertex.radius = (radius, radius)
    assert bpy.ops.tendril.tree_from_skeleton() == {"FINISHED"}
    return bpy.context.object


def speed_of(wind):
    curves = wind.animation_data.action.layers[0].strips[0].channelbags[0].fcurves
    return curves.find("field.strength").keyframe_points[-1].co[1]


@pytest.mark.once
def test_wind_on_a_tree_is_as_fast_as_moves_it_visibly(scene, capfd):
    scene.frame_end, tree = 40, skeleton(0.022)
    bpy.ops.tendril.add_wind()
    speed = speed_of(bpy.context.object)
    assert 8.0 < speed <= 42.0
    assert f"{speed:.0f} m/s move '{tree.name}' by a twentieth of its height" in "".join(capfd.readouterr())
    bpy.context.view_layer.objects.active = tree
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    keys = tree.tendril.result.data.shape_keys.key_blocks
    x = np.array([[tuple(point.co) for point in key.data] for key in keys])
    way = np.linalg.norm(x - x[0], axis=2).max()
    assert way >= 0.05 * 2.4
    assert way < 0.5 * 2.4


def test_a_tree_that_no_wind_moves_visibly_says_which_would(scene, capfd):
    tree = skeleton(0.1)
    bpy.ops.tendril.add_wind()
    assert speed_of(bpy.context.object) == 42.0
    said = "".join(capfd.readouterr())
    assert f"At 42 m/s '{tree.name}' moves by 0.0" in said
    assert "m/s would move it by a twentieth of that: less Stiffness or thickness, or more Leaves" in said
    bpy.ops.tendril.add_wind(speed=5.0)
    assert speed_of(bpy.context.object) == 5.0


def test_wind_where_there_is_no_tree_is_a_fresh_breeze(scene):
    bpy.ops.tendril.add_wind()
    assert speed_of(bpy.context.object) == 8.0


def test_the_wind_rises_in_the_first_second_of_the_bake_and_then_gusts(scene):
    scene.render.fps, scene.frame_start = 30, 11
    bpy.ops.tendril.add_wind(speed=10.0, gusts=0.8)
    speed = speeds(bpy.context.object)
    assert not speed[:11].any()
    assert np.all(np.diff(speed[10:30]) > 0.0)
    blowing = speed[41:]
    assert blowing.mean() == pytest.approx(10.0, rel=0.1)
    assert 0.1 < blowing.std() / blowing.mean() < 0.35  # turbulence intensity near the ground
    assert blowing.min() > 0.0
    assert np.abs(np.diff(blowing)).max() < 0.1 * 10.0  # no jitter from frame to frame


def test_its_arrow_sways_and_can_still_be_turned_by_hand(scene):
    bpy.ops.tendril.add_wind()
    air = bpy.context.object
    along_x = arrows(air)
    sideways = np.degrees(np.arctan2(along_x[:, 1], along_x[:, 0]))
    assert 3.0 < sideways.std() < 15.0
    assert np.abs(sideways).max() < 40.0
    assert abs(sideways.mean()) < 3.0
    air.rotation_euler.z = 0.5 * np.pi
    along_y = arrows(air)
    assert along_y.mean(axis=0)[1] > 0.9


def test_gusts_take_as_long_at_any_frame_rate_and_are_as_fast_at_any_unit_scale(scene):
    found = []
    for fps, scale in ((24, 1.0), (48, 0.01)):
        scene.render.fps, scene.unit_settings.scale_length = fps, scale
        bpy.ops.tendril.add_wind()
        found.append(speeds(bpy.context.object, 20 * fps)[:: fps // 24] * scale)
    assert found[1][24:] == pytest.approx(found[0][24:], abs=1e-3)


def test_it_blows_along_x_from_the_cursor_at_eight_metres_a_second_in_any_units(scene):
    scene.unit_settings.scale_length = 0.1
    scene.cursor.location = (1.0, 2.0, 3.0)
    assert bpy.ops.tendril.add_wind(gusts=0.0) == {"FINISHED"}
    air = bpy.context.object
    assert tuple(air.location) == (1.0, 2.0, 3.0)
    assert speeds(air, 30)[-1] == pytest.approx(80.0)
    assert arrows(air, 1)[0] == pytest.approx((1.0, 0.0, 0.0), abs=1e-6)


def test_without_gusts_it_blows_steadily_and_another_seed_is_another_wind(scene):
    bpy.ops.tendril.add_wind(speed=3.0, gusts=0.0)
    steady = bpy.context.object
    assert speeds(steady)[24:] == pytest.approx(3.0)
    assert np.ptp(arrows(steady), axis=0).max() < 1e-6
    winds = []
    for seed in (0, 1):
        bpy.ops.tendril.add_wind(seed=seed)
        winds.append(speeds(bpy.context.object)[24:])
    assert abs(np.corrcoef(*winds)[0, 1]) < 0.4


def test_frames_that_end_before_they_start_are_said_and_nothing_is_added(scene):
    scene.tendril.use_frame_range, scene.tendril.frame_start, scene.tendril.frame_end = True, 50, 1
    with pytest.raises(RuntimeError, match="before its start 50"):
        bpy.ops.tendril.add_wind()
    assert not bpy.data.objects
