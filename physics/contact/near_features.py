"""Which features of surfaces are near a segment: faces its first point, edges and vertices the segment. What asks for
them is an edge of a rod, or one of a cable, at rest or on its way.
"""

from math import inf

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector
from ..model import Surfaces
from .bounding_volumes import LEAF, Box, behind, next_leaf
from .carriers.led_surface import Face, corners
from .contact_filter import pass_through
from .segment_distance import distance_of, distance_to, distance_to_face

# Its ends [m], number; whether its first point touches faces, and all of it edges, and vertices; its own vertices, −1
# of another surface: what shares one with it is not near it.
Segment = tuple[Vector, Vector, int, bool, bool, bool, tuple[int, int]]
OTHER = (-1, -1)
# Of a surface, from where to where: rows of the tree, faces; and what its features' numbers begin with.
Within = tuple[tuple[int, int], tuple[int, int], int]
Near = tuple[float, float, float]  # radius [m], skin [m], part of the frame that is over


@kernel
def pairs_of(
    surfaces: Surfaces,
    collision_filter: np.ndarray,
    group: int,
    segment: Segment,
    near: Near,
    within: Within,
    pairs: np.ndarray,
    count: int,
) -> int:
    """Add the PAIRs of a segment of a group: see Model.collision_filter. Returns how many there are then, more than
    there is room for perhaps.
    """
    ((low, high), (begin, end), base), faces = within, surfaces.faces
    (radius, skin, part), tree, leaves = near, surfaces.tree[low:high], (high - low) // 2
    box = box_around(segment[0], segment[1], segment[1], radius + skin)
    k = next_leaf(tree, box, 1) if leaves > 0 else 0
    while k > 0:
        for m in range(begin + LEAF * (k - leaves), min(begin + LEAF * (k - leaves + 1), end)):
            f = surfaces.order[m]
            its = surfaces.colliders[faces[f].collider]
            if not pass_through(collision_filter, group, its.group):
                close, where = (radius + its.thickness + skin, skin), corners(surfaces, f, part)
                count = add_features(surfaces, segment, f, where, close, base, pairs, count)
        k = behind(k)
        if k > 0:
            k = next_leaf(tree, box, k)
    return count


@kernel
def box_around(p: Vector, q: Vector, r: Vector, reach: float) -> Box:
    """Of all that is nearer to a face than that [m], or to a segment, from p to q and r."""
    return (
        min(p[0], q[0], r[0]) - reach, min(p[1], q[1], r[1]) - reach, min(p[2], q[2], r[2]) - reach,
        max(p[0], q[0], r[0]) + reach, max(p[1], q[1], r[1]) + reach, max(p[2], q[2], r[2]) + reach,
    )  # fmt: skip


@kernel
def whole(surfaces: Surfaces) -> Within:
    """All of a surface, its features counted from 0."""
    return (0, len(surfaces.tree)), (0, len(surfaces.faces)), 0


@kernel
def add_features(
    surfaces: Surfaces,
    segment: Segment,
    f: int,
    where: Face,
    near: tuple[float, float],
    base: int,
    pairs: np.ndarray,
    count: int,
) -> int:
    """Add the pairs with what is found with face f, whose corners are there [m]; near: (reach, skin) [m]."""
    face, (a, b, i, point, edges, vertices, own), (p, q, r), reach = surfaces.faces[f], segment, where, near[0]
    if apart(a, b, p, q, r) > reach:
        return count
    corner, edge = face.corner, base + len(surfaces.faces)
    beside = own[0] >= 0 and (share(own, corner[0], corner[1]) or share(own, corner[2], corner[2]))
    if point and not beside and corner[1] != corner[2] and apart(a, a, p, q, r) <= reach:
        count = add(pairs, count, (i, base + f), distance_to_face(a, p, q, r), near)
    for k in range(3):
        u, v = (p, q) if k == 0 else (q, r) if k == 1 else (r, p)
        wanted = edges and face.edge[k] >= 0 and not (beside and share(own, corner[k], corner[(k + 1) % 3]))
        if wanted and apart(a, b, u, v, v) <= reach:
            count = add(pairs, count, (i, edge + face.edge[k]), distance_of(u, v, a, b), near)
        if vertices and face.vertex[k] >= 0 and apart(a, b, u, u, u) <= reach:
            number = edge + len(surfaces.edges) + face.vertex[k]
            count = add(pairs, count, (i, number), distance_to(a, b, u), near)
    return count


@kernel
def share(own: tuple[int, int], p: int, q: int) -> bool:
    """Whether one of two vertices is one of the segment's own."""
    return own[0] == p or own[0] == q or own[1] == p or own[1] == q


@kernel
def add(pairs: np.ndarray, count: int, pair: tuple[int, int], distance: float, near: tuple[float, float]) -> int:
    """One pair more, if its distance is within reach; near: (reach, skin) [m]."""
    if distance > near[0]:
        return count
    if count < len(pairs):
        own = pairs[count]
        own.i, own.j, own.gap = pair[0], pair[1], distance - near[0] + near[1]
        own.wakes_beside = own.wakes_near = own.closing = 0.0
    return count + 1


@kernel
def apart(a: Vector, b: Vector, p: Vector, q: Vector, r: Vector) -> float:
    """How far [m] the boxes around a, b and around p, q, r are apart along some axis."""
    most = -inf
    for c in range(3):
        low, high = min(p[c], q[c], r[c]), max(p[c], q[c], r[c])
        most = max(most, low - max(a[c], b[c]), min(a[c], b[c]) - high)
    return most
