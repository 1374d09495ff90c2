"""What an artist is told of surfaces that are not quite what one expects, and what has no area."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics.materials import Material
from tendril.physics.scene import Collider, Rod, Scene
from tendril.physics.validate import check, notices
from tendril.physics.validate.colliders import degenerate
from tendril.physics.validate.edge_sides import edge_sides

ROD = Rod.from_material("Rope", np.linspace([0.0, 0.0, 9.0], [1.0, 0.0, 9.0], 5), 0.01, Material(1e7, 0.45, 1100.0))
CORNERS = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
SOLID = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])


def tetrahedron(name="Rock", x=CORNERS, triangles=SOLID, shift=0.0, **settings):
    return Collider(name, triangles, np.zeros(1), (x + shift)[None], **settings)


def said(*colliders):
    scene = Scene((ROD,), 0.04, 5, colliders=colliders)
    check(scene)
    return [(notice.object, notice.text) for notice in notices(scene)]


def test_a_closed_surface_needs_no_word():
    assert said(tetrahedron(), tetrahedron("Stone", shift=2.0, thickness=0.02)) == []


def test_a_closed_surface_of_loose_faces_is_closed():
    assert said(tetrahedron(x=CORNERS[SOLID.ravel()], triangles=np.arange(12).reshape(4, 3))) == []


def test_an_open_surface_is_a_thin_shell():
    text = "'Rock' is open at 3 edges: it works as a thin shell, which is touched from both sides."
    assert said(tetrahedron(triangles=SOLID[:3])) == [("Rock", text)]


def test_faces_that_share_an_edge_by_three_are_a_thin_shell():
    fin = tetrahedron(x=np.vstack([CORNERS, [2.0, 0.0, 2.0]]), triangles=np.vstack([SOLID, [0, 1, 4], [1, 0, 4]]))
    text = "'Rock' has 1 edge of more than two faces: it works as a thin shell, which is touched from both sides."
    assert said(fin) == [("Rock", text)]


def test_of_many_open_surfaces_one_is_named():
    sheets = [tetrahedron(f"Sheet {k}", triangles=SOLID[:3], shift=float(k)) for k in range(4)]
    ((name, text),) = said(*sheets)
    assert name == "Sheet 0"
    assert text.endswith("touched from both sides (and 3 more like this).")


def test_faces_without_area_are_named():
    x = np.vstack([CORNERS, [0.5, 0.5, 0.0]])
    needle = np.array([[0, 3, 2], [0, 2, 1], [0, 1, 3], [1, 4, 3], [4, 2, 3], [1, 2, 4]])
    ((name, text),) = said(tetrahedron(x=x, triangles=needle))
    assert name == "Rock"
    assert "has 1 triangle without area at the start" in text


def test_a_thickness_beyond_the_object_itself_is_named():
    text = "'Rock' keeps things 0.02 m away, more than its own size of 0.01 m: lower its thickness."
    assert said(tetrahedron(x=0.01 * CORNERS, thickness=0.02)) == [("Rock", text)]


def test_objects_exactly_in_the_same_place_are_named():
    text = "'Rock' and 'Rock.001' are exactly in the same place: move one or remove it."
    assert said(tetrahedron(), tetrahedron("Rock.001"), tetrahedron("Stone", shift=1e-6)) == [("Rock.001", text)]


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e4])
@pytest.mark.parametrize(("height", "flat"), [(0.0, True), (1e-8, True), (1e-4, False), (1.0, False)])
def test_no_area_is_meant_for_any_size_place_and_turn(size, height, flat):
    x = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.3, height, 0.0]])
    turn, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))
    assert degenerate(size * x @ turn, np.array([[0, 1, 2], [2, 0, 1], [2, 1, 0]])).tolist() == [flat] * 3


def test_a_triangle_at_one_point_has_no_area():
    assert degenerate(CORNERS, np.array([[0, 1, 2], [1, 1, 1], [1, 2, 1]])).tolist() == [False, True, True]


def test_edges_of_a_solid_have_two_sides_that_go_both_ways():
    sides, balance = edge_sides(CORNERS, SOLID)
    assert sides.tolist() == [2] * 6
    assert not balance.any()
    sides, balance = edge_sides(CORNERS, np.vstack([SOLID[:3], SOLID[3:, ::-1]]))
    assert sides.tolist() == [2] * 6
    assert np.count_nonzero(balance) == 3


def test_a_long_motion_is_checked_sample_by_sample():
    still = tetrahedron()
    moving = replace(still, times=np.arange(50.0), points=still.points + np.arange(50.0)[:, None, None])
    assert said(moving) == []
