"""Curves as Blender draws them, against the rods that are read from them: places, radii, the stripe and its turns."""

import hashlib

import bpy
import numpy as np
import pytest
from bl_ext.user_default.tendril.bridge import curves, rings, stripe
from bl_ext.user_default.tendril.bridge.places import selected
from bl_ext.user_default.tendril.bridge.units import Units
from bl_ext.user_default.tendril.physics.validate import SceneError
from mathutils import Euler, Matrix

PLACEMENTS = {
    "plain": Matrix.Identity(4),
    "turned, uneven": Matrix.LocRotScale((3, -2, 1), Euler((0.4, 1.1, -2.0)), (1.5, 0.7, 2.0)),
    "mirrored": Matrix.LocRotScale((0, 0, 5), Euler((1, 0, 0.3)), (-1.0, 1.0, 1.0)),
}


def places(count, seed=3):
    """Points along a wavy way without sharp corners."""
    s = np.linspace(0, 1, count)
    return np.column_stack([4 * s, np.sin(5 * s), 0.8 * np.cos(4 * s + seed)])


def ring_places(count):
    angle = np.arange(count) * 2 * np.pi / count
    return np.column_stack([np.cos(angle), np.sin(angle), 0.3 * np.sin(2 * angle)])


def add_spline(data, kind, x, *, cyclic=False, tilt_per_point=0.0, radius=1.0, handles="AUTO"):
    spline = data.splines.new(kind)
    points = spline.bezier_points if kind == "BEZIER" else spline.points
    points.add(len(x) - 1)
    for index, (point, place) in enumerate(zip(points, x, strict=True)):
        point.co = place if kind == "BEZIER" else (*place, 1.0)
        if kind == "BEZIER":
            point.handle_left_type = point.handle_right_type = handles
        point.tilt = tilt_per_point * index
        point.radius = radius
    spline.use_cyclic_u = cyclic
    if kind == "NURBS":
        spline.use_endpoint_u = not cyclic
    return spline


def new_rope(matrix=PLACEMENTS["plain"], **settings):
    data = bpy.data.curves.new("Rope", "CURVE")
    data.dimensions, data.bevel_depth, data.bevel_resolution = "3D", 0.05, 0
    for name, value in settings.items():
        setattr(data, name, value)
    rope = bpy.data.objects.new("Rope", data)
    bpy.context.collection.objects.link(rope)
    rope.matrix_world = matrix
    bpy.context.view_layer.update()
    return rope


def drawn_rings(rope):
    """Rings (k, 4, 3) of the mesh Blender shows of the rope, in the world."""
    bpy.context.view_layer.update()
    evaluated = rope.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    v = np.array([evaluated.matrix_world @ vertex.co for vertex in mesh.vertices]).reshape(-1, 4, 3)
    evaluated.to_mesh_clear()
    return v


def edge_m1(line):
    """m₁ of all edges (m, 3), carried along as `physics.scene.Rod` says."""
    edge, _ = stripe.directions(line.x, line.closed)
    m1 = [line.m1]
    for j in range(1, len(edge)):
        m1.append(stripe.rotate(stripe.transport(m1[-1], edge[j - 1], edge[j]), edge[j], line.twist[j]))
    return np.array(m1)


def stripe_error(line, rings):
    """Largest angle [°] between the material frame of an edge and halfway between the stripe at its two ends."""
    edge, vertex = stripe.directions(line.x, line.closed)
    drawn = rings[:, 0] - 0.5 * (rings[:, 0] + rings[:, 2])
    drawn = stripe.unit(drawn - stripe.dot(drawn, vertex) * vertex)
    behind = stripe.transport(drawn[: len(edge)], vertex[: len(edge)], edge)
    ahead = stripe.transport(np.roll(drawn, -1, axis=0)[: len(edge)], np.roll(vertex, -1, axis=0)[: len(edge)], edge)
    along = stripe.angle_between(behind, ahead, edge)
    clear = np.abs(along) < np.radians(170)  # halfway of half a turn may be on either side
    assert clear.mean() > 0.95
    halfway = stripe.rotate(behind, edge, 0.5 * along)
    return np.degrees(np.abs(stripe.angle_between(halfway, edge_m1(line), edge))[clear].max())


