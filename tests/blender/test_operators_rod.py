"""Making rods of curves and plain curves of rods: the curve stays, and what cannot be a rod is told why."""

import bpy
import numpy as np
import pytest
from artist import choose, draw, refused
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.physics.validate import SceneError
from bl_ext.user_default.tendril.properties.parameters import ROD

WAY = [(0, 0, 0), (1, 0.3, 0), (2, -0.3, 0.2), (3, 0.2, 0), (4, 0, -0.1)]


def new_curve(kind="POLY", ways=(WAY,), *, cyclic=False, bevel_depth=0.05, name="Rope"):
    curve = draw(name, ways, kind, depth=bevel_depth, cyclic=cyclic)
    choose(curve)
    return curve


def drawn(curve):
    """All that an artist has set on a curve, as one comparable value."""
    data = curve.data
    points = [
        (tuple(point.co), point.tilt, point.radius)
        for spline in data.splines
        for point in (spline.bezier_points or spline.points)
    ]
    look = (data.bevel_depth, data.bevel_resolution, data.resolution_u, curve.hide_viewport, curve.hide_render)
    return points, look, tuple(map(tuple, curve.matrix_world)), curve.parent


@pytest.mark.parametrize(
    ("kind", "cyclic"), [(kind, cyclic) for kind in ("POLY", "BEZIER", "NURBS") for cyclic in (False, True)]
)
def test_any_curve_becomes_a_rod_and_a_plain_curve_again(kind, cyclic):
    curve = new_curve(kind, (WAY, [(x, y + 2, z) for x, y, z in WAY]), cyclic=cyclic)
    before = drawn(curve)
    assert bpy.ops.tendril.add_rod() == {"FINISHED"}
    assert curve.tendril.is_rod
    assert drawn(curve) == before
    assert bpy.ops.tendril.remove_rod() == {"FINISHED"}
    assert not curve.tendril.is_rod
    assert drawn(curve) == before


@pytest.mark.parametrize("kind", ["POLY", "BEZIER"])
def test_a_curve_gets_pieces_as_long_as_it_is_thick(kind):
    thick, thin = (new_curve(kind, bevel_depth=depth) for depth in (0.05, 1e-4))
    choose(thick, thin)
    bpy.ops.tendril.add_rod()
    assert thin.tendril.rod.points == 120
    assert 24 <= thick.tendril.rod.points == pytest.approx(4.3 / 0.1, rel=0.1)


@pytest.mark.parametrize("count", [2, 3])
def test_a_straight_rope_of_a_few_points_is_fine_enough_to_drape(count):
    curve = new_curve(ways=[[(0.5 * k, 0, 0) for k in range(count)]], bevel_depth=0.01)
    assert bpy.ops.tendril.add_rod() == {"FINISHED"}
    (rod,) = read_scene(bpy.context)[0].rods
    assert 24 <= len(rod.x) - 1 == curve.tendril.rod.points
    assert np.ptp(np.linalg.norm(rod.edges(), axis=1)) < 1e-6


def hair(count, points, kind="POLY"):
    length = np.linspace(0, 1, points)
    return new_curve(kind, [[(0.1 * k, 0, z) for z in length] for k in range(count)], bevel_depth=1e-4)


@pytest.mark.parametrize("kind", ["POLY", "BEZIER"])
@pytest.mark.parametrize(("count", "points", "pieces"), [(200, 8, 8), (200, 13, 12), (20, 5, 30), (5, 4, 120)])
def test_splines_of_hair_share_pieces_but_get_as_many_as_they_are_drawn_with(kind, count, points, pieces):
    curve = hair(count, points, kind)
    bpy.ops.tendril.add_rod()
    drawn_so = kind == "POLY" and points - 1 == pieces
    assert curve.tendril.rod.points == (0 if drawn_so else pieces)
    assert {len(rod.x) - 1 for rod in read_scene(bpy.context)[0].rods} == {pieces}


def test_a_fine_polyline_keeps_its_points():
    curve = new_curve(ways=[[(0.1 * k, 0, 0) for k in range(17)]])
    bpy.ops.tendril.add_rod()
    assert curve.tendril.rod.points == 0


@pytest.mark.parametrize(("points", "drawn"), [(0, 2), (1, 5)])
def test_a_rod_of_one_piece_is_told_to_get_more(points, drawn):
    curve = new_curve(ways=[WAY[:drawn]])
    bpy.ops.tendril.add_rod()
    curve.tendril.rod.points = points
    with pytest.raises(SceneError, match="'Rope': spline 0 is one straight piece that cannot bend: raise Points"):
        read_scene(bpy.context)
    assert bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY") == {"FINISHED"}


