"""The loose parts of a mesh: what its edges join, such as one leaf of many. No bpy."""

import numpy as np


def loose_parts(count: int, edges: np.ndarray) -> np.ndarray:
    """The number (n,) of the loose part that each of `count` vertices belongs to; edges (e, 2) join them.

    Parts take the least number beside them until nothing changes, going in jumps (Shiloach & Vishkin 1982).
    """
    part = np.arange(count)
    a, b = np.asarray(edges, dtype=int).reshape(-1, 2).T
    while True:
        before = part.copy()
        np.minimum.at(part, a, before[b])
        np.minimum.at(part, b, before[a])
        part = part[part]
        if np.array_equal(part, before):
            return np.unique(part, return_inverse=True)[1]


def scattered(points: np.ndarray, part: np.ndarray) -> bool:
    """Whether points (n, 3) are many small parts, such as leaves, and not one thing."""
    if part.max() == 0:
        return False
    size = np.zeros(part.max() + 1)
    for axis in range(3):
        low, high = np.full(len(size), np.inf), np.full(len(size), -np.inf)
        np.minimum.at(low, part, points[:, axis])
        np.maximum.at(high, part, points[:, axis])
        size = np.maximum(size, high - low)
    return np.ptp(points, axis=0).max() > 3.0 * size.max()
