"""Hair, a Curves object: each curve a rod whose root its surface leads, and a bake that plays as hair."""

from itertools import pairwise

import bpy
import numpy as np
import panels
import pytest
from artist import choose, draw_rod, link, refused, save
from bl_ext.user_default.tendril.bridge import changes, hair, hair_result, preview
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.bridge.stripe import transport
from bl_ext.user_default.tendril.bridge.units import Units
from bl_ext.user_default.tendril.meshing.formats.centre_lines import read_centre_lines
from bl_ext.user_default.tendril.operators.baking import Baking
from bl_ext.user_default.tendril.physics.validate import SceneError
from bl_ext.user_default.tendril.properties.choice import no_place
from bl_ext.user_default.tendril.ui import rod
from seen import previews

POINTS = 6


def new_hair(strands=4, points=POINTS, surface=None, length=0.2):
    """Straight hairs that stand in a row on the plane z = 0."""
    data = bpy.data.hair_curves.new("Hair")
    data.add_curves([points] * strands)
    way = np.zeros((strands, points, 3), dtype=np.float32)
    way[..., 0] = 0.1 * np.arange(strands)[:, None]
    way[..., 2] = np.linspace(0.0, length, points)
    data.position_data.foreach_set("vector", way.ravel())
    radius = np.tile(np.linspace(0.002, 0.0, points), strands).astype(np.float32)
    data.attributes.new("radius", "FLOAT", "POINT").data.foreach_set("value", radius)
    data.surface = surface
    return link(bpy.data.objects.new("Hair", data))


def hair_rod(**settings):
    item = new_hair(**settings)
    choose(item)
    assert bpy.ops.tendril.add_rod() == {"FINISHED"}
    return item


