"""Tetrahedra: volumes, angles, heights, and the surface of a mesh of them."""

import numpy as np
import pytest
from tendril.physics.elements.tetrahedra import (
    boundary,
    dihedral_angles,
    edge_matrices,
    face_normals,
    smallest_heights,
    volumes,
)

CORNER = np.vstack([np.zeros(3), np.eye(3)])[None]
REGULAR = np.array([[[1.0, 1, 1], [-1, 1, -1], [1, -1, -1], [-1, -1, 1]]])
REGULAR = REGULAR if volumes(REGULAR)[0] > 0.0 else REGULAR[:, [0, 2, 1, 3]]


def test_a_corner_of_a_cube_is_a_sixth_of_it():
    assert volumes(CORNER) == pytest.approx(1.0 / 6.0)
    assert volumes(CORNER[:, [0, 2, 1, 3]]) == pytest.approx(-1.0 / 6.0)
    assert np.array_equal(edge_matrices(CORNER)[0], np.eye(3))


def test_angles_and_heights_of_a_corner_of_a_cube_and_of_a_regular_tetrahedron():
    slant = np.degrees(np.arccos(1.0 / np.sqrt(3.0)))
    assert np.sort(dihedral_angles(CORNER)[0]) == pytest.approx([slant] * 3 + [90.0] * 3)
    assert dihedral_angles(REGULAR) == pytest.approx(np.full((1, 6), np.degrees(np.arccos(1.0 / 3.0))))
    assert smallest_heights(CORNER) == pytest.approx(1.0 / np.sqrt(3.0))
    assert smallest_heights(REGULAR) == pytest.approx(np.sqrt(8.0) * np.sqrt(2.0 / 3.0))


def test_normals_point_outwards_and_cancel():
    normal = face_normals(REGULAR)[0]
    assert np.allclose(normal.sum(axis=0), 0.0)
    assert np.all(np.sum(normal * REGULAR[0], axis=1) < 0.0)  # away from the corner across, the middle at the origin


def test_the_surface_of_two_tetrahedra_is_closed_and_holds_their_volume():
    x = np.vstack([CORNER[0], [1.0, 1.0, 1.0]])
    node = np.array([[0, 1, 2, 3], [1, 2, 3, 4]])
    if volumes(x[node])[1] < 0.0:
        node[1] = node[1][[0, 2, 1, 3]]
    triangles, inside = boundary(node)
    a, b, c = np.moveaxis(x[triangles], 1, 0)
    assert len(triangles) == 6
    assert np.bincount(inside).tolist() == [3, 3]
    assert np.allclose(np.cross(b - a, c - a).sum(axis=0), 0.0)
    assert np.sum(np.cross(a, b) * c) / 6.0 == pytest.approx(volumes(x[node]).sum())
