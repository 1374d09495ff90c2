"""Where bodies' surfaces touch rods, colliders, planes and each other: at points that are nearest to each other, nearer
than any beside them, in the axes of whichever body's surface is looked at.

Of two surfaces, a vertex touches a face over its inside, an edge or a vertex where it lies outside all faces at that;
and an edge touches another where the way between them points out of both surfaces (their Voronoi regions: Ericson
2005, *Real-Time Collision Detection*, §5.1.5). What lies flat on something does so by all corners of what they share.

A pair's first is a vertex or an edge, its second a feature of a surface or a plane; `firsts` and `seconds` say how
they are numbered.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..model import Model, Surfaces
from ..rods.chain import head_of
from ..rods.vectors import Vector, cross, dot, plus, scaled, vector
from .carriers.body_surface import into, out_of, turned_in, turned_out, vertex_of_body
from .carriers.led_surface import vertex_at, way_of_vertex
from .passage import FAR
from .segment_distance import closest_parameters
from .surface_contact import NOWHERE, SHARP, Place, collider_of, over_edge, over_face, over_vertex

END = 1e-6  # of an edge: nearer to its end, its vertex stands for it
PARALLEL = 1e-6  # sine squared
At = tuple[np.ndarray, np.ndarray, float]  # positions (N, 3), BODY_STATE (B,) and the part of the frame that is over


@kernel
def firsts(model: Model) -> tuple[int, int, int]:
    """Behind rods' vertices and the edges that leave them: numbers of bodies' first vertex, of their first edge and of
    colliders' first vertex.
    """
    n, skins = len(model.nodes), model.skins
    return n, n + len(skins.vertices), n + len(skins.vertices) + len(skins.edges)


@kernel
def features(surfaces: Surfaces) -> int:
    """How many there are of all kinds."""
    return len(surfaces.faces) + len(surfaces.edges) + len(surfaces.vertices)


@kernel
def seconds(model: Model) -> tuple[int, int]:
    """Behind bodies' features: numbers of colliders' first one and of the first plane."""
    return features(model.skins), features(model.skins) + features(model.surfaces)


@kernel
def first_body(model: Model, i: int) -> int:
    """Which body's vertex or edge the first of a pair is, or −1."""
    vertex, edge, led = firsts(model)
    if i < vertex or i >= led:
        return -1
    return model.skins.vertices[i - vertex].collider if i < edge else model.skins.edges[i - edge].collider


@kernel
def second_body(model: Model, j: int) -> int:
    """Which body's feature the second of a pair is, or −1."""
    return collider_of(model.skins, j) if j < seconds(model)[0] else -1


@kernel
def ends_of(model: Model, i: int, at: At) -> tuple[Vector, Vector]:
    """Both ends [m] of the first of a pair: of a vertex, twice that."""
    (vertex, edge, led), (x, bodies, part) = firsts(model), at
    if i < vertex:
        head = head_of(model, i)
        return vector(x[i]), vector(x[head if head >= 0 else i])
    if i < edge:
        a = vertex_of_body(model, i - vertex, bodies)
        return a, a
    if i < led:
        end = model.skins.edges[i - edge].end
        return vertex_of_body(model, end[0], bodies), vertex_of_body(model, end[1], bodies)
    a = vertex_at(model.surfaces.samples, i - led, part)
    return a, a


@kernel
def edge_stands_out(surfaces: Surfaces, k: int, d: Vector, part: float, most: float) -> bool:
    """Whether d points out of a surface at its edge k: rising over each face by `most` times its length, and falling
    off from one.
    """
    edge, size, least = surfaces.edges[k], sqrt(dot(d, d)), 0.0
    if edge.opposite[0] < 0:
        return True
    p = vertex_at(surfaces.samples, edge.end[0], part)
    along = plus(vertex_at(surfaces.samples, edge.end[1], part), -1.0, p)
    for m in range(2):
        if edge.opposite[m] >= 0:
            inward = plus(vertex_at(surfaces.samples, edge.opposite[m], part), -1.0, p)
            inward = plus(inward, -dot(inward, along) / (dot(along, along) + 1e-300), along)
            rise = dot(d, inward) / sqrt(dot(inward, inward) + 1e-300)
            if rise > most * size:
                return False
            least = min(least, rise)
    return least <= -SHARP * size


