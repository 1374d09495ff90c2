"""What an animator does with a bake: edits its source and comes back, duplicates it, deletes it."""

from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from artist import choose, draw_rod
from bl_ext.user_default.tendril.bridge import body_result, copies, result, stripe
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.physics.validate import SceneError
from bl_ext.user_default.tendril.properties.body import bereft, is_edited
from mathutils import Euler, Matrix

MOVED = Matrix.LocRotScale((3, -1, 2), Euler((0.3, 0.2, 1.0)), (1, 1, 1))


def new_rope(name="Rope", y=0.0):
    return draw_rod(name, [(index / 2, y + 0.1 * index**2, 0) for index in range(8)], depth=0.05)


def bake(read=read_scene, frames=3):
    """Show a made-up bake of the scene, in which rods drift along x; returns its description."""
    scene, meta = read(bpy.context)
    m1 = np.concatenate([stripe.unit(np.cross(rod.edges(), (0.3, 0.1, 1.0))) for rod in scene.rods])
    x, bodies = np.concatenate([rod.x for rod in scene.rods]), np.zeros((len(scene.bodies), 7))
    bodies[:, 3] = 1.0
    for number, body in enumerate(scene.bodies):
        bodies[number, :3] = body.position
    cache = SimpleNamespace(frames=range(frames), read=lambda k: (x + [0.1 * k, 0, 0], m1, bodies))
    result.show(bpy.context, meta, cache)
    return scene


def duplicate(item, *, linked=False):
    """As Shift D does, or Alt D."""
    choose(item)
    bpy.ops.object.duplicate(linked=linked)
    return bpy.context.object


def first_points(item):
    bpy.context.scene.frame_set(1)
    evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([evaluated.matrix_world @ point.co for point in evaluated.data.splines[0].bezier_points])


def test_edit_source_shows_what_was_drawn_and_comes_back_to_the_same_bake():
    rope = new_rope()
    bake()
    item = rope.tendril.result
    item.data.bevel_depth = 0.2
    choose(item)
    assert bpy.ops.tendril.edit_source() == {"FINISHED"}
    assert rope.visible_get()
    assert not item.visible_get()
    assert (rope.hide_render, item.hide_render) == (True, False)
    assert bpy.context.object == rope
    assert bpy.context.selected_objects == [rope]
    assert is_edited(rope)
    bpy.ops.object.mode_set(mode="EDIT")
    assert bpy.ops.tendril.edit_source() == {"FINISHED"}
    assert bpy.context.mode == "OBJECT"
    assert not rope.visible_get()
    assert item.visible_get()
    assert bpy.context.object == item == rope.tendril.result
    assert item.data.bevel_depth == pytest.approx(0.2)
    assert len(item.data.shape_keys.key_blocks) == 3
    bpy.ops.tendril.revert()
    assert (rope.hide_viewport, rope.hide_render) == (False, False)


def test_a_bake_of_a_source_that_is_edited_shows_the_bake_again():
    rope = new_rope()
    bake()
    choose(rope.tendril.result)
    bpy.ops.tendril.edit_source()
    bake()
    assert rope.tendril.result.visible_get()
    assert not rope.visible_get()


def test_nothing_baked_has_no_source_to_edit():
    choose(new_rope())
    with pytest.raises(RuntimeError, match="Nothing that is selected is baked"):
        bpy.ops.tendril.edit_source()


def test_a_deleted_result_is_named_and_gives_its_source_back():
    rope = new_rope()
    bake()
    choose(rope.tendril.result)
    bpy.ops.object.delete()
    assert bereft(bpy.context.scene) == [rope]
    assert bpy.ops.tendril.revert() == {"FINISHED"}
    assert rope.visible_get()
    assert not bereft(bpy.context.scene)
    assert len(bpy.data.curves) == 1
    bake()
    choose(rope.tendril.result)
    bpy.ops.object.delete()
    bpy.context.view_layer.objects.active = rope
    bpy.ops.tendril.edit_source()
    assert rope.visible_get()


def test_a_moved_copy_of_a_result_bakes_as_a_rod_of_its_own_where_it_was_put():
    rope = new_rope()
    rope.tendril.rod.density = 1234.0
    bake()
    copy = duplicate(rope.tendril.result)
    copy.matrix_basis, copy.data.bevel_depth = MOVED @ copy.matrix_basis, 0.2
    scene = bake(copies.read_scene_of_all)
    assert len(scene.rods) == 2
    own = copy.tendril.source
    assert own != rope
    assert own.data != rope.data
    assert own.tendril.result == copy
    assert own.tendril.rod.density == 1234.0
    assert own.hide_render
    wanted = scene.rods[0].x @ np.array(MOVED)[:3, :3].T + np.array(MOVED)[:3, 3]
    assert np.allclose(scene.rods[1].x, wanted, atol=1e-5)
    assert np.allclose(first_points(copy), wanted, atol=1e-5)
    assert copy.data.bevel_depth == pytest.approx(0.2)
    scene = bake(copies.read_scene_of_all)
    assert len(scene.rods) == 2
    assert np.allclose(first_points(copy), wanted, atol=1e-5)
    bpy.ops.tendril.revert()
    assert {item.name for item in bpy.data.objects} == {rope.name, own.name}
    assert own.visible_get()
    assert not own.hide_render


