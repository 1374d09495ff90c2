"""The least translation of two hulls against closed forms, and against all faces of the hull of their difference."""

import numpy as np
import pytest
from meshes import box, sheet
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation
from tendril.physics.start.least_translation import deepest_of, least_translation

CUBE = box((1.0, 1.0, 1.0))[0]
CENTRE = np.zeros((1, 3))
ALONG = np.array([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])


@pytest.mark.parametrize(
    ("one", "other", "radius", "depth", "along"),
    [
        (CUBE, CUBE + [0.9, 0.2, -0.1], 0.0, 0.1, [-1.0, 0.0, 0.0]),
        (CUBE, CUBE + [-0.3, 0.2, -0.6], 0.0, 0.4, [0.0, 0.0, 1.0]),
        (CUBE, CUBE + [1.25, 0.2, -0.1], 0.0, -0.25, [-1.0, 0.0, 0.0]),
        (CENTRE + [0.1, 0.2, 0.55], CUBE, 0.1, 0.05, [0.0, 0.0, 1.0]),
        (CENTRE + [0.1, 0.2, 0.3], CUBE, 0.1, 0.3, [0.0, 0.0, 1.0]),
        (CENTRE + [0.53, 0.0, 0.54], CUBE, 0.1, 0.05, [0.6, 0.0, 0.8]),  # at an edge
        (CENTRE, CENTRE + [0.0, 0.15, 0.0], 0.2, 0.05, [0.0, -1.0, 0.0]),
        (ALONG, ALONG[:, [1, 0, 2]] + [0.0, 0.0, 0.03], 0.1, 0.07, [0.0, 0.0, -1.0]),  # crossed
        (ALONG, ALONG[:, [1, 0, 2]], 0.1, 0.1, [0.0, 0.0, 1.0]),  # through each other: upwards
        (CENTRE, CENTRE, 0.1, 0.1, [0.0, 0.0, 1.0]),
    ],
)
def test_closed_forms(one, other, radius, depth, along):
    way = least_translation(one, other, radius)
    assert way.depth == pytest.approx(depth, abs=1e-9)
    np.testing.assert_allclose(way.along, along, atol=1e-7)
    back = least_translation(other, one, radius)
    assert back.depth == pytest.approx(depth, abs=1e-9)


@pytest.mark.parametrize("seed", range(40))
def test_as_near_as_the_nearest_face_of_the_difference(seed):
    rng = np.random.default_rng(seed)
    if seed % 2:
        one, other = rng.normal(size=(30, 3)), rng.normal(size=(20, 3)) + rng.uniform(-1.0, 1.0, 3)
    else:
        turn = Rotation.random(random_state=seed).as_matrix() if seed % 4 else np.eye(3)
        one, other = CUBE @ turn.T, CUBE * rng.uniform(0.2, 1.0, 3) + rng.uniform(-0.5, 0.5, 3)
    way = least_translation(one, other, 0.0)
    faces = ConvexHull((one[:, None] - other).reshape(-1, 3)).equations
    assert way.depth == pytest.approx(-faces[:, 3].max(), abs=1e-9)
    gap = (one @ way.along).min() + way.depth - (other @ way.along).max()
    assert gap == pytest.approx(0.0, abs=1e-9)  # it does lead out


@pytest.mark.parametrize("seed", range(20))
def test_apart_by_the_distance_of_nearest_points(seed):
    rng = np.random.default_rng(seed)
    one, other = rng.normal(size=(rng.integers(1, 20), 3)), rng.normal(size=(rng.integers(1, 20), 3)) + [7.0, 0.0, 0.0]
    way = least_translation(one, other, 0.5)
    difference = (one[:, None] - other).reshape(-1, 3)
    nearest = (0.5 - way.depth) * way.along
    assert (difference @ nearest).min() == pytest.approx(nearest @ nearest, rel=1e-6)  # what makes it the nearest


def test_what_is_nearly_flat():
    """Of two sheets the least way is across both, by what they are thick together."""
    flat = np.random.default_rng(4).normal(size=(20, 3)) * [1.0, 1.0, 1e-8]
    plan = np.linspace(0.0, 2.0 * np.pi, 33)
    ring = np.stack([np.cos(plan), np.sin(plan), 0.0 * plan], axis=1)
    way = least_translation(flat, np.vstack([ring, ring + [0.0, 0.0, 1e-9]]), 0.0)
    assert -1e-7 < way.depth < np.ptp(flat[:, 2]) + 1e-5  # what rounding and a round shape may be off by
    assert abs(way.along[2]) == pytest.approx(1.0, abs=1e-6)


def test_the_deepest_of_faces_is_that_of_all_of_them():
    rng = np.random.default_rng(0)
    points, triangles = sheet(12, 3.0, lambda x, y: 0.2 * np.sin(3.0 * x) * np.cos(2.0 * y))
    for _ in range(5):
        one = CUBE @ Rotation.random(rng=rng).as_matrix().T + rng.uniform(-0.3, 0.3, 3)
        each = [least_translation(one, corners, 0.01).depth for corners in points[triangles]]
        for normals in (np.zeros((0, 3)), np.eye(3)):
            assert deepest_of(one, normals, 0.01, points[triangles], 0.0).depth == max(each)
        assert deepest_of(one, normals, 0.01, points[triangles], max(each)) is None
