"""A bounding volume hierarchy over faces (Ericson 2005, *Real-Time Collision Detection*, §6): a complete binary tree of
boxes, whose leaves hold a few faces each. Faces near each other are in leaves near each other, in the order of Morton's
curve at the start; surfaces that deform keep that order, and only boxes are fitted again, from the leaves up.

Boxes hold all that faces sweep over in the present frame, and their thickness. Box 1 is the root, 2 k and 2 k + 1 are
the halves of box k, the last half of all boxes are leaves.
"""

import numpy as np

from .._jit import entry, kernel
from ..model import Surfaces

LEAF = 4  # faces
Box = tuple[float, float, float, float, float, float]  # lowest and highest coordinates [m]


def room_for(faces: int) -> np.ndarray:
    """(2 L, 6) for the tree's boxes: none without faces."""
    return np.zeros((2 << max(-(-faces // LEAF) - 1, 0).bit_length() if faces else 0, 6))


@entry
def fit(surfaces: Surfaces) -> None:
    """Fit all boxes to where faces are between both samples."""
    fit_boxes(surfaces)


@kernel
def fit_boxes(surfaces: Surfaces) -> None:
    """The same, for kernels."""
    tree, faces, samples = surfaces.tree, surfaces.faces, surfaces.samples
    leaves = len(tree) // 2
    for k in range(leaves):
        box = tree[leaves + k]
        for c in range(3):
            box[c], box[3 + c] = np.inf, -np.inf
        for m in range(LEAF * k, min(LEAF * (k + 1), len(faces))):
            face = faces[surfaces.order[m]]
            thickness = surfaces.colliders[face.collider].thickness
            for corner in range(3):
                p = face.corner[corner]
                for c in range(3):
                    box[c] = min(box[c], samples[0, p, c] - thickness, samples[1, p, c] - thickness)
                    box[3 + c] = max(box[3 + c], samples[0, p, c] + thickness, samples[1, p, c] + thickness)
    for k in range(leaves - 1, 0, -1):
        for c in range(3):
            tree[k, c] = min(tree[2 * k, c], tree[2 * k + 1, c])
            tree[k, 3 + c] = max(tree[2 * k, 3 + c], tree[2 * k + 1, 3 + c])


@kernel
def next_leaf(tree: np.ndarray, box: Box, k: int) -> int:
    """The first leaf, from box k on in the order of the leaves, that overlaps a box: its number among all boxes,
    or 0. Box k itself has not been looked at.
    """
    leaves = len(tree) // 2
    while True:
        if overlap(tree[k], box):
            if k >= leaves:
                return k
            k *= 2
        else:
            k = behind(k)
            if k == 0:
                return 0


@kernel
def behind(k: int) -> int:
    """The box to look at once all of box k is done with, or 0."""
    while k & 1:
        k >>= 1
    return k + 1 if k > 0 else 0


@kernel
def overlap(one: np.ndarray, other: Box) -> bool:
    """Whether two boxes overlap, one of them a row of the tree."""
    return (
        one[0] <= other[3]
        and other[0] <= one[3]
        and one[1] <= other[4]
        and other[1] <= one[4]
        and one[2] <= other[5]
        and other[2] <= one[5]
    )
