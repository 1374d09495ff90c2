"""Whether a closed surface holds a point: seen from within it fills all directions, 4π, from outside none."""

import numpy as np


def solid_angle(corners: np.ndarray, point: np.ndarray) -> float:
    """Of triangles (T, 3, 3) seen from a point (3,), those from behind negative (Van Oosterom & Strackee 1983)."""
    a, b, c = np.moveaxis(corners - point, 1, 0)
    la, lb, lc = (np.linalg.norm(v, axis=1) for v in (a, b, c))
    volume = np.einsum("ti,ti->t", a, np.cross(b, c))
    bottom = la * lb * lc + np.sum(a * b, 1) * lc + np.sum(b * c, 1) * la + np.sum(c * a, 1) * lb
    return float(2.0 * np.arctan2(volume, bottom).sum())


def holds(corners: np.ndarray, point: np.ndarray) -> bool:
    """Whether the closed surface of triangles (T, 3, 3) holds a point (3,)."""
    return abs(solid_angle(corners, point)) > 2.0 * np.pi
