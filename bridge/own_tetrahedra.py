"""Meshes that come as tetrahedra: their vertices are the nodes, and the custom property `tetrahedra` of the mesh, an
array of integers, has the four vertices of one after the other, such that (x₁ − x₀)·(x₂ − x₀)×(x₃ − x₀) > 0.
"""

import bpy
import numpy as np

from ..physics.elements.tetrahedra import boundary
from ..physics.validate import SceneError

PROPERTY = "tetrahedra"


def tetrahedra_of(source, count):
    """(t, 4) of a mesh object whose evaluated mesh has `count` vertices, None: it has none of its own. Raises
    SceneError.
    """
    stored = source.data.get(PROPERTY)
    if stored is None:
        return None
    name, found = source.name, np.array(getattr(stored, "to_list", lambda: stored)())
    if found.dtype.kind != "i" or found.ndim != 1 or not len(found) or len(found) % 4:
        raise SceneError(
            name, f"'{name}' has a custom property 'tetrahedra' that is no list of vertices, four of each: delete it."
        )
    drawn = len(source.data.vertices)
    if count != drawn:
        raise SceneError(
            name, f"'{name}' has tetrahedra of its own, of {drawn} vertices, of which its modifiers make {count}: "
            "apply or remove them.",
        )  # fmt: skip
    return found.astype(np.int64).reshape(-1, 4)


def make_mesh(name, x, tetrahedra):
    """A mesh of nodes x (n, 3) and tetrahedra (t, 4), with their outside as its faces."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(x.tolist(), [], boundary(tetrahedra)[0].tolist())
    mesh[PROPERTY] = tetrahedra.ravel().tolist()
    return mesh


def make_wires(name, x, tetrahedra):
    """A mesh of the edges of tetrahedra (t, 4) with nodes x (n, 3)."""
    ends = np.sort(tetrahedra[:, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]].reshape(-1, 2), axis=1)
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(x.tolist(), np.unique(ends, axis=0).tolist(), [])
    return mesh
