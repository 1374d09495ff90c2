"""Colliders as physics is given them: the right points at the right frames, or a sentence and nothing changed."""

from pathlib import Path

import bpy
import numpy as np
import pytest
from artist import draw_rod, link
from bl_ext.user_default.tendril.bake import job, samples
from bl_ext.user_default.tendril.bake.cache import Cache
from bl_ext.user_default.tendril.bake.errors import BakeError
from bl_ext.user_default.tendril.bridge import changes, digests
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.bridge.surface import MeshSurface
from bl_ext.user_default.tendril.operators import command_line
from bl_ext.user_default.tendril.operators.cache_folder import cache_folder
from bl_ext.user_default.tendril.physics.validate import SceneError
from bl_ext.user_default.tendril.properties.colliders import collider_objects
from mathutils import Euler, Matrix
from seen import corners, in_world

FIRST, LAST = 3, 8
TILTED = Matrix.LocRotScale((1.0, -2.0, 3.0), Euler((0.4, -0.9, 1.3)), (0.2, 0.4, 0.6))


@pytest.fixture
def scene(empty_file):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = FIRST, LAST
    draw_rod("Rope", [(0.1 * index, 0.0, 9.0) for index in range(11)])
    return scene


def new_mesh(name="Rock", make="cube", collides=True, **options):
    """A mesh object, as Blender adds it, with Collision physics."""
    getattr(bpy.ops.mesh, f"primitive_{make}_add")(**options)
    item = bpy.context.object
    item.name = name
    if collides:
        item.modifiers.new("Collision", "COLLISION")
    return item


def read(folder=None):
    return read_scene(bpy.context, folder)[0]


def notices():
    return [notice["text"] for notice in read_scene(bpy.context)[1]["notices"]]


def one():
    (collider,) = read().colliders
    return collider


def refused(folder):
    before = everything()
    with pytest.raises(SceneError) as refusal:
        read(folder)
    assert "\n" not in str(refusal.value)
    assert everything() == before
    assert not list(folder.iterdir())
    return str(refusal.value)


def everything():
    """The names of all that is in the file."""
    kinds = (bpy.data.objects, bpy.data.meshes, bpy.data.curves, bpy.data.scenes, bpy.data.actions)
    return [sorted(item.name for item in kind) for kind in kinds]


def at(collider, frame, fps=24.0):
    """Points (V, 3) at a frame: on straight lines between samples, held beyond them."""
    time = (frame - FIRST) / fps
    flat = collider.points.reshape(len(collider.times), -1)
    return np.array([np.interp(time, collider.times, way) for way in flat.T]).reshape(-1, 3)


@pytest.mark.parametrize("scale_length", [1.0, 0.01])
def test_what_stands_still_is_one_sample_in_metres(scene, scale_length):
    scene.unit_settings.scale_length = scale_length
    rock = new_mesh()
    rock.matrix_world = TILTED
    rock.collision.thickness_outer, rock.collision.cloth_friction = 0.5, 3.0
    found = one()
    assert (found.name, found.times.tolist(), found.points.shape) == ("Rock", [0.0], (1, 8, 3))
    assert np.allclose(found.points[0], scale_length * in_world(TILTED, corners(rock)), atol=1e-6 * scale_length)
    assert found.triangles.shape == (12, 3)
    assert np.isclose(found.thickness, 0.5 * scale_length)
    assert np.isclose(found.friction, 0.3)


def test_blenders_own_defaults_are_friction_a_half_and_two_centimetres(scene):
    new_mesh()
    found = one()
    assert np.isclose(found.friction, 0.5)
    assert np.isclose(found.thickness, 0.02)


def test_what_was_set_last_counts_blenders_number_or_tendrils(scene):
    """So files of before, which know only Blender's, and scripts that set it keep what they have."""
    rock = new_mesh(collides=False)
    bpy.ops.tendril.add_collider()
    assert rock.tendril.collider.automatic
    assert 0.0 < one().thickness < 1e-3
    rock.collision.thickness_outer = 0.3
    assert not rock.tendril.collider.automatic
    assert np.isclose(one().thickness, 0.3)
    rock.tendril.collider.thickness = 0.0
    assert one().thickness == 0.0, "not Blender's hidden least of 1 mm"
    rock.tendril.collider.automatic = True
    assert 0.0 < one().thickness < 1e-3
    rock.tendril.collider.automatic = False
    assert one().thickness == 0.0


