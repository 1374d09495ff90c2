"""Sheets made of meshes, held, baked and unmade, by the buttons an artist presses."""

import re
from dataclasses import replace

import bpy
import numpy as np
import pytest
from artist import bake, choose, draw_rod, link, refused
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.bridge.soft_result import embed
from bl_ext.user_default.tendril.bridge.units import Units
from bl_ext.user_default.tendril.physics.scene import Sheet
from seen import places

FRAMES = 8


def grid(name="Mat", count=4, size=0.4, high=1.0):
    """A square of quads that looks up."""
    bpy.ops.object.select_all(action="DESELECT")
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=count, y_subdivisions=count, size=size, location=(0.0, 0.0, high))
    bpy.context.object.name = name
    return bpy.context.object


def drawn(points, faces, name="Drawn"):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    item = link(bpy.data.objects.new(name, mesh))
    choose(item)
    return item


def sheet(preset="rubber_mat", **options):
    item = grid(**options)
    assert bpy.ops.tendril.add_sheet() == {"FINISHED"}
    bpy.ops.tendril.apply_soft_preset(preset=preset)
    return item


def held(item, inside):
    """Pins the vertices that lie there, by the buttons."""
    group = item.vertex_groups.new(name="Held")
    group.add([vertex.index for vertex in item.data.vertices if inside(vertex.co)], 1.0, "REPLACE")
    choose(item)
    assert bpy.ops.tendril.add_soft_pin(holder="OWN") == {"FINISHED"}


def read():
    (found,) = read_scene(bpy.context)[0].solids
    return found


def test_meshes_become_sheets_and_plain_meshes_again():
    mat = grid()
    assert bpy.ops.tendril.add_sheet() == {"FINISHED"}
    assert (mat.tendril.is_soft, mat.tendril.soft.is_sheet, mat.tendril.soft.preset) == (True, True, "rubber_mat")
    assert "'Mat' is a sheet already" in refused(bpy.ops.tendril.add_sheet)
    assert "'Mat' is a sheet: remove that first" in refused(bpy.ops.tendril.add_soft)
    assert "'Mat' is a soft body" in refused(bpy.ops.tendril.add_body)
    assert "has no tetrahedra" in refused(bpy.ops.tendril.show_tetrahedra)
    assert "has no tetrahedra" in refused(bpy.ops.tendril.subdivide_soft)
    assert "'Mat' has no pins" in refused(bpy.ops.tendril.remove_soft_pin)
    assert bpy.ops.tendril.remove_soft() == {"FINISHED"}
    assert not mat.tendril.is_soft
    assert not mat.tendril.soft.is_sheet
    assert bpy.ops.tendril.add_body() == {"FINISHED"}
    assert "'Mat' is a rigid body: remove that first" in refused(bpy.ops.tendril.add_sheet)


def test_a_new_sheet_is_as_thin_as_its_faces_ask_for(capfd):
    mat = grid(count=8, size=0.01)
    assert bpy.ops.tendril.add_sheet() == {"FINISHED"}
    told = "The faces of 'Mat' are 1.4 mm long, so its Thickness is 0.36 mm"
    assert told in capfd.readouterr().out
    assert mat.tendril.soft.thickness == pytest.approx(0.25 * 1.25 * (2.0 + 2.0**0.5) / 3.0)
    assert read().plate < 1e-3


def test_a_sheet_is_its_mesh_of_its_material():
    mat = sheet(preset="paper")
    mat.scale = (2.0, 1.0, 1.0)
    own, settings = read(), mat.tendril.soft
    assert isinstance(own, Sheet)
    assert (len(own.x), len(own.triangles)) == (25, 32)
    assert np.ptp(own.x, axis=0) == pytest.approx([0.8, 0.4, 0.0])
    assert (own.young, own.poisson, own.density) == pytest.approx((3e9, 0.2, 800.0))
    assert (own.plate, own.membrane, own.relaxation) == pytest.approx((1e-4, 1e-3, 1e-3))
    assert own.drag_coefficient == pytest.approx(1.2)
    assert own.curvature is None
    settings.sheet_young = 5.0
    assert read().young == pytest.approx(5e6)


def test_its_thickness_is_in_millimetres_and_its_places_in_the_scenes_units():
    mat, settings = sheet(), bpy.context.scene.unit_settings
    settings.scale_length = 0.01
    mat.scale = (100.0,) * 3
    own = read()
    assert own.plate == pytest.approx(3e-3)
    assert np.ptp(own.x[:, 0]) == pytest.approx(0.4)


