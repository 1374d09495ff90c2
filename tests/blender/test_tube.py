"""Meshes that are modelled as tubes: each becomes a cable that it follows, at rest as it was."""

import sys

import bpy
import numpy as np
import pytest
from artist import choose, override, refused
from bl_ext.user_default.tendril.bridge import result, tube_binding, tube_curve
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.physics.validate import SceneError
from bl_ext.user_default.tendril.properties.body import cable_of, rod_of
from bl_ext.user_default.tendril.properties.colliders import hindrance
from bl_ext.user_default.tendril.properties.following import followed
from mathutils import Euler
from panels import Layout, draw_all
from tube_meshes import course, hollow, length, off, swept, together, voxels

RADIUS = 0.05
REST = 1e-6  # of a mesh of about one unit: in single precision


def tube(mesh, name="Hose", scale=RADIUS):
    """A mesh object of (vertices, faces), with a UV map and a material."""
    v, faces = mesh
    data = bpy.data.meshes.new(name)
    data.from_pydata([tuple(place) for place in scale * v], [], faces)
    data.uv_layers.new(name="Paint")
    data.materials.append(bpy.data.materials.new("Rubber"))
    item = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(item)
    choose(item)
    return item


def seen(item):
    """Where its vertices (v, 3) are in the world, with all of its modifiers."""
    bpy.context.view_layer.update()
    evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    x = np.empty(3 * len(evaluated.data.vertices), dtype=np.float32)
    evaluated.data.vertices.foreach_get("co", x)
    matrix = np.array(evaluated.matrix_world)
    return x.reshape(-1, 3).astype(float) @ matrix[:3, :3].T + matrix[:3, 3]


def edge_lengths(item, x):
    ends = np.empty(2 * len(item.data.edges), dtype=np.int32)
    item.data.edges.foreach_get("vertices", ends)
    return np.linalg.norm(x[ends[::2]] - x[ends[1::2]], axis=1)


def make():
    assert bpy.ops.tendril.cable_from_tube() == {"FINISHED"}
    return bpy.context.object


def test_a_hose_becomes_a_cable_that_it_follows():
    mesh = tube(hollow(course(), inner=0.6))
    mesh.location = (0.3, -0.2, 0.5)
    before = seen(mesh)
    cable = make()
    assert cable.tendril.is_rod
    assert cable.tendril.rod.model == "CABLE"
    scene, _ = read_scene(bpy.context)
    (rod,) = scene.rods
    assert rod.radius == pytest.approx(RADIUS, rel=1e-2)
    assert rod.inner_radius == pytest.approx(0.6 * RADIUS, rel=1e-2)
    assert cable.data.splines[0].calc_length() == pytest.approx(RADIUS * length(course()), rel=1e-3)
    assert len(cable.tendril.pins) == 2
    assert np.abs(seen(mesh) - before).max() < REST
    assert mesh.data.uv_layers.keys() == ["Paint"]
    assert mesh.data.materials[0].name == "Rubber"


def test_it_goes_where_the_cable_is_drawn_anew():
    mesh = tube(swept(course()))
    before = seen(mesh)
    cable = make()
    for pin in cable.tendril.pins:
        pin.target.location.z += 1.0
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    after = seen(mesh)
    rings = after.reshape(-1, 8, 3)
    assert np.linalg.norm(after - before, axis=1).max() > 0.5
    assert np.linalg.norm(rings - rings.mean(axis=1, keepdims=True), axis=2) == pytest.approx(RADIUS, rel=0.02)
    for own, was in ((rings[0], before[:8]), (rings[-1], before[-8:])):
        assert own == pytest.approx(was + (0.0, 0.0, 1.0), abs=0.1 * RADIUS)


