"""The surface of a soft body: what is painted on it, how it is relaxed, which of its places is nearest to a point."""

import numpy as np
from mathutils.bvhtree import BVHTree

from ..meshing.embedding import Embedding
from ..physics.validate import SceneError
from . import evaluated_mesh

FLAT_TRIANGLE = 1e-30  # m⁴: the determinant of a triangle without area


def weights(source, mesh, name, what):
    """(V,) of an evaluated mesh in the vertex group `name`, 0 of vertices that are not in it. what: whose group it is,
    for SceneError: it is not there, or all weights are 0.
    """
    group = source.vertex_groups.get(name)
    if group is None:
        raise SceneError(source.name, f"{what} the vertex group '{name}', which is not there: choose another.")
    found = np.zeros(len(mesh.vertices))
    for vertex in mesh.vertices:
        for one in vertex.groups:
            if one.group == group.index:
                found[vertex.index] = one.weight
    if not found.any():
        raise SceneError(
            source.name, f"{what} the vertex group '{name}', in which no vertex has a weight: assign some in edit mode."
        )
    return found


def relaxed_surface(source, aside, copy, count):
    """(V, 3) in object space: the vertices of a copied object in the shape key that is its relaxed shape, alone, of
    which there have to be `count`. Raises SceneError.
    """
    name, keys = source.tendril.soft.relaxed, source.data.shape_keys
    number = keys.key_blocks.find(name) if keys else -1
    if number < 0:
        raise SceneError(
            source.name, f"'{source.name}' has no shape key '{name}', its relaxed shape: choose another in its panel."
        )
    shown = copy.active_shape_key_index, copy.show_only_shape_key
    copy.active_shape_key_index, copy.show_only_shape_key = number, True
    aside.scene.view_layers[0].update()
    with evaluated_mesh.mesh_of(aside.evaluated(copy)) as mesh:
        x = evaluated_mesh.vertices(mesh)
    copy.active_shape_key_index, copy.show_only_shape_key = shown
    if len(x) != count:
        raise SceneError(
            source.name, f"'{source.name}' has {len(x)} vertices in its relaxed shape '{name}' and {count} as it is "
            "drawn: apply its modifiers, or turn those off that add vertices where they meet.",
        )  # fmt: skip
    return x


def nearest_places(points, x, triangles):
    """An Embedding: of points (p, 3) the nearest places on a surface of points x (V, 3) and triangles (T, 3), as shares
    of their triangle's corners.
    """
    tree = BVHTree.FromPolygons(x.tolist(), triangles.tolist())
    found = [tree.find_nearest(point) for point in points]
    place, corners = np.array([tuple(one[0]) for one in found]), triangles[[one[2] for one in found]]
    a, b, c = np.moveaxis(x[corners], 1, 0)
    ab, ac, to = b - a, c - a, place - a
    (d11, d12, d22), (p1, p2) = _products((ab, ab), (ab, ac), (ac, ac)), _products((ab, to), (ac, to))
    area = d11 * d22 - d12 * d12
    safe = np.where(area > FLAT_TRIANGLE, area, 1.0)
    v, w = (np.where(area > FLAT_TRIANGLE, part / safe, 0.0) for part in (d22 * p1 - d12 * p2, d11 * p2 - d12 * p1))
    return Embedding(corners, np.stack([1.0 - v - w, v, w], axis=1))


def _products(*pairs):
    return [np.sum(one * other, axis=1) for one, other in pairs]
