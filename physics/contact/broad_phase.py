"""Broad phase: pairs of capsules whose boxes overlap, by sweep and prune along one axis (Liesenfeld & Stolfi 1997, §6).

Boxes are grown by a skin, so a list of pairs stays complete until some vertex has moved half the skin.
"""

import numpy as np

from .._jit import kernel


@kernel
def widest_axis(x):
    """The coordinate axis along which the points x (n, 3) spread most."""
    best, axis = -1.0, 0
    for k in range(3):
        low = high = x[0, k]
        for i in range(len(x)):
            low, high = min(low, x[i, k]), max(high, x[i, k])
        if high - low > best:
            best, axis = high - low, k
    return axis


@kernel
def near_along_rod(i, j, capsules, rods, reach):
    """Whether capsules i, j are so close along one rod that bending alone keeps them apart.

    A rod bent as far as its own radius r turns back within πr.
    """
    r = capsules[i].rod
    if r != capsules[j].rod:
        return False
    along = abs(capsules[i].arc - capsules[j].arc)
    if rods[r].closed:
        along = min(along, rods[r].perimeter - along)
    return along < reach


@kernel
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


@kernel
def sweep_and_prune(x, capsules, rods, joined, skin, order, boxes, pairs):
    """Fill pairs with the capsules (n,) that may touch; order (n,) is kept sorted.

    joined: sorted keys i · n + j, i < j, of pairs that are no contacts. boxes (2, n, 3) is scratch.

    Returns the number of pairs found; more than p means that the list is too small.
    """
    axis = widest_axis(x)
    n, low, high = len(capsules), boxes[0], boxes[1]
    for i in range(n):
        grow = capsules[i].radius + 0.5 * skin
        for k in range(3):
            a, b = x[capsules[i].tail, k], x[capsules[i].head, k]
            low[i, k] = min(a, b) - grow
            high[i, k] = max(a, b) + grow
    for m in range(1, n):  # insertion sort: nearly sorted from last time
        i = order[m]
        q = m - 1
        while q >= 0 and low[order[q], axis] > low[i, axis]:
            order[q + 1] = order[q]
            q -= 1
        order[q + 1] = i
    count = 0
    b, c = (axis + 1) % 3, (axis + 2) % 3
    for m in range(n):
        i = order[m]
        for q in range(m + 1, n):
            j = order[q]
            if low[j, axis] > high[i, axis]:
                break
            if low[j, b] > high[i, b] or low[i, b] > high[j, b] or low[j, c] > high[i, c] or low[i, c] > high[j, c]:
                continue
            if near_along_rod(i, j, capsules, rods, reach_of(i, j, x, capsules)):
                continue
            if len(joined) > 0 and contains(joined, min(i, j) * n + max(i, j)):
                continue
            if count < len(pairs):
                pairs[count].i, pairs[count].j = min(i, j), max(i, j)
            count += 1
    return count


@kernel
def reach_of(i, j, x, capsules):
    """Arc length [m] within which two capsules of one rod count as neighbours: half a turn of its own radius, and
    touching edges.
    """
    p, q = capsules[i], capsules[j]
    edges = 0.5 * (edge_length(x, p.tail, p.head) + edge_length(x, q.tail, q.head))
    return max(0.5 * np.pi * (p.radius + q.radius), 1.01 * edges)


@kernel
def edge_length(x, a, b):
    """Distance [m] of the vertices a, b."""
    return np.sqrt((x[b, 0] - x[a, 0]) ** 2 + (x[b, 1] - x[a, 1]) ** 2 + (x[b, 2] - x[a, 2]) ** 2)