@pytest.mark.parametrize("baked", [False, True])
def test_its_ends_turn_as_what_holds_them(baked):
    mesh = tube(swept(course()))
    mesh.rotation_euler, mesh.scale = (0.4, 1.1, 0.3), (1.3, 1.3, 1.3)
    before = seen(mesh)
    cable = make()
    assert np.abs(seen(mesh) - before).max() < REST
    empty = next(pin.target for pin in cable.tendril.pins if pin.fraction == 0.0)  # whence Blender counts a twist
    ring = min((slice(8), slice(-8, None)), key=lambda own: gap(empty, before[own]))
    place = np.array(empty.matrix_world.translation)
    turn = Euler((0.9, -0.7, 0.8)).to_matrix()
    if baked:
        empty.keyframe_insert("rotation_euler", frame=1)
        empty.rotation_euler = turn.to_euler()
        empty.keyframe_insert("rotation_euler", frame=10)
        bpy.context.scene.frame_end = 10
        assert bpy.ops.tendril.bake() == {"FINISHED"}
        bpy.context.scene.frame_set(10)
    else:
        empty.rotation_euler = turn.to_euler()
        assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    wanted = (before[ring] - place) @ np.array(turn).T + place
    assert seen(mesh)[ring] == pytest.approx(wanted, abs=0.15 * 1.3 * RADIUS)


def gap(item, ring):
    return np.linalg.norm(np.array(item.matrix_world.translation) - ring.mean(axis=0))


def test_it_follows_the_bake_and_the_cable_again():
    mesh = tube(swept(course()))
    cable = make()
    scene = bpy.context.scene
    scene.frame_end = 3
    pin = cable.tendril.pins[0].target
    for frame, z in ((1, 0.0), (3, 0.3)):
        pin.location.z = pin.location.z + z
        pin.keyframe_insert("location", frame=frame)
    scene.frame_set(1)
    rest = seen(mesh)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    scene.frame_set(1)
    first = seen(mesh)
    scene.frame_set(3)
    last = seen(mesh)
    end = np.argmin(np.linalg.norm(rest - np.array(pin.matrix_world.translation) + (0, 0, 0.3), axis=1))
    assert last[end, 2] - first[end, 2] == pytest.approx(0.3, abs=0.02)
    result.revert(cable)
    scene.frame_set(1)
    assert np.abs(seen(mesh) - rest).max() < 10.0 * REST


def test_a_tube_that_branches_becomes_a_harness():
    lines = [np.array([(0, 0, 0), end], dtype=float) for end in ((0, 0, -20), (14, 0, 14), (-14, 0, 14))]
    mesh = tube(voxels(lines, [1.2, 0.8, 0.8], 0.4))
    before = seen(mesh)
    cable = make()
    assert len(cable.data.splines) == 3
    assert sorted({pin.target.name for pin in cable.tendril.pins}) == [
        "Hose Cable Pin", "Hose Cable Pin.001", "Hose Cable Pin.002", "Joint",
    ]  # fmt: skip
    scene, _ = read_scene(bpy.context)
    assert sorted(np.round(np.ravel([np.mean(rod.radius) for rod in scene.rods]) / RADIUS, 2)) == [0.8, 0.8, 1.2]
    assert np.abs(seen(mesh) - before).max() < REST
    lowest = min((pin.target for pin in cable.tendril.pins), key=lambda target: target.location.z)
    lowest.location = np.array(lowest.location) + (0.3, 0.2, 0.25)
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    stretch = edge_lengths(mesh, seen(mesh)) / edge_lengths(mesh, before)
    assert 0.7 < stretch.min() < stretch.max() < 1.3  # of those in the fork, which lie between two branches


def test_the_part_between_two_vertices_follows_and_the_rest_stays():
    mesh = tube(swept(course()))
    before = seen(mesh)
    for vertex in mesh.data.vertices:
        vertex.select = vertex.index in (20 * 8, 60 * 8)
    assert bpy.ops.tendril.cable_from_tube(part="BETWEEN") == {"FINISHED"}
    cable = bpy.context.object
    assert np.abs(seen(mesh) - before).max() < REST
    for spline in cable.data.splines:
        for point in spline.bezier_points:
            for name in ("co", "handle_left", "handle_right"):
                setattr(point, name, np.array(getattr(point, name)) + (0.0, 0.0, 1.0))
    moved = (seen(mesh) - before)[:, 2]
    assert moved[20 * 8 : 61 * 8] == pytest.approx(1.0, abs=1e-5)
    assert moved[: 20 * 8] == pytest.approx(0.0, abs=1e-6)
    assert moved[61 * 8 :] == pytest.approx(0.0, abs=1e-6)