def fingerprint(rope):
    """Everything the artist has in a rope."""
    values = [repr(list(rope.matrix_world)), repr(list(rope.matrix_basis)), rope.hide_viewport, rope.hide_render]
    for spline in rope.data.splines:
        for point in [*spline.points, *spline.bezier_points]:
            values += [
                repr(list(getattr(point, name)))
                for name in ("co", "handle_left", "handle_right")
                if hasattr(point, name)
            ]
            values += [point.tilt, point.radius, getattr(point, "handle_left_type", "")]
    values += [
        (p.identifier, repr(getattr(rope.data, p.identifier)))
        for p in rope.data.bl_rna.properties
        if p.type in {"FLOAT", "INT", "ENUM", "BOOLEAN"} and p.identifier != "tag"
    ]
    return (
        hashlib.sha256(repr(values).encode()).hexdigest(),
        len(bpy.data.objects),
        len(bpy.data.curves),
        len(bpy.data.scenes),
        len(bpy.data.shape_keys),
    )


@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize("kind", ["POLY", "BEZIER", "NURBS"])
@pytest.mark.parametrize("cyclic", [False, True])
def test_the_rod_is_where_the_curve_is_drawn_and_its_frame_follows_the_stripe(kind, cyclic, placement):
    rope = new_rope(PLACEMENTS[placement])
    x = ring_places(40) if cyclic else places(40)
    add_spline(rope.data, kind, x, cyclic=cyclic, tilt_per_point=0.0 if cyclic else 0.3)
    before = fingerprint(rope)
    (line,) = curves.read(bpy.context, rope)
    assert fingerprint(rope) == before
    rings = drawn_rings(rope)
    assert line.closed == cyclic
    assert np.abs(line.x - 0.5 * (rings[:, 0] + rings[:, 2])).max() < 3e-6
    assert stripe_error(line, rings) < 0.01


@pytest.mark.parametrize("mode", ["MINIMUM", "Z_UP", "TANGENT"])
def test_every_twist_mode_is_followed(mode):
    rope = new_rope(twist_mode=mode)
    add_spline(rope.data, "BEZIER", places(9), tilt_per_point=0.8)
    (line,) = curves.read(bpy.context, rope)
    assert stripe_error(line, drawn_rings(rope)) < 0.01


def test_a_curve_in_two_dimensions_is_followed():
    rope = new_rope(PLACEMENTS["turned, uneven"], dimensions="2D", fill_mode="NONE")
    add_spline(rope.data, "POLY", ring_places(24) * (1, 1, 0), cyclic=True)
    (line,) = curves.read(bpy.context, rope)
    drawn = drawn_rings(rope)[::-1]  # Blender turns round the outer side of a filled outline
    found = [int(np.argmin(np.linalg.norm(line.x - place, axis=1))) for place in 0.5 * (drawn[:, 0] + drawn[:, 2])]
    assert sorted(found) == list(range(24))
    z = np.array(rope.matrix_world.to_3x3())[:, 2]
    assert np.allclose(np.cross(line.m1, stripe.unit(z - stripe.dot(z, line.x[1] - line.x[0]))), 0, atol=0.5)
    assert np.abs(line.twist).max() < 1e-5


@pytest.mark.parametrize("edge_count", [0, 60])
@pytest.mark.parametrize("turns", [0.5, -12.0, 40.0])
def test_tilt_counts_all_its_turns(turns, edge_count):
    rope = new_rope()
    add_spline(
        rope.data, "BEZIER", [(k, 0, 0) for k in range(6)], tilt_per_point=2 * np.pi * turns / 5, handles="VECTOR"
    )
    (line,) = curves.read(bpy.context, rope, edge_count)
    edges = len(line.x) - 1
    assert edges == (edge_count or 60)
    assert np.isclose(line.twist.sum(), 2 * np.pi * turns * (1 - 1 / edges), rtol=1e-4)
    assert np.allclose(line.twist[1:-1], 2 * np.pi * turns / edges, rtol=0.02)