@pytest.mark.parametrize("axis", [0, 1])
def test_it_curls_about_the_axis_that_is_chosen(axis):
    mat = sheet()
    mat.tendril.soft.curl, mat.tendril.soft.curl_axis = 3.0, "XYZ"[axis]
    across = 1 - axis
    expected = np.zeros((3, 3))
    expected[across, across] = -3.0
    assert read().curvature == pytest.approx(np.tile(expected, (32, 1, 1)))
    mat.tendril.soft.curl_axis = "Z"
    assert np.abs(read().curvature).max() < 1e-6


def test_it_curls_where_it_lies_relaxed():
    mat = sheet()
    mat.shape_key_add(name="Basis")
    key = mat.shape_key_add(name="Folded")
    key.value = 1.0
    for point in key.data:
        point.co.x, point.co.z = min(point.co.x, 0.0), -max(point.co.x, 0.0)
    mat.tendril.soft.relaxed, mat.tendril.soft.curl, mat.tendril.soft.curl_axis = "Basis", 3.0, "Y"
    assert np.ptp(read().x[:, 2]) == pytest.approx(0.2)
    assert read().curvature == pytest.approx(np.tile(np.diag([-3.0, 0.0, 0.0]), (32, 1, 1)))


def test_it_curls_to_the_same_side_where_it_is_mirrored():
    mat = sheet()
    mat.tendril.soft.curl, mat.tendril.soft.curl_axis = 3.0, "Y"
    own = read()
    up = np.cross(*(own.x[own.triangles[0, k]] - own.x[own.triangles[0, 0]] for k in (1, 2)))[2]
    mat.scale.x = -1.0
    mirrored = read()
    down = np.cross(*(mirrored.x[mirrored.triangles[0, k]] - mirrored.x[mirrored.triangles[0, 0]] for k in (1, 2)))[2]
    assert up > 0.0 > down
    assert mirrored.curvature == pytest.approx(-own.curvature)


def test_it_moves_and_turns_as_one_at_the_start():
    mat = sheet()
    mat.tendril.soft.velocity, mat.tendril.soft.spin = (1.0, 2.0, 3.0), (0.0, 0.0, 2.0)
    own = read()
    assert own.v == pytest.approx(np.array([1.0, 2.0, 3.0]) + np.cross([0.0, 0.0, 2.0], own.x - [0.0, 0.0, 1.0]))


def test_a_shape_key_is_its_relaxed_shape():
    mat = sheet()
    mat.shape_key_add(name="Basis")
    key = mat.shape_key_add(name="Wide")
    key.value = 0.0
    for point in key.data:
        point.co.x *= 2.0
    mat.tendril.soft.relaxed = "Wide"
    own = read()
    assert np.ptp(own.rest_x, axis=0) == pytest.approx([0.8, 0.4, 0.0])
    assert np.ptp(own.x, axis=0) == pytest.approx([0.4, 0.4, 0.0])


def test_faces_that_look_to_other_sides_than_most_are_turned():
    corners = [(x, y, 0.0) for y in (0.0, 0.1) for x in (0.0, 0.1, 0.2, 0.3)]
    apart = [(x + 1.0, y, z) for x, y, z in corners]
    faces = [(0, 1, 5, 4), (1, 5, 6, 2), (2, 3, 7, 6), (8, 12, 13, 9), (9, 13, 14, 10), (10, 11, 15, 14)]
    item = drawn(corners + apart, faces)
    assert bpy.ops.tendril.add_sheet() == {"FINISHED"}
    own = read()
    p = own.x[own.triangles]
    up = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])[:, 2] > 0.0
    assert up.tolist() == [True] * 6 + [False] * 6
    assert [tuple(face.vertices) for face in item.data.polygons] == faces


def strip(turns):
    """A closed strip of quads, turned about itself by so many half turns."""
    points, count = [], 12
    for k in range(count):
        a = 2.0 * np.pi * k / count
        for side in (-1.0, 1.0):
            r, z = 1.0 + 0.2 * side * np.cos(0.5 * turns * a), 0.2 * side * np.sin(0.5 * turns * a)
            points.append((r * np.cos(a), r * np.sin(a), z))
    faces = [(2 * k, 2 * k + 1, 2 * k + 3, 2 * k + 2) for k in range(count - 1)]
    last = 2 * count - 2
    return points, [*faces, (last, last + 1, 0, 1) if turns % 2 else (last, last + 1, 1, 0)]


