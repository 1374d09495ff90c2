"""Trees: a branching curve or a skeleton becomes one, is told what it lacks, takes along what is parented to it."""

import sys
from pathlib import Path

import bpy
import numpy as np
import pytest
from artist import choose, refused
from bl_ext.user_default.tendril.bridge import result
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.presets import material
from bl_ext.user_default.tendril.properties.parameters import ROD, TREE
from bl_ext.user_default.tendril.trees.tree import THINNEST

sys.path.append(str(Path(__file__).resolve().parents[2] / "examples"))
import sapling

LEVELS = (sapling.Level(5, (0.3, 0.95), 1.0, 0.4, 5, 0.1, 0.1), sapling.Level(3, (0.3, 0.9), 0.8, 0.4, 4, 0.1, 0.1))
FRAMES = 6


@pytest.fixture
def branches():
    return sapling.grow(levels=LEVELS)


@pytest.fixture
def curve(branches):
    return sapling.tree("Oak", branches)


def _point_radii(curve):
    return [point.radius for spline in curve.data.splines for point in spline.bezier_points]


def shift(spline, offset):
    for point in spline.bezier_points:
        for name in ("co", "handle_left", "handle_right"):
            setattr(point, name, np.array(getattr(point, name)) + offset)


def test_each_branch_of_a_sapling_grows_from_the_one_it_was_sown_on(curve, branches):
    assert bpy.ops.tendril.add_tree() == {"FINISHED"}
    scene, _ = read_scene(bpy.context)
    assert len(scene.rods) == len(branches) == 1 + 5 + 15
    parent = {}
    for body in range(len(scene.bodies)):
        (carrier,) = (weld.rod for weld in scene.welds if weld.body == body and weld.vertex > 0)
        parent |= {weld.rod: carrier for weld in scene.welds if weld.body == body and weld.vertex == 0}
    assert parent == {child: 0 if child <= 5 else 1 + (child - 6) // 3 for child in range(1, 21)}
    assert [(pin.rod, pin.vertex, pin.mode) for pin in scene.pins] == [(0, 0, "TWIST")]


def test_a_new_tree_is_green_oak_that_stands_as_drawn_with_leaves_on_its_twigs(curve):
    bpy.ops.tendril.add_tree()
    wood, settings = material.read(material.WOODS / "oak.toml"), curve.tendril
    for name in ("young", "density", "twist_factor", "internal_damping"):
        assert getattr(settings.rod, name) * ROD[name].si == pytest.approx(wood[name], rel=1e-6), name
    for name in material.LEAVES:
        assert getattr(settings.tree, name) == pytest.approx(wood[name], rel=1e-6), name
    scene, _ = read_scene(bpy.context)
    assert all(rod.balanced and not rod.touches for rod in scene.rods)
    leafy = [rod.leaf_area is not None and rod.leaf_area.any() for rod in scene.rods]
    assert not scene.rods[1].leaf_area[: scene.rods[1].edge_count // 2].any()
    assert np.mean(leafy[6:]) > 0.9
    settings.tree.leaves = 0.0
    bare, _ = read_scene(bpy.context)
    assert all(rod.leaf_area is None or not rod.leaf_area.any() for rod in bare.rods)
    assert sum(rod.mass.sum() for rod in bare.rods) < sum(rod.mass.sum() for rod in scene.rods)


def test_a_branch_is_as_thick_and_stiff_as_it_is_drawn(curve, branches):
    bpy.ops.tendril.add_tree()
    scene, _ = read_scene(bpy.context)
    for rod, branch in zip(scene.rods, branches, strict=True):
        assert rod.radius[0] == pytest.approx(branch.radius[0], rel=1e-3)
        assert rod.radius[-1] == pytest.approx(max(branch.radius[-1], THINNEST * branch.radius.max()), rel=1e-3)
        assert np.all(np.diff(rod.bend_stiffness[:, 0]) <= 0.0)


def test_more_trunk_pieces_make_a_finer_tree(curve):
    bpy.ops.tendril.add_tree()
    counts = []
    for pieces in (8, 24):
        curve.tendril.tree.pieces = pieces
        scene, _ = read_scene(bpy.context)
        counts.append(sum(rod.edge_count for rod in scene.rods))
        assert scene.rods[0].edge_count == pieces
    assert 2.0 < counts[1] / counts[0] < 3.5


def test_a_curve_without_thickness_gets_a_trunk_s_and_keeps_its_taper(curve):
    curve.data.bevel_depth = 0.0
    bpy.ops.tendril.add_tree()
    scene, _ = read_scene(bpy.context)
    radius = np.array([rod.radius[0] for rod in scene.rods])
    assert radius.max() == pytest.approx(max(curve.dimensions) / 60, rel=0.05)
    assert not curve.tendril.rod.use_radius
    assert curve.data.bevel_depth == pytest.approx(radius.max() / max(_point_radii(curve)), rel=1e-3)
    drawn = [spline.bezier_points[0].radius for spline in curve.data.splines]
    assert np.allclose(radius / radius.max(), np.array(drawn) / max(drawn), rtol=1e-3)


def test_an_animated_tree_takes_its_root_along(curve):
    bpy.ops.tendril.add_tree()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 10
    for frame, x in ((1, 0.0), (10, 0.5)):
        curve.location.x = x
        curve.keyframe_insert("location", index=0, frame=frame)
    described, _ = read_scene(bpy.context)
    assert described.pins[0].position[-1, 0] - described.pins[0].position[0, 0] == pytest.approx(0.5, abs=1e-6)


def test_a_root_that_is_pinned_is_not_clamped_too(curve):
    bpy.ops.tendril.add_tree()
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.0, holder="EMPTY")
    scene, _ = read_scene(bpy.context)
    assert [pin.name for pin in scene.pins] == ["Start"]


def test_a_loose_branch_is_named_with_its_distance_and_nothing_is_changed(curve):
    shift(curve.data.splines[9], (0.0, 0.0, 2.5))
    sentence = refused(bpy.ops.tendril.add_tree)
    assert "Branch 9 of 'Oak' touches no other branch: it starts " in sentence
    assert "Move its first point" in sentence
    assert not curve.tendril.is_rod
    assert not curve.tendril.is_tree


def test_a_closed_spline_is_no_branch(curve):
    curve.data.splines[3].use_cyclic_u = True
    assert "Branch 3 of 'Oak' is closed" in refused(bpy.ops.tendril.add_tree)


def test_what_cannot_be_a_tree_is_told_so():
    assert "Nothing is selected: select a curve to make a tree of it" in refused(bpy.ops.tendril.add_tree)
    bpy.ops.mesh.primitive_cube_add()
    assert "'Cube' is a mesh: select a curve" in refused(bpy.ops.tendril.add_tree)


def test_a_mesh_with_faces_is_no_skeleton():
    bpy.ops.mesh.primitive_cube_add()
    assert "'Cube' has faces, and a skeleton has edges alone" in refused(bpy.ops.tendril.tree_from_skeleton)


def test_a_rod_that_cannot_be_a_tree_stays_the_rod_it_was(curve):
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset="steel_wire")
    curve.data.bevel_depth = 0.0
    shift(curve.data.splines[9], (0.0, 0.0, 2.5))
    before = [getattr(curve.tendril.rod, name) for name in ROD]
    refused(bpy.ops.tendril.add_tree)
    assert curve.tendril.is_rod
    assert not curve.tendril.is_tree
    assert [getattr(curve.tendril.rod, name) for name in ROD] == before
    assert curve.tendril.rod.preset == "steel_wire"
    assert curve.data.bevel_depth == 0.0


