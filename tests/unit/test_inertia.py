"""Inertia of solids against closed forms: box, sphere, tetrahedron; Steiner's theorem; rotation and scale."""

import numpy as np
import pytest
from tendril.bridge import inertia
from tendril.bridge.units import rotation_matrix

QUATERNION = np.array([0.8, -0.2, 0.4, 0.4])
TURN = rotation_matrix(QUATERNION / np.linalg.norm(QUATERNION))
MASS = 3.0

CUBE = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
CUBE_TRIANGLES = np.array([[a, b, c] for i, j, k, l in SIDES for a, b, c in ((i, j, k), (i, k, l))])
TETRAHEDRON = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
TETRAHEDRON_TRIANGLES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


def box_law(sides, mass=MASS):
    a, b, c = sides
    return mass / 12.0 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])


def ball(levels):
    """An octahedron, its triangles divided so many times, on the unit sphere."""
    x = [np.array(place, dtype=float) for place in np.vstack([np.eye(3), -np.eye(3)])]
    triangles = [(0, 1, 2), (1, 3, 2), (3, 4, 2), (4, 0, 2), (1, 0, 5), (3, 1, 5), (4, 3, 5), (0, 4, 5)]
    for _ in range(levels):
        finer = []
        for a, b, c in triangles:
            n = len(x)
            middle = (x[a] + x[b], x[b] + x[c], x[c] + x[a])
            x += [place / np.linalg.norm(place) for place in middle]
            finer += [(a, n, n + 2), (n, b, n + 1), (n + 2, n + 1, c), (n, n + 1, n + 2)]
        triangles = finer
    return np.array(x), np.array(triangles)


@pytest.mark.parametrize("shift", [(0.0, 0.0, 0.0), (100.0, -20.0, 7.0)])
@pytest.mark.parametrize("turn", [np.eye(3), TURN])
@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (2.0, 0.5, 0.1), (-2.0, 0.5, 0.1)])
def test_a_box_wherever_it_is_however_turned_and_scaled(shift, turn, scale):
    sides = np.abs(scale)
    linear = turn @ np.diag(scale)
    for solid in (
        inertia.of_mesh(CUBE @ linear.T + shift, CUBE_TRIANGLES),
        inertia.of_mesh(CUBE @ linear.T + shift, CUBE_TRIANGLES[:, ::-1]),
        inertia.of_box(np.array(shift), linear.T),
    ):
        assert solid.volume == pytest.approx(np.prod(sides), rel=1e-12)
        assert solid.centre == pytest.approx(shift, abs=1e-12)
        assert solid.inertia(MASS) == pytest.approx(turn @ box_law(sides) @ turn.T, abs=1e-12)
        a, b, c = sides
        assert solid.surface == pytest.approx(2.0 * (a * b + b * c + c * a), rel=1e-12)


def test_a_tetrahedron():
    """Of the corner tetrahedron: V = 1/6, centroid (¼, ¼, ¼), ∫x² = 1/60, ∫xy = 1/120."""
    solid = inertia.of_mesh(TETRAHEDRON, TETRAHEDRON_TRIANGLES)
    assert solid.volume == pytest.approx(1.0 / 6.0, rel=1e-13)
    assert solid.centre == pytest.approx([0.25] * 3, rel=1e-13)
    about_origin = 6.0 * (np.full((3, 3), 1.0 / 120.0) + np.eye(3) / 120.0)
    assert solid.spread == pytest.approx(about_origin - np.full((3, 3), 1.0 / 16.0), abs=1e-14)


def test_a_sphere_and_the_meshes_that_tend_to_it():
    exact = inertia.of_sphere(np.zeros(3), 1.0)
    assert exact.volume == pytest.approx(4.0 / 3.0 * np.pi)
    assert exact.inertia(MASS) == pytest.approx(0.4 * MASS * np.eye(3))
    assert exact.face == pytest.approx(np.pi)
    errors = []
    for levels in (2, 3, 4):
        solid = inertia.of_mesh(*ball(levels))
        errors.append([1.0 - solid.volume / exact.volume, 1.0 - np.trace(solid.spread) / np.trace(exact.spread)])
    rates = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert rates == pytest.approx(np.full((2, 2), 2.0), abs=0.15)
    assert np.max(errors[-1]) < 0.01


def test_two_boxes_in_one_mesh_add_as_steiner_says():
    apart = np.array([3.0, 1.0, -2.0])
    x, triangles = np.vstack([CUBE, CUBE + apart]), np.vstack([CUBE_TRIANGLES, CUBE_TRIANGLES + 8])
    both = inertia.of_mesh(x, triangles)
    assert both.volume == pytest.approx(2.0)
    arm = 0.5 * apart
    steiner = 2.0 * (box_law((1, 1, 1), MASS) + MASS * (arm @ arm * np.eye(3) - np.outer(arm, arm)))
    assert both.inertia(2.0 * MASS) == pytest.approx(steiner, abs=1e-12)


def test_a_hollow_faces_inwards():
    x, triangles = np.vstack([CUBE, 0.5 * CUBE]), np.vstack([CUBE_TRIANGLES, CUBE_TRIANGLES[:, ::-1] + 8])
    hollow = inertia.of_mesh(x, triangles)
    assert hollow.volume == pytest.approx(7.0 / 8.0)
    density = MASS / hollow.volume
    law = box_law((1, 1, 1), density) - box_law((0.5, 0.5, 0.5), density / 8.0)
    assert hollow.inertia(MASS) == pytest.approx(law, abs=1e-12)


def test_what_is_flat_has_no_volume_but_a_box_around_it_has_inertia():
    assert inertia.of_mesh(CUBE * [1.0, 1.0, 0.0], CUBE_TRIANGLES).volume == 0.0
    flat = inertia.of_box(np.zeros(3), np.diag([2.0, 1.0, 0.0]))
    assert flat.volume == 0.0
    assert flat.inertia(MASS) == pytest.approx(box_law((2.0, 1.0, 0.0)))


def test_gaps_are_counted():
    assert inertia.gaps(CUBE, CUBE_TRIANGLES) == (0, 0)
    assert inertia.gaps(CUBE, CUBE_TRIANGLES[2:]) == (4, 0)
    flipped = CUBE_TRIANGLES.copy()
    flipped[:2] = flipped[:2, ::-1]
    assert inertia.gaps(CUBE, flipped) == (0, 4)


def test_vertices_in_one_place_leave_no_gap():
    split = CUBE[CUBE_TRIANGLES].reshape(-1, 3)
    assert inertia.gaps(split, np.arange(36).reshape(-1, 3)) == (0, 0)