def bending_head():
    """A plane whose shape key lifts and tilts it, keyed over the frames 1 to 6."""
    mesh = bpy.data.meshes.new("Head")
    corners = [(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 1.0, 0.0)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    head = link(bpy.data.objects.new("Head", mesh))
    head.shape_key_add(name="Basis")
    key = head.shape_key_add(name="Up")
    for point, (x, y, _) in zip(key.data, corners, strict=True):
        point.co = (x, y, 0.3 + 0.2 * x)
    for frame, value in ((1, 0.0), (6, 1.0)):
        key.value = value
        key.keyframe_insert("value", frame=frame)
    return head


def shown(item, frame):
    """Evaluated points (P, 3) of a hair object in the world."""
    bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
    evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    x = np.empty(3 * len(evaluated.data.points), dtype=np.float32)
    evaluated.data.position_data.foreach_get("vector", x)
    matrix = np.array(evaluated.matrix_world)
    return x.reshape(-1, 3).astype(float) @ matrix[:3, :3].T + matrix[:3, 3]


def bake(last=6):
    bpy.context.scene.frame_end = last
    assert bpy.ops.tendril.bake() == {"FINISHED"}


def test_each_curve_is_a_rod_of_hair_that_its_root_holds():
    item = hair_rod()
    item.location, item.scale = (1.0, 2.0, 3.0), (2.0, 2.0, 2.0)
    scene, _ = read_scene(bpy.context)
    assert len(scene.rods) == 4
    assert len(scene.pins) == 4
    for number, (own, pin) in enumerate(zip(scene.rods, scene.pins, strict=True)):
        assert own.x == pytest.approx(
            np.column_stack(
                [np.full(POINTS, 1.0 + 0.2 * number), np.full(POINTS, 2.0), 3.0 + np.linspace(0, 0.4, POINTS)]
            )
        )
        assert own.radius == pytest.approx(3.5e-5)  # of human hair
        assert (pin.rod, pin.vertex, pin.mode) == (number, 0, "TWIST")
        assert pin.position[0] == pytest.approx(own.x[0])
    assert not scene.rods[0].touches


def test_a_surface_that_is_no_collider_is_told(capfd):
    head = bending_head()
    hair_rod(surface=head)
    assert "Hair passes through 'Head'" in capfd.readouterr().out
    choose(head)
    bpy.ops.tendril.add_collider()
    hair_rod(surface=head)
    assert "passes through" not in capfd.readouterr().out


def test_it_is_as_thick_as_drawn_where_that_is_asked():
    item = hair_rod()
    item.tendril.rod.use_radius = False
    rod = read_scene(bpy.context)[0].rods[0]
    assert rod.radius == pytest.approx(np.maximum(np.linspace(0.002, 0.0, POINTS), 0.0005))


def test_roots_follow_a_surface_that_deforms():
    head = bending_head()
    item = hair_rod(surface=head)
    bake()
    baked = item.tendril.result
    for frame in range(1, 7):
        x = shown(baked, frame).reshape(4, POINTS, 3)[:, 0]
        up = (frame_value(head, frame)) * (0.3 + 0.2 * 0.1 * np.arange(4))
        assert x == pytest.approx(np.column_stack([0.1 * np.arange(4), np.zeros(4), up]), abs=1e-5)


def frame_value(head, frame):
    bpy.context.scene.frame_set(frame)
    return head.data.shape_keys.key_blocks["Up"].value


def test_a_bake_plays_as_hair_and_goes_with_revert():
    item = hair_rod(length=0.4)
    item.rotation_euler.y = 1.0
    before = counts()
    bake(8)
    baked = item.tendril.result
    assert baked.type == "CURVES"
    assert item.hide_viewport
    first, last = (shown(baked, frame) for frame in (1, 8))
    assert first == pytest.approx(shown_source(item), abs=1e-6)
    assert last[POINTS - 1, 2] < first[POINTS - 1, 2] - 0.01
    way = np.linalg.norm(np.diff(last.reshape(4, POINTS, 3), axis=1), axis=2)
    assert way == pytest.approx(0.08, rel=1e-4)
    assert shown(baked, 3.5) == pytest.approx(0.5 * (shown(baked, 3) + shown(baked, 4)), abs=1e-6)
    assert bpy.ops.tendril.revert() == {"FINISHED"}
    assert not item.hide_viewport
    assert counts() == before


def shown_source(item):
    item.hide_viewport = False
    found = shown(item, 1)
    item.hide_viewport = True
    return found


@pytest.mark.parametrize("storage", ["KEYS", "FILE"])
def test_a_file_or_shape_keys_play_it_again_and_again(storage, tmp_path):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "head.blend"))
    item = hair_rod(length=0.4)
    item.rotation_euler.y = 1.0
    item.tendril.rod.storage = storage
    bake()
    baked = item.tendril.result
    once = shown(baked, 6)
    assert bool(hair_result.points_of(baked).modifiers) == (storage == "FILE")
    baked.data.materials.append(bpy.data.materials.new("Mine"))
    bake()
    assert item.tendril.result == baked
    assert shown(baked, 6) == pytest.approx(once, abs=1e-7)
    assert [each.name for each in baked.data.materials] == ["Mine"]
    assert len(bpy.data.node_groups) == 1
    if storage == "FILE":
        assert bpy.ops.tendril.take_into_file() == {"FINISHED"}
        assert shown(baked, 6) == pytest.approx(once, abs=1e-6)
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=bpy.data.filepath)
    assert shown(bpy.data.objects["Hair Baked"], 6) == pytest.approx(once, abs=1e-6)


def test_what_comes_behind_acts_on_the_bake(tmp_path):
    """A modifier that moves all points aside, as one that interpolates hair acts on guides."""
    item = new_hair()
    group = bpy.data.node_groups.new("Aside", "GeometryNodeTree")
    group.is_modifier = True
    for way in ("INPUT", "OUTPUT"):
        group.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    begin, put, end = (
        group.nodes.new(name) for name in ("NodeGroupInput", "GeometryNodeSetPosition", "NodeGroupOutput")
    )
    put.inputs["Offset"].default_value = (0.0, 5.0, 0.0)
    group.links.new(begin.outputs[0], put.inputs["Geometry"])
    group.links.new(put.outputs[0], end.inputs[0])
    item.modifiers.new("Aside", "NODES").node_group = group
    choose(item)
    bpy.ops.tendril.add_rod()
    assert read_scene(bpy.context)[0].rods[0].x[:, 1] == pytest.approx(0.0)
    path = tmp_path / "Hair.csv"
    bpy.ops.tendril.export_centre_lines(filepath=str(path))
    assert max(abs(line.x[:, 1]).max() for line in read_centre_lines(path.read_text())) < 1e-6
    bake()
    baked = item.tendril.result
    assert [each.name for each in baked.modifiers] == ["Tendril Bake", "Aside"]
    assert shown(baked, 6)[:, 1] == pytest.approx(5.0, abs=1e-3)


