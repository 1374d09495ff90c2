"""What is drawn goes with the line it lies around: each vertex has a place along it and an offset in the frame there.

x = p + a n + b (t × n) + c t, with the line's place p, direction t and normal n, which need not be quite square.
"""

import numpy as np


def offsets(x: np.ndarray, place: np.ndarray, along: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """(a, b, c) (n, 3) of points (n, 3) in frames at places (n, 3) with directions and normals (n, 3)."""
    frame = np.stack([normal, np.cross(along, normal), along], axis=2)
    return np.linalg.solve(frame, (x - place)[..., None])[..., 0]


def carried(offset: np.ndarray, place: np.ndarray, along: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """The inverse of `offsets`: points (n, 3)."""
    return place + np.einsum("nij,nj->ni", np.stack([normal, np.cross(along, normal), along], axis=2), offset)
