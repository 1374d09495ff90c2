"""How often surfaces go through each other or through themselves, by brute force: all edges and all faces."""

import numpy as np
from tendril.physics.diagnostics.surface_overlap import all_pairs, crosses

GRAZING = 1e-9  # of a face's size: an edge that begins or ends so near its plane lies in it
Mesh = tuple[np.ndarray, np.ndarray]  # points (V, 3) [m], triangles (T, 3)


def passages(one: Mesh, other: Mesh) -> int:
    """Edges of each surface that go through faces of the other."""
    return _through(one, other, False) + _through(other, one, False)


def passages_of_itself(mesh: Mesh) -> int:
    """Edges of a surface that go through faces of it which they do not adjoin."""
    return _through(mesh, mesh, True)


def _through(one: Mesh, other: Mesh, itself: bool) -> int:
    """Edges of one that go through faces of the other."""
    (points, triangles), (others, faces), found = one, other, 0
    ends = np.unique(np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)
    for edges, its in all_pairs(len(ends), len(faces)):
        edge, face = edges, its
        if itself:
            clear = ~np.any(ends[edge][:, :, None] == faces[face][:, None], axis=(1, 2))
            edge, face = edge[clear], face[clear]
        (p, q, r), a, b = np.moveaxis(others[faces[face]], 1, 0), points[ends[edge, 0]], points[ends[edge, 1]]
        n = np.cross(q - p, r - p)
        size = np.linalg.norm(n, axis=1)
        off = np.minimum(*(np.abs(np.sum((end - p) * n, axis=1)) for end in (a, b)))
        found += int((crosses(a, b, p, q, r) & (off > GRAZING * size**1.5)).sum())
    return found
