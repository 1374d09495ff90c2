"""Which features of surfaces are near a segment: faces its first point, edges and vertices the segment. What asks for
them is an edge of a rod, or one of a cable, at rest or on its way.
"""

from math import inf

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector
from ..model import Surfaces
from .bounding_volumes import LEAF, Box, behind, next_leaf
from .carriers.led_surface import corners
from .contact_filter import pass_through
from .segment_distance import distance_of, distance_to, distance_to_face

Segment = tuple[Vector, Vector, int, bool, bool]  # its ends [m], number; whether its first point touches, and the rest
Near = tuple[float, float, float]  # radius [m], skin [m], part of the frame that is over


@kernel
def pairs_of(
    surfaces: Surfaces,
    collision_filter: np.ndarray,
    group: int,
    segment: Segment,
    near: Near,
    pairs: np.ndarray,
    count: int,
) -> int:
    """Add the PAIRs of a segment of a group: see Model.collision_filter. Returns how many there are then, more than
    there is room for perhaps.
    """
    tree, faces, (a, b, _, _, _), (radius, skin, _) = surfaces.tree, surfaces.faces, segment, near
    box, leaves = box_around(a, b, radius + skin), len(tree) // 2
    k = next_leaf(tree, box, 1) if leaves > 0 else 0
    while k > 0:
        for m in range(LEAF * (k - leaves), min(LEAF * (k - leaves + 1), len(faces))):
            f = surfaces.order[m]
            if not pass_through(collision_filter, group, surfaces.colliders[faces[f].collider].group):
                count = add_features(surfaces, segment, f, near, pairs, count)
        k = behind(k)
        if k > 0:
            k = next_leaf(tree, box, k)
    return count


@kernel
def box_around(a: Vector, b: Vector, reach: float) -> Box:
    """Of all that is nearer to a segment than that [m]."""
    low = min(a[0], b[0]) - reach, min(a[1], b[1]) - reach, min(a[2], b[2]) - reach
    high = max(a[0], b[0]) + reach, max(a[1], b[1]) + reach, max(a[2], b[2]) + reach
    return low[0], low[1], low[2], high[0], high[1], high[2]


@kernel
def add_features(surfaces: Surfaces, segment: Segment, f: int, near: Near, pairs: np.ndarray, count: int) -> int:
    """Add the pairs with what is found with face f."""
    face, (a, b, i, point, whole), (radius, skin, part) = surfaces.faces[f], segment, near
    reach = radius + surfaces.colliders[face.collider].thickness + skin
    p, q, r = corners(surfaces, f, part)
    if apart(a, b, p, q, r) > reach:
        return count
    if point and apart(a, a, p, q, r) <= reach:
        count = add(pairs, count, (i, f), distance_to_face(a, p, q, r), (reach, skin))
    if not whole:
        return count
    first = len(surfaces.faces), len(surfaces.faces) + len(surfaces.edges)
    for k in range(3):
        u, v = (p, q) if k == 0 else (q, r) if k == 1 else (r, p)
        if face.edge[k] >= 0 and apart(a, b, u, v, v) <= reach:
            count = add(pairs, count, (i, first[0] + face.edge[k]), distance_of(a, b, u, v), (reach, skin))
        if face.vertex[k] >= 0 and apart(a, b, u, u, u) <= reach:
            count = add(pairs, count, (i, first[1] + face.vertex[k]), distance_to(a, b, u), (reach, skin))
    return count


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
