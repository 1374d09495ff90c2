"""The object that shows a bake: it looks like its source, plays what was baked, and goes without a trace."""

from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from bl_ext.user_default.tendril.bridge import result, stripe
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.physics.validate import SceneError
from mathutils import Euler, Matrix

FIRST = 3


def new_rope(*, closed=False, count=8, splines=1, matrix=None):
    data = bpy.data.curves.new("Rope", "CURVE")
    data.dimensions, data.bevel_depth, data.bevel_resolution, data.use_fill_caps = "3D", 0.05, 0, True
    for number in range(splines):
        s = np.linspace(0, 5, count, endpoint=not closed)
        spline = data.splines.new("POLY")
        spline.points.add(count - 1)
        for point, place in zip(spline.points, np.column_stack([np.cos(s), np.sin(s), number + 0.1 * s]), strict=True):
            point.co, point.radius = (*place, 1.0), 0.5 + 0.1 * place[0]
        spline.use_cyclic_u, spline.material_index, spline.use_smooth = closed, number, number % 2 == 0
    rope = bpy.data.objects.new("Rope", data)
    bpy.context.scene.collection.objects.link(rope)
    rope.matrix_world = matrix or Matrix.Identity(4)
    rope.tendril.is_rod = True
    return rope


def moving(rods, count):
    """Frames (x, m1) of a bake in which every rod drifts and bends; m1 lies across the edges."""
    frames = []
    for frame in range(count):
        x = [
            rod.x + np.outer(np.sin(np.arange(len(rod.x)) * 0.3 + 0.1 * frame), (0.0, 0.3, 0.1)) + 0.01 * frame
            for rod in rods
        ]
        edges = [stripe.directions(own, rod.closed)[0] for own, rod in zip(x, rods, strict=True)]
        m1 = [stripe.unit(np.cross(edge, (0.3, 0.1, 1.0))) for edge in edges]
        frames.append((np.concatenate(x), np.concatenate(m1), np.zeros((0, 7))))
    return frames


def bake(count=12):
    """(meta, the frames baked, cache) of the scene as it is."""
    bpy.context.scene.frame_start = FIRST
    scene, meta = read_scene(bpy.context)
    frames = moving(scene.rods, count)
    return meta, frames, SimpleNamespace(frames=range(count), read=frames.__getitem__)


def show(count=12):
    meta, frames, cache = bake(count)
    return result.show(bpy.context, meta, cache), frames