@pytest.mark.parametrize("scale_length", [1.0, 0.01])
def test_automatic_thickness_is_a_twentieth_of_the_thinnest_that_may_touch(scene, scale_length):
    scene.unit_settings.scale_length = scale_length
    rope, rock = bpy.data.objects["Rope"], new_mesh(collides=False)
    bpy.ops.tendril.add_collider()

    def found():
        value = one().thickness
        assert np.isclose(rock.tendril.collider.automatic_thickness, value / scale_length), "what the panel shows"
        return value / scale_length

    assert np.isclose(found(), 0.05 * 0.01)
    rope.scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    assert np.isclose(found(), 0.05 * 0.02)
    rope.data.splines[0].points[3].radius = 0.5
    assert np.isclose(found(), 0.05 * 0.01)
    rope.tendril.rod.use_radius, rope.tendril.rod.radius = True, 0.5
    assert np.isclose(found(), 0.05 * 0.5)
    crate = new_mesh("Crate", collides=False, location=(0, 0, 5))
    crate.tendril.is_body, crate.tendril.body.collision_shape = True, "BOX"
    assert np.isclose(found(), 0.05 * 0.015 * 2.0)
    crate.tendril.body.collide = False
    assert np.isclose(found(), 0.05 * 0.5), "what touches no collider does not count"
    rope.tendril.rod.collision_collection = bpy.data.collections.new("Nothing of it")
    assert found() == 0.0


def test_automatic_thickness_is_that_of_the_first_frame_whatever_is_shown(scene):
    rope = bpy.data.objects["Rope"]
    new_mesh(collides=False)
    bpy.ops.tendril.add_collider()
    for frame, depth in ((FIRST, 0.01), (LAST, 0.5)):
        rope.data.bevel_depth = depth
        rope.data.keyframe_insert("bevel_depth", frame=frame)
    for frame in (LAST, FIRST):
        scene.frame_set(frame)
        assert np.isclose(one().thickness, 0.05 * 0.01)


def test_no_bake_of_before_is_out_of_date_for_settings_that_it_does_not_know(scene):
    rock, known = new_mesh(), {}
    own = rock.tendril.collider
    names = [name for name, *_ in digests.settings(own)]
    assert [name for name in names if name not in digests.LATER] == ["use", "thickness", "friction"]
    of_blender = [name for name, *_ in digests.settings(rock.collision)]
    known_then = ((own, ["use", "thickness", "friction"]), (rock.collision, of_blender))
    plain = [[(name, getattr(each, name)) for name in names] for each, names in known_then]
    then = digests._digest([digests.of_motion(rock, known), plain, *digests._shape(rock, with_keys=False)])
    assert digests.of_collider(rock, known) == then


def test_what_moves_is_where_it_is_at_each_frame(scene, tmp_path):
    rock = new_mesh()
    places = {FIRST: 0.0, FIRST + 2: 1.0, LAST: 1.0}
    for frame, place in places.items():
        rock.location.z = place
        rock.keyframe_insert("location", frame=frame)
    found = read(tmp_path).colliders[0]
    assert isinstance(found.points, np.memmap)
    assert found.points.dtype == np.float32
    assert [path.name for path in tmp_path.iterdir()] == [Path(found.points.filename).name]
    fcurve = rock.animation_data.action.layers[0].strips[0].channelbags[0].fcurves.find("location", index=2)
    for frame in range(FIRST, LAST + 1):
        assert np.allclose(at(found, frame), corners(rock) + [0.0, 0.0, fcurve.evaluate(frame)], atol=1e-6)
    assert len(found.times) == 3, "after it stopped there is nothing to say"