def test_in_edit_mode_two_selected_vertices_tell_the_part():
    mesh = tube(swept(course()))
    for vertex in mesh.data.vertices:
        vertex.select = vertex.index in (20 * 8, 60 * 8)
    for edge in mesh.data.edges:
        edge.select = False
    for face in mesh.data.polygons:
        face.select = False
    bpy.ops.object.mode_set(mode="EDIT")
    cable = make()
    assert bpy.context.mode == "OBJECT"
    assert cable.data.splines[0].calc_length() == pytest.approx(
        RADIUS * length(course()[20:61]), rel=2e-3
    )  # to where vertices are


def test_a_refusal_leaves_edit_mode_as_it_was():
    mesh = tube(swept(course()))
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="DESELECT")
    refusal = refused(lambda: bpy.ops.tendril.cable_from_tube(part="BETWEEN"))
    assert "'Hose' has 0 vertices selected: select two in edit mode, or take the Whole Mesh" in refusal
    assert bpy.context.mode == "EDIT_MESH"
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.context.object == mesh


def test_what_fails_leaves_the_mesh_and_what_is_selected(monkeypatch):
    other, mesh = tube(swept(course()), "Other"), tube(swept(course()))
    data, attributes = mesh.data, mesh.data.attributes.keys()
    choose(other, mesh)
    meshes = set(bpy.data.meshes)

    def fails(error):
        monkeypatch.setattr(tube_binding, "offsets", lambda *_: (_ for _ in ()).throw(error))
        return refused(bpy.ops.tendril.cable_from_tube)

    assert "'Hose' is no good" in fails(SceneError("Hose", "'Hose' is no good."))
    assert "KeyError: 'offset'" in fails(KeyError("offset"))
    assert mesh.data == data
    assert data.attributes.keys() == attributes
    assert set(bpy.data.meshes) == meshes
    assert not [*bpy.data.curves, *bpy.data.node_groups, *mesh.modifiers]
    assert set(bpy.context.selected_objects) == {other, mesh}
    assert bpy.context.object == mesh
    mesh.hide_set(True)
    bpy.context.view_layer.objects.active = mesh
    assert "'Hose' is hidden: show it first" in refused(bpy.ops.tendril.cable_from_tube)


def test_a_library_override_becomes_one(tmp_path):
    mesh = tube(swept(course()))
    override(tmp_path, mesh)
    mesh = bpy.context.scene.objects["Hose"]
    assert mesh.override_library
    mesh.data = mesh.data.copy()
    choose(mesh)
    before = seen(mesh)
    cable = make()
    assert len(cable.tendril.pins) == 2
    assert np.abs(seen(mesh) - before).max() < REST


def test_it_follows_again_after_a_script_removed_the_bake():
    mesh = tube(swept(course()))
    cable = make()
    assert mesh.data.name == "Hose"
    bpy.context.scene.frame_end = 2
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert followed(mesh) == cable.tendril.result
    bpy.data.objects.remove(cable.tendril.result)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert followed(mesh) == cable.tendril.result
    assert mesh.tendril_bakes == 2  # what points to a result
    bpy.data.objects.remove(cable.tendril.result)
    result.revert(cable)
    assert followed(mesh) == cable