@pytest.mark.parametrize("guides", [1, 2])
def test_what_is_shown_meanwhile_is_what_the_bake_becomes(guides, tmp_path):
    item = hair_rod(length=0.4, surface=bending_head())
    item.rotation_euler.y, item.tendril.rod.guides = 1.0, guides
    save(tmp_path, 6)
    before = counts()
    baking = Baking(bpy.context)
    worker = baking.start()
    while not worker.over:
        if said := worker.next_message(1.0):
            baking.hear(bpy.context, said)
    baking.preview(bpy.context)
    while baking.previewing.preview.shown < 6:
        baking.preview(bpy.context)
    (item,) = previews()
    seen = [shown(item, frame) for frame in range(1, 7)]
    preview.clear()
    assert counts() == before
    baking.end(bpy.context)
    (hair,) = (each for each in bpy.data.objects if each.tendril.is_rod)
    baked = [shown(hair.tendril.result, frame) for frame in range(1, 7)]
    assert np.array(baked) == pytest.approx(np.array(seen), abs=1e-6)


def counts():
    kinds = "hair_curves", "meshes", "objects", "node_groups", "shape_keys", "actions"
    return {name: len(getattr(bpy.data, name)) for name in kinds}


def test_an_edited_source_is_baked_again_and_a_deleted_result_made_anew():
    item = hair_rod()
    bake()
    assert bpy.ops.tendril.edit_source() == {"FINISHED"}
    assert not item.hide_viewport
    item.data.add_curves([POINTS])
    place = np.array([(0.5, 0.5, 0.1 * k) for k in range(POINTS)], dtype=np.float32)
    item.data.position_data.foreach_set("vector", np.vstack([points(item.data)[:-POINTS], place]).ravel())
    bake()
    baked = item.tendril.result
    assert len(shown(baked, 6)) == 5 * POINTS
    assert item.hide_viewport
    before = counts()
    for collection in baked.users_collection:
        collection.objects.unlink(baked)
    bake()
    assert len(shown(item.tendril.result, 6)) == 5 * POINTS
    assert counts() == before


def points(data):
    x = np.empty(3 * len(data.points), dtype=np.float32)
    data.position_data.foreach_get("vector", x)
    return x.reshape(-1, 3)


def test_undo_and_redo_after_two_bakes(tmp_path):
    hair_rod(length=0.4).rotation_euler.y = 1.0
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    bpy.ops.ed.undo_push(message="Begin")
    for message in ("One", "Two"):
        bake()
        bpy.ops.ed.undo_push(message=message)
    once = shown(bpy.data.objects["Hair"].tendril.result, 6)
    bpy.ops.ed.undo()
    assert shown(bpy.data.objects["Hair"].tendril.result, 6) == pytest.approx(once, abs=1e-6)
    bpy.ops.ed.undo()
    assert bpy.data.objects["Hair"].tendril.result is None
    bpy.ops.ed.redo()
    bpy.ops.ed.redo()
    assert shown(bpy.data.objects["Hair"].tendril.result, 6) == pytest.approx(once, abs=1e-6)


def test_panels_are_drawn_of_it():
    item = hair_rod()
    assert "points" not in panels.draw_all()
    assert "Roots are held by Hair" in panels.draw_all()
    item.data.surface = bending_head()
    assert "Roots are held by Head" in panels.draw_all()
    item.data.surface = None
    assert rod.heading(item) == "Hair"
    bake()
    panels.draw_all()
    choose(item.tendril.result)
    panels.draw_all()