def test_a_shape_key_moves_single_points(scene):
    rock = new_mesh()
    rock.shape_key_add(name="Basis")
    key = rock.shape_key_add(name="Dent")
    key.data[5].co.x += 2.0
    for frame, value in ((FIRST, 0.0), (LAST, 1.0)):
        key.value = value
        key.keyframe_insert("value", frame=frame)
    fcurve = rock.data.shape_keys.animation_data.action.layers[0].strips[0].channelbags[0].fcurves[0]
    found, still = one(), corners(rock)
    for frame in range(FIRST, LAST + 1):
        moved = at(found, frame) - still
        assert np.isclose(moved[5, 0], 2.0 * fcurve.evaluate(frame), atol=1e-6)
        moved[5, 0] = 0.0
        assert np.allclose(moved, 0.0, atol=1e-6)


def test_settings_of_every_kind_of_collider_are_compared(scene):
    table = new_mesh("Table", collides=False)
    bpy.ops.rigidbody.world_add()
    bpy.ops.rigidbody.object_add(type="PASSIVE")
    bpy.ops.object.text_add()
    bpy.ops.tendril.add_collider()
    scene.tendril.use_passive_bodies = True
    seen = [changes.picture(bpy.context)[0]["colliders"]]
    for owner, name, value in (
        (table.rigid_body, "friction", 0.9),
        (bpy.context.object.tendril.collider, "automatic", False),
        (bpy.context.object.tendril.collider, "thickness", 0.1),
        (bpy.context.object.data, "body", "Stop"),
        (table, "hide_viewport", True),
    ):
        setattr(owner, name, value)
        seen.append(changes.picture(bpy.context)[0]["colliders"])
        assert seen[-1] != seen[-2], name


def test_an_armature_bends_it(scene):
    rock = new_mesh()
    bpy.ops.object.armature_add(enter_editmode=False)
    rig = bpy.context.object
    group = rock.vertex_groups.new(name="Bone")
    group.add(range(4), 1.0, "REPLACE")
    rock.modifiers.new("Rig", "ARMATURE").object = rig
    bone = rig.pose.bones[0]
    for frame, place in ((FIRST, 0.0), (LAST, 1.5)):
        bone.location.y = place  # along the bone, up
        bone.keyframe_insert("location", frame=frame)
    moved = at(one(), LAST) - corners(rock)
    assert np.allclose(moved[:4], [0.0, 0.0, 1.5], atol=1e-5)
    assert np.allclose(moved[4:], 0.0, atol=1e-6)


def test_it_has_the_faces_that_modifiers_leave(scene):
    rock = new_mesh()
    rock.modifiers.new("Finer", "SUBSURF").levels = 1
    assert one().triangles.shape == (48, 3)


def test_quads_that_bend_keep_their_triangles(scene):
    sheet = new_mesh(make="plane", size=2.0)
    sheet.shape_key_add(name="Basis")
    key = sheet.shape_key_add(name="Fold")
    key.data[1].co *= -0.8  # past the diagonal: Blender would cut the quad the other way
    for frame, value in ((FIRST, 0.0), (LAST, 1.0)):
        key.value = value
        key.keyframe_insert("value", frame=frame)
    assert one().triangles.shape == (2, 3)


def test_a_parent_carries_it(scene):
    rock, cart = new_mesh(), link(bpy.data.objects.new("Cart", None))
    rock.parent = cart
    for frame, place in ((FIRST, 0.0), (LAST, 4.0)):
        cart.location.x = place
        cart.keyframe_insert("location", frame=frame)
    assert np.allclose(at(one(), LAST), corners(rock) + [4.0, 0.0, 0.0], atol=1e-5)


def test_the_present_frame_and_the_file_stay_as_they_are(scene):
    new_mesh()
    scene.frame_set(5)
    before = everything()
    read()
    assert scene.frame_current == 5
    assert everything() == before


def test_texts_surfaces_and_curves_have_settings_of_their_own(scene):
    scene.unit_settings.scale_length = 0.1
    bpy.ops.object.text_add()
    text = bpy.context.object
    assert read().colliders == ()
    text.tendril.collider.use = True
    text.tendril.collider.thickness, text.tendril.collider.friction = 0.3, 0.7
    found = one()
    assert (found.name, len(found.triangles) > 10) == (text.name, True)
    assert np.allclose([found.thickness, found.friction], [0.03, 0.7])


