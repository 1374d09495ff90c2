"""Which places of cables may touch each other or the cable itself: segments, and ends of segments, that are near
segments.

Segments that are near each other are listed as those of rods are, and what counts as bent and not as touching is as it
is there (contact/along_rod). Two segments touch where both are nearest inside; an end touches a segment wherever it is
nearest: then all that may be nearest is listed, as one smooth distance each, also where cables lie along each other.
"""

from math import sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.vectors import Vector, cross, dot, plus, scaled, vector
from ..contact.along_rod import edge_after, edge_before, half_turn, nearest
from ..contact.capsule_pairs import Runs, apart, capsule_pairs
from ..contact.passage import closing_along
from ..contact.segment_distance import closest_parameters
from .contact_between import SHORT, SLANTED

DEEP, DEEPER = 0.05, 0.01  # as in contact/drawn_through, of both radii
Tables = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # capsules, rods, joined, collision_filter: see Model
# Places of a curve that are a way a apart along it, on which it turns by θ < π, are at least a cos(θ/2) apart (Schur's
# theorem, with an arc of a circle): those that can touch, πr apart or more, do not before it turns by 1.76 there, and
# go through each other by π. On a step it turns by less than 1.2 more: see LONGEST_TURN.
STRAIGHT = 1.0  # [rad]
IN_EACH_OTHER = 1e-9  # of both radii: lines so near to each other have no sides yet


@entry
def list_pairs(tables: Tables, x: np.ndarray, turned: np.ndarray, skin: float, runs: Runs, pairs: np.ndarray) -> int:
    """Fill pairs, PAIR, with segments that are nearer than a skin, or, of points x (n, 6) that go by x[:, 3:], come so
    near on their way, but for those of one cable that turns too little in between. turned (n,) [rad]: by how much
    cables turn before each point. Returns how many there are, more than there is room for perhaps.
    """
    capsules, kept = tables[0], 0
    count = capsule_pairs(*tables, x, (skin, 1.0, 0.0), runs, pairs)
    if count > len(pairs):
        return count
    for p in range(count):
        one, other = capsules[pairs[p].i], capsules[pairs[p].j]
        if one.rod != other.rod or turned[other.tail] - turned[one.tail] >= STRAIGHT:
            pairs[kept].i, pairs[kept].j = pairs[p].i, pairs[p].j
            kept += 1
    return kept


@entry
def part_of_way(tables: Tables, pairs: np.ndarray, x: np.ndarray) -> float:
    """The part of a way x[:, 3:] from points x[:, :3] on which no pair's lines come nearer than half of their distance:
    planes across it part them.
    """
    capsules, rods, part = tables[0], tables[1], 1.0
    for p in range(len(pairs)):
        i, j = pairs[p].i, pairs[p].j
        _, distance, way = apart(capsules, rods, i, j, x, 0.0)
        closing = closing_along(x, x[:, 3:], way, distance, capsules[i], capsules[j])
        if closing * part > 0.5 * distance:
            part = 0.5 * distance / closing
    return part


@entry
def list_places(
    tables: Tables, pairs: np.ndarray, x: np.ndarray, arc: np.ndarray, skin: float, rows: np.ndarray
) -> int:
    """Fill rows, PAIR_CONTACT, with places of pairs that are nearer than a skin; points are at x (n, 3), at arc lengths
    arc (n,) along their cables. Returns how many there are, more than there is room for perhaps.
    """
    capsules, count = tables[0], 0
    for p in range(len(pairs)):
        i, j = pairs[p].i, pairs[p].j
        if slanted(capsules, i, j, x, arc):
            count = add_segments(tables, i, j, x, skin, rows, count)
            continue
        for one, other in ((i, j), (j, i)):
            for share in (0.0, 1.0):
                count = add_end(tables, one, other, share, (x, arc, skin), rows, count)
    return count


@kernel
def slanted(capsules: np.ndarray, i: int, j: int, x: np.ndarray, arc: np.ndarray) -> bool:
    """Whether two segments are far from parallel, and no places of them are bent."""
    one, other = capsules[i], capsules[j]
    u, e = (
        plus(vector(x[one.head]), -1.0, vector(x[one.tail])),
        plus(vector(x[other.head]), -1.0, vector(x[other.tail])),
    )
    uu, ee, ue = dot(u, u), dot(e, e), dot(u, e)
    if uu * ee - ue * ue <= SLANTED * uu * ee:
        return False
    return one.rod != other.rod or max(arc[other.tail] - arc[one.head], arc[one.tail] - arc[other.head]) >= half_turn(
        one, other
    )


