"""Capsules that are near and yet no contact: neighbours along a rod, and what a rigid body holds into each other."""

import numpy as np

from .._jit import njit


@njit(forceinline=True)
def may_touch(capsules, x, i, j):
    """Whether capsules i, j are a pair that contact has to watch."""
    if capsules.rod[i] == capsules.rod[j]:
        reach = reach_of(i, j, x, capsules.tail, capsules.head, capsules.radius)
        if near_along_rod(i, j, capsules.rod, capsules.arc, capsules.perimeter, reach):
            return False
    key = min(i, j) * len(capsules.tail) + max(i, j)
    return len(capsules.joined) == 0 or not contains(capsules.joined, key)


@njit
def near_along_rod(i, j, rod, arc, perimeter, reach):
    """Whether capsules i, j are so close along one rod (arc (n,) [m] of their midpoints) that bending alone keeps
    them apart.

    A rod bent as far as its own radius r turns back within πr; perimeter > 0 marks a closed rod.
    """
    if rod[i] != rod[j]:
        return False
    along = abs(arc[i] - arc[j])
    if perimeter[rod[i]] > 0.0:
        along = min(along, perimeter[rod[i]] - along)
    return along < reach


@njit
def reach_of(i, j, x, tail, head, radius):
    """Arc length [m] within which two capsules of one rod count as neighbours: half a turn of its own radius, and
    touching edges.
    """
    edges = 0.5 * (edge_length(x, tail[i], head[i]) + edge_length(x, tail[j], head[j]))
    return max(0.5 * np.pi * (radius[i] + radius[j]), 1.01 * edges)


@njit
def edge_length(x, a, b):
    """Distance [m] of the vertices a, b."""
    return np.sqrt((x[b, 0] - x[a, 0]) ** 2 + (x[b, 1] - x[a, 1]) ** 2 + (x[b, 2] - x[a, 2]) ** 2)


@njit
def contains(keys, key):
    """Whether a sorted array has a key."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low < len(keys) and keys[low] == key