def test_passive_rigid_bodies_take_part_on_demand(scene):
    scene.unit_settings.scale_length = 0.1
    table, ball = new_mesh("Table", collides=False), new_mesh("Ball", collides=False)
    bpy.ops.rigidbody.world_add()
    for item, kind in ((table, "PASSIVE"), (ball, "ACTIVE")):
        with bpy.context.temp_override(object=item, active_object=item, selected_objects=[item]):
            bpy.ops.rigidbody.object_add(type=kind)
    table.rigid_body.friction, table.rigid_body.collision_margin = 0.8, 0.3
    assert read().colliders == ()
    scene.tendril.use_passive_bodies = True
    found = one()
    assert (found.name, found.thickness) == ("Table", 0.0)
    assert np.isclose(found.friction, 0.8)
    table.rigid_body.use_margin = True
    assert np.isclose(one().thickness, 0.03)
    table.modifiers.new("Collision", "COLLISION")
    assert np.isclose(one().friction, 0.5), "its Collision physics comes first"


def test_who_takes_part_is_whom_cloth_would_meet(scene):
    names = ("Shown", "Eye", "Monitor", "Render", "Off", "Excluded", "Bare")
    items = {name: new_mesh(name, collides=name != "Bare", location=(3.0 * k, 0, 0)) for k, name in enumerate(names)}
    items["Eye"].hide_set(True)
    items["Monitor"].hide_viewport = True
    items["Render"].hide_render = True
    items["Off"].collision.use = False
    aside = bpy.data.collections.new("Aside")
    scene.collection.children.link(aside)
    aside.objects.link(items["Excluded"])
    scene.collection.objects.unlink(items["Excluded"])
    bpy.context.view_layer.layer_collection.children["Aside"].exclude = True
    assert [collider.name for collider in read().colliders] == ["Shown", "Eye", "Render"]


def test_a_collision_collection_limits_whom_rods_meet(scene):
    floor, rock = new_mesh("Floor"), new_mesh("Rock", location=(5, 0, 0))
    outer, inner = bpy.data.collections.new("Met"), bpy.data.collections.new("Inner")
    outer.children.link(inner)
    scene.tendril.collision_collection = outer
    assert read().colliders == ()
    inner.objects.link(rock)
    assert [collider.name for collider in read().colliders] == ["Rock"]
    outer.objects.link(floor)
    assert [collider.name for collider in read().colliders] == ["Floor", "Rock"]


def test_the_result_of_a_bake_is_no_collider(scene):
    lamp = new_mesh("Lamp")
    lamp.tendril.is_body = True
    assert read().colliders == ()
    (text,) = notices()
    assert text == "'Lamp' takes part as a rigid body, not as a collider too: remove one of the two."
    twin = new_mesh("Lamp Baked")
    twin.tendril.source, lamp.tendril.result = lamp, twin
    assert collider_objects(bpy.context.view_layer) == []
    copy = new_mesh("Take")
    copy.tendril.source = lamp
    assert collider_objects(bpy.context.view_layer) == []


def test_what_a_rigid_body_carries_is_named(scene):
    lamp, shade = new_mesh("Lamp", collides=False), new_mesh("Shade", location=(3, 0, 0))
    lamp.tendril.is_body, shade.parent = True, link(bpy.data.objects.new("Hook", None))
    shade.parent.parent = lamp
    assert read().colliders == ()
    assert notices() == ["'Shade' moves with the simulated 'Lamp', as no collider can: clear its parent."]
    lamp.tendril.body.motion = "ANIMATED"
    assert [collider.name for collider in read().colliders] == ["Shade", "Lamp"]
    assert notices() == []


