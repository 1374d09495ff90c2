"""What is near and yet no contact: neighbours along a rod, what a rigid body holds into each other, and groups that do
not touch.
"""

import numpy as np

from .._jit import kernel


@kernel(forceinline=True)
def may_touch(
    capsules: np.ndarray,
    rods: np.ndarray,
    joined: np.ndarray,
    collision_filter: np.ndarray,
    x: np.ndarray,
    i: int,
    j: int,
) -> bool:
    """Whether capsules i, j are a pair that contact has to watch."""
    if near_along_rod(i, j, capsules, rods, x):
        return False
    if pass_through(collision_filter, rods[capsules[i].rod].group, rods[capsules[j].rod].group):
        return False
    key = min(i, j) * len(capsules) + max(i, j)
    return len(joined) == 0 or not contains(joined, key)


@kernel
def pass_through(collision_filter: np.ndarray, one: int, other: int) -> bool:
    """Whether things of two groups do not touch: see Model.collision_filter."""
    return len(collision_filter) > 0 and collision_filter[one, other]


@kernel
def near_along_rod(i: int, j: int, capsules: np.ndarray, rods: np.ndarray, x: np.ndarray) -> bool:
    """Whether capsules i, j are so close along one rod, as long as it is now, that bending alone keeps them apart.

    A rod bent as far as its own radius r turns back within πr.
    """
    if capsules[i].rod != capsules[j].rod:
        return False
    reach = reach_of(capsules[i], capsules[j], x)
    return way_between(capsules, rods, (i, j), (0.5, 0.5), x, reach) < reach


@kernel
def reach_of(one: np.record, two: np.record, x: np.ndarray) -> float:
    """Arc length [m] within which two capsules of one rod count as neighbours: half a turn of its own radius, and
    touching edges.
    """
    edges = 0.5 * (edge_length(x, one.tail, one.head) + edge_length(x, two.tail, two.head))
    return max(0.5 * np.pi * (one.radius + two.radius), 1.01 * edges)


@kernel
def edge_before(capsules: np.ndarray, rods: np.ndarray, i: int) -> int:
    """The capsule that ends where capsule i begins, or −1. A contact at that vertex stands for it too."""
    r = capsules[i].rod
    if i > 0 and capsules[i - 1].rod == r:
        return i - 1
    return i + rods[r].last - rods[r].first if rods[r].closed else -1


@kernel
def edge_after(capsules: np.ndarray, rods: np.ndarray, i: int) -> int:
    """The capsule that begins where capsule i ends, or −1."""
    r = capsules[i].rod
    if i + 1 < len(capsules) and capsules[i + 1].rod == r:
        return i + 1
    return i - rods[r].last + rods[r].first if rods[r].closed else -1


@kernel
def beyond_neighbour(capsules: np.ndarray, rods: np.ndarray, i: int, j: int, t: float, x: np.ndarray) -> bool:
    """Whether one edge lies between the capsules i and j, and from it to the point t of j more of the rod than half a
    turn of its own radius. That edge is a neighbour of both: no pair of it can stand for what the far end of i touches.
    """
    k = edge_before(capsules, rods, j)
    if k < 0 or edge_before(capsules, rods, k) != i:
        return False
    one, two, mid = capsules[i], capsules[j], capsules[k]
    between = edge_length(x, mid.tail, mid.head) + t * edge_length(x, two.tail, two.head)
    return between > 0.5 * np.pi * (one.radius + two.radius)


@kernel
def turned_back(
    capsules: np.ndarray, rods: np.ndarray, pair: tuple[int, int], at: tuple[float, float], x: np.ndarray
) -> bool:
    """Whether two points, so far along two capsules, are of two rods, or have more of one between them than half a turn
    of its own radius.
    """
    one, two = capsules[pair[0]], capsules[pair[1]]
    half_turn = 0.5 * np.pi * (one.radius + two.radius)
    return one.rod != two.rod or not way_between(capsules, rods, pair, at, x, half_turn) < half_turn


@kernel
def way_between(
    capsules: np.ndarray,
    rods: np.ndarray,
    pair: tuple[int, int],
    at: tuple[float, float],
    x: np.ndarray,
    most: float,
) -> float:
    """How much of a rod [m] is between two points, so far along two capsules of it, as it is now; `most` if no less."""
    (i, j), (s, t) = pair, at
    return min(way_on(capsules, rods, (i, j), (s, t), x, most), way_on(capsules, rods, (j, i), (t, s), x, most))


@kernel
def way_on(
    capsules: np.ndarray,
    rods: np.ndarray,
    pair: tuple[int, int],
    at: tuple[float, float],
    x: np.ndarray,
    most: float,
) -> float:
    """The same, going on along the rod from the first to the second."""
    i, j = pair
    k, way = edge_after(capsules, rods, i), (1.0 - at[0]) * edge_length(x, capsules[i].tail, capsules[i].head)
    while k >= 0 and k != j and way < most:
        way += edge_length(x, capsules[k].tail, capsules[k].head)
        k = edge_after(capsules, rods, k)
    return min(most, way + at[1] * edge_length(x, capsules[j].tail, capsules[j].head)) if k == j else most


@kernel
def edge_length(x: np.ndarray, a: int, b: int) -> float:
    """Distance [m] of the vertices a, b."""
    return np.sqrt((x[b, 0] - x[a, 0]) ** 2 + (x[b, 1] - x[a, 1]) ** 2 + (x[b, 2] - x[a, 2]) ** 2)


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
