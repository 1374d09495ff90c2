"""What is near and yet no contact: what a rigid body holds into each other, and groups that do not touch. Neighbours
along a rod: see `along_rod`.
"""

import numpy as np

from .._jit import kernel


@kernel(forceinline=True)
def are_watched(
    capsules: np.ndarray, rods: np.ndarray, joined: np.ndarray, collision_filter: np.ndarray, i: int, j: int
) -> bool:
    """Whether capsules i, j are a pair that contact has to watch, if they are none of neighbours along a rod."""
    if pass_through(collision_filter, rods[capsules[i].rod].group, rods[capsules[j].rod].group):
        return False
    key = min(i, j) * len(capsules) + max(i, j)
    return len(joined) == 0 or not contains(joined, key)


@kernel
def pass_through(collision_filter: np.ndarray, one: int, other: int) -> bool:
    """Whether things of two groups do not touch: see Model.collision_filter."""
    return len(collision_filter) > 0 and collision_filter[one, other]


@kernel
def contains(keys: np.ndarray, key: int) -> bool:
    """Whether a sorted array has a key."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low < len(keys) and keys[low] == key