@pytest.mark.parametrize("modifier", ["BUILD", "WELD", "REMESH"])
def test_faces_that_come_and_go_are_refused(scene, tmp_path, modifier):
    rock = new_mesh()
    change = rock.modifiers.new("Change", modifier)
    if modifier == "BUILD":
        change.frame_start, change.frame_duration = FIRST - 3, 10.0
    elif modifier == "WELD":
        for frame, value in ((FIRST, 0.0), (LAST, 3.0)):
            change.merge_threshold = value
            change.keyframe_insert("merge_threshold", frame=frame)
    else:
        change.mode = "BLOCKS"
        for frame, value in ((FIRST, 1), (LAST, 4)):
            change.octree_depth = value
            change.keyframe_insert("octree_depth", frame=frame)
    mover = new_mesh("Mover", location=(9, 0, 0))
    for frame, place in ((FIRST, 0.0), (LAST, 1.0)):
        mover.location.z = place
        mover.keyframe_insert("location", frame=frame)
    text = refused(tmp_path)
    assert text.startswith("'Rock' has ")
    assert f"at frame {FIRST}" in text
    assert "a collider has to keep them: switch off what changes that in its modifiers" in text


def test_other_faces_between_the_same_vertices_are_refused(scene, tmp_path):
    """Geometry Nodes delete the faces after the third when the frame is past the middle."""
    group = bpy.data.node_groups.new("Cut", "GeometryNodeTree")
    for way in ("INPUT", "OUTPUT"):
        group.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    start, end, time, index, delete = (
        group.nodes.new(name)
        for name in (
            "NodeGroupInput", "NodeGroupOutput", "GeometryNodeInputSceneTime", "GeometryNodeInputIndex",
            "GeometryNodeDeleteGeometry",
        )
    )  # fmt: skip
    delete.domain, delete.mode = "FACE", "ONLY_FACE"
    late, beyond, both = (group.nodes.new("ShaderNodeMath") for _ in range(3))
    late.operation = beyond.operation = "GREATER_THAN"
    both.operation = "MULTIPLY"
    late.inputs[1].default_value, beyond.inputs[1].default_value = 0.5 * (FIRST + LAST), 2.5
    for source, target in (
        (time.outputs["Frame"], late.inputs[0]),
        (index.outputs[0], beyond.inputs[0]),
        (late.outputs[0], both.inputs[0]),
        (beyond.outputs[0], both.inputs[1]),
        (both.outputs[0], delete.inputs["Selection"]),
        (start.outputs[0], delete.inputs["Geometry"]),
        (delete.outputs[0], end.inputs[0]),
    ):
        group.links.new(source, target)
    new_mesh().modifiers.new("Cut", "NODES").node_group = group
    assert "'Rock' has other faces at frame 6 than at frame 3, but a collider has to keep them" in refused(tmp_path)


def test_a_mesh_without_faces_is_refused(scene, tmp_path):
    link(item := bpy.data.objects.new("Wire", bpy.data.meshes.new("Wire"))).modifiers.new("Collision", "COLLISION")
    assert "'Wire' has no faces to collide with" in refused(tmp_path)
    item.data.from_pydata([(0, 0, 0), (1, 0, 0), (2, 0, 0)], [], [(0, 1, 2)])
    assert "'Wire' has no face with an area" in refused(tmp_path)


def test_a_vertex_that_is_no_number_is_refused(scene, tmp_path):
    new_mesh().data.vertices[3].co.x = float("nan")
    assert "'Rock' has a vertex that is not a number (NaN) at frame 3" in refused(tmp_path)


def test_what_is_far_away_is_refused(scene, tmp_path):
    new_mesh().location.x = 1e30
    assert "'Rock' is far away from everything at frame 3" in refused(tmp_path)


def test_edit_mode_is_refused(scene, tmp_path):
    new_mesh()
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        assert "'Rock' is in edit mode: leave it with Tab first." in refused(tmp_path)
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")


def test_what_is_wrong_elsewhere_leaves_no_samples(scene, tmp_path):
    rock = new_mesh()
    for frame, place in ((FIRST, 0.0), (LAST, 1e6)):
        rock.location.x = place
        rock.keyframe_insert("location", frame=frame)
    assert "'Rock': its speed at " in refused(tmp_path)