def test_a_duplicate_follows_the_duplicate_of_its_cable_and_else_the_same(tmp_path):
    mesh = tube(swept(course()))
    cable = make()
    before, there = seen(mesh), [pin.target for pin in cable.tendril.pins]
    choose(mesh)
    assert bpy.ops.object.duplicate() == {"FINISHED"}
    assert followed(bpy.context.object) == cable
    bpy.data.objects.remove(bpy.context.object)
    choose(mesh, *there, cable)
    assert bpy.ops.object.duplicate() == {"FINISHED"}
    own = bpy.context.object
    other = next(item for item in bpy.context.selected_objects if item.type == "MESH")
    assert followed(other) == own != cable
    assert other.modifiers[0].node_group == mesh.modifiers[0].node_group
    for pin in own.tendril.pins:
        pin.target.location.z += 1.0
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    assert np.abs(seen(mesh) - before).max() < REST
    assert (seen(other) - before)[:, 2].mean() > 0.9
    rest = seen(other)
    bpy.context.scene.frame_end = 2
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert [followed(each) for each in (mesh, other)] == [cable.tendril.result, own.tendril.result]
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "two.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "two.blend"))
    assert bpy.ops.tendril.revert() == {"FINISHED"}
    for name, was, its in (("Hose", before, "Hose Cable"), ("Hose.001", rest, "Hose Cable.001")):
        assert followed(bpy.data.objects[name]) == bpy.data.objects[its]
        assert np.abs(seen(bpy.data.objects[name]) - was).max() < 10.0 * REST


def test_a_mesh_whose_cable_is_gone_is_where_it_was():
    mesh = tube(swept(course()))
    before = seen(mesh)
    cable = make()
    mesh.modifiers.new("Collision", "COLLISION")
    assert "is met in its place" in hindrance(mesh)
    bpy.data.objects.remove(cable)
    assert followed(mesh) is None
    assert np.abs(seen(mesh) - before).max() < REST
    assert not hindrance(mesh)


def test_a_duplicate_of_a_bake_and_its_mesh_becomes_a_cable_of_its_own():
    mesh = tube(swept(course()))
    cable = make()
    bpy.context.scene.frame_end = 2
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    before = seen(mesh)
    choose(mesh, cable.tendril.result)
    assert bpy.ops.object.duplicate() == {"FINISHED"}
    copy = bpy.context.object
    other = next(item for item in bpy.context.selected_objects if item.type == "MESH")
    copy.location.z += 3.0
    assert (seen(other) - before)[:, 2] == pytest.approx(3.0, abs=1e-5)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert [followed(each) for each in (mesh, other)] == [cable.tendril.result, copy]
    assert copy.tendril.source != cable
    assert bpy.ops.tendril.revert() == {"FINISHED"}
    found = [followed(each) for each in (mesh, other)]
    assert found == [cable, other.tendril.carrier]
    assert cable != found[1]


def test_it_has_what_its_modifiers_make_of_it():
    mesh = tube(swept(course()))
    mesh.modifiers.new("Fine", "SUBSURF")
    before = seen(mesh)
    make()
    assert [each.name for each in mesh.modifiers] == ["Follow Cable", "Fine"]
    assert np.abs(seen(mesh) - before).max() < REST


@pytest.mark.parametrize("kind", ["MULTIRES", "SURFACE_DEFORM", "MESH_CACHE", "ARMATURE"])
@pytest.mark.parametrize("shown", [True, False])
def test_what_would_not_follow_is_told_and_nothing_is_changed(kind, shown):
    """Also a modifier that only renders have."""
    mesh = tube(swept(course()))
    mesh.modifiers.new("Own", kind).show_viewport = shown
    before = mesh.data, mesh.data.attributes.keys()
    assert "'Hose' has the modifier 'Own', which " in refused(bpy.ops.tendril.cable_from_tube)
    assert (mesh.data, mesh.data.attributes.keys(), mesh.modifiers.keys()) == (*before, ["Own"])
    assert not [*bpy.data.node_groups, *bpy.data.curves]


def test_a_tube_that_was_duplicated_in_its_place_is_one_solid_tube():
    """As Shift D and Esc in edit mode leaves it."""
    mesh = tube(together(swept(course()), swept(course())))
    before, cable = seen(mesh), make()
    assert len(cable.data.splines) == 1
    assert cable.tendril.rod.inner_radius == 0.0
    assert np.abs(seen(mesh) - before).max() < REST
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}