def test_a_copy_that_stays_in_place_is_kept_as_a_take_and_a_linked_one_plays_the_new_bake():
    rope = new_rope()
    bake()
    take = duplicate(rope.tendril.result)
    instance = duplicate(rope.tendril.result, linked=True)
    instance.location.x += 5.0
    rope.location.z += 1.0
    before = first_points(take)
    for _ in range(2):
        assert len(bake(copies.read_scene_of_all).rods) == 1
    assert np.allclose(first_points(take), before)
    assert instance.data == rope.tendril.result.data


def test_a_keyed_source_gives_its_copy_the_same_keys_beside_it():
    rope = new_rope()
    for frame, x in ((1, 0.0), (3, 1.0)):
        rope.location.x = x
        rope.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(1)
    bake()
    copy = duplicate(rope.tendril.result)
    copy.location.y += 2.0
    scene = bake(copies.read_scene_of_all)
    assert np.allclose(scene.rods[1].x - scene.rods[0].x, (0.0, 2.0, 0.0), atol=1e-5)


def test_a_refused_bake_leaves_a_copy_as_it_was():
    rope = new_rope()
    bake()
    copy = duplicate(rope.tendril.result)
    copy.location.x += 2.0
    rope.scale.x = 0.0
    objects, curves = set(bpy.data.objects), set(bpy.data.curves)
    with pytest.raises(SceneError):
        copies.read_scene_of_all(bpy.context)
    assert (set(bpy.data.objects), set(bpy.data.curves)) == (objects, curves)
    assert copy.tendril.source == rope
    rope.scale.x = 1.0
    assert len(copies.read_scene_of_all(bpy.context)[0].rods) == 2


def test_add_rod_makes_a_rod_of_a_copy_and_shows_its_curve():
    rope = new_rope()
    bake()
    copy = duplicate(rope.tendril.result)
    copy.location.x += 2.0
    assert bpy.ops.tendril.add_rod() == {"FINISHED"}
    own = bpy.context.object
    assert own == copy.tendril.source
    assert own.tendril.is_rod
    assert own.visible_get()
    assert not copy.visible_get()
    assert len(read_scene(bpy.context)[0].rods) == 2


def test_leaves_of_a_copied_tree_go_with_the_copy():
    tree = new_rope("Tree")
    tree.tendril.is_tree = True
    bpy.ops.mesh.primitive_cube_add(size=0.1)
    leaf = bpy.context.object
    leaf.parent = tree
    bake()
    choose(leaf.tendril.result, tree.tendril.result)
    bpy.ops.object.duplicate()
    copy = bpy.context.object
    copy.location.x += 5.0
    bake(copies.read_scene_of_all)
    (own,) = copy.tendril.source.children
    assert own != leaf
    assert own.tendril.result.parent == copy
    bpy.context.scene.frame_set(1)
    assert np.allclose(own.tendril.result.matrix_world.translation, (5.0, 0.0, 0.0), atol=1e-5)
    bpy.ops.tendril.revert()
    assert len(bpy.data.objects) == 4


def test_add_rigid_body_makes_one_of_a_copy_of_a_baked_one():
    new_rope(y=9.0)
    bpy.ops.mesh.primitive_cube_add()
    cube = bpy.context.object
    bpy.ops.tendril.add_body()
    bake()
    copy = duplicate(cube.tendril.result)
    copy.location.x += 4.0
    assert bpy.ops.tendril.add_body() == {"FINISHED"}
    own = bpy.context.object
    assert own == copy.tendril.source
    assert np.allclose(own.location, (4.0, 0.0, 0.0), atol=1e-6)
    assert len(read_scene(bpy.context)[0].bodies) == 2
    body_result.revert(own)
    assert copies.is_copy(cube) is False


def test_a_duplicate_of_a_hidden_source_is_seen_once_the_bake_is_gone():
    rope = new_rope()
    bake()
    rope.hide_viewport = False  # as the Outliner can
    early = duplicate(rope)
    early.location.y += 1.0
    assert early.hide_render
    bake()  # it has a bake of its own
    assert early.tendril.result != rope.tendril.result
    rope.hide_viewport = False
    late = duplicate(rope)
    bpy.ops.tendril.revert()
    for item in (rope, early, late):
        assert (item.hide_viewport, item.hide_render) == (False, False), item.name