def test_a_change_of_hair_or_surface_is_out_of_date():
    head = bending_head()
    item = hair_rod(surface=head)
    bake()
    assert changes.sentence(bpy.context) == ""
    item.data.points[3].position.x += 0.01
    assert "shape of 'Hair' changed" in changes.sentence(bpy.context)
    item.data.points[3].position.x -= 0.01
    head.data.shape_keys.key_blocks["Up"].slider_max = 0.5
    head.animation_data_clear()
    head.data.shape_keys.animation_data_clear()
    assert "Hair" in changes.sentence(bpy.context)


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda data: setattr(data.points[7], "position", (float("nan"), 0, 0)), "curve 1 is not a number"),
        (
            lambda data: setattr(data.points[7], "position", data.points[6].position),
            "curve 1 has two points in one place",
        ),
        (lambda data: data.add_curves([1]), "curve 4 is a single point"),
        (lambda data: data.add_curves([2]), "curve 4 has 2 points and cannot bend"),
        (lambda data: setattr(data.points[2], "radius", -1.0), "curve 0 has a radius of -1"),
        (lambda data: data.remove_curves(), "has no hair"),
    ],
)
def test_what_is_no_hair_is_told_in_a_sentence(spoil, told):
    item = new_hair()
    spoil(item.data)
    choose(item)
    assert told in refused(bpy.ops.tendril.add_rod)
    assert not item.tendril.is_rod


def test_hair_hangs_as_no_cable():
    item = hair_rod()
    item.tendril.rod.model = "CABLE"
    with pytest.raises(SceneError, match="is hair, which does not hang as a cable"):
        read_scene(bpy.context)


def test_a_duplicate_of_a_bake_plays_on_when_that_is_baked_anew():
    item = hair_rod(length=0.4)
    item.rotation_euler.y = 1.0
    bake()
    take = link(item.tendril.result.copy())
    take.data = take.data.copy()
    once = shown(take, 6)
    item.rotation_euler.y = 1.5
    bake()
    assert shown(take, 6) == pytest.approx(once, abs=1e-7)
    assert not np.allclose(shown(item.tendril.result, 6), once, atol=1e-3)


def test_frames_go_along_bent_and_closed_hair():
    """From edge to edge by the least turn, across each."""
    rng = np.random.default_rng(3)
    x, starts, closed = rng.normal(size=(14, 3)), np.array([0, 3, 10, 14]), np.array([False, True, False])
    lines = list(hair.lines_of((x, np.ones(14), starts, closed), np.eye(4), Units(1.0, 24.0, 1)))
    assert [len(axes) for *_, axes, _ in lines] == [2, 7, 3]
    for own, _, axes, ring in lines:
        edge = np.roll(own, -1, axis=0) - own if ring else np.diff(own, axis=0)
        edge /= np.linalg.norm(edge, axis=1)[:, None]
        assert np.sum(edge * axes, axis=1) == pytest.approx(0.0, abs=1e-12)
        assert np.linalg.norm(axes, axis=1) == pytest.approx(1.0)
        turned = transport(axes[:-1], edge[:-1], edge[1:])
        assert axes[1:] == pytest.approx(turned)


def node_group(*names):
    """A group that passes a geometry through nodes, one after the other, and these."""
    group = bpy.data.node_groups.new("Group", "GeometryNodeTree")
    group.is_modifier = True
    for way in ("INPUT", "OUTPUT"):
        group.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    nodes = [group.nodes.new(name) for name in ("NodeGroupInput", *names, "NodeGroupOutput")]
    for one, other in pairwise(nodes):
        sockets = [socket for socket in other.inputs if socket.type == "GEOMETRY"]
        if sockets:
            group.links.new(one.outputs[0], sockets[0])
    return group, nodes[1:-1]


def test_what_deforms_it_with_its_surface_is_in_the_bake():
    item = new_hair()
    group, (_, put) = node_group("GeometryNodeDeformCurvesOnSurface", "GeometryNodeSetPosition")
    put.inputs["Offset"].default_value = (0.0, 5.0, 0.0)
    item.modifiers.new("Deform", "NODES").node_group = group
    choose(item)
    bpy.ops.tendril.add_rod()
    assert read_scene(bpy.context)[0].rods[0].x[:, 1] == pytest.approx(5.0)
    bake()
    baked = item.tendril.result
    assert [each.name for each in baked.modifiers] == ["Tendril Bake"]
    assert shown(baked, 1)[:, 1] == pytest.approx(5.0, abs=1e-6)


