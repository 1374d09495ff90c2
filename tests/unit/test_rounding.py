"""Extents of a body, by which it is rounded and overlaps with it are judged."""

import tracemalloc

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tendril.physics.geometry.rounding import extents


def test_extents_are_those_of_a_box_however_it_is_turned():
    corners = np.array([[x, y, z] for x in (0.0, 3.0) for y in (0.0, 2.0) for z in (0.0, 0.5)])
    turned = Rotation.from_rotvec([0.3, -0.7, 1.1]).apply(corners) + [5.0, 0.0, 1.0]
    assert np.sort(extents(turned)) == pytest.approx([0.5, 2.0, 3.0], rel=1e-12)


@pytest.mark.parametrize("points", [np.ones((1, 3)), np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]])])
def test_a_sphere_and_a_capsule_are_thin_but_for_their_radius(points):
    assert extents(points).min() == pytest.approx(0.0, abs=1e-15)


def test_memory_grows_with_points_and_not_with_their_square():
    points = np.random.default_rng(0).normal(size=(5000, 3))
    tracemalloc.start()
    extents(points)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100 * points.nbytes