@kernel
def add_segments(tables: Tables, i: int, j: int, x: np.ndarray, skin: float, rows: np.ndarray, count: int) -> int:
    """A row more of two segments."""
    capsules = tables[0]
    one, other = capsules[i], capsules[j]
    a, c = vector(x[one.tail]), vector(x[other.tail])
    u, e, p = plus(vector(x[one.head]), -1.0, a), plus(vector(x[other.head]), -1.0, c), plus(a, -1.0, c)
    s, t = closest_parameters(p, u, e, 0.0)
    z = plus(plus(p, s, u), -t, e)
    if is_beside(tables, (i, j), (s, t), x, sqrt(dot(z, z))):
        return count
    n = cross(u, e)
    if dot(n, z) < 0.0:
        n = scaled(-1.0, n)
    return add(capsules, (i, j, 2 * (i * len(capsules) + j)), (s, t), (0.0, 1.0), (z, n), skin, rows, count)


@kernel
def is_beside(
    tables: Tables, which: tuple[int, int], shares: tuple[float, float], x: np.ndarray, distance: float
) -> bool:
    """Whether segments that are drawn into each other touch at an end beyond which one is deeper in the other."""
    capsules, rods = tables[0], tables[1]
    i, j = which
    reach = capsules[i].radius + capsules[j].radius
    if distance >= (1.0 - DEEP) * reach:
        return False
    s, t = shares
    k = i if 0.0 < s < 1.0 else edge_before(capsules, rods, i) if s == 0.0 else edge_after(capsules, rods, i)
    m = j if 0.0 < t < 1.0 else edge_before(capsules, rods, j) if t == 0.0 else edge_after(capsules, rods, j)
    for first in (i, k):
        for second in (j, m):
            if first >= 0 and second >= 0 and first != second:
                way, _, bent = nearest(capsules, rods, first, second, x, 0.0)
                if bent >= 0 and sqrt(dot(way, way)) < distance - DEEPER * reach:
                    return True
    return False


@kernel
def add_end(
    tables: Tables, i: int, j: int, s: float, where: tuple[np.ndarray, np.ndarray, float], rows: np.ndarray, count: int
) -> int:
    """A row more of an end of segment i, s = 0 or 1, and segment j, where these places can touch, and segments beside
    the end are not deeper in the other cable. where: x, arc and skin.
    """
    capsules, (x, arc, skin) = tables[0], where
    one, other = capsules[i], capsules[j]
    v, low, high = (one.tail if s == 0.0 else one.head), 0.0, 1.0
    if one.rod == other.rod:
        if v == other.tail or v == other.head:
            return count
        length, ahead = arc[other.head] - arc[other.tail], arc[other.tail] - arc[v]
        if ahead > 0.0:
            low = max(0.0, (half_turn(one, other) - ahead) / length)
        else:
            high = min(1.0, -(half_turn(one, other) + ahead) / length)
        if low >= high:
            return count
    c = vector(x[other.tail])
    p, e = plus(vector(x[v]), -1.0, c), plus(vector(x[other.head]), -1.0, c)
    t = min(max(dot(p, e) / dot(e, e), low), high)
    z = plus(p, -t, e)
    if is_beside(tables, (i, j), (s, t), x, sqrt(dot(z, z))):
        return count
    u = plus(vector(x[one.head]), -1.0, vector(x[one.tail]))
    key = 2 * (v * len(capsules) + j) + 1
    return add(capsules, (i, j, key), (s, t), (low, high), (z, cross(u, e)), skin, rows, count)


@kernel
def add(
    capsules: np.ndarray, what: tuple[int, int, int], shares: tuple[float, float], between: tuple[float, float],
    ways: tuple[Vector, Vector], skin: float, rows: np.ndarray, count: int,
) -> int:  # fmt: skip
    """A row more of two places, if they are near enough; what: segments and key; ways: from the second to the first,
    and which way they are to part where they are in each other.
    """
    (i, j, key), (z, across) = what, ways
    one, other = capsules[i], capsules[j]
    distance, reach = sqrt(dot(z, z)), one.radius + other.radius
    if distance - reach >= skin:
        return count
    if count < len(rows):
        row, n, size = rows[count], z, distance
        if distance <= IN_EACH_OTHER * reach:
            n, size = across, sqrt(dot(across, across))
            if size == 0.0:
                n, size = (0.0, 0.0, 1.0), 1.0
        row.key, row.end, row.plane = key, key % 2 == 1, distance < SHORT * reach
        row.point[0], row.point[1], row.point[2], row.point[3] = one.tail, one.head, other.tail, other.head
        row.share[0], row.share[1], row.low, row.high = shares[0], shares[1], between[0], between[1]
        row.n[0], row.n[1], row.n[2] = n[0] / size, n[1] / size, n[2] / size
        row.reach, row.force, row.stiffness = reach, 0.0, 0.0
    return count + 1