@pytest.mark.parametrize("by", ["parent", "keys"])
def test_its_ends_go_with_what_moved_the_mesh(by):
    mesh = tube(swept(course()))
    parent = bpy.data.objects.new("Car", None)
    bpy.context.collection.objects.link(parent)
    moved = mesh
    if by == "parent":
        mesh.parent, moved = parent, parent
        parent.rotation_euler, parent.scale = (0.3, 0.2, 1.0), (1.5, 1.5, 1.5)
    else:
        mesh.keyframe_insert("location", frame=1)
    choose(mesh)
    before, cable = seen(mesh), make()
    assert np.abs(seen(mesh) - before).max() < REST
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    rest = seen(mesh)
    moved.location.z += 2.0
    choose(cable)
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    assert seen(mesh) - rest == pytest.approx(np.tile((0.0, 0.0, 2.0), (len(rest), 1)), abs=1e-4)


def test_a_mesh_that_collides_is_no_wall_around_its_own_cable():
    mesh = tube(swept(course()))
    mesh.modifiers.new("Collision", "COLLISION")
    cable = make()
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    pulled = cable.tendril.tension
    bpy.context.scene.frame_end = 2
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    told = [own.text for own in bpy.context.window_manager.tendril.warnings]
    assert "'Hose' follows a cable, which is met in its place: remove its Collision, or separate what of it" in told[0]
    assert cable.tendril.tension == pytest.approx(pulled, rel=0.01)


def test_who_chooses_the_mesh_means_its_cable():
    """Which is a line within it: it settles, is held, baked and shown to be edited, and the mesh stays chosen."""
    mesh = tube(swept(course()))
    cable, other = make(), tube(swept(course() + (0.0, 0.0, 40.0)), "Other")
    before = seen(mesh)
    assert bpy.ops.tendril.cable_from_tube() == {"FINISHED"}
    choose(mesh)
    assert rod_of(mesh) == cable_of(mesh) == cable
    assert rod_of(mesh, carried=False) is None
    assert {"tendril.settle_cable", "tendril.cut_cable", "TendrilRod.spool_radius"} <= draw_all()
    for pin in cable.tendril.pins:
        pin.target.location.z += 1.0
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    assert (seen(mesh) - before)[:, 2].mean() > 0.9
    bpy.context.scene.frame_end = 2
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert bpy.context.object == mesh
    assert bpy.ops.tendril.bake_selected() == {"FINISHED"}
    assert bpy.context.selected_objects == [mesh]
    assert bpy.ops.tendril.edit_source() == {"FINISHED"}
    assert bpy.context.object == cable
    choose(mesh, other)
    assert "Select the cables whose ends are" not in refused(lambda: bpy.ops.tendril.join_ends(reach=0.0))
    assert not mesh.tendril.is_body


def test_panels_of_the_mesh_have_the_settings_of_its_cable(monkeypatch):
    mesh = tube(swept(course()))
    cable = make()
    choose(mesh)
    found, prop = [], Layout.prop

    def remembered(layout, own, name, **options):
        found.append(own)
        return prop(layout, own, name, **options)

    monkeypatch.setattr(Layout, "prop", remembered)
    draw_all()
    owners = {getattr(own, "id_data", None) for own in found if own.bl_rna.identifier.startswith("Tendril")}
    assert cable in owners
    assert mesh not in owners


def test_a_force_on_the_mesh_is_along_the_other_object_that_is_selected():
    mesh = tube(swept(course()), "A Hose")  # the first by name
    cable = make()
    arrow = bpy.data.objects.new("Arrow", None)
    bpy.context.collection.objects.link(arrow)
    choose(arrow, mesh)
    assert bpy.ops.tendril.add_load() == {"FINISHED"}
    assert [load.target for load in cable.tendril.loads] == [arrow]


@pytest.mark.parametrize("chosen", ["mesh", "cable"])
def test_an_array_of_the_mesh_or_its_cable_has_both(chosen):
    mesh = tube(swept(course()))
    cable = make()
    before = seen(mesh)
    choose(mesh if chosen == "mesh" else cable)
    assert bpy.ops.tendril.array(count=3, offset=(0.0, 0.0, 2.0)) == {"FINISHED"}
    found = sorted((item for item in bpy.data.objects if item.type == "MESH"), key=lambda item: item.location.z)
    assert len({followed(item) for item in found}) == 3
    for number, item in enumerate(found):
        assert seen(item) == pytest.approx(before + (0.0, 0.0, 2.0 * number), abs=1e-5)


