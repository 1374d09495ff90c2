"""Pairs that may touch soft bodies: what of colliders, planes, other soft bodies and itself is near a soft body's
surface. The list is made anew only when something may have moved by half its skin; among pairs of one body, but for how
that moves as a whole. How pairs are numbered: `contact_features`.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.arrays import copy_rows
from ..arithmetic.vectors import Vector, dot, plus, vector
from ..model import Model, OldState, State, Surfaces
from .bounding_volumes import LEAF, behind, fit_boxes, next_leaf
from .carriers.led_surface import Face, corners, fastest, lay, moment, thinnest
from .contact_features import LED, PLANE, SOFT, first_edge, first_feature, first_vertex
from .contact_filter import pass_through
from .near_features import add, apart
from .renewed_list import renew
from .rigid_motion import ways_of
from .scratch import ContactScratch
from .segment_distance import distance_of, distance_to_triangle
from .surface_pairs import distance

SPARE, OWN = 12.0, 6.0  # thicknesses of the thinnest body that a list is good for, OWN for pairs of one body,
WIDER = 4.0  # and times what a step needs
NARROWER = 2.0  # times, where a list is long
LONG, LONGEST = 32, 256  # pairs for each vertex; a step that needs more is too long
ENDLESS = 1e300  # m: no pair is nearer where there is none
FULL, CROWDED = -1, -2
BEYOND = 1.2  # times the way that things are expected to go, and
SURPRISE = 0.5  # thicknesses: so far they may get


@kernel
def ways(model: Model, x: np.ndarray, x0: np.ndarray) -> tuple[float, float]:
    """How far [m] nodes have come at most from x0 to x (N, 3), and but for how their body has moved as a whole."""
    far = within = 0.0
    for s in range(len(model.solids.bodies)):
        first, end = model.solids.bodies[s].node
        own = ways_of(x[first:end], x0[first:end])
        far, within = max(far, own[0]), max(within, own[1])
    return far, within


@kernel
def closed_by(model: Model, state: State, x: np.ndarray, time: float) -> tuple[float, float]:
    """By how much [m] gaps may have closed since pairs were listed, nodes being at x (N, 3) at a `time` [s]: of pairs,
    and of those of one body.
    """
    far, within = ways(model, x, state.soft_listed)
    return far + max(far, fastest(model.surfaces) * abs(time - state.soft_listing[0].time)), 2.0 * within


@kernel
def list_soft_pairs(model: Model, state: State, old: OldState, work: ContactScratch, h: float) -> int:
    """Keep the list complete for a step of h [s] from `old` to about `state`: near of both rows of the listing is how
    wide, when they were listed, gaps were at most that may close. Returns how many there are; or FULL, without room for
    it, or CROWDED, where the step is too long: then it is as it was.
    """
    listing, time, own, on_node = state.soft_listing, state.clock[0].time, model.solids.surface, model.solids.on_node
    least = thinnest(own)
    far, within = ways(model, state.x, old.x)
    coming = SURPRISE * least + fastest(model.surfaces) * h + 2.0 * BEYOND * far
    inside = SURPRISE * least + 2.0 * BEYOND * within
    lay(own, on_node, old.x, 0)
    if not coming < np.inf:
        return CROWDED
    if listing[0].count >= 0 and listing[0].time >= model.surfaces.span[0]:
        closed = closed_by(model, state, old.x, time)
        listing[0].near, listing[1].near = closed[0] + coming, closed[1] + inside
        if listing[0].near <= listing[0].skin and listing[1].near <= listing[1].skin:
            return listing[0].count
    lay(own, on_node, old.x, 1)
    fit_boxes(own)
    times = WIDER if listing[0].count <= LONG * len(own.vertices) else NARROWER
    while True:
        skins = max(SPARE * least, times * coming) if others(model) else ENDLESS, max(OWN * least, times * inside)
        count = soft_pairs_near(model, moment(model.surfaces, time), skins, work.found)
        if count <= LONG * len(own.vertices) or times == NARROWER:
            break
        times = NARROWER
    if count > LONGEST * len(own.vertices):
        return CROWDED
    if not renew(state.soft_pairs, listing[0], count, work):
        return FULL
    copy_rows(old.x, state.soft_listed)
    listing[0].skin, listing[0].near, listing[0].time = skins[0], coming, time
    listing[1].skin, listing[1].near = skins[1], inside
    return count


@kernel
def others(model: Model) -> bool:
    """Whether there is anything beside a single soft body."""
    return len(model.solids.surface.colliders) > 1 or len(model.surfaces.faces) > 0 or len(model.planes) > 0


@kernel
def soft_pairs_near(model: Model, part: float, skins: tuple[float, float], pairs: np.ndarray) -> int:
    """Fill `pairs` with all whose gaps are below skins[0] [m], or skins[1] where both are of one body, part of the
    frame being over. Returns how many there are, more than there is room for perhaps.
    """
    own, led, count = model.solids.surface, model.surfaces, 0
    widest = skins[1] if len(own.colliders) == 1 else max(skins[0], skins[1])
    for f in range(len(own.faces)):
        count = near_face(model, own, True, f, (part, widest), skins, pairs, count)
        if len(led.faces) > 0:
            count = near_face(model, led, False, f, (part, skins[0]), skins, pairs, count)
    vertex, plane = first_vertex(model, SOFT), first_feature(model, PLANE)
    for j in range(len(model.planes)):
        for p in range(len(own.vertices)):
            height = dot(plus(vector(own.samples[0, p]), -1.0, vector(model.planes[j].point)), model.planes[j].n)
            reach = own.colliders[own.vertices[p].collider].thickness + skins[0]
            count = add(pairs, count, (vertex + p, plane + j), height, (reach, skins[0]))
    return count


@kernel
def near_face(
    model: Model,
    other: Surfaces,
    itself: bool,
    f: int,
    near: tuple[float, float],
    skins: tuple[float, float],
    pairs: np.ndarray,
    count: int,
) -> int:
    """Add the pairs of what is found with face f and with faces of another surface, or further on in their own; near:
    (part of the frame that is over, the wider skin) [m].
    """
    own, (part, skin) = model.solids.surface, near
    p, q, r = corners(own, f, 0.0)
    reach = own.colliders[own.faces[f].collider].thickness + skin
    box = (
        min(p[0], q[0], r[0]) - reach, min(p[1], q[1], r[1]) - reach, min(p[2], q[2], r[2]) - reach,
        max(p[0], q[0], r[0]) + reach, max(p[1], q[1], r[1]) + reach, max(p[2], q[2], r[2]) + reach,
    )  # fmt: skip
    leaves, k = len(other.tree) // 2, next_leaf(other.tree, box, 1)
    while k > 0:
        for m in range(LEAF * (k - leaves), min(LEAF * (k - leaves + 1), len(other.faces))):
            g = other.order[m]
            if not itself or g > f:
                narrow = skins[1 if itself and own.faces[f].collider == other.faces[g].collider else 0]
                wide = reach - skin + narrow + other.colliders[other.faces[g].collider].thickness
                count = add_faces(model, other, itself, (f, g), (part, wide, narrow), pairs, count)
        k = behind(k)
        if k > 0:
            k = next_leaf(other.tree, box, k)
    return count


@kernel
def add_faces(
    model: Model,
    other: Surfaces,
    itself: bool,
    both: tuple[int, int],
    near: tuple[float, float, float],
    pairs: np.ndarray,
    count: int,
) -> int:
    """Add the pairs of what is found with face f and with face g of another surface, or of `itself`; near: (part of the
    frame that is over, reach, skin) [m]. Vertices of one body do not touch each other, nor do filtered groups, nor
    bodies that holds join.
    """
    own, (f, g), (part, reach, skin) = model.solids.surface, both, near
    vertex, edge, led = first_vertex(model, SOFT), first_edge(model, SOFT), first_vertex(model, LED)
    one, two, base = own.faces[f], other.faces[g], first_feature(model, SOFT if itself else LED)
    mine, its, wide = corners(own, f, 0.0), corners(other, g, part), (reach, skin)
    vertices, bodies = not itself or one.collider != two.collider, model.solids.bodies
    if boxes_apart(mine, its) > reach:
        return count
    groups = own.colliders[one.collider].group, other.colliders[two.collider].group
    if vertices and pass_through(model.collision_filter, groups[0], groups[1]):
        return count
    if itself and vertices and bodies[one.collider].group == bodies[two.collider].group:
        return count
    for k in range(3):
        v, u = one.vertex[k], two.vertex[k]
        if v >= 0:
            who = vertex + v, v if itself else -1, base
            count = add_vertex(other, g, who, vertices, (mine[k], its), wide, pairs, count)
        if u >= 0:
            who = (vertex + u, u, base) if itself else (led + u, -1, first_feature(model, SOFT))
            count = add_vertex(own, f, who, False, (its[k], mine), wide, pairs, count)
    for k in range(3):
        if one.edge[k] >= 0:
            a, b = (mine[0], mine[1]) if k == 0 else (mine[1], mine[2]) if k == 1 else (mine[2], mine[0])
            for m in range(3):
                if two.edge[m] >= 0 and not (itself and share_end(own, one.edge[k], two.edge[m])):
                    p, q = (its[0], its[1]) if m == 0 else (its[1], its[2]) if m == 1 else (its[2], its[0])
                    if apart(a, b, p, q, q) <= reach:
                        pair = edge + one.edge[k], base + len(other.faces) + two.edge[m]
                        count = add(pairs, count, pair, distance_of(a, b, p, q), wide)
    return count


@kernel
def add_vertex(
    surfaces: Surfaces,
    g: int,
    who: tuple[int, int, int],
    vertices: bool,
    where: tuple[Vector, Face],
    near: tuple[float, float],
    pairs: np.ndarray,
    count: int,
) -> int:
    """Add the pairs of a vertex and what is found with face g of a surface, its vertices only if they are asked for.

    who: its number as a first and as one of this surface, −1: it is of another, and what features' numbers begin with;
    where: it and the face's corners are [m]; near: (reach, skin) [m].
    """
    (i, v, base), (a, (p, q, r)), face = who, where, surfaces.faces[g]
    corner, edges = face.corner, base + len(surfaces.faces)
    if apart(a, a, p, q, r) > near[0]:
        return count
    if v != corner[0] and v != corner[1] and v != corner[2] and corner[1] != corner[2]:
        count = add(pairs, count, (i, base + g), distance_to_triangle(a, p, q, r), near)
    for k in range(3):
        u, w = (p, q) if k == 0 else (q, r) if k == 1 else (r, p)
        if face.edge[k] >= 0 and v != corner[k] and v != corner[(k + 1) % 3]:
            count = add(pairs, count, (i, edges + face.edge[k]), distance_of(u, w, a, a), near)
        if vertices and face.vertex[k] >= 0 and v != corner[k]:
            count = add(pairs, count, (i, edges + len(surfaces.edges) + face.vertex[k]), distance(a, u), near)
    return count


@kernel
def share_end(surfaces: Surfaces, k: int, m: int) -> bool:
    """Whether edges k and m have a vertex in common."""
    one, two = surfaces.edges[k].end, surfaces.edges[m].end
    return one[0] == two[0] or one[0] == two[1] or one[1] == two[0] or one[1] == two[1]


@kernel
def boxes_apart(one: Face, two: Face) -> float:
    """How far [m] the boxes around two faces are apart along some axis."""
    (a, b, c), (p, q, r), most = one, two, -np.inf
    for k in range(3):
        low, high = max(min(a[k], b[k], c[k]), min(p[k], q[k], r[k])), min(max(a[k], b[k], c[k]), max(p[k], q[k], r[k]))
        most = max(most, low - high)
    return most