def test_geometry_nodes_may_make_it():
    item = link(bpy.data.objects.new("Hair", bpy.data.hair_curves.new("Hair")))
    group, (line, resample) = node_group("GeometryNodeCurvePrimitiveLine", "GeometryNodeResampleCurve")
    line.inputs["End"].default_value = (0.5, 0.0, 0.0)
    resample.inputs["Count"].default_value = 9
    item.modifiers.new("Grow", "NODES").node_group = group
    choose(item)
    assert bpy.ops.tendril.add_rod() == {"FINISHED"}
    bake()
    baked = item.tendril.result
    assert [each.name for each in baked.modifiers] == ["Tendril Bake"]
    x = shown(baked, 6)
    assert len(x) == 9
    assert x[-1, 2] < -1e-3


def test_roots_are_tied_to_a_surface_that_falls():
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.1, location=(0.0, 0.0, 1.0))
    head = bpy.context.object
    bpy.ops.tendril.add_body()
    item = hair_rod(surface=head)
    item.location.z = 1.1
    scene, _ = read_scene(bpy.context)
    assert (len(scene.welds), len(scene.pins)) == (4, 0)
    assert {weld.body for weld in scene.welds} == {0}


@pytest.mark.parametrize("guides", [1, 2])
def test_hair_that_is_changed_while_it_is_baked_is_shown_as_simulated(guides, tmp_path):
    item = hair_rod(length=0.4)
    item.rotation_euler.y, item.tendril.rod.guides = 1.0, guides
    save(tmp_path, 6)
    baking = Baking(bpy.context)
    worker = baking.start()
    while not worker.over:
        if said := worker.next_message(1.0):
            baking.hear(bpy.context, said)
    item.data.add_curves([POINTS])
    baking.end(bpy.context)
    assert len(shown(item.tendril.result, 6)) == 4 // guides * POINTS


def test_pins_at_points_are_refused_and_at_starts_offered():
    item = hair_rod()
    assert no_place([item], "START") == ""
    assert "has no selected point" in refused(bpy.ops.tendril.add_pin, place="SELECTION", holder="EMPTY")


def test_a_renamed_modifier_is_found_and_a_removed_one_leaks_nothing():
    item = hair_rod()
    bake()
    baked, before = item.tendril.result, counts()
    baked.modifiers[0].name = "Mine"
    bake()
    assert len(baked.modifiers) == 1
    assert counts() == before


def test_inputs_of_what_draws_it_are_out_of_date():
    item = new_hair()
    group, _ = node_group("GeometryNodeDeformCurvesOnSurface")
    socket = group.interface.new_socket("Length", in_out="INPUT", socket_type="NodeSocketFloat")
    modifier = item.modifiers.new("Deform", "NODES")
    modifier.node_group = group
    choose(item)
    bpy.ops.tendril.add_rod()
    bake()
    assert changes.sentence(bpy.context) == ""
    if hasattr(modifier, "properties"):  # Blender 5.2
        getattr(modifier.properties.inputs, socket.identifier).value = 2.0
    else:
        modifier[socket.identifier] = 2.0
    assert "shape of 'Hair' changed" in changes.sentence(bpy.context)


def curly_hair(strands=9, surface=None):
    """Curls on the plane z = 0, as a rod whose every third strand is simulated."""
    item = hair_rod(strands=strands, points=12, surface=surface)
    s, k = np.meshgrid(np.linspace(0.0, 0.3, 12), np.arange(strands))
    curl = np.stack([0.01 * np.sin(40.0 * s + k), 0.01 * np.cos(50.0 * s - k), s], axis=-1)
    curl += np.stack([0.05 * k, 0.03 * np.sin(3.0 * k), 0.0 * s], axis=-1) - curl[:, :1] * (1.0, 1.0, 0.0)
    item.data.position_data.foreach_set("vector", curl.astype(np.float32).ravel())
    item.rotation_euler.x, item.tendril.rod.guides = 1.0, 3
    return item