def test_a_mesh_that_follows_is_no_collider_and_told_so():
    mesh = tube(swept(course()))
    make()
    choose(mesh)
    assert "'Hose' follows a cable: select something for it to meet" in refused(bpy.ops.tendril.add_collider)


def test_what_follows_is_told_by_its_nodes_however_their_input_is_called():
    mesh = tube(swept(course()))
    cable = make()
    interface = mesh.modifiers[0].node_group.interface
    interface.items_tree["Cable"].name = "Kabel"
    assert followed(mesh) == cable
    interface.remove(interface.items_tree["Kabel"])
    assert followed(mesh) is None
    other = tube(swept(course()), "Other")
    cable = make()
    assert followed(other) == cable  # by nodes that have one


def test_a_mesh_whose_own_nodes_name_its_cable_goes_on_following(tmp_path):
    """As they did in earlier files."""
    mesh = tube(swept(course()))
    cable = make()
    group = bpy.data.node_groups.new("Hose on Cable", "GeometryNodeTree")
    node = group.nodes.new("GeometryNodeObjectInfo")
    node.name, node.inputs["Object"].default_value = "Followed Cable", cable
    group["tendril_cable"] = cable
    mesh.modifiers[0].node_group = group
    mesh.tendril.property_unset("carrier")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "earlier.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "earlier.blend"))
    mesh, cable = (bpy.data.objects[name] for name in ("Hose", "Hose Cable"))
    assert followed(mesh) == mesh.tendril.carrier == cable
    assert len(bpy.data.node_groups) == 1
    bpy.context.scene.frame_end = 2
    choose(mesh)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert followed(mesh) == cable.tendril.result


@pytest.mark.parametrize("kind", ["body", "soft", "sheet"])
def test_a_mesh_that_follows_a_cable_becomes_no_body(kind):
    mesh = tube(swept(course()))
    make()
    choose(mesh)
    refusal = refused(getattr(bpy.ops.tendril, f"add_{kind}"))
    assert "'Hose' follows a cable: remove its modifier Follow Cable first" in refusal
    assert not mesh.tendril.is_body
    assert not mesh.tendril.is_soft


def test_a_cable_that_carries_a_mesh_is_not_cut():
    mesh = tube(swept(course()))
    before = seen(mesh)
    make()
    cure = "'Hose Cable' carries the mesh 'Hose', which cannot follow two cables: apply or remove its modifier Follow"
    assert cure in refused(bpy.ops.tendril.cut_cable)
    assert np.abs(seen(mesh) - before).max() < REST
    bpy.context.scene.frame_end = 2
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert bpy.ops.tendril.edit_source() == {"FINISHED"}
    assert cure in refused(bpy.ops.tendril.cut_cable)  # whose bake the mesh follows
    mesh.modifiers.clear()
    assert bpy.ops.tendril.cut_cable() == {"FINISHED"}


def test_one_step_of_undo_takes_it_all_back():
    mesh = tube(swept(course()))
    bpy.ops.ed.undo_push(message="drawn")
    make()
    bpy.ops.ed.undo_push(message="made")
    bpy.ops.ed.undo()
    mesh = bpy.data.objects["Hose"]
    assert not mesh.modifiers
    assert not bpy.data.curves
    assert not [item for item in bpy.data.objects if item.type == "EMPTY"]


def test_what_is_no_tube_is_told_and_nothing_is_changed():
    bpy.ops.mesh.primitive_torus_add()
    assert "'Torus' has a closed ring" in refused(bpy.ops.tendril.cable_from_tube)
    bpy.ops.mesh.primitive_cube_add()
    assert "'Cube' is no tube at its vertices 0, 1, 2" in refused(bpy.ops.tendril.cable_from_tube)
    assert not bpy.data.curves
    assert not bpy.data.node_groups
    assert bpy.context.object.name == "Cube"
    two = tube(together(swept(course()), swept(course() + (0, 0, 30.0))), "Two")
    for vertex in two.data.vertices:
        vertex.select = vertex.index in (0, 1000)
    refusal = refused(lambda: bpy.ops.tendril.cable_from_tube(part="BETWEEN"))
    assert "'Two': no tube leads from vertex 0 to vertex 1000: select two vertices of one shell" in refusal
    two.shape_key_add()
    assert "'Two' has shape keys" in refused(bpy.ops.tendril.cable_from_tube)


