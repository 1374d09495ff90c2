"""Which features of two things with surfaces may touch: vertices and triangles, edges and edges, whose boxes overlap;
and how far both may go at once.

Things are where their samples begin and where these end, on any way that is nowhere further off the straight one than a
margin. Boxes hold both ends and the thickness (contact/bounding_volumes).
"""

from math import sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.vectors import Vector, dot, plus, scaled, vector
from ..contact.bounding_volumes import LEAF, Box, behind, next_leaf
from ..contact.near_features import box_around
from ..model import Surfaces
from .feature_gaps import across_edges, over_triangle

NEARER = 0.5  # of the way to where they are as deep in each other as may be, that two features go on a step
# Times that features are asked how near they are, until so much is left of their room: an edge that tilts about what it
# lies on, by .3, takes 60.
ADVANCES, THERE = 128, 1e-2

Numbers = tuple[int, int, int]  # of a thing's first vertex, first edge and first face, among all


@kernel
def box_of(samples: np.ndarray, p: int, q: int, r: int, reach: float) -> Box:
    """Around three vertices, from one sample to the other."""
    a, b = (
        box_around(vector(samples[0, p]), vector(samples[0, q]), vector(samples[0, r]), reach),
        box_around(vector(samples[1, p]), vector(samples[1, q]), vector(samples[1, r]), reach),
    )
    return (
        min(a[0], b[0]), min(a[1], b[1]), min(a[2], b[2]), max(a[3], b[3]), max(a[4], b[4]), max(a[5], b[5]),
    )  # fmt: skip


@kernel
def meet(one: Box, other: Box) -> bool:
    """Whether two boxes overlap."""
    return (
        one[0] <= other[3] and other[0] <= one[3]
        and one[1] <= other[4] and other[1] <= one[4]
        and one[2] <= other[5] and other[2] <= one[5]
    )  # fmt: skip


@entry
def features_near(
    one: Surfaces, two: Surfaces, edges: bool, numbers: tuple[Numbers, Numbers, int], margin: float,
    skipped: tuple[np.ndarray, np.ndarray], rows: np.ndarray, count: int,
) -> int:  # fmt: skip
    """Adds rows, FEATURES, of edges of both things, or of vertices of one and triangles of another, whose boxes are no
    further apart than a margin, but for those with vertices, (v,) and (w,), that are skipped. Returns how many there
    are then, more than there is room for perhaps. numbers: of both, and how many features there are.
    """
    (first, base, total), (omitted, passed) = numbers, skipped
    tree, leaves = two.tree, len(two.tree) // 2
    own, sides = (1, 3) if edges else (0, 1)
    for k in range(len(one.edges) if edges else len(one.vertices)):
        a, b = (one.edges[k].end[0], one.edges[k].end[1]) if edges else (k, k)
        if omitted[a] or omitted[b] or leaves == 0:
            continue
        box = box_of(one.samples, a, b, b, margin)
        leaf = next_leaf(tree, box, 1)
        while leaf > 0:
            for m in range(LEAF * (leaf - leaves), min(LEAF * (leaf - leaves + 1), len(two.faces))):
                for side in range(sides):
                    f, corner = two.order[m], two.faces[two.order[m]].corner
                    p, q, r, thick = corner[0], corner[1], corner[2], two.colliders[two.faces[f].collider].thickness
                    if edges:
                        f = two.faces[f].edge[side]
                        if f < 0:
                            continue
                        p, q, r = two.edges[f].end[0], two.edges[f].end[1], two.edges[f].end[1]
                        thick = two.colliders[two.edges[f].collider].thickness
                    if passed[p] or passed[q] or passed[r] or not meet(box, box_of(two.samples, p, q, r, thick)):
                        continue
                    if count < len(rows):
                        row = rows[count]
                        row.key = 2 * ((first[own] + k) * total + base[2 - own] + f) + own
                        row.edges = edges
                        row.point[0], row.point[1] = first[0] + a, (first[0] + b if edges else base[0] + p)
                        row.point[2], row.point[3] = (base[0] + p, base[0] + q) if edges else (base[0] + q, base[0] + r)
                    count += 1
            leaf = behind(leaf)
            if leaf > 0:
                leaf = next_leaf(tree, box, leaf)
    return count


@kernel
def apart(x: np.ndarray, ways: tuple[np.ndarray, np.ndarray], row: np.record, t: float, own: np.ndarray) -> Vector:
    """z, from the second feature to the first, that part of a step on; own (3, 4): see feature_gaps."""
    linear, whole = ways
    point, z = row.point, (0.0, 0.0, 0.0)
    a, b = on_its_way(x, linear, whole, point[0], t), on_its_way(x, linear, whole, point[1], t)
    c, d = on_its_way(x, linear, whole, point[2], t), on_its_way(x, linear, whole, point[3], t)
    own[:] = 0.0
    if row.edges:
        across_edges(a, b, c, d, own)
    else:
        over_triangle(a, b, c, d, own)
    z = plus(plus(scaled(own[0, 0], a), own[0, 1], b), own[0, 2], c)
    return plus(z, own[0, 3], d)


@kernel
def on_its_way(x: np.ndarray, linear: np.ndarray, whole: np.ndarray, p: int, t: float) -> Vector:
    """Where vertex p is then."""
    at = plus(vector(x[p]), t - t * t, vector(linear[p]))
    return plus(at, t * t, vector(whole[p]))


@kernel
def closing(n: Vector, ways: tuple[np.ndarray, np.ndarray], row: np.record, t: float, end: float) -> float:
    """How fast features of a row come nearer along n at most, from t to the end."""
    (linear, whole), back, forth = ways, np.inf, -np.inf
    for k in range(4):
        p = row.point[k]
        a, b = dot(n, vector(linear[p])), dot(n, vector(whole[p]))
        now, later = a + 2.0 * t * (b - a), a + (t + end) * (b - a)
        if k == 0 or (k == 1 and row.edges):
            back = min(back, now, later)
        else:
            forth = max(forth, now, later)
    return forth - back


@entry
def part_of_step(
    x: np.ndarray, ways: tuple[np.ndarray, np.ndarray], radius: np.ndarray, deep: float, rows: np.ndarray,
    shares: np.ndarray,
) -> float:  # fmt: skip
    """The part of a step on which no two features of rows, FEATURES, of radius (V,) around vertices, come nearer than
    half way to where they are in each other by `deep`; those that are, to each other. Vertices are at x (V, 3), and go
    t linear + t² (whole − linear), t from 0 to 1, ways: (linear, whole). From one time to the next a plane parts them
    (conservative advancement: Mirtich 1996).
    """
    part = 1.0
    for i in range(len(rows)):
        row, t, room, least = rows[i], 0.0, 0.0, 0.0
        for k in range(ADVANCES):
            z = apart(x, ways, row, t, shares)
            size, reach = sqrt(dot(z, z)), 0.0
            for c in range(4):
                reach += abs(shares[0, c]) * radius[row.point[c]]
            if size == 0.0:
                t = part if k == 0 else t
                break
            if k == 0:
                room = size - max(reach - deep, 0.0)
                room = NEARER * (room if room > 0.0 else size)
                least = size - reach - room
            left, rate = size - reach - least, closing(scaled(1.0 / size, z), ways, row, t, part)
            if rate * (part - t) <= left:
                t = part
                break
            if left <= THERE * room:
                break
            t += left / rate
        part = min(part, t)
    return part
