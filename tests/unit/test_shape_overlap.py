"""How deep surfaces are in each other, by brute force."""

import numpy as np
import pytest
from meshes import box
from tendril.physics.diagnostics.shape_overlap import Solid, deepest_between

POINT, SEGMENT = np.zeros((1, 3), int), np.array([[0, 1, 1]])


def ball(place, radius):
    return Solid(np.array([place], float), POINT, radius)


@pytest.mark.parametrize("gap", [-0.02, 0.0, 0.03])
def test_two_balls(gap):
    assert deepest_between(ball((0, 0, 0), 0.1), ball((0, 0.3 + gap, 0), 0.2)) == pytest.approx(-gap)


@pytest.mark.parametrize("gap", [-0.02, 0.03])
def test_a_ball_and_a_capsule(gap):
    capsule = Solid(np.array([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]), SEGMENT, 0.05)
    for place, size in (((0.3, 0.0, 0.15 + gap), 0.1), ((1.12 + gap, 0.0, 0.09), 0.1)):
        distance = np.hypot(max(place[0] - 1.0, 0.0), place[2])
        assert deepest_between(ball(place, size), capsule) == pytest.approx(0.15 - distance)


@pytest.mark.parametrize("gap", [-0.02, 0.03])
def test_a_ball_over_a_face_an_edge_and_a_corner(gap):
    cube = Solid(*box((1.0, 1.0, 1.0)), 0.0)
    for way in ((0.1, 0.2, 1.0), (0.0, 1.0, 1.0), (1.0, 1.0, 1.0)):
        corner = np.where(np.abs(way) == 1.0, 0.5, way)
        out = np.where(np.abs(way) == 1.0, 1.0, 0.0)
        place = corner + (0.1 + gap) * out / np.linalg.norm(out)
        assert deepest_between(ball(place, 0.1), cube) == pytest.approx(-gap)


def test_what_goes_through_is_as_deep_as_both_are_thick():
    cube = Solid(*box((1.0, 1.0, 1.0)), 0.01)
    rod = Solid(np.array([[0.1, 0.2, -2.0], [0.1, 0.2, 2.0]]), SEGMENT, 0.05)
    assert deepest_between(rod, cube) == pytest.approx(0.06)