def radii():
    """Of the rods of the scene where they are thickest [m]."""
    return {rod.name.partition(" spline")[0]: rod.radius.max() for rod in read_scene(bpy.context)[0].rods}


@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_a_curve_without_thickness_gets_a_bevel_so_that_what_is_simulated_is_rendered(scale, capfd):
    bpy.context.scene.unit_settings.scale_length = scale
    bare, round_one = new_curve(bevel_depth=0.0, name="Bare"), new_curve(name="Round")
    bare.scale = (2.0, 2.0, 2.0)
    for point in bare.data.splines[0].points:
        point.radius = 0.5
    bare.data.splines[0].points[2].radius = 4.0
    choose(bare, round_one)
    bpy.context.view_layer.update()
    bpy.ops.tendril.add_rod()
    said = capfd.readouterr().out
    assert "'Bare' had no thickness: it got a bevel of " + {1.0: "5.48 mm", 0.01: "54.8 µm"}[scale] in said
    assert "Round" not in said
    assert not bare.tendril.rod.use_radius
    assert radii()["Bare"] == pytest.approx(2.0 * 4.4 / 200 * scale, rel=0.05)
    mesh = bare.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    assert len(mesh.polygons) > 0
    assert round_one.data.bevel_depth == pytest.approx(0.05)
    bpy.ops.tendril.remove_rod()


def shaped_by(name):
    """A change of a curve that gives it its thickness, in another way than by a bevel depth."""

    def shape(curve):
        if name == "extrude":
            curve.data.extrude = 0.1
            return
        profile = bpy.data.curves.new("Profile", "CURVE")
        profile.splines.new("POLY").points.add(3)
        bpy.context.collection.objects.link(item := bpy.data.objects.new("Profile", profile))
        setattr(curve.data, name, item)
        if name == "bevel_object":
            curve.data.bevel_mode = "OBJECT"

    return shape


@pytest.mark.parametrize("name", ["taper_object", "bevel_object", "extrude"])
def test_a_curve_that_gets_its_thickness_in_another_way_gets_a_radius_of_its_own(name):
    curve = new_curve(bevel_depth=0.0)
    shaped_by(name)(curve)
    choose(curve)
    bpy.ops.tendril.add_rod()
    assert curve.tendril.rod.use_radius
    assert curve.tendril.rod.radius == pytest.approx(4.4 / 200, rel=0.05)
    assert curve.data.bevel_depth == 0.0


def test_a_radius_that_is_turned_on_is_at_first_that_of_the_curve():
    bpy.context.scene.unit_settings.scale_length = 0.01
    curve = new_curve()
    bpy.ops.tendril.add_rod()
    assert curve.tendril.rod.radius == pytest.approx(0.05)


def test_a_new_rod_is_of_a_material_that_has_a_name():
    curve = new_curve()
    bpy.ops.tendril.add_rod()
    assert curve.tendril.rod.preset == "polyester_rope"


def test_settings_are_copied_to_the_other_selected_rods():
    first, second, third = (new_curve(name=name) for name in ("First", "Second", "Third"))
    choose(second, third, first)
    bpy.ops.tendril.add_rod()
    choose(first)
    assert "Select other rods too" in refused(bpy.ops.tendril.copy_to_selected)
    bpy.ops.tendril.apply_preset(preset="copper_wire")
    bpy.ops.tendril.add_pin(place="START", holder="EMPTY")
    first.tendril.rod.shape_memory, first.tendril.weights.wind = 0.25, 0.5
    choose(second, first)
    assert bpy.ops.tendril.copy_to_selected() == {"FINISHED"}
    for name in (*ROD, "preset"):
        assert getattr(second.tendril.rod, name) == getattr(first.tendril.rod, name), name
    assert second.tendril.weights.wind == 0.5
    assert not second.tendril.pins
    assert third.tendril.rod.preset == "polyester_rope"
    bpy.ops.tendril.copy_to_selected(with_pins=True)
    bpy.ops.tendril.copy_to_selected(with_pins=True)
    assert [(pin.name, pin.fraction, pin.target) for pin in second.tendril.pins] == [
        (pin.name, pin.fraction, pin.target) for pin in first.tendril.pins
    ]


