"""Frames of a rod's segments as unit quaternions (w, x, y, z), whose third axis is the rod's: (m₁, m₂, t)."""

import numpy as np

from ..arithmetic.quaternions import continuous, quaternions
from ..rods.rest_shape import bishop, edges_with_ghosts, frame_angles


def frames_along(x: np.ndarray, m1: np.ndarray | None, twist: np.ndarray | None) -> np.ndarray:
    """Quaternions (n + 1, 4) along an open rod of vertices x (n, 3), the walls beyond its ends among them, each in the
    same hemisphere as the one before.
    """
    t, u, _ = bishop(edges_with_ghosts(x, closed=False), m1)
    theta = frame_angles(np.zeros(len(x)) if twist is None else twist, t, u, closed=False)[:, None]
    v = np.cross(t, u)
    first, second = np.cos(theta) * u + np.sin(theta) * v, np.cos(theta) * v - np.sin(theta) * u
    return continuous(quaternions(np.stack([first, second, t], axis=-1)))


def frame_at(q: np.ndarray, vertex: int) -> np.ndarray:
    """The quaternion (4,) at a vertex, of those along a rod, q (n + 1, 4): the wall's at an end, else half way from the
    segment before to the one behind.
    """
    if vertex == 0:
        return q[0]
    middle = q[vertex + 1] if vertex == len(q) - 2 else q[vertex] + q[vertex + 1]
    return np.asarray(middle / np.linalg.norm(middle))