@kernel
def vertex_stands_out(surfaces: Surfaces, k: int, d: Vector, part: float, most: float) -> bool:
    """Whether d points out of a surface at its vertex k, rising along none of its edges by more than `most` times its
    length.
    """
    p, size = vertex_at(surfaces.samples, k, part), sqrt(dot(d, d))
    for m in range(surfaces.vertices[k].edge[0], surfaces.vertices[k].edge[1]):
        e = plus(vertex_at(surfaces.samples, surfaces.neighbours[m], part), -1.0, p)
        if dot(d, e) > most * size * sqrt(dot(e, e)):
            return False
    return True


@kernel
def vertex_over_edge(surfaces: Surfaces, k: int, a: Vector, parts: tuple[float, float]) -> Place:
    """Of a vertex at a [m] outside the faces at a surface's edge k."""
    end, samples, (now, then) = surfaces.edges[k].end, surfaces.samples, parts
    p, q = vertex_at(samples, end[0], now), vertex_at(samples, end[1], now)
    along, d = plus(q, -1.0, p), plus(a, -1.0, p)
    t = dot(d, along) / (dot(along, along) + 1e-300)
    d = plus(d, -t, along)
    if not END < t < 1.0 - END or not edge_stands_out(surfaces, k, d, now, -SHARP):
        return NOWHERE
    way = scaled(1.0 - t, way_of_vertex(samples, end[0], then - now))
    return 0.0, d, plus(way, t, way_of_vertex(samples, end[1], then - now))


@kernel
def vertex_over_vertex(surfaces: Surfaces, k: int, a: Vector, parts: tuple[float, float]) -> Place:
    """Of a vertex at a [m] outside the faces at a surface's vertex k."""
    now, then = parts
    d = plus(a, -1.0, vertex_at(surfaces.samples, k, now))
    if not vertex_stands_out(surfaces, k, d, now, -SHARP):
        return NOWHERE
    return 0.0, d, way_of_vertex(surfaces.samples, k, then - now)


@kernel
def edge_across_edge(surfaces: Surfaces, k: int, a: Vector, b: Vector, parts: tuple[float, float]) -> Place:
    """Of a surface's edge from a to b [m] across the inside of another's edge k."""
    end, samples, (now, then) = surfaces.edges[k].end, surfaces.samples, parts
    p, q = vertex_at(samples, end[0], now), vertex_at(samples, end[1], now)
    own, along = plus(b, -1.0, a), plus(q, -1.0, p)
    n = cross(own, along)
    if dot(n, n) <= PARALLEL * dot(own, own) * dot(along, along):
        return NOWHERE
    s, t = closest_parameters(plus(a, -1.0, p), own, along)
    if not (END < s < 1.0 - END and END < t < 1.0 - END):
        return NOWHERE
    d = plus(plus(plus(a, -1.0, p), s, own), -t, along)
    if not edge_stands_out(surfaces, k, d, now, SHARP):
        return NOWHERE
    way = scaled(1.0 - t, way_of_vertex(samples, end[0], then - now))
    return s, d, plus(way, t, way_of_vertex(samples, end[1], then - now))


@kernel
def over(
    model: Model, surfaces: Surfaces, i: int, j: int, ends: tuple[Vector, Vector], parts: tuple[float, float]
) -> Place:
    """Where the first of a pair, between these ends [m], touches feature j of a surface, in whose axes all is."""
    (vertex, edge, led), (a, b) = firsts(model), ends
    faces, edges = len(surfaces.faces), len(surfaces.edges)
    if j < faces:
        corner = surfaces.faces[j].corner
        beside = 0.0
        if i >= vertex:
            away = plus(a, -1.0, vertex_at(surfaces.samples, corner[0], parts[0]))
            beside = SHARP * sqrt(dot(away, away))
        return over_face(surfaces, j, a, parts, beside)
    if i < vertex:
        head = head_of(model, i)
        if head < 0:
            return NOWHERE
        if j < faces + edges:
            place = over_edge(surfaces, j - faces, a, b, parts)
        else:
            place = over_vertex(surfaces, j - faces - edges, a, b, parts)
        return NOWHERE if place[0] == 1.0 and head_of(model, head) >= 0 else place
    if edge <= i < led:
        return NOWHERE if j >= faces + edges else edge_across_edge(surfaces, j - faces, a, b, parts)
    if j < faces + edges:
        return vertex_over_edge(surfaces, j - faces, a, parts)
    return vertex_over_vertex(surfaces, j - faces - edges, a, parts)