def test_the_settings_of_a_removed_rod_are_gone():
    curve = new_curve()
    bpy.ops.tendril.add_rod()
    curve.tendril.rod.young = 3.0
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY")
    bpy.ops.tendril.remove_rod()
    bpy.ops.tendril.add_rod()
    assert curve.tendril.rod.young == pytest.approx(ROD["young"].default)
    assert len(curve.tendril.pins) == 0


def test_curves_are_taken_from_a_mixed_selection():
    curve = new_curve()
    empty = bpy.data.objects.new("Empty", None)
    bpy.context.collection.objects.link(empty)
    choose(empty, curve)
    bpy.ops.tendril.add_rod()
    assert curve.tendril.is_rod
    assert not empty.tendril.is_rod


def test_a_rod_is_not_made_one_again():
    curve = new_curve()
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset="copper_wire")
    assert "'Rope' is a rod already" in refused(bpy.ops.tendril.add_rod)
    assert curve.tendril.rod.preset == "copper_wire"


def test_nothing_selected_is_said():
    assert "Nothing is selected: select a curve" in refused(bpy.ops.tendril.add_rod)


def wire():
    mesh = bpy.data.meshes.new("Wire")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (1, 1, 0)], [(0, 1), (1, 2)], [])
    bpy.context.collection.objects.link(bpy.data.objects.new("Wire", mesh))
    choose(bpy.data.objects["Wire"])


def strands():
    data = bpy.data.hair_curves.new("Strands")
    data.add_curves([4])
    for index, point in enumerate(data.points):
        point.position = (0, 0, index)
    bpy.context.collection.objects.link(bpy.data.objects.new("Strands", data))
    choose(bpy.data.objects["Strands"])


@pytest.mark.parametrize("button", ["add_rod", "add_tree"])
@pytest.mark.parametrize(
    ("make", "reason", "ways"),
    [
        (bpy.ops.mesh.primitive_cube_add, "'Cube' is a mesh: select a curve, or make a body of it", ()),
        (wire, "'Wire' is a mesh of edges: convert it with Object › Convert › Curve", ("CURVE",)),
        (bpy.ops.object.text_add, "'Text' is a text: convert it with Object › Convert › Curve", ("CURVE",)),
        (bpy.ops.surface.primitive_nurbs_surface_sphere_add, "'SurfSphere' is a surface: select a curve", ()),
        (bpy.ops.object.empty_add, "'Empty' is not a curve: select one", ()),
    ],
    ids=["mesh", "edges", "text", "surface", "empty"],
)
def test_the_button_is_off_for_what_is_no_curve_and_says_what_helps(button, make, reason, ways):
    make()
    assert reason in refused(getattr(bpy.ops.tendril, button))
    assert not bpy.context.object.tendril.is_rod
    for way in ways:
        bpy.ops.object.convert(target=way)
    if ways:
        assert getattr(bpy.ops.tendril, button).poll()


@pytest.mark.parametrize("button", ["add_tree", "add_cable"])
def test_hair_is_neither_a_tree_nor_a_cable(button):
    strands()
    assert "'Strands' is hair: convert it with Object › Convert › Mesh" in refused(getattr(bpy.ops.tendril, button))
    assert not bpy.context.object.tendril.is_rod


def test_the_button_is_off_for_what_is_a_rod_already():
    new_curve()
    bpy.ops.tendril.add_rod()
    assert "'Rope' is a rod already: select another curve" in refused(bpy.ops.tendril.add_rod)


def test_edit_mode_is_said():
    new_curve()
    bpy.ops.object.mode_set(mode="EDIT")
    assert "Add Rod does not work in edit mode: leave it with Tab" in refused(bpy.ops.tendril.add_rod)
    bpy.ops.object.mode_set(mode="OBJECT")


def set_curve(*, cyclic=False, **changes):
    def spoil(curve):
        for spline in curve.data.splines:
            spline.use_cyclic_u = cyclic
        for name, value in changes.items():
            setattr(curve, name, value)

    return spoil


def set_radius(radius):
    def spoil(curve):
        curve.data.splines[0].points.foreach_set("radius", [1.0, 1.0, radius, 1.0, 1.0])  # in no range, as a script may

    return spoil


def set_point(index, co):
    def spoil(curve):
        curve.data.splines[0].points[index].co = (*co, 1.0)

    return spoil


