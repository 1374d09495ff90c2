"""Pairs that may touch bodies: what of rods, colliders, planes and other bodies is near a body's surface. The list is
made anew only when something may have moved by half its skin. How pairs are numbered: `shape_numbers`.
"""

from math import acos, sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.arrays import copy, copy_rows
from ..arithmetic.vectors import Vector, dot, plus, scaled, vector
from ..model import Model, OldState, State, Surfaces
from .bounding_volumes import LEAF, behind, next_leaf
from .carriers.body_surface import into, vertex_of_body
from .carriers.led_surface import corners, fastest, moment, vertex_at
from .contact_filter import contains, pass_through
from .near_features import add, apart
from .renewed_list import renew
from .scratch import ContactScratch
from .segment_distance import distance_of, distance_to_face
from .shape_numbers import first_body, firsts, seconds
from .surface_contact import thickest
from .surface_pairs import distance, furthest

# Scales of the smallest body, and times what a step needs, that a list is good for: half of that, a quarter …, what the
# step needs at least, where more than a quarter of ample room would be taken up: each step looks at all that is listed.
SPARE, WIDER, LONG = 0.5, 8.0, 0.25
BEYOND = 1.2  # times the way that things are expected to go, and
SURPRISE = 0.1  # scales of a body: so far it may get
VERTEX, EDGE = range(2)  # what looks for faces: a vertex finds all that is at them, an edge their edges


@kernel
def key_of(model: Model, i: int, b: int, edge: bool) -> int:
    """In Model.rooted: vertex i, or the edge that leaves it, does not touch body b."""
    return 2 * (i * len(model.shapes) + b) + int(edge)


@kernel
def strange(model: Model, b: int, group: int) -> bool:
    """Whether body b does not touch what belongs to this group."""
    return pass_through(model.collision_filter, model.skins.colliders[b].group, group)


@kernel
def way_of_bodies(model: Model, before: np.ndarray, now: np.ndarray) -> float:
    """The furthest [m] that a point of any body's surface has come, BODY_STATE (B,) each."""
    furthest = 0.0
    for b in range(len(model.shapes)):
        p, q = before[b], now[b]
        d = plus(vector(q.x), -1.0, vector(p.x))
        same = abs(p.q[0] * q.q[0] + p.q[1] * q.q[1] + p.q[2] * q.q[2] + p.q[3] * q.q[3])
        turn = 2.0 * acos(min(same, 1.0))
        furthest = max(furthest, sqrt(dot(d, d)) + turn * model.shapes[b].reach)
    return furthest


@kernel
def closed_by(model: Model, state: State, x: np.ndarray, bodies: np.ndarray, time: float) -> float:
    """By how much [m] gaps may have closed since pairs were listed, at these places and this `time` [s]."""
    gone = furthest(x, state.shape_listed) if len(model.capsules) > 0 else 0.0
    way = way_of_bodies(model, state.listed_bodies, bodies)
    return way + max(way, gone, fastest(model.surfaces) * abs(time - state.shape_listing[0].time))


@entry
def list_shape_pairs(model: Model, state: State, old: OldState, work: ContactScratch, h: float) -> bool:
    """Keep the list complete for a step of h [s] from `old` to about `state`: listing.near is how wide, when they were
    listed, gaps were at most that may close. False when the list has no room: then it is as it was.
    """
    listing, time, least = state.shape_listing[0], state.clock[0].time, np.inf
    listing.asked = 0
    for b in range(len(model.shapes)):
        if model.shapes[b].scale > 0.0:
            least = min(least, model.shapes[b].scale)
    coming = 2.0 * SURPRISE * least + fastest(model.surfaces) * h + BEYOND * furthest(state.x, old.x)
    coming += 2.0 * BEYOND * way_of_bodies(model, old.bodies, state.bodies)
    if listing.count >= 0 and listing.time >= model.surfaces.span[0]:
        listing.near = closed_by(model, state, old.x, old.bodies, time) + coming
        if listing.near <= listing.skin:
            return True
    skin, part = SPARE * least + WIDER * coming, moment(model.surfaces, time)
    found = work.found[: len(state.shape_pairs)]
    count = shape_pairs_near(model, old.x, old.bodies, part, skin, found)
    while count > LONG * model.world[0].ample and skin > coming:
        skin = max(0.5 * skin, coming)
        count = shape_pairs_near(model, old.x, old.bodies, part, skin, found)
    if not renew(state.shape_pairs, listing, count, work):
        return False
    copy_rows(old.x, state.shape_listed)
    copy(old.bodies, state.listed_bodies)
    listing.skin, listing.near, listing.time = skin, coming, time
    return True