def test_a_mirrored_rope_is_twisted_the_other_way():
    rope = new_rope(PLACEMENTS["mirrored"])
    add_spline(rope.data, "POLY", [(k, 0, 0) for k in range(11)], tilt_per_point=5.0)
    (line,) = curves.read(bpy.context, rope)
    assert np.isclose(line.twist.sum(), -5.0 * 9, rtol=1e-5)


@pytest.mark.parametrize("kind", ["POLY", "BEZIER", "NURBS"])
@pytest.mark.parametrize("cyclic", [False, True])
def test_asked_edges_have_equal_length(kind, cyclic):
    rope = new_rope(PLACEMENTS["turned, uneven"])
    add_spline(rope.data, kind, ring_places(12) if cyclic else places(7), cyclic=cyclic)
    (line,) = curves.read(bpy.context, rope, 100)
    ahead = np.roll(line.x, -1, axis=0) - line.x
    length = np.linalg.norm(ahead if cyclic else ahead[:-1], axis=1)
    assert len(length) == 100
    assert np.ptp(length) < 1e-4 * length.mean()
    if not cyclic:
        rings = drawn_rings(rope)
        assert np.allclose(
            line.x[[0, -1]], rings[[0, -1]].mean(axis=1), atol=2e-4
        )  # Blender ends a NURBS a little short
    if kind != "POLY":
        edge, _ = stripe.directions(line.x, cyclic)
        turning = np.arccos(np.clip(np.sum(edge[1:] * edge[:-1], axis=1), -1, 1))
        assert turning.max() < 3.5 * turning.mean()  # round, not the corners of a coarser curve


@pytest.mark.parametrize("gap", [0.3, 0.02])
@pytest.mark.parametrize("edge_count", [20, 33, 60])
def test_no_hairpin_is_cut_off(edge_count, gap):
    rope = new_rope()
    add_spline(rope.data, "POLY", [(0, 0, 0), (3, gap, 0), (0, 2 * gap, 0), (-3, 3 * gap, 0), (0, 4 * gap, 0)])
    (line,) = curves.read(bpy.context, rope, edge_count)
    length = np.linalg.norm(np.diff(line.x, axis=0), axis=1)
    assert line.x[:, 0].max() > 3 - length.max()
    assert line.x[:, 0].min() < -3 + length.max()
    assert length.sum() > 11.9 - 4 * length.max()


def test_hooks_and_shape_keys_count_at_the_current_frame():
    rope = new_rope()
    add_spline(rope.data, "BEZIER", places(8))
    hand = bpy.data.objects.new("Hand", None)
    bpy.context.collection.objects.link(hand)
    hook = rope.modifiers.new("Hook", "HOOK")
    hook.object = hand
    hook.vertex_indices_set([3, 4, 5, 12, 13, 14])
    bpy.context.view_layer.update()
    hand.location.z = 1.5
    rope.shape_key_add(name="Basis")
    key = rope.shape_key_add(name="Bent")
    key.data[6].co.y += 2.0
    key.data[3].tilt = 2.0
    key.value = 0.5
    before = fingerprint(rope)
    (line,) = curves.read(bpy.context, rope)
    assert fingerprint(rope) == before
    rings = drawn_rings(rope)
    assert rings[..., 2].max() > 1.9
    assert np.abs(line.x - 0.5 * (rings[:, 0] + rings[:, 2])).max() < 3e-6
    assert stripe_error(line, rings) < 0.01


