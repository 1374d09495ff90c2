"""Where bodies' surfaces touch rods, colliders, planes and each other: at points that are nearest to each other, nearer
than any beside them, in the axes of whichever body's surface is looked at.

Of two surfaces, a vertex touches a face over its inside, an edge or a vertex where it lies outside all faces at that;
and an edge touches another where the way between them points out of both surfaces (their Voronoi regions: Ericson
2005, *Real-Time Collision Detection*, §5.1.5). What lies flat on something does so by all corners of what they share.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, dot, plus, scaled, vector
from ..model import Model, Surfaces
from ..rods.chain import head_of
from .carriers.body_surface import into, out_of, turned_in, turned_out
from .carriers.led_surface import corners, vertex_at
from .passage import FAR
from .scratch import BODY, LED, VERTICES, WORLD, clear
from .segment_distance import distance_of, distance_to, distance_to_face
from .shape_numbers import At, ends_of, first_body, firsts, second_body, seconds
from .surface_contact import NOWHERE, SHARP, Place, collider_of, over_edge, over_face, over_vertex
from .voronoi_regions import edge_across_edge, edge_stands_out, vertex_over_edge, vertex_over_vertex, vertex_stands_out


@kernel
def over(
    model: Model, surfaces: Surfaces, i: int, j: int, ends: tuple[Vector, Vector], parts: tuple[float, float]
) -> Place:
    """Where the first of a pair, between these ends [m], touches feature j of a surface, in whose axes all is."""
    (vertex, edge, led), (a, b) = firsts(model), ends
    faces, edges = len(surfaces.faces), len(surfaces.edges)
    if j < faces:
        return over_face(surfaces, j, a, parts, SHARP if i >= vertex else 0.0)
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
    """(how deep [m] the two of a PAIR are in each other where they touch, −∞ where they do not; the scale of that:
    what surfaces are rounded by, but a rod may be as deep in a body as in a rod).
    """
    s, d, _ = touching_place(model, pair, at, 0.0)
    if s < 0.0:
        return -np.inf, 1.0
    one, other, scale = size_of(model, pair, s)
    distance = sqrt(dot(d, d))
    if pair.j >= seconds(model)[1]:
        distance = dot(d, model.planes[pair.j - seconds(model)[1]].n)
    elif pair.i < firsts(model)[0] and pair.j < seconds(model)[0]:
        scale = min(one, model.shapes[second_body(model, pair.j)].extent)
    return one + other - distance, scale


@kernel
def reach_of(model: Model, pair: np.record, at: At) -> float:
    """How deep [m] the two of a PAIR, no plane, reach into each other, whether or not they are where their surfaces
    touch; negative: how far they are apart.
    """
    (a, c), led, (one, other, _) = ends_of(model, pair.i, at), seconds(model)[0], size_of(model, pair, 0.0)
    if pair.j < led:
        body = at[1][collider_of(model.skins, pair.j)]
        return one + other - distance_from(model.skins, pair.j, (into(body, a), into(body, c)), 0.0)
    return one + other - distance_from(model.surfaces, pair.j - led, (a, c), at[2])


@kernel
def distance_from(surfaces: Surfaces, j: int, ends: tuple[Vector, Vector], part: float) -> float:
    """Of what is between these ends [m] and feature j of a surface, when part of the frame is over."""
    (a, c), faces, edges = ends, len(surfaces.faces), len(surfaces.edges)
    if j < faces:
        p, q, r = corners(surfaces, j, part)
        return distance_to_face(a, p, q, r)
    if j < faces + edges:
        end = surfaces.edges[j - faces].end
        p, q = vertex_at(surfaces.samples, end[0], part), vertex_at(surfaces.samples, end[1], part)
        return distance_of(p, q, a, c)
    d = plus(a, -1.0, vertex_at(surfaces.samples, j - faces - edges, part))
    return sqrt(dot(d, d)) if a == c else distance_to(a, c, plus(a, -1.0, d))


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
    stands = WORLD if j >= seconds(model)[1] else LED
    second = BODY if its >= 0 and i < led else stands
    if i < vertex:
        clear(row, i, VERTICES, second)
        row.rod[0], row.share[0], row.share[1] = model.nodes[i].rod, 1.0 - s, s
        if s > 0.0:
            row.node[1] = head_of(model, i)
    else:
        clear(row, 0, BODY, second)
    row.gap, row.radius = gap, scale
    row.friction, row.restitution = friction_of(model, pair, s)
    between = one + 0.5 * gap if mine >= 0 and its >= 0 else one + gap if its >= 0 else one
    place, sign = plus(c, -between, n), 1.0
    if i >= led:  # a wall is the second
        sign, drift = -1.0, way
        row.body[0] = its
    else:
        row.body[0], row.body[1] = mine, its
    for c_ in range(3):
        row.n[c_] = sign * n[c_]
        row.drift[c_] = 0.0 if second == BODY else drift[c_]
        for side in range(2):
            b_ = row.body[side]
            row.arm[side, c_] = place[c_] - old[1][b_].x[c_] if b_ >= 0 else 0.0
    return True