def test_a_tree_is_not_made_a_tree_again(curve):
    bpy.ops.tendril.add_tree()
    bpy.ops.tendril.apply_preset(preset="pine")
    assert "'Oak' is a tree already" in refused(bpy.ops.tendril.add_tree)
    assert curve.tendril.rod.preset == "pine"


def test_a_tree_becomes_a_plain_curve_again(curve):
    bpy.ops.tendril.add_tree()
    bpy.ops.tendril.remove_rod()
    assert not curve.tendril.is_tree
    assert curve.tendril.tree.leaf_radius == pytest.approx(TREE["leaf_radius"].default)


def test_woods_are_the_presets_of_a_tree_and_bring_their_leaves(curve):
    bpy.ops.tendril.add_tree()
    assert bpy.ops.tendril.apply_preset(preset="pine") == {"FINISHED"}
    assert curve.tendril.tree.leaf_mass == pytest.approx(0.1)
    assert curve.tendril.rod.preset == "pine"
    with pytest.raises(TypeError):
        bpy.ops.tendril.apply_preset(preset="steel_wire")
    curve.tendril.tree.leaf_mass = 0.2
    bpy.ops.tendril.save_preset(name="Wet Pine")
    bpy.ops.tendril.apply_preset(preset="oak")
    bpy.ops.tendril.apply_preset(preset="wet_pine")
    assert curve.tendril.tree.leaf_mass == pytest.approx(0.2)
    bpy.ops.tendril.remove_preset(preset="wet_pine")


