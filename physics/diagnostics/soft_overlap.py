"""How often surfaces go through each other or through themselves, by brute force: all edges and all faces."""

import numpy as np

from .shape_overlap import BLOCK
from .surface_overlap import _crosses

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
    step = max(1, BLOCK // len(faces))
    for begin in range(0, len(ends), step):
        i = np.repeat(np.arange(begin, min(begin + step, len(ends))), len(faces))
        j = np.tile(np.arange(len(faces)), len(i) // len(faces))
        if itself:
            clear = ~np.any(ends[i][:, :, None] == faces[j][:, None], axis=(1, 2))
            i, j = i[clear], j[clear]
        (p, q, r), a, b = np.moveaxis(others[faces[j]], 1, 0), points[ends[i, 0]], points[ends[i, 1]]
        n = np.cross(q - p, r - p)
        size = np.linalg.norm(n, axis=1)
        off = np.minimum(*(np.abs(np.sum((end - p) * n, axis=1)) for end in (a, b)))
        found += int((_crosses(a, b, p, q, r) & (off > GRAZING * size**1.5)).sum())
    return found