@kernel
def touching_place(model: Model, pair: np.record, at: At, part: float) -> Place:
    """Where the two of a PAIR touch, if they do, all in the world's axes; part: of the frame that the step takes."""
    i, j, (led, plane) = pair.i, pair.j, seconds(model)
    ends, none = ends_of(model, i, at), (0.0, 0.0, 0.0)
    faces = len(model.skins.faces)
    if j >= plane:
        wall = model.planes[j - plane]
        up = dot(plus(ends[0], -1.0, vector(wall.point)), wall.n)
        return 0.0, scaled(up, vector(wall.n)), none
    if j < led:
        now = at[1][collider_of(model.skins, j)]
        s, d, drift = over(model, model.skins, i, j, (into(now, ends[0]), into(now, ends[1])), (0.0, 0.0))
        d = turned_out(now, d)
    else:
        j, faces = j - led, len(model.surfaces.faces)
        s, d, drift = over(model, model.surfaces, i, j, ends, (at[2], at[2] + part))
    if s >= 0.0 and j >= faces and not stands_out(model, i, at, d):
        return NOWHERE
    return s, d, drift


@kernel
def stands_out(model: Model, i: int, at: At, d: Vector) -> bool:
    """Whether the first of a pair is nearest on its own surface to what lies at −d [m] from it."""
    (vertex, edge, led), b = firsts(model), first_body(model, i)
    if i < vertex:
        return True
    if i >= led:
        return vertex_stands_out(model.surfaces, i - led, scaled(-1.0, d), at[2], SHARP)
    away = scaled(-1.0, turned_in(at[1][b], d))
    if i < edge:
        return vertex_stands_out(model.skins, i - vertex, away, 0.0, SHARP)
    return edge_stands_out(model.skins, i - edge, away, 0.0, SHARP)


@kernel
def size_of(model: Model, pair: np.record, s: float) -> tuple[float, float, float]:
    """(radius or thickness of the first and of the second of a PAIR, the smaller scale of both) [m]."""
    i, j, (vertex, _, led), (led_feature, plane) = pair.i, pair.j, firsts(model), seconds(model)
    one = other = 0.0
    scale = np.inf
    if i < vertex:
        node, head = model.nodes[i], head_of(model, i)
        one = node.radius + s * (model.nodes[head].radius - node.radius) if head >= 0 else node.radius
        scale = one
    elif i < led:
        b = first_body(model, i)
        one, scale = model.skins.colliders[b].thickness, model.shapes[b].scale
    else:
        one = model.surfaces.colliders[model.surfaces.vertices[i - led].collider].thickness
    if j < led_feature:
        b = collider_of(model.skins, j)
        other, scale = model.skins.colliders[b].thickness, min(scale, model.shapes[b].scale)
    elif j < plane:
        other = model.surfaces.colliders[collider_of(model.surfaces, j - led_feature)].thickness
    return one, other, scale


@kernel
def depth_of(model: Model, pair: np.record, at: At) -> tuple[float, float]:
    """(how deep [m] the two of a PAIR are in each other where they touch, −∞ where they do not; the scale of that)."""
    s, d, _ = touching_place(model, pair, at, 0.0)
    if s < 0.0:
        return -np.inf, 1.0
    one, other, scale = size_of(model, pair, s)
    distance = sqrt(dot(d, d))
    if pair.j >= seconds(model)[1]:
        distance = dot(d, model.planes[pair.j - seconds(model)[1]].n)
    return one + other - distance, scale


