"""What is drawn goes with the line it lies around: each vertex has a place along it and an offset in the frame there.

x = p + a n + b (t × n) + c t, with the line's place p, direction t and normal n, or with any three axes.
"""

import numpy as np


def frames(along: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Axes (n, 3, 3), as columns, of directions and normals (n, 3)."""
    return np.stack([normal, np.cross(along, normal), along], axis=2)


def offsets(x: np.ndarray, place: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """(a, b, c) (n, 3) of points (n, 3) at places (n, 3) with axes (n, 3, 3), which need be neither square nor unit."""
    return np.linalg.solve(axes, (x - place)[..., None])[..., 0]


def carried(offset: np.ndarray, place: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """The inverse of `offsets`: points (n, 3)."""
    return place + np.einsum("nij,nj->ni", axes, offset)
