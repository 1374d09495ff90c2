"""The tetrahedra among the cells of VTK, which are of many kinds and lengths."""

import numpy as np

from .unreadable import Unreadable

TETRAHEDRON = 10


def tetrahedra_among(
    kinds: np.ndarray, first: np.ndarray, end: np.ndarray, nodes: np.ndarray, count: int
) -> np.ndarray:
    """(t, 4) of cells of kinds (c,), which have nodes[first:end] (c,), of `count` there are. Raises Unreadable."""
    if len(kinds) != len(first):
        raise Unreadable(f"it has {len(first)} cells, but kinds of {len(kinds)}")
    if (first < 0).any() or (first > end).any() or (end > len(nodes)).any():
        raise Unreadable("a cell has nodes that do not follow")
    own = kinds == TETRAHEDRON
    if (end - first != 4)[own].any():
        raise Unreadable("a tetrahedron has other than four nodes")
    found = nodes[first[own][:, None] + np.arange(4)]
    wrong = (found < 0) | (found >= count)
    if wrong.any():
        raise Unreadable(f"a tetrahedron has node {found[wrong][0]}, but there are {count}, from 0 on")
    return found