def test_flat_faces_are_left_out_and_named(scene):
    sheet = link(bpy.data.objects.new("Sheet", bpy.data.meshes.new("Sheet")))
    sheet.data.from_pydata([(0, 0, 5), (1, 0, 5), (0, 1, 5), (2, 0, 5)], [], [(0, 1, 2), (0, 1, 3)])
    sheet.modifiers.new("Collision", "COLLISION")
    assert one().triangles.tolist() == [[0, 1, 2]]
    assert "'Sheet' has 1 triangle without area, left out: merge its points by distance." in notices()
    assert any("'Sheet' is open at 3 edges: it works as a thin shell" in text for text in notices())


def test_a_full_disk_is_a_sentence_and_nothing_is_left(scene, tmp_path, monkeypatch):
    opened = []

    def fill_up(path, mode):
        opened.append(path)
        if len(opened) == 4:
            raise OSError(28, "No space left on device")
        return open(path, mode)

    rock = new_mesh()
    for frame, place in ((FIRST, 0.0), (LAST, 1.0)):
        rock.location.x = place
        rock.keyframe_insert("location", frame=frame)
    monkeypatch.setattr(samples, "open", fill_up, raising=False)
    with pytest.raises(BakeError, match="is full"):
        read(tmp_path)
    assert len(opened) == 4
    assert not list(tmp_path.iterdir())


def test_a_moving_collider_goes_through_a_bake_and_resume(scene, tmp_path):
    scene.tendril.cache_folder = str(tmp_path)
    rock = new_mesh()
    for frame, place in ((FIRST, 0.0), (LAST, 1.0)):
        rock.location.z = place
        rock.keyframe_insert("location", frame=frame)
    assert bpy.ops.tendril.bake("EXEC_DEFAULT") == {"FINISHED"}
    folder = cache_folder(scene)
    assert len(Cache(folder).frames) == LAST - FIRST + 1
    before = sorted(path.name for path in folder.iterdir() if "samples" in path.name)
    assert len(before) == 1
    assert bpy.ops.tendril.resume("EXEC_DEFAULT") == {"FINISHED"}
    after = sorted(path.name for path in folder.iterdir() if "samples" in path.name)
    assert len(after) == 1
    rock.location.z = 0.5
    rock.keyframe_insert("location", frame=LAST)
    with pytest.raises(RuntimeError, match="changed since this bake began"):
        bpy.ops.tendril.resume("EXEC_DEFAULT")
    assert sorted(path.name for path in folder.iterdir() if "samples" in path.name) == after
    assert bpy.ops.tendril.bake("EXEC_DEFAULT") == {"FINISHED"}
    bpy.ops.tendril.free()
    assert not folder.exists()


def test_the_command_line_takes_colliders_along(scene, tmp_path, capsys):
    rock = new_mesh()
    for frame, place in ((FIRST, 0.0), (LAST, 1.0)):
        rock.location.z = place
        rock.keyframe_insert("location", frame=frame)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    assert command_line.main(["bake"]) == 0
    folder = cache_folder(bpy.context.scene)
    (collider,) = job.read(folder).scene.colliders
    assert np.allclose(at(collider, LAST)[:, 2].max(), 2.0, atol=1e-6)
    assert command_line.main(["bake", "--resume"]) == 0
    assert command_line.main(["estimate"]) == 0
    assert command_line.main(["free"]) == 0
    assert not folder.exists()
    assert "6 frames. " in capsys.readouterr().out


@pytest.mark.once
def test_a_rope_lies_on_what_lifts_it(scene, tmp_path):
    """Not through it, nor beside it: at each frame its radius above."""
    scene.tendril.cache_folder = str(tmp_path)
    scene.frame_end = LAST + 10
    table = new_mesh("Table", make="plane", size=4.0, location=(0.5, 0.0, 8.95))
    table.collision.thickness_outer = 0.001
    for frame, place in ((FIRST, 8.95), (scene.frame_end, 9.35)):
        table.location.z = place
        table.keyframe_insert("location", frame=frame)
    assert bpy.ops.tendril.bake("EXEC_DEFAULT") == {"FINISHED"}
    cache = Cache(cache_folder(scene))
    for frame in cache.frames:
        scene.frame_set(FIRST + frame)
        height = cache.read(frame)[0][:, 2] - table.location.z
        assert height.min() > 0.95 * 0.011
    assert height.max() < 0.05