@pytest.mark.parametrize("storage", ["KEYS", "FILE"])
def test_guides_are_simulated_and_the_others_go_with_them(storage, tmp_path):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "head.blend"))
    head = bending_head()
    head.rotation_euler.x = 1.0
    item = curly_hair(surface=head)
    item.tendril.rod.storage = storage
    drawn = shown(item, 1).reshape(9, 12, 3)
    assert len(read_scene(bpy.context)[0].rods) == 3
    bake(12)
    baked = item.tendril.result
    assert len(baked.data.attributes["radius"].data) == 9 * 12
    assert shown(baked, 1).reshape(9, 12, 3) == pytest.approx(drawn, abs=1e-6)
    for frame in range(1, 13):
        x = shown(baked, frame).reshape(9, 12, 3)
        assert x[:, 0] == pytest.approx(on_head(head, drawn[:, 0], frame), abs=1e-5)
        pieces, own = (np.linalg.norm(np.diff(each, axis=1), axis=2) for each in (x, drawn))
        assert pieces == pytest.approx(own, rel=1e-3)
    bent, between = (np.abs(x - drawn)[own, -1].max(axis=1) for own in ([0, 3, 6], [1, 2, 4, 5]))
    assert bent.min() > 0.1
    assert between.min() > 0.1
    if storage == "FILE":
        path = hair_result.points_of(baked).modifiers[0].filepath
        assert (tmp_path / path.lstrip("/")).stat().st_size <= 1.1 * 12 * 9 * 12 * 12
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=bpy.data.filepath)
    assert shown(bpy.data.objects["Hair Baked"], 12).reshape(9, 12, 3) == pytest.approx(x, abs=1e-6)


def on_head(head, places, frame):
    """Where places on the plane of the head at rest, in the world, are in a frame."""
    value, matrix = frame_value(head, frame), np.array(head.matrix_world)[:3, :3]
    own = places @ matrix
    return (own + value * np.column_stack([0.0 * own[:, 0], 0.0 * own[:, 0], 0.3 + 0.2 * own[:, 0]])) @ matrix.T


@pytest.mark.parametrize(("domain", "kind"), [("CURVE", "BOOLEAN"), ("POINT", "FLOAT"), ("CURVE", "INT8")])
def test_an_attribute_chooses_guides(domain, kind):
    item = curly_hair()
    item.tendril.rod.guides_in = "leads"
    attribute = item.data.attributes.new("leads", kind, domain)
    chosen = np.zeros(len(attribute.data), dtype=np.float32 if kind == "FLOAT" else np.int32)
    chosen[[2, 4] if domain == "CURVE" else [2 * 12 + 3, 4 * 12, 4 * 12 + 11]] = 1
    attribute.data.foreach_set("value", chosen.astype(bool) if kind == "BOOLEAN" else chosen)
    scene, _ = read_scene(bpy.context)
    x = shown(item, 1).reshape(9, 12, 3)
    assert [rod.x for rod in scene.rods] == pytest.approx(x[[2, 4]], abs=1e-7)
    assert [rod.name for rod in scene.rods] == ["Hair spline 2", "Hair spline 4"]
    bake(3)
    assert changes.sentence(bpy.context) == ""
    attribute.data[2 if domain == "CURVE" else 27].value = False
    assert "Hair" in changes.sentence(bpy.context)


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda _data: None, "its guides are in the attribute 'leads', which it does not have"),
        (lambda data: data.attributes.new("leads", "BOOLEAN", "CURVE"), "which chooses no curve"),
        (
            lambda data: data.attributes.new("leads", "FLOAT_VECTOR", "POINT"),
            "has no number for each curve or point",
        ),
    ],
)
def test_what_chooses_no_guides_is_told_in_a_sentence(spoil, told):
    item = curly_hair()
    item.tendril.rod.guides_in = "leads"
    spoil(item.data)
    assert told in refused(bpy.ops.tendril.bake)


def test_too_many_to_simulate_are_refused_and_guides_of_them_are_not(monkeypatch):
    item = curly_hair()
    item.tendril.rod.guides = 1
    monkeypatch.setattr(hair, "STRANDS", 3)
    assert "has 9 curves of 108 points, of which a bake takes 3 and" in refused(bpy.ops.tendril.bake)
    item.tendril.is_rod = False
    assert bpy.ops.tendril.add_rod() == {"FINISHED"}  # whose Guides can be raised then
    item.tendril.rod.guides = 3
    assert len(read_scene(bpy.context)[0].rods) == 3
    item.data.attributes.new("leads", "INT", "CURVE").data.foreach_set("value", [1] * 9)
    item.tendril.rod.guides_in = "leads"
    assert "3 and 500000 at most: set fewer in the attribute 'leads'." in refused(bpy.ops.tendril.bake)