@kernel
def shape_pairs_near(
    model: Model, x: np.ndarray, bodies: np.ndarray, part: float, skin: float, pairs: np.ndarray
) -> int:
    """Fill `pairs` with all whose gaps are below `skin` [m], vertices being at x (N, 3), bodies as in BODY_STATE (B,),
    and part of the frame over. Returns how many there are; where there is no room for all, more than there is for.
    """
    count, shapes = 0, model.shapes
    for b in range(len(shapes)):
        if shapes[b].face[0] == shapes[b].face[1]:
            continue
        if len(model.capsules) > 0:
            count = near_rods(model, x, bodies, b, skin, pairs, count)
        for a in range(b):
            if shapes[a].face[0] < shapes[a].face[1] and not strange(model, a, model.skins.colliders[b].group):
                d = plus(vector(bodies[a].x), -1.0, vector(bodies[b].x))
                if dot(d, d) <= (shapes[a].reach + shapes[b].reach + skin) ** 2:
                    count = near_body(model, bodies, (a, b), skin, pairs, count)
                    count = near_body(model, bodies, (b, a), skin, pairs, count)
        if len(model.surfaces.faces) > 0:
            count = near_colliders(model, bodies, b, (part, skin), pairs, count)
        count = near_planes(model, bodies, b, skin, pairs, count)
    return count


@kernel
def near_rods(
    model: Model, x: np.ndarray, bodies: np.ndarray, b: int, skin: float, pairs: np.ndarray, count: int
) -> int:
    """Add the pairs of rods and body b."""
    shape, now, thickness = model.shapes[b], bodies[b], model.skins.colliders[b].thickness
    for k in range(len(model.capsules)):
        capsule, near = model.capsules[k], (thickness, skin, shape.reach)
        if strange(model, b, model.rods[capsule.rod].group):
            continue
        count = near_edge(model, x, now, (capsule.tail, capsule.head, b), near, pairs, count)
        if not capsule.successor and not model.rods[capsule.rod].closed:
            count = near_edge(model, x, now, (capsule.head, -1, b), near, pairs, count)
    return count


@kernel
def near_edge(
    model: Model,
    x: np.ndarray,
    now: np.record,
    which: tuple[int, int, int],
    near: tuple[float, float, float],
    pairs: np.ndarray,
    count: int,
) -> int:
    """Add the pairs of a rod's edge from vertex i to `head`, or of vertex i alone, −1, and body b; near: thickness of
    the body, skin and its reach [m].
    """
    (i, head, b), (thickness, skin, far) = which, near
    a, c = vector(x[i]), vector(x[head if head >= 0 else i])
    reach = thickest(model, i, head) + thickness + skin
    mid, along = plus(scaled(0.5, a), 0.5, c), plus(c, -1.0, a)
    d = plus(mid, -1.0, vector(now.x))
    if dot(d, d) > (far + reach + 0.5 * sqrt(dot(along, along))) ** 2:
        return count
    count = find(model, model.skins, b, (i, VERTEX, 0), (into(now, a), into(now, a), 0.0), (reach, skin), pairs, count)
    if head >= 0:
        ends = into(now, a), into(now, c), 0.0
        count = find(model, model.skins, b, (i, EDGE, 0), ends, (reach, skin), pairs, count)
    return count