@pytest.mark.once
@pytest.mark.parametrize("height", [0.002, 0.005, 0.015])
def test_a_rope_held_within_a_colliders_thickness_stays_on_it(scene, tmp_path, height):
    """Drawn a little above a table with Blender's own thickness, 2 cm, or 3 mm too low, and pinned by its start."""
    scene.tendril.cache_folder = str(tmp_path)
    scene.frame_end = LAST + 4
    new_mesh("Table", size=1.0, location=(0.5, 0.0, 8.95), scale=(2.0, 1.0, 0.1))
    rope = bpy.data.objects["Rope"]
    rope.location.z = 0.005 + height
    bpy.context.view_layer.objects.active = rope
    rope.select_set(True)
    assert bpy.ops.tendril.add_pin(place="START", holder="EMPTY", mode="TWIST") == {"FINISHED"}
    deep = 0.005 - height
    assert [text for text in notices() if "Table" in text] == [
        f"'Rope' is drawn {1e3 * deep:.3g} mm into 'Table' and held there by '{rope.tendril.pins[0].name}': there it "
        "touches no collider, and beside that it stays as deep as it is drawn."
    ] * (deep > 0.0)
    assert bpy.ops.tendril.bake("EXEC_DEFAULT") == {"FINISHED"}
    cache = Cache(cache_folder(scene))
    x = cache.read(cache.frames[-1])[0]
    assert x[:, 2].min() > 9.0
    assert x[:, 2].max() < 9.0 + 2.0 * (0.01 + height)


@pytest.mark.once
@pytest.mark.parametrize("solver", ["AUTOMATIC", "EXPLICIT", "IMPLICIT"])
def test_a_cord_between_an_arm_and_the_chest_it_goes_through(scene, tmp_path, solver):
    """All frames are baked, a message tells, and the cord ends between them."""
    scene.tendril.cache_folder = str(tmp_path)
    scene.frame_end, scene.tendril.solver = LAST + 20, solver
    rope = bpy.data.objects["Rope"]
    rope.location = (-0.5, 0.5 - 0.012, 0.0)
    new_mesh("Chest", size=1.0, location=(0.0, 1.0, 9.0))
    arm = new_mesh("Arm", size=0.2, location=(0.0, 0.3, 9.0))
    for item in (arm, bpy.data.objects["Chest"]):
        item.tendril.collider.thickness = 0.0
    for frame, y in ((FIRST, 0.3), (FIRST + 8, 0.42), (FIRST + 14, 0.42), (scene.frame_end, 0.3)):
        arm.location.y = y  # at .4 its face touches the chest's
        arm.keyframe_insert("location", index=1, frame=frame)
    bpy.context.view_layer.objects.active = rope
    rope.select_set(True)
    assert bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY", mode="POSITION") == {"FINISHED"}
    assert bpy.ops.tendril.bake("EXEC_DEFAULT") == {"FINISHED"}
    cache = Cache(cache_folder(scene))
    assert len(cache.frames) == scene.frame_end - FIRST + 1
    assert any("'Rope' has too little room between" in notice.text for notice in cache.notices)
    x = cache.read(cache.frames[-1])[0]
    assert x[:, 1].max() < 0.5
    assert x[:, 1].min() > 0.3


def test_an_estimate_leaves_nothing(scene):
    rock = new_mesh()
    for frame, place in ((FIRST, 0.0), (LAST, 1.0)):
        rock.location.z = place
        rock.keyframe_insert("location", frame=frame)
    before = set(Path(bpy.app.tempdir).iterdir())
    assert bpy.ops.tendril.estimate() == {"FINISHED"}
    assert set(Path(bpy.app.tempdir).iterdir()) == before