def test_several_splines_parent_scale_and_unit_scale():
    bpy.context.scene.unit_settings.system = "METRIC"
    bpy.context.scene.unit_settings.scale_length = 0.01
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.collection.objects.link(parent)
    parent.matrix_world = PLACEMENTS["turned, uneven"]
    rope = new_rope()
    rope.parent, rope.scale = parent, (2, 2, 2)
    add_spline(rope.data, "POLY", places(5), radius=0.5)
    add_spline(rope.data, "BEZIER", places(4) + 1.0, radius=3.0)
    add_spline(rope.data, "POLY", ring_places(9), cyclic=True)
    lines = curves.read(bpy.context, rope)
    rings = drawn_rings(rope)
    assert [len(line.x) for line in lines] == [5, 37, 9]
    assert [line.closed for line in lines] == [False, False, True]
    drawn = 0.01 * 0.5 * (rings[:, 0] + rings[:, 2])
    assert np.allclose(np.concatenate([line.x for line in lines]), drawn, atol=1e-7)


def test_thickness_is_point_radius_times_scale():
    rope = new_rope(Matrix.Diagonal((3, 3, 3, 1)))
    spline = add_spline(rope.data, "BEZIER", places(4))
    spline.bezier_points[0].radius, spline.bezier_points[1].radius = 0.25, 2.0
    (line,) = curves.read(bpy.context, rope)
    rings = drawn_rings(rope)
    drawn = np.linalg.norm(rings[:, 0] - rings[:, 2], axis=1) / 2
    assert np.allclose(rope.data.bevel_depth * line.thickness, drawn, rtol=1e-4)
    assert np.isclose(line.thickness[0], 0.75)


def test_an_unevenly_scaled_rod_keeps_its_volume():
    rope = new_rope(Matrix.Diagonal((2, 3, 5, 1)))
    add_spline(rope.data, "POLY", [(0, 0, 0), (1, 0, 0), (2, 0, 0)])
    (line,) = curves.read(bpy.context, rope)
    assert np.allclose(line.thickness, np.sqrt(3 * 5))


def test_hidden_and_excluded_curves_are_read():
    rope = new_rope(PLACEMENTS["turned, uneven"])
    add_spline(rope.data, "POLY", places(6))
    (seen,) = curves.read(bpy.context, rope)
    rope.hide_viewport = True
    shelf = bpy.data.collections.new("Shelf")
    bpy.context.scene.collection.children.link(shelf)
    shelf.objects.link(rope)
    bpy.context.collection.objects.unlink(rope)
    bpy.context.view_layer.layer_collection.children["Shelf"].exclude = True
    (hidden,) = curves.read(bpy.context, rope)
    assert np.array_equal(seen.x, hidden.x)
    assert rope.hide_viewport


def spoil_scale(rope):
    rope.scale.y = 0.0


def spoil_number(rope):
    rope.data.splines[0].points[2].co.x = float("nan")


def spoil_places(rope):
    for point in rope.data.splines[0].points:
        point.co = (1, 2, 3, 1)


def spoil_count(rope):
    rope.data.splines.clear()
    add_spline(rope.data, "POLY", places(1))


def spoil_all(rope):
    rope.data.splines.clear()


def spoil_order(rope):
    add_spline(rope.data, "NURBS", places(1))


def spoil_modifier(rope):
    rope.modifiers.new("Bend", "SIMPLE_DEFORM")


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (spoil_scale, "zero in its scale (1, 0, 1): set it"),
        (spoil_number, "point 2 of spline 0 is not a number"),
        (spoil_places, "spline 0 has all its points in the same place: move them apart"),
        (spoil_count, "spline 0 is a single point: extrude"),
        (spoil_all, "has no points: draw"),
        (spoil_order, "spline 1 is a single point"),
        (spoil_modifier, "modifier 'Bend' bends the finished surface, not the curve: turn on its Apply on Spline"),
    ],
)
def test_a_curve_that_cannot_be_a_rod_says_why_and_stays(spoil, sentence):
    rope = new_rope()
    add_spline(rope.data, "POLY", places(6))
    spoil(rope)
    before = fingerprint(rope)
    with pytest.raises(SceneError) as caught:
        curves.read(bpy.context, rope)
    assert str(caught.value).startswith("'Rope'")
    assert sentence in str(caught.value)
    assert caught.value.object == "Rope"
    assert fingerprint(rope) == before


def with_doubles(x):
    """Places with some of them repeated, one twice."""
    return np.repeat(x, [1, 2, 1, 3, *([1] * (len(x) - 4))], axis=0)