def test_centre_lines_go_to_a_file_and_come_back(tmp_path):
    tube(swept(course(), np.linspace(1.5, 0.5, len(course()))))
    make()
    path = str(tmp_path / "Lines.csv")
    assert bpy.ops.tendril.export_centre_lines(filepath=path) == {"FINISHED"}
    scene, _ = read_scene(bpy.context)
    (rod,) = scene.rods
    assert bpy.ops.tendril.import_centre_lines(filepath=path) == {"FINISHED"}
    (spline,) = bpy.context.object.data.splines
    assert np.array([point.co[:3] for point in spline.points]) == pytest.approx(rod.x, abs=1e-6)
    assert [point.radius for point in spline.points] == pytest.approx(rod.radius.tolist(), rel=1e-6)
    assert np.ptp(rod.radius) == pytest.approx(RADIUS, rel=0.02)
    (tmp_path / "Lines.csv").write_text("a,b\n1,2\n")
    refusal = refused(lambda: bpy.ops.tendril.import_centre_lines(filepath=path))
    assert "is no table of centre lines (it has no column line, x, y, z, radius): write it anew" in refusal


def test_a_ring_goes_to_a_file(tmp_path):
    path = tmp_path / "Ring.csv"
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    bpy.ops.curve.primitive_bezier_circle_add(radius=0.5)
    bpy.context.object.data.bevel_depth = 0.02
    assert bpy.ops.tendril.add_rod() == {"FINISHED"}
    count = len(read_scene(bpy.context)[0].rods[0].x)
    assert bpy.ops.tendril.export_centre_lines(filepath="//Ring.csv") == {"FINISHED"}
    assert len(path.read_text().splitlines()) == count + 2
    assert bpy.ops.tendril.import_centre_lines(filepath="//Ring.csv") == {"FINISHED"}
    (spline,) = bpy.context.object.data.splines
    assert spline.use_cyclic_u
    assert len(spline.points) == count
    path.write_text(f"line,x,y,z,radius\n{200_000 * 'A'},1,2,3,4\n")
    refusal = refused(lambda: bpy.ops.tendril.import_centre_lines(filepath=str(path)))
    assert "is no table of centre lines (" in refusal


def test_centre_lines_go_to_a_drawing_and_come_back(tmp_path):
    """In metres whatever a unit of the scene is; of another program's lines, as thick as is asked for."""
    bpy.context.scene.unit_settings.scale_length = 0.1
    tube(swept(course(), np.linspace(1.5, 0.5, len(course()))))
    make()
    path = tmp_path / "Lines.DXF"
    assert bpy.ops.tendril.export_centre_lines(filepath=str(path)) == {"FINISHED"}
    scene, _ = read_scene(bpy.context)
    (rod,) = scene.rods
    assert bpy.ops.tendril.import_centre_lines(filepath=str(path)) == {"FINISHED"}
    (spline,) = bpy.context.object.data.splines
    assert 0.1 * np.array([point.co[:3] for point in spline.points]) == pytest.approx(rod.x, abs=1e-6)
    assert [0.1 * point.radius for point in spline.points] == pytest.approx(rod.radius.tolist(), rel=1e-6)
    line = "LINE 8 0 10 0 20 0 30 0 11 1 21 2 31 3"
    path.write_text("\n".join(f"0 SECTION 2 ENTITIES 0 {line} 0 ENDSEC 0 EOF".split()))
    assert bpy.ops.tendril.import_centre_lines(filepath=str(path), radius=0.3) == {"FINISHED"}
    (spline,) = bpy.context.object.data.splines
    assert spline.points[1].co[:3] == pytest.approx((10, 20, 30))
    assert spline.points[1].radius == pytest.approx(0.3)