@pytest.mark.parametrize(
    ("way", "spoil", "said"),
    [
        (WAY[:1], set_curve(), ("spline 0 is a single point", "extrude")),
        (WAY[:2], set_curve(cyclic=True), ("closes a ring of two points", "open it")),
        (WAY, set_radius(-1.0), ("point 2 of spline 0 has the radius -1", "0 or more")),
        (WAY, set_point(2, (0, 1e30, 0)), ("point 2 of spline 0 is far away, at (0, 1e+30, 0)", "move")),
        (WAY, set_curve(location=(1e30, 0, 0)), ("is 1e+30 m away from the middle of the world", "nearer")),
        (WAY, set_curve(scale=(1e30, 1, 1)), ("too uneven a scale (1e+30, 1, 1)", "such as 1")),
        (WAY, set_curve(scale=(1e30, 1e30, 1e30)), ("e+30 m long", "scale")),
        (WAY, set_curve(scale=(1e-12, 1e-12, 1e-12)), ("e-12 m long", "scale")),
        (WAY, set_curve(scale=(0, 0, 0)), ("a zero in its scale (0, 0, 0)", "such as 1")),
        ([WAY[0]] * 3, set_curve(), ("spline 0 has all its points in the same place", "move them apart")),
        (WAY, set_point(2, (float("nan"), 0, 0)), ("NaN", "point 2")),
        (WAY, set_curve(scale=(1, 0, 1)), ("scale", "0")),
        ((), set_curve(), ("no points",)),
    ],
    ids=[
        "one point",
        "a ring of two points",
        "negative radius",
        "a point far out",
        "far out",
        "uneven",
        "huge",
        "tiny",
        "nothing",
        "coincident points",
        "not a number",
        "scale of zero",
        "no spline",
    ],
)
def test_a_curve_that_cannot_be_a_rod_is_named_with_the_cure_and_hinders_no_other(way, spoil, said, capfd):
    good = new_curve(name="Good")
    curve = new_curve(ways=[way] if way else [], name="Bad Rope")
    spoil(curve)
    choose(curve)
    sentence = refused(bpy.ops.tendril.add_rod)
    for words in ("Bad Rope", ":", *said):
        assert words in sentence
    assert not curve.tendril.is_rod
    choose(good, curve)
    assert bpy.ops.tendril.add_rod() == {"FINISHED"}
    assert (good.tendril.is_rod, curve.tendril.is_rod) == (True, False)
    assert "'Bad Rope'" in "".join(capfd.readouterr())


def test_doubled_points_are_told_by_add_rod_and_by_the_bake(capfd):
    square = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    drawing = new_curve(ways=[[*square, square[0]]], cyclic=True, name="Drawing")
    before = drawn(drawing)
    assert bpy.ops.tendril.add_rod() == {"FINISHED"}
    text = "'Drawing' has 1 doubled point, which counts once"
    assert text in "".join(capfd.readouterr())
    assert drawn(drawing) == before
    notices = read_scene(bpy.context)[1]["notices"]
    assert [notice["text"] for notice in notices] == [f"{text}."]


def test_a_nurbs_with_doubled_points_is_taken_by_add_rod_and_by_the_bake():
    new_curve("NURBS", [[point for point in WAY for _ in range(2)]])
    assert bpy.ops.tendril.add_rod() == {"FINISHED"}
    assert len(read_scene(bpy.context)[0].rods) == 1


def test_linked_data_is_named(tmp_path):
    library = str(tmp_path / "library.blend")
    bpy.data.libraries.write(library, {new_curve(name="Far Rope")})
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(library, link=True) as (_, wanted):
        wanted.objects = ["Far Rope"]
    far = bpy.data.objects["Far Rope"]
    bpy.context.collection.objects.link(far)
    choose(far)
    sentence = refused(bpy.ops.tendril.add_rod)
    assert "Far Rope" in sentence
    assert "Make Local" in sentence
    assert not far.tendril.is_rod


def test_without_a_rod_buttons_say_so():
    new_curve()
    for operator in (bpy.ops.tendril.remove_rod, bpy.ops.tendril.add_pin, bpy.ops.tendril.bake_to_keyframes):
        assert "Select a rod: Add Rod makes one of a curve" in refused(operator)
    for operator in (bpy.ops.tendril.bake, bpy.ops.tendril.settle, bpy.ops.tendril.estimate):
        assert "There is no rod, rigid or soft body in this scene" in refused(operator)