def one_line(kind, x, *, edge_count=0, matrix=PLACEMENTS["plain"], **options):
    rope = new_rope(matrix)
    add_spline(rope.data, kind, x, **options)
    (line,) = curves.read(bpy.context, rope, edge_count)
    bpy.data.objects.remove(rope)
    return line


@pytest.mark.parametrize("edge_count", [0, 40])
@pytest.mark.parametrize("cyclic", [False, True])
@pytest.mark.parametrize(("kind", "handles"), [("POLY", "AUTO"), ("BEZIER", "VECTOR")])
@pytest.mark.parametrize("size", [1e-3, 1.0, 300.0])
def test_doubled_points_count_once_and_nothing_moves(kind, handles, cyclic, edge_count, size):
    x = size * (ring_places(7) if cyclic else places(7))
    doubled = np.vstack([with_doubles(x), x[:1]]) if cyclic else with_doubles(x)
    doubled[2] += 0.3e-5 * size  # as rounding in another program leaves them
    plain, found = (
        one_line(kind, way, handles=handles, edge_count=edge_count, cyclic=cyclic, tilt_per_point=0.0)
        for way in (x, doubled)
    )
    assert found.closed == cyclic
    assert found.x.shape == plain.x.shape
    assert np.allclose(found.x, plain.x, atol=2e-5 * size)
    assert np.allclose(found.thickness, plain.thickness)


def test_points_doubled_by_extruding_an_automatic_curve_make_no_loop():
    x = places(6)
    line = one_line("BEZIER", with_doubles(x))
    edges = np.diff(line.x, axis=0)
    assert np.sum(edges[1:] * edges[:-1], axis=1).min() > 0.0


def test_a_loop_that_was_drawn_between_points_in_one_place_stays():
    rope = new_rope()
    spline = add_spline(rope.data, "BEZIER", [(0, 0, 0), (1, 0, 0), (1, 0, 0), (2, 0, 0)], handles="FREE")
    for point, left, right in zip(
        spline.bezier_points, [(-1, 0, 0), (0, 0, 0), (-1, 1, 0), (1, 0, 0)],
        [(0.3, 0, 0), (3, 1, 0), (1.3, 0, 0), (3, 0, 0)], strict=True,
    ):  # fmt: skip
        point.handle_left, point.handle_right = left, right
    (line,) = curves.read(bpy.context, rope)
    assert line.x[:, 1].max() > 0.3


@pytest.mark.parametrize("edge_count", [0, 120])
@pytest.mark.parametrize("cyclic", [False, True])
def test_a_nurbs_with_points_in_one_place_is_read_alike_however_finely(cyclic, edge_count):
    x = with_doubles(ring_places(9) if cyclic else places(9))
    line = one_line("NURBS", x, edge_count=edge_count, cyclic=cyclic)
    gap = np.linalg.norm(np.diff(line.x, axis=0), axis=1)
    assert gap.min() > 0.0
    assert len(line.x) >= edge_count


@pytest.mark.parametrize("kind", ["POLY", "BEZIER"])
def test_a_pin_at_a_point_behind_doubled_ones_is_where_that_is(kind):
    rope, x = new_rope(), with_doubles(places(7))
    spline = add_spline(rope.data, kind, x, handles="VECTOR")
    name = "select_control_point" if kind == "BEZIER" else "select"
    for number, point in enumerate(rings.points(spline)):
        setattr(point, name, number in {6, 9})
    found = selected(rope.data, curves.read(bpy.context, rope), Units.of(bpy.context.scene, 0))
    assert np.allclose([place.position for place in found], x[[6, 9]], atol=1e-5)


def test_two_points_are_enough_when_edges_are_asked():
    rope = new_rope()
    add_spline(rope.data, "POLY", [(0, 0, 0), (2, 0, 0)])
    (line,) = curves.read(bpy.context, rope, 8)
    assert np.allclose(line.x, [(0.25 * k, 0, 0) for k in range(9)], atol=1e-7)