@pytest.mark.parametrize("data", [b"", b"a,b\n1,2\n", b"AutoCAD Binary DXF\r\n\x1a\0", b"\xff\nEOF"])
def test_what_is_no_drawing_changes_nothing(tmp_path, data):
    (tmp_path / "Lines.dxf").write_bytes(data)
    before = [*bpy.data.objects], [*bpy.data.curves]
    refusal = refused(lambda: bpy.ops.tendril.import_centre_lines(filepath=str(tmp_path / "Lines.dxf")))
    assert "is no drawing of centre lines (it is " in refusal
    assert ([*bpy.data.objects], [*bpy.data.curves]) == before


def test_a_drawing_without_the_library_is_told(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ezdxf", None)
    (tmp_path / "Lines.dxf").write_bytes(b"0\nEOF\n")
    before = set(bpy.data.objects)
    refusal = refused(lambda: bpy.ops.tendril.import_centre_lines(filepath=str(tmp_path / "Lines.dxf")))
    assert "The Python library ezdxf is missing: install Tendril again." in refusal
    assert set(bpy.data.objects) == before


MODIFIED = {  # modifier, its settings, by how much centres may be off, the corner radius [radii]
    "decimated": ("DECIMATE", {"ratio": 0.4}, 0.1, 1.0),
    "bevelled": ("BEVEL", {"width": 0.1 * RADIUS, "segments": 2}, 0.01, 1.0),
    "solidified": ("SOLIDIFY", {"thickness": 0.3 * RADIUS}, 0.01, 1.0),
    "remeshed": ("REMESH", {"mode": "VOXEL", "voxel_size": RADIUS / 3.0}, 0.1, 0.982),  # which Remesh makes of it
}


@pytest.mark.parametrize("name", MODIFIED)
def test_what_modifiers_made_of_a_tube_is_one(name):
    kind, settings, centre, radius = MODIFIED[name]
    x = RADIUS * course()
    mesh = tube(swept(course(), sides=32, caps=name != "solidified"))
    modifier = mesh.modifiers.new("Made", kind)
    for own, value in settings.items():
        setattr(modifier, own, value)
    assert bpy.ops.object.modifier_apply(modifier="Made") == {"FINISHED"}
    found = tube_curve.of_mesh(mesh)
    (line,) = found.lines
    assert off(line.x, x) < centre * RADIUS
    assert line.length == pytest.approx(length(x), rel=2e-3 if name == "remeshed" else 1e-3)
    assert found.radius[0] == pytest.approx(radius * RADIUS, rel=1e-2)
    assert found.hollow[0] == pytest.approx(0.7 * RADIUS if name == "solidified" else 0.0, rel=1e-2)


@pytest.mark.parametrize("fine", [False, True])
def test_a_skin_of_edges_has_their_branches(fine):
    data = bpy.data.meshes.new("Skin")
    places = [(0, 0, -20), (0, 0, -10), (0, 0, 0), (7, 0, 7), (14, 0, 14), (-7, 0, 7), (-14, 0, 14)]
    data.from_pydata(places, [(0, 1), (1, 2), (2, 3), (3, 4), (2, 5), (5, 6)], [])
    item = bpy.data.objects.new("Skin", data)
    bpy.context.collection.objects.link(item)
    choose(item)
    item.modifiers.new("Skin", "SKIN")
    for each in data.skin_vertices[0].data:
        each.radius = (1.0, 1.0)
    data.skin_vertices[0].data[0].use_root = True
    if fine:
        item.modifiers.new("Fine", "SUBSURF").levels = 2
    assert bpy.ops.object.convert(target="MESH") == {"FINISHED"}
    found = tube_curve.of_mesh(item)
    ends = [np.array(each, dtype=float) for each in ((0, 0, -20), (14, 0, 14), (-14, 0, 14))]
    assert len(found.lines) == 3
    assert max(min(off(line.x, np.array([(0, 0, 0), end])) for end in ends) for line in found.lines) < 0.1