def test_weights_of_hair_that_is_no_guide_are_told_as_such():
    item = curly_hair()
    item.data.attributes.new("stiff", "FLOAT", "CURVE").data.foreach_set("value", [0, 1, 1] * 3)
    item.tendril.rod.stiffness_attribute = "stiff"
    with pytest.raises(SceneError, match="'stiff', in which no point of a guide has a weight: set some"):
        read_scene(bpy.context)


def test_a_pin_holds_a_guide_alone():
    item = curly_hair()
    for spline in (3, 4):
        pin = item.tendril.pins.add()
        pin.spline, pin.fraction, pin.target = spline, 1.0, link(bpy.data.objects.new("Nail", None))
        if spline == 3:
            assert [own.rod for own in read_scene(bpy.context)[0].pins] == [1, 0, 1, 2]
    with pytest.raises(SceneError, match="pin 'Pin' holds spline 4, which is no guide: remove the pin, or"):
        read_scene(bpy.context)
    item.tendril.pins[0].spline = 5
    with pytest.raises(SceneError, match=r"spline 5, which is no guide \(and 1 more of its pins one such\): remove"):
        read_scene(bpy.context)


@pytest.mark.parametrize(("place", "each"), [("ENDS", 2), ("START", 1), ("END", 1)])
def test_ends_of_guides_alone_are_pinned(place, each):
    item = curly_hair()
    assert bpy.ops.tendril.add_pin(place=place, holder="EMPTY") == {"FINISHED"}
    assert sorted(pin.spline for pin in item.tendril.pins) == sorted([0, 3, 6] * each)
    read_scene(bpy.context)


def test_the_guide_nearest_to_a_body_is_tied_to_it():
    item = curly_hair()
    box = sphere("Box", shown(item, 1).reshape(9, 12, 3)[4, -1], 0.005)
    choose(box, item)
    assert bpy.ops.tendril.tie() == {"FINISHED"}
    assert [pin.spline for pin in item.tendril.pins] == [3]


def test_a_strand_that_is_no_guide_is_not_pinned():
    item = curly_hair()
    told = refused(bpy.ops.tendril.add_pin, place="FRACTION", spline=4, holder="EMPTY")
    assert "Spline 4 of 'Hair' is no guide, and not simulated: choose one, as 3." in told
    assert bpy.ops.tendril.add_pin(place="FRACTION", spline=3, holder="EMPTY") == {"FINISHED"}
    assert "TendrilPin.spline" in panels.draw_all()
    assert len(item.tendril.pins) == 1


def test_hair_between_guides_goes_with_a_body_that_falls():
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.3, location=(0.2, 0.0, -0.1))
    head = bpy.context.object
    bpy.ops.tendril.add_body()
    head.tendril.body.spin = (3.0, 0.0, 0.0)
    item = curly_hair(surface=head)
    drawn = shown(item, 1).reshape(9, 12, 3)
    bake(8)
    x = shown(item.tendril.result, 8).reshape(9, 12, 3)[:, 0]
    apart, before = (np.linalg.norm(own[:, None] - own[None], axis=2) for own in (x, drawn[:, 0]))
    assert apart == pytest.approx(before, abs=1e-5)
    assert np.linalg.norm(x - drawn[:, 0], axis=1).min() > 0.1


def test_guides_that_stay_while_others_are_baked_keep_their_hair():
    item = curly_hair(surface=(head := bending_head()))
    other = draw_rod("Rope", [(1.0, 0.0, 0.1 * k) for k in range(5)])
    bake()
    before = np.array([shown(item.tendril.result, frame) for frame in (1, 6)])
    head.data.shape_keys.key_blocks["Up"].data[0].co.z += 1.0
    choose(other.tendril.result)
    assert bpy.ops.tendril.bake_selected() == {"FINISHED"}
    after = np.array([shown(item.tendril.result, frame) for frame in (1, 6)])
    assert after == pytest.approx(before, abs=1e-6)


@pytest.fixture
def hair_and_rope(tmp_path):
    """A function that makes hair on a surface, and a rope, bakes both and gives them."""

    def make(guides=3, surface=None):
        item = curly_hair(surface=surface)
        item.tendril.rod.guides = guides
        draw_rod("Rope", [(1.0, 0.0, 0.1 * k) for k in range(5)])
        save(tmp_path, 6)
        assert bpy.ops.tendril.bake() == {"FINISHED"}
        return bpy.data.objects["Hair"], bpy.data.objects["Rope"]

    return make