BONES = [(0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 0, 3), (1, 0, 3), (0, 1, 2.5)]


def skeleton(edges, skin=False):
    mesh = bpy.data.meshes.new("Bones")
    mesh.from_pydata(BONES, edges, [])
    item = bpy.data.objects.new("Bones", mesh)
    bpy.context.collection.objects.link(item)
    choose(item)
    if skin:
        item.modifiers.new("Skin", "SKIN")
        for vertex, data in enumerate(mesh.skin_vertices[0].data):
            data.radius = (0.1 - 0.015 * vertex,) * 2
    return item


def test_a_skeleton_becomes_a_tree_where_it_is():
    mesh = skeleton([(0, 1), (1, 2), (2, 3), (2, 4), (2, 5)])
    mesh.location = (1.0, 2.0, 3.0)
    assert bpy.ops.tendril.tree_from_skeleton() == {"FINISHED"}
    tree = bpy.context.object
    assert tree.tendril.is_tree
    assert mesh.hide_render
    scene, _ = read_scene(bpy.context)
    assert len(scene.rods) == 3
    assert np.allclose(scene.rods[0].x[0], (1.0, 2.0, 3.0))
    assert np.allclose(scene.rods[0].x[-1], (2.0, 2.0, 6.0), atol=1e-6)
    assert len(scene.bodies) == 1


def test_a_skeleton_keeps_the_radii_of_its_skin():
    skeleton([(0, 1), (1, 2), (2, 3), (2, 4), (2, 5)], skin=True)
    bpy.ops.tendril.tree_from_skeleton()
    radii = [[point.radius for point in spline.bezier_points] for spline in bpy.context.object.data.splines]
    assert np.allclose(radii[0], (0.1, 0.085, 0.07, 0.055))


def test_a_skeleton_with_a_loop_or_without_edges_is_named():
    mesh = skeleton([(0, 1), (1, 2), (2, 0)])
    assert "'Bones' has a loop of edges at vertex" in refused(bpy.ops.tendril.tree_from_skeleton)
    assert not mesh.hide_render
    assert not bpy.data.curves
    skeleton([])
    assert "has no edges" in refused(bpy.ops.tendril.tree_from_skeleton)


def bake(bend):
    """Show a made-up bake of the scene in which every vertex goes where bend(x, frame) says; the turns are kept."""
    bpy.context.scene.frame_end = FRAMES
    scene, meta = read_scene(bpy.context)
    frames = []
    for frame in range(FRAMES):
        x = [bend(rod.x, frame) for rod in scene.rods]
        m1 = [bend(rod.x[:1] + rod.m1, frame) - bend(rod.x[:1], frame) for rod in scene.rods]
        m1 = [np.repeat(one, rod.edge_count, axis=0) for one, rod in zip(m1, scene.rods, strict=True)]
        frames.append((np.concatenate(x), np.concatenate(m1), np.zeros((0, 7))))

    class Cache:
        def __init__(self):
            self.frames = range(FRAMES)

        def read(self, index):
            return frames[index]

    result.show(bpy.context, meta, Cache())


def turned(x, frame):
    """Everything turned by a twentieth of a turn a frame about an axis, and moved."""
    angle = 0.1 * np.pi * frame
    c, s = np.cos(angle), np.sin(angle)
    return x @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]).T + (0.1 * frame, 0.0, 0.0)


def world(item, frame):
    """Evaluated vertices (n, 3) of a mesh object in the world at a frame."""
    bpy.context.scene.frame_set(frame)
    evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    co = np.array([vertex.co for vertex in evaluated.data.vertices], dtype=float)
    matrix = np.array(evaluated.matrix_world)
    return co @ matrix[:3, :3].T + matrix[:3, 3]