@pytest.mark.parametrize(
    "change",
    [
        lambda rock: setattr(rock.location, "x", 2.0),
        lambda rock: setattr(rock.data.vertices[0].co, "x", 2.0),
        lambda rock: setattr(rock.collision, "cloth_friction", 8.0),
        lambda rock: setattr(rock.collision, "thickness_outer", 0.01),
        lambda rock: setattr(rock.tendril.collider, "thickness", 0.02),
        lambda rock: setattr(rock.tendril.collider, "automatic", True),
        lambda rock: setattr(rock.tendril.collider, "cylinder", True),
        lambda rock: setattr(rock.collision, "use", False),
        lambda rock: setattr(bpy.context.scene.tendril, "collision_collection", bpy.data.collections.new("None")),
    ],
)
def test_a_changed_collider_makes_the_bake_out_of_date(scene, tmp_path, change):
    scene.tendril.cache_folder = str(tmp_path)
    rock = new_mesh()
    assert bpy.ops.tendril.bake("EXEC_DEFAULT") == {"FINISHED"}
    assert changes.sentence(bpy.context) == ""
    change(rock)
    assert changes.sentence(bpy.context) == "Out of date: a collider changed"


def test_a_cancel_while_it_is_read_leaves_nothing(scene, tmp_path, monkeypatch):
    look = MeshSurface.look
    rock = new_mesh()
    for frame, place in ((FIRST, 0.0), (LAST, 1.0)):
        rock.location.x = place
        rock.keyframe_insert("location", frame=frame)
    before = everything()

    def interrupt(self, evaluated, frame, units):
        look(self, evaluated, frame, units)
        if frame == LAST - 1:
            assert len(list(tmp_path.iterdir())) == 1
            raise KeyboardInterrupt

    monkeypatch.setattr(MeshSurface, "look", interrupt)
    with pytest.raises(KeyboardInterrupt):
        read(tmp_path)
    assert not list(tmp_path.iterdir())
    assert everything() == before


@pytest.mark.parametrize("scale_length", [1.0, 0.01])
def test_an_endless_cylinder_is_as_wide_as_its_mesh_and_turns_with_it(scene, scale_length):
    scene.unit_settings.scale_length = scale_length
    drum = new_mesh("Drum", "cylinder", vertices=8, radius=0.5, depth=0.2, location=(1.0, 2.0, 3.0))
    drum.rotation_euler, drum.scale = (0.0, 0.5 * np.pi, 0.0), (2.0, 2.0, 3.0)  # its axis along x
    drum.collision.thickness_outer, drum.tendril.collider.cylinder = 0.01, True
    assert one().times.tolist() == [0.0]
    drum.rotation_mode = "QUATERNION"
    for frame, angle in ((FIRST, 0.0), (LAST, 2.5)):
        drum.rotation_quaternion = (
            Euler((angle, 0.0, 0.0)).to_quaternion() @ Euler((0.0, 0.5 * np.pi, 0.0)).to_quaternion()
        )
        drum.keyframe_insert("rotation_quaternion", frame=frame)
    found = one()
    assert np.array_equal(found.triangles, [[0, 1, 1]])
    assert np.isclose(found.thickness, 1.01 * scale_length)
    assert np.allclose(found.points[:, 0, 1:], scale_length * np.array([2.0, 3.0]), atol=1e-4 * scale_length)
    assert found.points[0, 1, 0] - found.points[0, 0, 0] > 100.0 * scale_length
    rim = found.points[:, found.rim, 1:] - found.points[:, 0, 1:]
    assert np.allclose(np.linalg.norm(rim, axis=1), scale_length, rtol=1e-4)
    turned = np.unwrap(np.arctan2(rim[:, 1], rim[:, 0]))
    assert np.isclose(turned[-1] - turned[0], 2.5, atol=1e-4)


def test_an_endless_cylinder_has_a_width_and_keeps_it(scene, tmp_path):
    drum = new_mesh("Drum", "cylinder")
    drum.tendril.collider.cylinder = True
    for frame, scale in ((FIRST, 1.0), (LAST, 1.5)):
        drum.scale = (scale, scale, 1.0)
        drum.keyframe_insert("scale", frame=frame)
    assert refused(tmp_path) == "'Drum' changes its size by frame 4: keep it, or turn off Endless Cylinder."
    drum.animation_data_clear()
    for vertex in drum.data.vertices:
        vertex.co.x = vertex.co.y = 0.0
    assert "'Drum' has no width around its Z axis" in refused(tmp_path)
