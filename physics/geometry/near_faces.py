"""Faces that are near rods' edges in a scene, found before it is simulated. numpy only.

Candidates come from a complete binary tree of boxes (Ericson 2005, *Real-Time Collision Detection*, §6), down which all
edges go side by side; faces near each other are in boxes near each other, in the order of Morton's curve.
"""

from collections.abc import Iterator

import numpy as np

from .neighbours import Pairs, nearest

BITS = 10  # of each coordinate on the curve
BLOCK = 1 << 14  # edges that go down together


def morton_order(centre: np.ndarray) -> np.ndarray:
    """(T,) numbers of faces with these centres (T, 3) [m], along Morton's curve."""
    low, width = centre.min(axis=0, initial=np.inf), np.ptp(centre, axis=0).max(initial=0.0) if len(centre) else 0.0
    cell = ((centre - low) * ((2**BITS - 1) / width if width > 0.0 else 0.0)).astype(np.int64)
    code = np.zeros(len(centre), np.int64)
    for bit in range(BITS):
        for axis in range(3):
            code |= (cell[:, axis] >> bit & 1) << (3 * bit + axis)
    return np.argsort(code, kind="stable")


def near_faces(tail: np.ndarray, head: np.ndarray, reach: np.ndarray, corners: np.ndarray) -> Iterator[Pairs]:
    """Pairs (i (k,), j (k,)), block by block of edges: edges from tail to head (E, 3) [m] whose boxes, wider by their
    reach (E,) [m], overlap those of faces with these corners (T, 3, 3) [m], T > 0.
    """
    order, levels = morton_order(corners.mean(axis=1)), (len(corners) - 1).bit_length()
    boxes = np.full((1 << levels, 2, 3), np.inf)  # the upper corner with its sign turned: of both the lowest is asked
    boxes[: len(order), 0], boxes[: len(order), 1] = corners[order].min(axis=1), -corners[order].max(axis=1)
    tree = [boxes]
    for _ in range(levels):
        tree.append(tree[-1].reshape(-1, 2, 2, 3).min(axis=1))
    low, high = np.minimum(tail, head) - reach[:, None], np.maximum(tail, head) + reach[:, None]
    for begin in range(0, len(tail), BLOCK):
        i = np.arange(begin, min(begin + BLOCK, len(tail)))
        k = np.zeros(len(i), np.int64)
        for level in reversed(tree):
            meet = np.all((level[k, 0] <= high[i]) & (-level[k, 1] >= low[i]), axis=1)
            i, k = np.repeat(i[meet], 2), np.repeat(2 * k[meet], 2)
            k[1::2] += 1
        yield i[::2], order[k[::2] >> 1]


def distances_to_faces(
    tail: np.ndarray, head: np.ndarray, reach: np.ndarray, corners: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(how far [m] edges from tail to head (E, 3) are from the nearest of all faces with these corners (T, 3, 3), of
    those without area from their edges, ∞: by more than their reach (E,) [m]; whether they go through one), each (E,).
    """
    apart, through = np.full(len(tail), np.inf), np.zeros(len(tail), bool)
    for i, j in near_faces(tail, head, reach, corners) if len(corners) else ():
        distance, pierced = distance_to_faces(tail[i], head[i], corners[j])
        np.minimum.at(apart, i, distance)
        through[i[pierced]] = True
    return apart, through


def distance_to_faces(a: np.ndarray, b: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(distances (k,) [m] of segments a–b (k, 3) from faces with these corners (k, 3, 3); whether they go through them
    (k,)): nearest is an end over the inside, or an edge.
    """
    p = corners[:, 0]
    n = np.cross(corners[:, 1] - p, corners[:, 2] - p)
    above, below = (np.sum((end - p) * n, axis=1) for end in (a, b))
    through = above * below < 0.0
    part = np.where(through, above / np.where(through, above - below, 1.0), 0.0)
    through &= _over(a + part[:, None] * (b - a), corners, n)
    distance = np.full(len(a), np.inf)
    for k in range(3):
        distance = np.minimum(distance, nearest(a, b, corners[:, k], corners[:, (k + 1) % 3])[2])
    size = np.linalg.norm(n, axis=1)
    for end, height in ((a, above), (b, below)):
        foot = np.where(_over(end, corners, n) & (size > 0.0), np.abs(height) / np.maximum(size, 1e-300), np.inf)
        distance = np.minimum(distance, foot)
    return np.where(through, 0.0, distance), through


def _over(x: np.ndarray, corners: np.ndarray, n: np.ndarray) -> np.ndarray:
    """(k,) whether points x (k, 3) are over the inside of faces, whose normals are n (k, 3)."""
    inside = np.ones(len(x), bool)
    for k in range(3):
        u, v = corners[:, k], corners[:, (k + 1) % 3]
        inside &= np.sum(np.cross(v - u, x - u) * n, axis=1) >= 0.0
    return inside