@kernel
def near_body(
    model: Model, bodies: np.ndarray, both: tuple[int, int], skin: float, pairs: np.ndarray, count: int
) -> int:
    """Add the pairs of body a's vertices, and, of the two orders of a and b in one, its edges, and body b."""
    (a, b), (vertex, edge, _), skins = both, firsts(model), model.skins
    reach = skins.colliders[a].thickness + skins.colliders[b].thickness + skin
    for k in range(model.shapes[a].vertex[0], model.shapes[a].vertex[1]):
        p = into(bodies[b], vertex_of_body(model, k, bodies))
        if dot(p, p) <= (model.shapes[b].reach + reach) ** 2:
            count = find(model, skins, b, (vertex + k, VERTEX, 0), (p, p, 0.0), (reach, skin), pairs, count)
    if a > b:
        return count
    for k in range(model.shapes[a].edge[0], model.shapes[a].edge[1]):
        end = skins.edges[k].end
        p = into(bodies[b], vertex_of_body(model, end[0], bodies))
        q = into(bodies[b], vertex_of_body(model, end[1], bodies))
        count = find(model, skins, b, (edge + k, EDGE, 0), (p, q, 0.0), (reach, skin), pairs, count)
    return count


@kernel
def near_colliders(
    model: Model, bodies: np.ndarray, b: int, near: tuple[float, float], pairs: np.ndarray, count: int
) -> int:
    """Add the pairs of body b and colliders; near: part of the frame that is over, skin [m]."""
    (vertex, edge, led), (part, skin), led_feature = firsts(model), near, seconds(model)[0]
    surfaces, shape, now, own = model.surfaces, model.shapes[b], bodies[b], model.skins.colliders[b].thickness
    far, (x, y, z) = shape.reach + skin, vector(now.x)
    box = x - far, y - far, z - far, x + far, y + far, z + far
    leaves, k = len(surfaces.tree) // 2, next_leaf(surfaces.tree, box, 1)
    if k == 0:
        return count
    while k > 0:  # colliders' vertices, and the body's faces and edges
        for m in range(LEAF * (k - leaves), min(LEAF * (k - leaves + 1), len(surfaces.faces))):
            face = surfaces.faces[surfaces.order[m]]
            if strange(model, b, surfaces.colliders[face.collider].group):
                continue
            reach = own + surfaces.colliders[face.collider].thickness + skin
            for c in range(3):
                if face.vertex[c] >= 0:
                    p = into(now, vertex_at(surfaces.samples, face.vertex[c], part))
                    if dot(p, p) <= (shape.reach + reach) ** 2:
                        who = led + face.vertex[c], VERTEX, 0
                        count = find(model, model.skins, b, who, (p, p, 0.0), (reach, skin), pairs, count)
        k = behind(k)
        if k > 0:
            k = next_leaf(surfaces.tree, box, k)
    wide = own + skin, skin
    for v in range(shape.vertex[0], shape.vertex[1]):
        p = vertex_of_body(model, v, bodies)
        count = find(model, surfaces, -1, (vertex + v, VERTEX, led_feature), (p, p, part), wide, pairs, count)
    for e in range(shape.edge[0], shape.edge[1]):
        end = model.skins.edges[e].end
        p, q = vertex_of_body(model, end[0], bodies), vertex_of_body(model, end[1], bodies)
        count = find(model, surfaces, -1, (edge + e, EDGE, led_feature), (p, q, part), wide, pairs, count)
    return count


@kernel
def near_planes(model: Model, bodies: np.ndarray, b: int, skin: float, pairs: np.ndarray, count: int) -> int:
    """Add the pairs of body b's vertices and planes."""
    vertex, plane, own = firsts(model)[0], seconds(model)[1], model.skins.colliders[b].thickness
    for f in range(len(model.planes)):
        for k in range(model.shapes[b].vertex[0], model.shapes[b].vertex[1]):
            d = plus(vertex_of_body(model, k, bodies), -1.0, vector(model.planes[f].point))
            height, reach = dot(d, model.planes[f].n), own + skin
            count = add(pairs, count, (vertex + k, plane + f), height, (reach, skin))
    return count