SQUARE = [(0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.1, 0.1, 0.0), (0.0, 0.1, 0.0)]
BAD = {
    "no faces": ((SQUARE, []), "'Drawn' has no faces"),
    "a loose vertex": (([*SQUARE, (1.0, 0.0, 0.0)], [(0, 1, 2, 3)]), "vertices in no face, 1 of them"),
    "three at an edge": (
        ([*SQUARE, (0.0, 0.0, 0.1), (0.0, 0.0, -0.1)], [(0, 1, 2), (0, 1, 4), (0, 1, 5), (0, 2, 3)]),
        "3 faces meet at the edge",
    ),
    "no area": (([(0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.2, 0.0, 0.0)], [(0, 1, 2)]), "has no area"),
    "not a number": (([*SQUARE[:3], (np.nan, 0.0, 0.0)], [(0, 1, 2, 3)]), "not a number"),
    "one side": (strip(1), "look to different sides"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_what_can_be_no_sheet_is_refused_in_a_sentence_and_stays_as_it_is(case):
    shape, said = BAD[case]
    item = drawn(*shape)
    text = refused(bpy.ops.tendril.add_sheet)
    assert said in text
    assert re.fullmatch(r"Error: '?Drawn[^\n]*[.]\n?", text)
    assert not item.tendril.is_soft
    assert not item.tendril.soft.is_sheet


def test_a_band_has_two_sides_and_a_cube_an_outside():
    drawn(*strip(0))
    assert bpy.ops.tendril.add_sheet() == {"FINISHED"}
    bpy.ops.mesh.primitive_cube_add(location=(5.0, 0.0, 0.0))
    assert bpy.ops.tendril.add_sheet() == {"FINISHED"}
    assert len(read_scene(bpy.context)[0].solids) == 2


def test_what_it_may_not_be_later_is_refused_at_the_bake(tmp_path):
    mat = sheet()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    mat.tendril.soft.thickness = 1e4
    assert "more than its faces are long" in refused(bpy.ops.tendril.bake)
    mat.tendril.soft.thickness, mat.tendril.soft.curl = 3.0, 1e4
    assert "too tight" in refused(bpy.ops.tendril.bake)
    mat.tendril.soft.curl, mat.tendril.is_body = 0.0, True
    assert "'Mat' is a sheet and a rigid body at once" in refused(bpy.ops.tendril.bake)


def test_its_own_presets_are_sheets(tmp_path):
    mat = sheet(preset="leather")
    mat.tendril.soft.thickness = 1.5
    assert mat.tendril.soft.preset == ""
    assert bpy.ops.tendril.save_soft_preset(name="Thin Leather") == {"FINISHED"}
    bpy.ops.tendril.apply_soft_preset(preset="felt")
    bpy.ops.tendril.apply_soft_preset(preset="thin_leather")
    assert (mat.tendril.soft.thickness, mat.tendril.soft.membrane) == pytest.approx((1.5, 0.1))
    with pytest.raises(TypeError, match="enum"):
        bpy.ops.tendril.apply_soft_preset(preset="gelatine")
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.tendril.add_soft()
    with pytest.raises(TypeError, match="enum"):
        bpy.ops.tendril.apply_soft_preset(preset="thin_leather")
    choose(mat)
    assert bpy.ops.tendril.remove_soft_preset(preset="thin_leather") == {"FINISHED"}


def test_it_bakes_to_shape_keys_of_its_own_vertices_and_reverts(tmp_path):
    mat = sheet()
    mat.modifiers.new("Thick", "SOLIDIFY").thickness = 0.003
    held(mat, lambda co: co.x < -0.19)
    before = places(mat, 1)
    bake(tmp_path, FRAMES)
    shown = mat.tendril.result
    assert [modifier.type for modifier in shown.modifiers] == ["SOLIDIFY"]
    assert len(shown.data.vertices) == 25
    assert len(shown.data.shape_keys.key_blocks) == FRAMES
    shown.modifiers.clear()
    first, last = places(shown, 1), places(shown, FRAMES)
    assert first == pytest.approx(before[:25], abs=1e-6)
    fixed = first[:, 0] < -0.19
    assert last[fixed] == pytest.approx(first[fixed], abs=1e-6)
    fallen = 0.5 * 9.81 * ((FRAMES - 1) / 24) ** 2
    assert 0.1 * fallen < (first - last)[first[:, 0] > 0.19, 2].mean() < 1.2 * fallen
    choose(shown)
    assert bpy.ops.tendril.revert() == {"FINISHED"}
    assert mat.tendril.result is None
    assert not mat.hide_viewport


def test_it_curls_towards_the_side_its_faces_look_to(tmp_path):
    bpy.context.scene.use_gravity = False
    mat = sheet(size=0.2)
    mat.tendril.soft.curl, mat.tendril.soft.relaxation = 5.0, 0.05
    bake(tmp_path, 24)
    x = places(mat.tendril.result, 24)
    rim, middle = np.abs(x[:, 1]) > 0.09, np.abs(x[:, 1]) < 0.01
    rise = x[rim, 2].mean() - x[middle, 2].mean()
    assert rise == pytest.approx(0.2 * (1.0 - np.cos(0.5)), rel=0.1)


def test_vertices_of_as_many_in_another_order_go_with_the_faces_they_lie_on():
    mat = sheet()
    own, units = read(), Units.of(bpy.context.scene, 1)
    moved = own.x @ np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    for shift in (0.0, 0.3):  # as of one that was pushed out of another
        x = np.array(own.x) + (shift, 0.0, 0.0)
        places = embed(mat, np.array(mat.matrix_world), units, replace(own, x=x)).carry(moved)
        assert places == pytest.approx(moved)
    co = [vertex.co.copy() for vertex in mat.data.vertices]
    for vertex, place in zip(mat.data.vertices, reversed(co), strict=True):
        vertex.co = place
    places = embed(mat, np.array(mat.matrix_world), units, own).carry(moved)
    assert places == pytest.approx(moved[::-1], abs=1e-6)


def test_vertices_of_one_that_was_drawn_anew_go_with_the_faces_they_lie_on():
    sheet()
    own, units = read(), Units.of(bpy.context.scene, 1)
    finer = grid(name="Finer", count=8)
    moved = own.x @ np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    places = embed(finer, np.array(finer.matrix_world), units, own).carry(moved)
    drawn = np.array([finer.matrix_world @ vertex.co for vertex in finer.data.vertices])
    assert places == pytest.approx(np.roll(drawn, 1, axis=1), abs=1e-6)


def test_it_hangs_on_a_rod_that_it_is_tied_to(tmp_path):
    """Both fall; the corner stays at the rod's vertex."""
    rod = draw_rod("Line", [(x, -0.2, 1.0) for x in np.linspace(-0.6, 0.2, 9)], depth=0.005)
    choose(rod)
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY")
    mat = sheet(preset="felt")
    group = mat.vertex_groups.new(name="Corner")
    group.add([int(np.argmin([vertex.co.x + vertex.co.y for vertex in mat.data.vertices]))], 1.0, "REPLACE")
    choose(rod, mat)
    assert bpy.ops.tendril.add_soft_pin(holder="OBJECT") == {"FINISHED"}
    (tie,) = read_scene(bpy.context)[0].ties
    assert tie.vertex[0] == 0
    bake(tmp_path, 6)
    x = places(mat.tendril.result, 6)
    assert x[:, 2].mean() < 0.95
    depsgraph, line = bpy.context.evaluated_depsgraph_get(), rod.tendril.result
    curve = line.evaluated_get(depsgraph).to_curve(depsgraph, apply_modifiers=True)
    points = np.array([line.matrix_world @ point.co for point in curve.splines[0].bezier_points])
    assert np.linalg.norm(x[:, None] - points, axis=2).min() < 1e-4


def test_it_settles_where_it_is_held(tmp_path):
    mat = sheet(preset="leather", size=0.2)
    held(mat, lambda co: co.x < -0.04)
    bpy.context.scene.tendril.settle = True
    bake(tmp_path, 4)
    first, last = places(mat.tendril.result, 1), places(mat.tendril.result, 4)
    assert last == pytest.approx(first, abs=2e-5)
    assert 1e-4 < 1.0 - first[:, 2].min() < 0.02


def test_it_lies_on_a_collider_with_half_of_its_thickness(tmp_path):
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.0, 0.0, 0.49))
    bpy.ops.tendril.add_collider()
    mat = sheet(high=1.0)
    mat.tendril.soft.thickness = 10.0
    bake(tmp_path, 12)
    x = places(mat.tendril.result, 12)
    assert x[:, 2] == pytest.approx(np.full(25, 0.995), abs=5e-4)