def test_leaves_and_lanterns_turn_with_a_tree_that_turns(curve, branches):
    leaves = sapling.leaves("Leaves", curve, branches, spacing=0.2)
    bpy.ops.mesh.primitive_cube_add(size=0.1, location=(0.3, 0.2, 4.0), rotation=(0.3, 0.2, 0.1))
    lantern = bpy.context.object
    lantern.parent, lantern.scale = curve, (1.0, 2.0, 0.5)
    choose(curve)
    bpy.ops.tendril.add_tree()
    drawn = {item: world(item, 1) for item in (leaves, lantern)}
    bake(turned)
    for item, points in drawn.items():
        copy = item.tendril.result
        assert item.hide_render
        assert not copy.hide_render
        assert copy.parent == curve.tendril.result
        for frame in range(FRAMES):
            assert np.abs(world(copy, 1 + frame) - turned(points, frame)).max() < 2e-5, (item.name, frame)
    assert leaves.tendril.result.data != leaves.data
    assert lantern.tendril.result.data == lantern.data


def test_leaves_go_with_the_tree_that_one_sees_also_after_another_bake(curve, branches):
    leaves = sapling.leaves("Leaves", curve, branches, spacing=0.2)
    choose(curve)
    bpy.ops.tendril.add_tree()
    drawn = world(leaves, 1)
    bake(turned)
    tree = curve.tendril.result
    for _ in range(2):
        tree.location.x += 2.0
        bake(turned)
    for frame in range(FRAMES):
        moved = turned(drawn, frame) + (4.0, 0.0, 0.0)
        assert np.abs(world(leaves.tendril.result, 1 + frame) - moved).max() < 2e-5, frame


def test_what_was_done_to_baked_leaves_stays_and_the_rest_follows_the_source(curve, branches):
    leaves = sapling.leaves("Leaves", curve, branches, spacing=0.2)
    choose(curve)
    bpy.ops.tendril.add_tree()
    red, green = (bpy.data.materials.new(name) for name in ("Red", "Green"))
    leaves.data.materials.append(green)
    bake(turned)
    copy = leaves.tendril.result
    copy.data.materials[0], copy.parent, copy.pass_index = red, None, 3
    leaves.pass_index = leaves.data.polygons[0].material_index = 1
    leaves.color = (1, 0, 0, 1)
    bake(turned)
    assert leaves.tendril.result == copy
    assert copy.data.materials[0] == red
    assert (copy.parent, copy.pass_index, tuple(copy.color)) == (None, 3, (1, 0, 0, 1))
    assert copy.data.polygons[0].material_index == 1


def test_a_leaf_stays_on_its_branch_and_keeps_its_shape_when_branches_go_apart(curve, branches):
    leaves = sapling.leaves("Leaves", curve, branches, spacing=0.2)
    choose(curve)
    bpy.ops.tendril.add_tree()
    before = world(leaves, 1).reshape(-1, 4, 3)

    def spread(x, frame):
        return turned(x, frame * np.linalg.norm(x[0, :2])) if np.linalg.norm(x[0, :2]) > 0.01 else x

    bake(spread)
    after = world(leaves.tendril.result, FRAMES).reshape(-1, 4, 3)
    assert np.abs(after - before).max() > 0.5
    sizes = [np.linalg.norm(leaf[:, 1:] - leaf[:, :1], axis=2) for leaf in (before, after)]
    assert np.allclose(*sizes, atol=1e-5)


def test_revert_brings_back_what_was_parented_and_leaves_nothing(curve, branches):
    leaves = sapling.leaves("Leaves", curve, branches, spacing=0.2)
    leaves.hide_viewport = True
    choose(curve)
    bpy.ops.tendril.add_tree()
    meshes, objects = len(bpy.data.meshes), len(bpy.data.objects)
    for _ in range(2):
        bake(turned)
        assert len(bpy.data.meshes) == meshes + 1
        assert len(bpy.data.objects) == objects + 2
    choose(curve.tendril.result)
    bpy.ops.tendril.revert()
    assert (len(bpy.data.meshes), len(bpy.data.objects)) == (meshes, objects)
    assert not bpy.data.actions
    assert not bpy.data.shape_keys
    assert leaves.hide_viewport
    assert not leaves.hide_render
