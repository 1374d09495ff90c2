"""Add › Curve › Knot: where it is put, how large, that it is a rod at once, and that it bakes without an overlap."""

from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.operators.baking import Baking
from bl_ext.user_default.tendril.operators.knot import LABELS
from bl_ext.user_default.tendril.physics.validate.overlap import overlaps
from bl_ext.user_default.tendril.ui import knot

POSTS = {"clove_hitch", "cow_hitch", "constrictor", "round_turn"}


def knots():
    return [item.identifier for item in bpy.ops.tendril.add_knot.get_rna_type().properties["knot"].enum_items]


def add(knot, **settings):
    """The rope of a new knot, active as a new object is."""
    assert bpy.ops.tendril.add_knot(knot=knot, **settings) == {"FINISHED"}
    return bpy.context.object


def control_points(rope):
    return [np.array([point.co for point in spline.bezier_points]) for spline in rope.data.splines]


def test_there_are_twenty_knots_and_more():
    assert len(LABELS) >= 20
    assert set(LABELS) == set(knots())


@pytest.mark.parametrize("knot", LABELS)
def test_each_is_a_rod_that_overlaps_nothing(knot):
    rope = add(knot, ends=0.3)
    assert rope.tendril.is_rod
    assert rope.tendril.rod.preset == "polyester_rope"
    assert rope.name == LABELS[knot]
    scene, owners = read_scene(bpy.context)[:2]
    assert len(scene.rods) == len(rope.data.splines)
    assert overlaps(scene) == [], owners
    posts = [item for item in bpy.context.scene.objects if item.type == "MESH"]
    assert len(posts) == (knot in POSTS)
    assert all(item.select_get() and item.collision for item in posts)


def test_the_menu_lists_them():
    menu = bpy.types.VIEW3D_MT_curve_add
    assert any(draw.__module__.endswith(".ui.knot") for draw in menu.draw._draw_funcs)
    asked = []
    layout = SimpleNamespace(operator_menu_enum=lambda *names, **_options: asked.append(names))
    knot.draw_add(SimpleNamespace(layout=layout), bpy.context)
    assert asked == [("tendril.add_knot", "knot")]


def test_it_is_put_at_the_cursor_as_asked():
    bpy.context.scene.cursor.location = (1.0, 2.0, 3.0)
    bpy.context.scene.cursor.rotation_euler = (0.5, 0.0, 0.0)
    assert np.allclose(add("overhand").location, (1.0, 2.0, 3.0))
    rope = add("clove_hitch", align="CURSOR", rotation=(0, 0, 0))
    assert rope.rotation_euler.x == pytest.approx(0.5)
    post = next(item for item in bpy.context.scene.objects if item.type == "MESH")
    assert post.matrix_world == rope.matrix_world
    assert add("square", location=(4, 5, 6), rotation=(0, 0, 1)).rotation_euler.z == pytest.approx(1.0)


def test_radius_looseness_ends_and_resolution():
    (plain,) = control_points(add("figure_eight", radius=0.01))
    thick = add("figure_eight", radius=0.05)
    assert thick.data.bevel_depth == pytest.approx(0.05)
    assert np.allclose(control_points(thick)[0], 5.0 * plain, atol=1e-6)
    (loose,) = control_points(add("figure_eight", radius=0.01, looseness=2.0))
    assert np.allclose(loose, 2.0 * plain, atol=1e-6)
    (long,) = control_points(add("figure_eight", radius=0.01, ends=0.5))
    assert np.ptp(long[:, 0]) == pytest.approx(np.ptp(plain[:, 0]) + 1.0, abs=0.03)
    (fine,) = control_points(add("figure_eight", radius=0.01, resolution=4))
    assert len(fine) == pytest.approx(2 * len(plain), abs=2)


def test_numbers_of_turns():
    assert len(add("torus", around=4, through=6).data.splines) == 2
    assert len(add("turks_head", leads=3, bights=6).data.splines) == 3
    assert all(spline.use_cyclic_u for spline in bpy.context.object.data.splines)


def test_a_curve_only():
    rope = add("bowline", as_rod=False)
    assert not rope.tendril.is_rod
    assert bpy.ops.tendril.add_rod() == {"FINISHED"}


def test_of_another_material():
    assert add("overhand", preset="steel_wire").tendril.rod.preset == "steel_wire"


def test_ends_without_end():
    with pytest.raises(RuntimeError, match="longer by 5000 radii at most"):
        bpy.ops.tendril.add_knot(radius=1e-4, ends=100.0)


def test_not_in_edit_mode():
    rope = add("overhand")
    bpy.ops.object.mode_set(mode="EDIT")
    assert not bpy.ops.tendril.add_knot.poll()
    bpy.ops.object.mode_set(mode="OBJECT")
    assert rope.name in bpy.context.scene.objects


def test_one_step_of_undo():
    bpy.ops.ed.undo_push(message="before")
    before = set(bpy.data.objects.keys())
    bpy.ops.tendril.add_knot("EXEC_DEFAULT", True, knot="clove_hitch")
    assert len(bpy.data.objects) == len(before) + 2
    if bpy.ops.ed.undo.poll():  # a Blender without a window may keep no steps
        bpy.ops.ed.undo()
        assert set(bpy.data.objects.keys()) == before


@pytest.mark.parametrize("knot", ["overhand", "figure_eight", "square", "sheet_bend", "trefoil"])
def test_it_settles_and_bakes_calmly(knot, tmp_path):
    rope = add(knot)
    scene = bpy.context.scene
    scene.frame_end, scene.tendril.settle, scene.tendril.use_floor = 5, True, True
    scene.tendril.floor_height = -0.1
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "knot.blend"))
    baking = Baking(bpy.context)
    baking.run(bpy.context, lambda said: None)
    run = bpy.context.window_manager.tendril
    assert not run.failed, run.message
    assert [warning.text for warning in run.warnings] == []
    assert len(rope.tendril.result.data.shape_keys.key_blocks) == 5
