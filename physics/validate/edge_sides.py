"""How many triangles meet at the edges of a mesh: two all around a solid, one at the rim of a hole."""

import numpy as np


def edge_sides(x: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of each edge: how many triangles have it (E,), how many more go along it one way than the other (E,).

    Vertices x (V, 3) [m] in the same place count as one; triangles (T, 3) are numbers of them.
    """
    _, same = np.unique(x, axis=0, return_inverse=True)
    corner = same.reshape(-1)[triangles]
    start, end = corner.ravel(), np.roll(corner, -1, axis=1).ravel()
    real = start != end
    low, high = np.minimum(start, end)[real], np.maximum(start, end)[real]
    _, edge, sides = np.unique(low * len(x) + high, return_inverse=True, return_counts=True)
    return sides, np.bincount(edge.reshape(-1), np.where(start < end, 1, -1)[real])
