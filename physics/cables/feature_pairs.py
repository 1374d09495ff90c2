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
def vertices_near(
    one: Surfaces, two: Surfaces, numbers: tuple[Numbers, Numbers, int], margin: float,
    skipped: tuple[np.ndarray, np.ndarray], rows: np.ndarray, count: int,
) -> int:  # fmt: skip
    """Adds rows, FEATURES, of vertices of one thing and triangles of another, whose boxes are no further apart than a
    margin, but for vertices of either, (v,) and (w,), that are skipped. Returns how many there are then, more than
    there is room for perhaps. numbers: of both, and how many features there are.
    """
    (first, base, total), (omitted, passed) = numbers, skipped
    tree, leaves = two.tree, len(two.tree) // 2
    for k in range(len(one.vertices)):
        if omitted[k] or leaves == 0:
            continue
        box = box_of(one.samples, k, k, k, margin)
        leaf = next_leaf(tree, box, 1)
        while leaf > 0:
            for m in range(LEAF * (leaf - leaves), min(LEAF * (leaf - leaves + 1), len(two.faces))):
                f = two.order[m]
                p, q, r = two.faces[f].corner[0], two.faces[f].corner[1], two.faces[f].corner[2]
                thick = two.colliders[two.faces[f].collider].thickness
                if passed[p] or passed[q] or passed[r] or not meet(box, box_of(two.samples, p, q, r, thick)):
                    continue
                if count < len(rows):
                    row = rows[count]
                    row.key, row.edges = 2 * ((first[0] + k) * total + base[2] + f), False
                    row.point[0], row.point[1] = first[0] + k, base[0] + p
                    row.point[2], row.point[3] = base[0] + q, base[0] + r
                count += 1
            leaf = behind(leaf)
            if leaf > 0:
                leaf = next_leaf(tree, box, leaf)
    return count


@entry
def edges_near(
    one: Surfaces, two: Surfaces, numbers: tuple[Numbers, Numbers, int], margin: float,
    skipped: tuple[np.ndarray, np.ndarray], rows: np.ndarray, count: int,
) -> int:  # fmt: skip
    """The same of edges of both."""
    (first, base, total), (omitted, passed) = numbers, skipped
    tree, leaves = two.tree, len(two.tree) // 2
    for k in range(len(one.edges)):
        a, b = one.edges[k].end[0], one.edges[k].end[1]
        if omitted[a] or omitted[b] or leaves == 0:
            continue
        box = box_of(one.samples, a, b, b, margin)
        leaf = next_leaf(tree, box, 1)
        while leaf > 0:
            for m in range(LEAF * (leaf - leaves), min(LEAF * (leaf - leaves + 1), len(two.faces))):
                for side in range(3):
                    e = two.faces[two.order[m]].edge[side]
                    if e < 0:
                        continue
                    p, q = two.edges[e].end[0], two.edges[e].end[1]
                    thick = two.colliders[two.edges[e].collider].thickness
                    if passed[p] or passed[q] or not meet(box, box_of(two.samples, p, q, q, thick)):
                        continue
                    if count < len(rows):
                        row = rows[count]
                        row.key, row.edges = 2 * ((first[1] + k) * total + base[1] + e) + 1, True
                        row.point[0], row.point[1] = first[0] + a, first[0] + b
                        row.point[2], row.point[3] = base[0] + p, base[0] + q
                    count += 1
            leaf = behind(leaf)
            if leaf > 0:
                leaf = next_leaf(tree, box, leaf)
    return count


@kernel
def advance(n: Vector, linear: np.ndarray, whole: np.ndarray, p: int) -> tuple[float, float]:
    """(least, most) that vertex p goes along n, over the part of the step that it goes: its way is t a + t² b."""
    a, b = dot(n, vector(linear[p])), dot(n, vector(whole[p]))
    return min(a, b), max(a, b)


@entry
def part_of_step(
    x: np.ndarray, ways: tuple[np.ndarray, np.ndarray], radius: np.ndarray, deep: float, rows: np.ndarray,
    shares: np.ndarray,
) -> float:  # fmt: skip
    """The part of a step on which no two features of rows, FEATURES, of radius (V,) around vertices, come nearer than
    half way to where they are in each other by `deep`; those that are, to each other: planes across it part them.
    Vertices are at x (V, 3), and go t linear + t² (whole − linear), t from 0 to 1, ways: (linear, whole).
    """
    part, (linear, whole) = 1.0, ways
    for i in range(len(rows)):
        row = rows[i]
        own, point = shares, row.point
        own[:] = 0.0
        a, b, c, d = vector(x[point[0]]), vector(x[point[1]]), vector(x[point[2]]), vector(x[point[3]])
        if row.edges:
            across_edges(a, b, c, d, own)
        else:
            over_triangle(a, b, c, d, own)
        z = plus(plus(scaled(own[0, 0], a), own[0, 1], b), own[0, 2], c)
        z = plus(z, own[0, 3], d)
        size = sqrt(dot(z, z))
        if size == 0.0:
            continue
        n, back, forth, reach = scaled(1.0 / size, z), np.inf, -np.inf, 0.0
        for k in range(4):
            reach += abs(own[0, k]) * radius[point[k]]
            least, most = advance(n, linear, whole, point[k])
            if k == 0 or (k == 1 and row.edges):
                back = min(back, least)
            else:
                forth = max(forth, most)
        room = size - max(reach - deep, 0.0)
        room = NEARER * (room if room > 0.0 else size)
        if (forth - back) * part > room:
            part = room / (forth - back)
    return part