@kernel
def find(
    model: Model,
    surfaces: Surfaces,
    b: int,
    who: tuple[int, int, int],
    ends: tuple[Vector, Vector, float],
    near: tuple[float, float],
    pairs: np.ndarray,
    count: int,
) -> int:
    """Add the pairs of one thing and what a surface has near it: body b's, or, −1, all colliders'.

    who: its number as a first, VERTEX or EDGE, and what features' numbers begin with; ends: where it begins and ends in
    the surface's axes, and part of the frame that is over; near: (distance, skin) [m].
    """
    if count > max(len(pairs), model.world[0].ample):
        return count  # however many there are
    (i, kind, base), (p, q, part), (reach, skin) = who, ends, near
    first, last = (model.shapes[b].tree[0], model.shapes[b].tree[1]) if b >= 0 else (0, len(surfaces.tree))
    begin, end = (model.shapes[b].face[0], model.shapes[b].face[1]) if b >= 0 else (0, len(surfaces.faces))
    tree, leaves = surfaces.tree[first:last], (last - first) // 2
    box = (
        min(p[0], q[0]) - reach, min(p[1], q[1]) - reach, min(p[2], q[2]) - reach,
        max(p[0], q[0]) + reach, max(p[1], q[1]) + reach, max(p[2], q[2]) + reach,
    )  # fmt: skip
    k = next_leaf(tree, box, 1)
    while k > 0:
        for m in range(begin + LEAF * (k - leaves), min(begin + LEAF * (k - leaves + 1), end)):
            f = surfaces.order[m]
            wide = reach + (surfaces.colliders[surfaces.faces[f].collider].thickness if b < 0 else 0.0)
            count = add_near(model, surfaces, f, (i, kind, base, b), (p, q, part), (wide, skin), pairs, count)
        k = behind(k)
        if k > 0:
            k = next_leaf(tree, box, k)
    return count


@kernel
def add_near(
    model: Model,
    surfaces: Surfaces,
    f: int,
    who: tuple[int, int, int, int],
    ends: tuple[Vector, Vector, float],
    near: tuple[float, float],
    pairs: np.ndarray,
    count: int,
) -> int:
    """Add the pairs of one thing and what is found with face f; who, ends, near: as in `find`, and the body."""
    (i, kind, base, b), (a, c, part), (reach, skin), face = who, ends, near, surfaces.faces[f]
    rod = i < firsts(model)[0]
    if b < 0 and strange(model, first_body(model, i), surfaces.colliders[face.collider].group):
        return count
    corner, (p, q, r) = face.corner, corners(surfaces, f, part)
    if apart(a, c, p, q, r) > reach:
        return count
    if kind == VERTEX and corner[1] != corner[2] and not (rod and contains(model.rooted, key_of(model, i, b, False))):
        count = add(pairs, count, (i, base + f), distance_to_face(a, p, q, r), (reach, skin))
    if rod and (kind == VERTEX or contains(model.rooted, key_of(model, i, b, True))):
        return count
    edges, vertices = base + len(surfaces.faces), base + len(surfaces.faces) + len(surfaces.edges)
    to_vertices = rod or (kind == VERTEX and meets_vertices(model, i, b))
    for k in range(3):
        u, v = (p, q) if k == 0 else (q, r) if k == 1 else (r, p)
        if face.edge[k] >= 0 and apart(a, c, u, v, v) <= reach:
            count = add(pairs, count, (i, edges + face.edge[k]), distance_of(u, v, a, c), (reach, skin))
        if to_vertices and face.vertex[k] >= 0 and apart(a, c, u, u, u) <= reach:
            gap = distance_of(a, c, u, u) if rod else distance(a, u)
            count = add(pairs, count, (i, vertices + face.vertex[k]), gap, (reach, skin))
    return count


@kernel
def meets_vertices(model: Model, i: int, b: int) -> bool:
    """Whether it is vertex i that looks for vertices of a surface, body b's, and not the other way round."""
    vertex, _, led = firsts(model)
    return i < led and (b < 0 or model.skins.vertices[i - vertex].collider < b)