@kernel
def friction_of(model: Model, pair: np.record, s: float) -> tuple[float, float]:
    """(Coulomb's coefficient, restitution) of the two of a PAIR: geometric means; colliders bounce as what strikes them
    does.
    """
    i, j, (vertex, _, led), (led_feature, plane) = pair.i, pair.j, firsts(model), seconds(model)
    one, other = first_body(model, i), second_body(model, j)
    if i < vertex:
        node, head = model.nodes[i], head_of(model, i)
        friction = node.friction + s * (model.nodes[head].friction - node.friction) if head >= 0 else node.friction
    elif i < led:
        friction = model.skins.colliders[one].friction
    else:
        friction = model.surfaces.colliders[model.surfaces.vertices[i - led].collider].friction
    if j < led_feature:
        friction *= model.skins.colliders[other].friction
    elif j < plane:
        friction *= model.surfaces.colliders[collider_of(model.surfaces, j - led_feature)].friction
    else:
        friction *= model.planes[j - plane].friction
    if i < vertex:
        return sqrt(friction), 0.0
    bounce = model.shapes[one].restitution if one >= 0 else 1.0
    bounce *= model.shapes[other].restitution if other >= 0 else 1.0
    return sqrt(friction), sqrt(bounce) if one >= 0 and other >= 0 else bounce


@kernel
def shape_meets(model: Model, pair: np.record, old: At, new: At, row: np.record) -> bool:
    """Whether the two of a PAIR are near at the old places, press on each other, or will be near at the new ones: then
    how, in `row`.
    """
    i, j, (vertex, _, led) = pair.i, pair.j, firsts(model)
    s, d, drift = touching_place(model, pair, old, new[2] - old[2])
    distance = sqrt(dot(d, d))
    if s < 0.0 or (distance == 0.0 and j < seconds(model)[1]):
        return False
    one, other, scale = size_of(model, pair, s)
    if j >= seconds(model)[1]:
        n = vector(model.planes[j - seconds(model)[1]].n)
        distance = dot(d, n)
    else:
        n = scaled(1.0 / distance, d)
    gap = distance - one - other
    (a, b), (a1, b1) = ends_of(model, i, old), ends_of(model, i, new)
    c = plus(scaled(1.0 - s, a), s, b)
    way = plus(plus(scaled(1.0 - s, a1), s, b1), -1.0, c)
    mine, its = first_body(model, i), second_body(model, j)
    foot = plus(c, -1.0, d)
    if its >= 0:
        drift = plus(out_of(new[1][its], into(old[1][its], foot)), -1.0, foot)
    closer = dot(n, drift) - dot(n, way)
    if min(gap, gap - closer) > FAR * scale and pair.force[0] == 0.0:
        return False
    row.gap, row.radius, row.of_shape, row.surface = gap, scale, True, False
    row.friction, row.restitution = friction_of(model, pair, s)
    row.wall = its < 0 or i >= led
    for k in range(4):
        row.node[k], row.share[k] = 0, 0.0
    row.rod[0] = row.rod[1] = row.body[0] = row.body[1] = -1
    if i < vertex:
        row.rod[0], row.node[0], row.node[1], row.share[0], row.share[1] = model.nodes[i].rod, i, i, 1.0 - s, s
        if s > 0.0:
            row.node[1] = head_of(model, i)
    between = one + 0.5 * gap if mine >= 0 and its >= 0 else one + gap if its >= 0 else one
    place, sign = plus(c, -between, n), 1.0
    if i >= led:  # a wall is the second
        sign, drift = -1.0, way
        row.body[0] = its
    else:
        row.body[0], row.body[1] = mine, its
    for c_ in range(3):
        row.n[c_] = sign * n[c_]
        row.drift[c_] = drift[c_] if row.wall else 0.0
        for side in range(2):
            b_ = row.body[side]
            row.arm[side, c_] = place[c_] - old[1][b_].x[c_] if b_ >= 0 else 0.0
    return True
