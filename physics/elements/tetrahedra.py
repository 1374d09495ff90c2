"""Tetrahedra as shapes: edge matrices, volumes, heights, angles, and the surface they leave. numpy only.

With the edges from its first corner as columns of A, relaxed, and of B, now, a tetrahedron's deformation gradient is
F = B A⁻¹ (Liesenfeld & Stolfi 1997, §5.3, where they are printed as rows), and its volume det(A)/6.
"""

import numpy as np

from ..arithmetic.fixed_order import determinant

FACES = np.array([[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]])  # across each corner, counterclockwise from outside
EDGES = np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])
BESIDE = np.array([[2, 3], [1, 3], [1, 2], [0, 3], [0, 2], [0, 1]])  # corners across the two faces at each edge
FLATTEST = 8.0  # degrees: the step of a flatter one is far smaller than its size asks for


def edge_matrices(corners: np.ndarray) -> np.ndarray:
    """A (t, 3, 3) [m] of tetrahedra with these corners (t, 4, 3) [m]: edges from the first corner as columns."""
    return np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)


def volumes(corners: np.ndarray) -> np.ndarray:
    """(t,) [m³], negative of inverted ones."""
    return determinant(edge_matrices(corners)) / 6.0


def face_normals(corners: np.ndarray) -> np.ndarray:
    """(t, 4, 3) [m²] outwards, twice as long as the faces across each corner are large."""
    face = corners[:, FACES]
    return np.cross(face[:, :, 1] - face[:, :, 0], face[:, :, 2] - face[:, :, 0])


def smallest_heights(corners: np.ndarray) -> np.ndarray:
    """(t,) [m] the smallest height of each."""
    return 6.0 * np.abs(volumes(corners)) / np.linalg.norm(face_normals(corners), axis=2).max(axis=1)


def dihedral_angles(corners: np.ndarray) -> np.ndarray:
    """(t, 6) [degrees] between the two faces at each of EDGES."""
    normal = face_normals(corners)
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    one, other = normal[:, BESIDE[:, 0]], normal[:, BESIDE[:, 1]]
    return np.degrees(np.arccos(np.clip(-np.sum(one * other, axis=2), -1.0, 1.0)))


def boundary(tetrahedra: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(triangles (f, 3), counterclockwise from outside, number of the tetrahedron of each (f,)): faces of but one."""
    faces = tetrahedra[:, FACES].reshape(-1, 3)
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    outer = np.sort(first[count == 1])
    return faces[outer], outer // 4