def warnings():
    return [own.text for own in bpy.context.window_manager.tendril.warnings]


@pytest.mark.parametrize(("before", "after"), [(2, 1), (1, 4), (3, 2)])
def test_hair_with_other_guides_is_baked_anew_beside_what_is_selected(before, after, hair_and_rope):
    item, rope = hair_and_rope(before)
    item.tendril.rod.guides = after
    choose(rope.tendril.result)
    assert bpy.ops.tendril.bake_selected() == {"FINISHED"}
    assert any("'Hair' has other strands, Guides or surface" in text for text in warnings())
    assert changes.sentence(bpy.context) == ""
    found = np.array([shown(item.tendril.result, frame) for frame in (1, 6)])
    bake()
    assert found == pytest.approx(np.array([shown(item.tendril.result, frame) for frame in (1, 6)]), abs=1e-5)


def sphere(name, place, radius=0.3):
    bpy.ops.mesh.primitive_uv_sphere_add(radius=radius, location=place)
    bpy.ops.tendril.add_body()
    bpy.context.object.name = name
    return bpy.context.object


def test_hair_that_stays_follows_its_body_among_others(hair_and_rope):
    sphere("Other", (5.0, 5.0, 5.0))
    head = sphere("Head", (0.2, 0.0, -0.1))
    head.tendril.body.spin = (3.0, 0.0, 0.0)
    item, rope = hair_and_rope(surface=head)
    before = np.array([shown(item.tendril.result, frame) for frame in (1, 6)])
    bpy.data.objects["Other"].tendril.is_body = False
    choose(rope.tendril.result)
    assert bpy.ops.tendril.bake_selected() == {"FINISHED"}
    after = np.array([shown(item.tendril.result, frame) for frame in (1, 6)])
    assert after == pytest.approx(before, abs=1e-6)


def test_what_was_before_stays_when_hair_elsewhere_is_baked_from_here(hair_and_rope):
    """From there on all roots are where they are now: those of guides and the others."""
    item, _ = hair_and_rope(surface=bending_head())
    before = {frame: shown(item.tendril.result, frame) for frame in (1, 2, 3, 6)}
    bpy.context.scene.frame_set(3)
    item.location.y += 0.002
    assert bpy.ops.tendril.bake_from_here() == {"FINISHED"}
    for frame in (1, 2):
        assert shown(item.tendril.result, frame) == pytest.approx(before[frame], abs=1e-6)
    moved = (shown(item.tendril.result, 6) - before[6]).reshape(9, 12, 3)[:, 0]
    assert moved == pytest.approx(np.tile([0.0, 0.002, 0.0], (9, 1)), abs=1e-5)


def test_hair_that_stays_does_so_in_all_frames_when_others_are_baked_from_here(hair_and_rope):
    item, rope = hair_and_rope(surface=bending_head())
    before = np.array([shown(item.tendril.result, frame) for frame in (1, 6)])
    choose(rope.tendril.result)
    assert bpy.ops.tendril.bake_selected() == {"FINISHED"}
    bpy.context.scene.frame_set(3)
    item.location.y += 0.002
    assert bpy.ops.tendril.bake_from_here() == {"FINISHED"}
    after = np.array([shown(item.tendril.result, frame) for frame in (1, 6)])
    assert after == pytest.approx(before, abs=1e-6)


def test_other_guides_are_not_baked_from_here(hair_and_rope):
    item, _ = hair_and_rope()
    before = shown(item.tendril.result, 6)
    bpy.context.scene.frame_set(3)
    item.tendril.rod.guides = 4
    assert "'Hair' has other strands, Guides or pins at roots" in refused(bpy.ops.tendril.bake_from_here)
    assert shown(item.tendril.result, 6) == pytest.approx(before, abs=1e-7)


def test_guides_are_in_the_panel():
    item = curly_hair()
    shown = panels.draw_all()
    assert {"TendrilRod.guides", "TendrilRod.guides_in"} <= shown
    choose(draw_rod("Rope", [(1.0, 0.0, 0.1 * k) for k in range(5)]))
    assert "TendrilRod.guides" not in panels.draw_all()
    assert item.tendril.rod.guides == 3