def drawn_points(item, frame):
    """Where the evaluated control points of an object are in the world, read off the rings of its mesh."""
    bpy.context.scene.frame_set(int(frame), subframe=frame % 1)
    evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    v = np.array([evaluated.matrix_world @ vertex.co for vertex in mesh.vertices])
    evaluated.to_mesh_clear()
    sides = 4 + 2 * item.data.bevel_resolution
    centre = v[: len(v) // sides * sides].reshape(-1, sides, 3).mean(axis=1)
    found, first = [], 0
    for spline in item.data.splines:
        steps = spline.resolution_u * np.arange(len(spline.bezier_points))
        found.append(centre[first + steps])
        first += steps[-1] + 1
    return np.concatenate(found)


def everything():
    return {
        (kind, item.name) for kind in ("objects", "curves", "actions", "shape_keys", "scenes", "meshes", "materials")
        for item in getattr(bpy.data, kind)
    }  # fmt: skip


def open_caps(rope):
    rope.data.use_fill_caps = False
    return rope


@pytest.mark.parametrize("count", [1, 2, 12])
@pytest.mark.parametrize("scale_length", [1.0, 0.01])
def test_every_frame_plays_where_it_was_baked(count, scale_length):
    bpy.context.scene.unit_settings.scale_length = scale_length
    open_caps(new_rope(matrix=Matrix.LocRotScale((30, 2, 1), Euler((1, 2, 0.5)), (2, 1, -1))))
    (item,), frames = show(count)
    for index, (x, *_) in enumerate(frames):
        assert np.allclose(drawn_points(item, FIRST + index) * scale_length, x, atol=2e-5 * scale_length)
    if count > 1:
        half = 0.5 * (frames[0][0] + frames[1][0])
        assert np.allclose(drawn_points(item, FIRST + 0.5) * scale_length, half, atol=2e-5 * scale_length)
    assert np.allclose(drawn_points(item, FIRST - 2) * scale_length, frames[0][0], atol=2e-5 * scale_length)
    assert np.allclose(drawn_points(item, FIRST + count + 5) * scale_length, frames[-1][0], atol=2e-5 * scale_length)


@pytest.mark.parametrize("keyframes", [False, True])
def test_frames_play_where_they_were_baked_in_time_that_is_stretched(keyframes):
    bpy.context.scene.render.frame_map_old, bpy.context.scene.render.frame_map_new = 100, 80
    rope = open_caps(new_rope())
    (item,), frames = show()
    if keyframes:
        result.bake_to_keyframes(rope)
    for index, (x, *_) in enumerate(frames):
        assert np.allclose(drawn_points(item, FIRST + index), x, atol=2e-5)


def test_a_closed_rod_comes_back_to_its_first_point():
    new_rope(closed=True)
    (item,), frames = show()
    (spline,) = item.data.splines
    assert not spline.use_cyclic_u
    assert not item.data.use_fill_caps
    assert len(spline.bezier_points) == 9
    points = drawn_points(item, FIRST + 5)
    assert np.allclose(points, np.vstack([frames[5][0], frames[5][0][:1]]), atol=1e-5)


def test_several_splines_are_one_result():
    three = open_caps(new_rope(splines=3))
    open_caps(new_rope(splines=1))
    for number, spline in enumerate(three.data.splines):
        three.data.materials.append(bpy.data.materials.new(f"Strand {number}"))
        spline.material_index = number
    results, frames = show()
    assert [len(item.data.splines) for item in results] == [3, 1]
    points = np.concatenate([drawn_points(item, FIRST + 7) for item in results])
    assert np.allclose(points, frames[7][0], atol=1e-5)
    assert [spline.material_index for spline in results[0].data.splines] == [0, 1, 2]
    assert [spline.use_smooth for spline in results[0].data.splines] == [True, False, True]


def test_the_result_looks_like_its_source_and_stands_on_its_own():
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    rope = new_rope(matrix=Matrix.LocRotScale((1, 2, 3), Euler((1, 0, 0)), (2, 2, 2)))
    rope.parent = parent
    rope.constraints.new("COPY_ROTATION").target = parent
    rope.modifiers.new("Hook", "HOOK").object = parent
    rope.modifiers.new("Thick", "SOLIDIFY")
    rope.pass_index, rope.color = 7, (1, 0, 0, 1)
    rope.data.materials.append(bpy.data.materials.new("Hemp"))
    rope.shape_key_add(name="Basis")
    rope.keyframe_insert("location", frame=1)
    rope.data.keyframe_insert("bevel_depth", frame=1)
    rope.tendril.pins.add().target = parent
    bpy.context.view_layer.update()
    start = np.array(rope.matrix_world)
    (item,), _ = show()
    assert item.parent is None
    assert not item.constraints
    assert item.animation_data is None
    assert [modifier.name for modifier in item.modifiers] == ["Thick"]
    assert (item.pass_index, tuple(item.color)) == (7, (1, 0, 0, 1))
    assert [material.name for material in item.data.materials] == ["Hemp"]
    assert item.data.bevel_depth == rope.data.bevel_depth
    assert item.data.twist_mode == "MINIMUM"
    assert item.data.render_resolution_u in {0, item.data.splines[0].resolution_u}  # the tilt holds at one resolution
    assert all(spline.tilt_interpolation == "LINEAR" for spline in item.data.splines)
    radius = [point.radius for point in item.data.splines[0].bezier_points]
    assert np.allclose(radius, [point.radius for point in rope.data.splines[0].points])
    assert np.allclose(item.matrix_world, start, atol=1e-6)
    assert not item.tendril.is_rod
    assert not item.tendril.pins
    assert rope.tendril.is_rod
    assert len(rope.tendril.pins) == 1


def test_handles_continue_straight_through_every_vertex():
    new_rope()
    (item,), _ = show()
    local = np.array([point.co for point in item.data.splines[0].bezier_points])
    for index, point in enumerate(item.data.splines[0].bezier_points):
        assert point.handle_left_type == point.handle_right_type == "FREE"
        if 0 < index < len(local) - 1:
            third = (local[index + 1] - local[index - 1]) / 6
            assert np.allclose(point.handle_right - point.co, third, atol=1e-6)
            assert np.allclose(point.handle_left - point.co, -third, atol=1e-6)


@pytest.mark.parametrize("hidden", [(False, False), (True, False), (False, True)])
def test_the_source_hides_and_revert_brings_it_back_as_it_was(hidden):
    rope = new_rope()
    rope.hide_viewport, rope.hide_render = hidden
    before = everything()
    (item,), _ = show()
    show()  # a second bake must not remember that the first one hid it
    assert rope.hide_viewport
    assert rope.hide_render
    assert not item.hide_viewport
    assert not item.hide_render
    assert everything() != before
    result.revert(rope)
    assert (rope.hide_viewport, rope.hide_render) == hidden
    assert rope.tendril.result is None
    assert everything() == before


def test_a_bake_takes_the_place_of_the_last_one_and_keeps_what_was_done_to_the_object():
    open_caps(new_rope())
    (item,), _ = show(20)
    item.name = "Hero Rope"
    item.modifiers.new("Mine", "SOLIDIFY").show_viewport = False
    once = everything()
    (again,), frames = show(5)
    assert again == item
    assert again.modifiers
    assert {kind for kind, _ in everything()} == {kind for kind, _ in once}
    assert len(everything()) == len(once)
    assert len(again.data.shape_keys.key_blocks) == 5
    assert np.allclose(drawn_points(again, FIRST + 4), frames[4][0], atol=1e-5)


@pytest.mark.parametrize("scale", [(1, 1, 1), (3, 3, 3), (2, 1, 0.5)])
def test_textures_lie_on_the_first_frame_as_on_the_drawing(scale):
    """What Blender calls Object and Generated coordinates of the same places, by the two objects."""
    rope = open_caps(new_rope(matrix=Matrix.LocRotScale((1, 2, 3), Euler((1, 0.3, 0)), scale)))
    (item,), frames = show()
    bpy.context.view_layer.update()
    places = np.column_stack([frames[0][0], np.ones(8)]) @ np.array(rope.matrix_world).T  # any will do

    def coordinates(owner):
        own = (places @ np.linalg.inv(np.array(owner.matrix_world)).T)[:, :3]
        return own, (own - owner.data.texspace_location) / owner.data.texspace_size

    (object_drawn, generated_drawn), (object_baked, generated_baked) = (coordinates(each) for each in (rope, item))
    assert np.allclose(generated_baked, generated_drawn, atol=1e-5)
    assert np.allclose(object_baked, object_drawn, atol=1e-5) == (len(set(scale)) == 1)


def painted(name):
    return bpy.data.materials.new(name)


def looks(item):
    """What an artist may have set on a result, as one comparable value."""
    data = item.data
    return {
        "materials": [material.name for material in data.materials],
        "slot": [(slot.link, slot.material and slot.material.name) for slot in item.material_slots],
        "depth": data.bevel_depth, "bevel": data.bevel_resolution, "mode": data.bevel_mode,
        "object": data.bevel_object, "caps": data.use_fill_caps, "smooth": data.resolution_u,
        "drawn": {spline.resolution_u for spline in data.splines}, "grown": round(data.bevel_factor_end, 5),
        "shade": [(spline.use_smooth, spline.material_index) for spline in data.splines],
        "custom": (item.get("mood"), list(data.get("mood", ()))),
        "colour": tuple(item.color), "camera": item.visible_camera,
        "modifiers": [(each.name, each.type, each.show_render) for each in item.modifiers],
        "parent": item.parent, "name": item.name, "collections": [each.name for each in item.users_collection],
        "constraints": [each.type for each in item.constraints],
    }  # fmt: skip


def dress(item):
    """All that `looks` lists, done to a result by its artist."""
    data, ring = item.data, bpy.data.objects.new("Ring", bpy.data.curves.new("Ring", "CURVE"))
    shelf = bpy.data.collections.new("Shelf")
    bpy.context.scene.collection.children.link(shelf)
    shelf.objects.link(item)
    data.materials[0] = painted("Red")
    data.materials.append(painted("Blue"))
    item.material_slots[1].link = "OBJECT"
    item.material_slots[1].material = painted("Own")
    data.bevel_depth, data.bevel_resolution, data.bevel_mode, data.bevel_object = 0.2, 5, "OBJECT", ring
    data.use_fill_caps, data.resolution_u, data.bevel_factor_end = False, 6, 0.75
    data.splines[0].use_smooth, data.splines[0].material_index = False, 1
    item["mood"], data["mood"] = "calm", [1, 2]
    item.color, item.visible_camera = (0, 0, 1, 1), False
    item.modifiers.new("Mine", "TRIANGULATE").show_render = False
    item.modifiers.remove(item.modifiers["Thick"])
    item.parent, item.name = ring, "Hero Rope"
    item.constraints.new("CHILD_OF")


def test_all_that_was_put_on_a_result_stays_through_another_bake():
    rope = new_rope()
    rope.data.materials.append(painted("Hemp"))
    rope.modifiers.new("Thick", "SOLIDIFY")
    (item,), _ = show()
    plain = looks(item)
    dress(item)
    dressed = looks(item) | {"drawn": {6}}
    assert all(dressed[what] != plain[what] for what in plain), "each is changed"
    for count in (12, 5):
        (again,), _ = show(count)
        assert again == item
        assert looks(item) == dressed


def test_what_the_source_changed_since_the_last_bake_arrives_where_the_artist_changed_nothing():
    rope = new_rope(splines=2)
    rope.data.materials.append(painted("Hemp"))
    rope.modifiers.new("Thick", "SOLIDIFY").thickness = 0.1
    (item,), _ = show()
    data = item.data
    item.data.bevel_depth, item["mood"] = 0.2, "calm"
    rope.data.bevel_depth, rope.data.bevel_resolution = 0.07, 3
    rope.data.materials[0] = painted("Steel")
    rope.data.materials.append(painted("Rust"))
    rope.data.splines[1].use_smooth = True
    rope.color, rope["mood"], rope["age"] = (1, 0, 0, 1), "wild", 7
    rope.modifiers["Thick"].thickness = 0.3
    rope.modifiers.new("Cut", "TRIANGULATE")
    rope.data.bevel_mode = "PROFILE"
    rope.data.bevel_profile.points.add(0.2, 0.7)
    rope.data.bevel_profile.points[1].handle_type_1 = "VECTOR"
    show()
    assert item.data == data
    assert (data.bevel_depth, data.bevel_resolution) == (pytest.approx(0.2), 3)
    assert [material.name for material in data.materials] == ["Steel", "Rust"]
    assert data.splines[1].use_smooth
    assert (tuple(item.color), item["mood"], item["age"]) == ((1, 0, 0, 1), "calm", 7)
    assert [(each.name, each.type) for each in item.modifiers] == [("Thick", "SOLIDIFY"), ("Cut", "TRIANGULATE")]
    assert item.modifiers["Thick"].thickness == pytest.approx(0.3)
    profiles = [
        [(*point.location, point.handle_type_1) for point in one.bevel_profile.points] for one in (data, rope.data)
    ]
    assert profiles[0] == profiles[1]
    assert len(profiles[0]) == 3
    rope.modifiers.remove(rope.modifiers["Cut"])
    del rope["age"]
    rope.data.bevel_depth = 0.2
    show()
    assert [each.name for each in item.modifiers] == ["Thick"]
    assert "age" not in item
    rope.data.bevel_depth = 0.3  # the artist's value was the source's for one bake: it is no override any more
    show()
    assert data.bevel_depth == pytest.approx(0.3)


def test_keys_the_artist_put_on_a_result_play_on_after_another_bake():
    new_rope()
    (item,), _ = show()
    for frame, value in ((1, 0.0), (11, 1.0)):
        item.data.bevel_factor_end = value
        item.data.keyframe_insert("bevel_factor_end", frame=frame)
        item.hide_render = value == 1.0
        item.keyframe_insert("hide_render", frame=frame)
    show()
    bpy.context.scene.frame_set(6)
    assert item.data.bevel_factor_end == pytest.approx(0.5)
    bpy.context.scene.frame_set(11)
    assert item.hide_render


def test_a_result_that_was_moved_stays_as_far_from_its_bake():
    open_caps(new_rope(matrix=Matrix.LocRotScale((1, 2, 3), Euler((1, 2, 0.5)), (2, 2, 2))))
    (item,), _ = show()
    moved = Matrix.LocRotScale((3, 0, 1), Euler((0, 0, 1)), (1, 1, 1))
    item.matrix_basis = moved @ item.matrix_basis
    for _ in range(3):
        (item,), frames = show()
        wanted = frames[4][0] @ np.array(moved)[:3, :3].T + np.array(moved)[:3, 3]
        assert np.allclose(drawn_points(item, FIRST + 4), wanted, atol=2e-5)


@pytest.mark.parametrize("remembered", ["", "{", "[1, 2]", "[" * 100000])
def test_a_result_that_remembers_nothing_keeps_what_is_not_as_its_source(remembered):
    rope = new_rope()
    (item,), _ = show()
    item.tendril.look = remembered
    item.tendril.property_unset("place")
    item.data.bevel_depth = 0.2
    show()
    assert item.data.bevel_depth == pytest.approx(0.2)
    rope.data.bevel_resolution = 3
    show()
    assert item.data.bevel_resolution == 3


def test_a_result_that_the_artist_deleted_is_made_anew_and_leaves_nothing():
    rope = new_rope()
    before = everything()
    (item,), _ = show()
    item.data.bevel_depth = 0.2
    bpy.context.scene.collection.objects.unlink(item)  # as X does
    (again,), _ = show()
    assert again.data.bevel_depth == pytest.approx(0.05)
    assert again.users_scene
    result.revert(rope)
    assert everything() == before


def test_a_duplicate_shares_nothing_with_the_bake():
    rope = new_rope()
    (item,), _ = show()
    double = rope.copy()
    double.data = rope.data.copy()
    double.location.y += 1.0
    bpy.context.scene.collection.objects.link(double)
    assert result.result_of(double) is None
    results, _ = show()
    assert item in results
    assert len(set(results)) == 2
    result.revert(double)
    assert result.result_of(rope) == item


@pytest.mark.parametrize("edited", ["Rope", "Rope Baked"])
def test_a_bake_that_ends_while_the_artist_edits_keeps_the_edits(edited):
    rope = open_caps(new_rope())
    show()
    if edited == "Rope":
        result.revert(rope)
    meta, frames, cache = bake(5)
    bpy.context.view_layer.objects.active = bpy.data.objects[edited]
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.curve.select_all(action="SELECT")
    if edited == "Rope":
        bpy.ops.transform.translate(value=(0, 0, 1))
    (item,) = result.show(bpy.context, meta, cache)
    assert bpy.context.mode == "OBJECT"
    assert np.allclose(drawn_points(item, FIRST + 4), frames[4][0], atol=1e-5)
    assert np.isclose(rope.data.splines[0].points[0].co.z, edited == "Rope")


def test_a_renamed_and_moved_source_is_found():
    rope = new_rope()
    meta, _, cache = bake()
    rope.name = "Cable"
    shelf = bpy.data.collections.new("Shelf")
    bpy.context.scene.collection.children.link(shelf)
    bpy.context.scene.collection.objects.unlink(rope)
    shelf.objects.link(rope)
    (item,) = result.show(bpy.context, meta, cache)
    assert result.result_of(rope) == item
    assert list(item.users_collection) == [shelf]


def test_a_later_blender_finds_the_source_by_name():
    rope = new_rope()
    meta, _, cache = bake()
    meta["process"] += 1
    meta["sources"][0]["session_uid"] += 1000
    (item,) = result.show(bpy.context, meta, cache)
    assert result.result_of(rope) == item


def delete(rope):
    bpy.data.objects.remove(rope)


def make_mesh(rope):
    bpy.context.view_layer.objects.active = rope
    rope.select_set(True)
    bpy.ops.object.convert(target="MESH")


@pytest.mark.parametrize("lose", [delete, make_mesh])
def test_a_source_lost_meanwhile_still_gives_its_bake(lose):
    rope = open_caps(new_rope())
    meta, frames, cache = bake()
    lose(rope)
    (item,) = result.show(bpy.context, meta, cache)
    item.data.bevel_resolution = 0
    assert np.isclose(item.data.bevel_depth, 0.05)
    assert np.allclose(drawn_points(item, FIRST + 6), frames[6][0], atol=1e-5)


def test_keyframes_move_as_the_shape_keys_did():
    rope = open_caps(new_rope(splines=2))
    (item,), _ = show()
    times = FIRST + np.array([0.0, 3.0, 4.25, 11.0])
    before = [drawn_points(item, time) for time in times]
    radius = [point.radius for spline in item.data.splines for point in spline.bezier_points]
    result.bake_to_keyframes(rope)
    assert item.data.shape_keys is None
    assert len(bpy.data.shape_keys) == 0
    assert len(bpy.data.actions) == 1
    assert np.allclose([drawn_points(item, time) for time in times], before, atol=1e-6)
    assert [point.radius for spline in item.data.splines for point in spline.bezier_points] == radius
    with pytest.raises(SceneError, match="'Rope' has no baked shape keys .*: bake it first"):
        result.bake_to_keyframes(rope)
    result.revert(rope)
    assert len(bpy.data.actions) == 0


@pytest.mark.parametrize("keyframes", [False, True])
def test_the_animation_plays_in_a_blender_without_the_add_on(addon, tmp_path, keyframes):
    rope = open_caps(new_rope())
    _, frames = show()
    if keyframes:
        result.bake_to_keyframes(rope)
    name = result.result_of(rope).name
    path = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    addon.unregister()
    try:
        bpy.ops.wm.open_mainfile(filepath=path)
        assert not hasattr(bpy.types.Object, "tendril")
        assert np.allclose(drawn_points(bpy.data.objects[name], FIRST + 8), frames[8][0], atol=1e-5)
    finally:
        addon.register()
