"""Where surfaces of rigid bodies, soft bodies and colliders touch each other, rods and planes: at points that are
nearest to each other, nearer than any beside them. What touches a rigid body is looked at in its axes.

Of two surfaces, a vertex touches a face over its inside, an edge or a vertex where it lies outside all faces at that;
and an edge touches another where the way between them points out of both surfaces (their Voronoi regions: Ericson
2005, *Real-Time Collision Detection*, §5.1.5). What lies flat on something does so by all corners of what they share.
Seen through a soft body its own surface is near as well, where it is thin: there it does not touch.

A normal that is frozen for a step has to tell how near things are at its end, however far they slide in it. Along that
of a face they stay apart on one side of its plane: so edges touch along their faces' normals where that leaves more.

Of two edges that cross one has to stand out; a soft body's may lie flat, or in the hollow that the other one makes.
Else what lies on a rail would sink in on it between its rims, where no face has a vertex to hold it.
"""

from math import inf, sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, cross, dot, plus, scaled, vector
from ..model import Model, Surfaces
from ..rods.chain import head_of
from .carriers.body_surface import into, out_of, turned_in, turned_out
from .carriers.led_surface import corners, vertex_at
from .carriers.soft_surface import carry, carry_foot
from .contact_features import (
    BODY,
    LED,
    PLANE,
    ROD,
    SOFT,
    At,
    First,
    Parts,
    Second,
    ends_of,
    first_of,
    first_thing,
    its_owner,
    owner,
    part_of,
    second_of,
    second_thing,
    surface_of,
)
from .passage import FAR
from .scratch import BODY as OF_BODY
from .scratch import LED as OF_LED
from .scratch import MOVED, VERTICES, WORLD, clear
from .segment_distance import distance_of, distance_to, distance_to_face
from .sliding import OFF
from .surface_contact import NOWHERE, SHARP, Place, collider_of, over_edge, over_face, over_vertex
from .voronoi_regions import edge_across_edge, edge_stands_out, vertex_over_edge, vertex_over_vertex, vertex_stands_out

CARRIERS = (VERTICES, OF_BODY, VERTICES, OF_LED, WORLD)  # of what ROD, BODY, SOFT, LED and PLANE are


@kernel
def over(model: Model, surfaces: Surfaces, first: First, j: int, ends: tuple[Vector, Vector], parts: Parts) -> Place:
    """Where the first of a pair, between these ends [m], touches feature j of a surface, in whose axes all is; parts:
    how far that is from one sample to the other now, and at the end of the step.
    """
    (of, i, is_edge), (a, b), faces, edges = first, ends, len(surfaces.faces), len(surfaces.edges)
    if j < faces:
        return over_face(surfaces, j, a, parts, 0.0 if of == ROD else SHARP)
    if of == ROD:
        head = head_of(model, i)
        if head < 0:
            return NOWHERE
        if j < faces + edges:
            place = over_edge(surfaces, j - faces, a, b, parts)
        else:
            place = over_vertex(surfaces, j - faces - edges, a, b, parts)
        return NOWHERE if place[0] == 1.0 and head_of(model, head) >= 0 else place
    if is_edge:
        return NOWHERE if j >= faces + edges else edge_across_edge(surfaces, j - faces, a, b, parts)
    if j < faces + edges:
        return vertex_over_edge(surfaces, j - faces, a, parts)
    return vertex_over_vertex(surfaces, j - faces - edges, a, parts)


@kernel
def touching_place(model: Model, pair: np.record, at: At, until: Parts) -> Place:
    """Where the two of a PAIR touch, if they do, all in the world's axes; until: when the step ends."""
    return place_of(model, first_of(model, pair.i), second_of(model, pair.j), at, until)


@kernel
def place_of(model: Model, first: First, second: Second, at: At, until: Parts) -> Place:
    """The same of a first and a second."""
    (of, j), ends = second, ends_of(model, first, at)
    if of == PLANE:
        wall = model.planes[j]
        up = dot(plus(ends[0], -1.0, vector(wall.point)), wall.n)
        return 0.0, scaled(up, vector(wall.n)), (0.0, 0.0, 0.0)
    surfaces, parts = surface_of(model, of), (part_of(of, at[2]), part_of(of, until))
    if of == BODY:
        now = at[1][collider_of(surfaces, j)]
        s, here, drift = over(model, surfaces, first, j, (into(now, ends[0]), into(now, ends[1])), parts)
        d = turned_out(now, here)
    else:
        s, here, drift = over(model, surfaces, first, j, ends, parts)
        d = here
    if s < 0.0:
        return NOWHERE
    if j >= len(surfaces.faces):
        stands = stands_out(model, first, at, d)
        if first[0] != ROD and first[2]:
            stands = cross_outside(model, first, stands, (of, j - len(surfaces.faces)), here, d, parts[0])
        if not stands:
            return NOWHERE
    itself = of == SOFT and first[0] == SOFT and owner(model, first) == its_owner(model, second)
    if itself and not surfaces.colliders[owner(model, first)[1]].open and not is_outside(surfaces, first, j, d):
        return NOWHERE
    return s, d, drift


@kernel
def cross_outside(
    model: Model, first: First, stands: bool, second: Second, here: Vector, d: Vector, part: float
) -> bool:
    """Whether the way d [m] from edge k of a surface to an edge, which `stands` out there or not, is outside of both,
    and one of them stands out; here: d in the surface's axes.
    """
    (of, k), (its, i, _) = second, first
    if edge_stands_out(surface_of(model, of), k, here, part, SHARP):
        return stands or (its == SOFT and rises(model.solids.surface, i, scaled(-1.0, d)))
    return stands and of == SOFT and rises(model.solids.surface, k, d)


@kernel
def stands_out(model: Model, first: First, at: At, d: Vector) -> bool:
    """Whether the first of a pair is nearest on its own surface to what lies at −d [m] from it."""
    (of, k, is_edge), away = first, scaled(-1.0, d)
    if of == ROD:
        return True
    if of == BODY:
        away = turned_in(at[1][owner(model, first)[1]], away)
    surfaces, part = surface_of(model, of), part_of(of, at[2])
    if is_edge:
        return edge_stands_out(surfaces, k, away, part, SHARP)
    return vertex_stands_out(surfaces, k, away, part, SHARP)


@kernel
def is_outside(own: Surfaces, first: First, j: int, d: Vector) -> bool:
    """Whether the way d from feature j to the first of a pair, of the same soft body, is not through the body."""
    if j < len(own.faces):
        p, q, r = corners(own, j, 0.0)
        return dot(d, cross(plus(q, -1.0, p), plus(r, -1.0, p))) > 0.0
    if not rises(own, j - len(own.faces), d):
        return False
    return not first[2] or rises(own, first[1], scaled(-1.0, d))


@kernel
def rises(own: Surfaces, k: int, d: Vector) -> bool:
    """Whether d leads outwards from a soft body's edge k: along the sum of the unit normals of its faces; of a sheet,
    to one side or the other.
    """
    edge, up = own.edges[k], 0.0
    p = vector(own.samples[0, edge.end[0]])
    along = plus(vector(own.samples[0, edge.end[1]]), -1.0, p)
    for m in range(2):
        if edge.opposite[m] >= 0:
            n = cross(along, plus(vector(own.samples[0, edge.opposite[m]]), -1.0, p))
            up += (1.0 - 2.0 * m) * dot(d, n) / sqrt(dot(n, n) + 1e-300)
    return up > 0.0 or (up < 0.0 and own.colliders[edge.collider].open)


@kernel
def size_of(model: Model, pair: np.record, s: float) -> tuple[float, float, float]:
    """(radius or thickness of the first and of the second of a PAIR, the smaller scale of both) [m]."""
    (of, k), (its, j), scale, other = first_thing(model, pair.i), second_thing(model, pair.j), inf, 0.0
    if of == ROD:
        node, head = model.nodes[pair.i], head_of(model, pair.i)
        one = node.radius + s * (model.nodes[head].radius - node.radius) if head >= 0 else node.radius
        scale = one
    else:
        one, scale = surface_of(model, of).colliders[k].thickness, scale_of(model, of, k, its)
    if its != PLANE:
        other, scale = surface_of(model, its).colliders[j].thickness, min(scale, scale_of(model, its, j, of))
    return one, other, scale


@kernel
def scale_of(model: Model, of: int, k: int, beside: int) -> float:
    """[m] against which overlaps of the k-th thing of a kind and one of another are judged: what its surface is rounded
    by; a soft body's does not count beside a rigid one's.
    """
    if of == BODY:
        return model.shapes[k].scale
    return model.solids.surface.colliders[k].thickness if of == SOFT and beside != BODY else inf


@kernel
def depth_of(model: Model, pair: np.record, at: At) -> tuple[float, float]:
    """(how deep [m] the two of a PAIR are in each other where they touch, −∞ where they do not; the scale of that:
    what surfaces are rounded by, but a rod may be as deep in a body as in a rod).
    """
    s, d, _ = touching_place(model, pair, at, at[2])
    if s < 0.0:
        return -inf, 1.0
    (one, other, scale), (of, j) = size_of(model, pair, s), second_thing(model, pair.j)
    distance = sqrt(dot(d, d))
    if of == PLANE:
        distance = dot(d, model.planes[j].n)
    elif of == BODY and pair.i < len(model.nodes):
        scale = min(one, model.shapes[j].extent)
    return one + other - distance, scale


@kernel
def reach_of(model: Model, pair: np.record, at: At) -> float:
    """How deep [m] the two of a PAIR, no plane, reach into each other, whether or not they are where their surfaces
    touch; negative: how far they are apart.
    """
    (a, c), (of, j) = ends_of(model, first_of(model, pair.i), at), second_of(model, pair.j)
    one, other, _ = size_of(model, pair, 0.0)
    if of == BODY:
        body = at[1][second_thing(model, pair.j)[1]]
        a, c = into(body, a), into(body, c)
    return one + other - distance_from(surface_of(model, of), j, (a, c), part_of(of, at[2]))


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
    return distance_to(a, c, vertex_at(surfaces.samples, j - faces - edges, part))


@kernel
def friction_of(model: Model, pair: np.record, s: float) -> tuple[float, float]:
    """(Coulomb's coefficient, restitution) of the two of a PAIR: geometric means. Only rigid bodies bounce: on others
    of them as both do, else as what strikes does.
    """
    (of, k), (its, j) = first_thing(model, pair.i), second_thing(model, pair.j)
    if of == ROD:
        node, head = model.nodes[pair.i], head_of(model, pair.i)
        friction = node.friction + s * (model.nodes[head].friction - node.friction) if head >= 0 else node.friction
    else:
        friction = surface_of(model, of).colliders[k].friction
    friction *= model.planes[j].friction if its == PLANE else surface_of(model, its).colliders[j].friction
    bounce = 0.0
    if of == BODY:
        bounce = model.shapes[k].restitution
        if its == BODY:
            bounce = sqrt(bounce * model.shapes[j].restitution)
    elif of != ROD and its == BODY:
        bounce = model.shapes[j].restitution
    return sqrt(friction), bounce


@kernel
def features_meet(model: Model, pair: np.record, old: At, new: At, row: np.record) -> bool:
    """Whether the two of a PAIR are near at the old places, press on each other, or will be near at the new ones: then
    how, in `row`. What nothing moves is its second.
    """
    i, first, second = pair.i, first_of(model, pair.i), second_of(model, pair.j)
    s, d, drift = place_of(model, first, second, old, new[2])
    distance = sqrt(dot(d, d))
    if s < 0.0 or (distance == 0.0 and second[0] != PLANE):
        return False
    (of, k), (its, j) = owner(model, first), its_owner(model, second)
    one, other, scale = size_of(model, pair, s)
    if its == PLANE:
        n = vector(model.planes[j].n)
        distance = dot(d, n)
    else:
        n = scaled(1.0 / distance, d)
    gap = distance - one - other
    (a, b), (a1, b1) = ends_of(model, first, old), ends_of(model, first, new)
    c = plus(scaled(1.0 - s, a), s, b)
    way, foot = plus(plus(scaled(1.0 - s, a1), s, b1), -1.0, c), plus(c, -1.0, d)
    if its == BODY:
        drift = plus(out_of(new[1][j], into(old[1][j], foot)), -1.0, foot)
    touching = n, gap, dot(n, drift) - dot(n, way)
    if gap < touching[2] and of != ROD:
        touching = along_faces(model, first, second, old, touching, d, plus(way, -1.0, drift), OFF * scale)
    m, left, closer = touching
    if min(left, left - closer) > FAR * scale and pair.force[0] == 0.0:
        return False
    by, held_by = CARRIERS[of], CARRIERS[its]
    if of == LED:
        by, held_by = held_by, by
    clear(row, i if of == ROD else 0, by, held_by)
    row.gap, (row.friction, row.restitution) = left, friction_of(model, pair, s)
    row.radius = min(scale, scale_of(model, of, k, of), scale_of(model, its, j, its))
    row.body[0], row.body[1] = k if of == BODY else -1, j if its == BODY else -1
    if of == ROD:
        row.rod[0], row.node[1], row.share[0], row.share[1] = k, head_of(model, i) if s > 0.0 else i, 1.0 - s, s
    elif of == SOFT:
        carry_first(model, first, s, row)
    between = one + 0.5 * gap if of == BODY and its == BODY else one + gap if its == BODY else one
    if of == SOFT or its == SOFT:  # its nodes are pushed there
        between = 0.0 if of == SOFT else distance
    place = plus(c, -between, m if its == LED else n)  # what pushes a ball goes through its centre
    row.rounded[0] = -between if of == BODY else 0.0
    row.rounded[1] = distance - between if its == BODY and second[1] >= len(model.skins.faces) else 0.0
    if its == SOFT:
        carry_foot(model, row, second[1], foot, 1.0 if of == LED else -1.0)
    if of == LED:
        m, drift, row.body[0], row.body[1] = scaled(-1.0, m), way, row.body[1], -1
        row.rounded[0], row.rounded[1] = -row.rounded[1], 0.0
    for x in range(3):
        row.n[x] = m[x]
        row.drift[x] = 0.0 if held_by & MOVED else drift[x]
        for side in range(2):
            own = row.body[side]
            row.arm[side, x] = place[x] - old[1][own].x[x] if own >= 0 else 0.0
    return True


@kernel
def along_faces(
    model: Model, first: First, second: Second, at: At, touching: tuple[Vector, float, float], d: Vector, way: Vector,
    off: float,
) -> tuple[Vector, float, float]:  # fmt: skip
    """(normal n, gap along it [m], by how much that closes in the step [m]) of a first and a second that are d [m]
    apart, as the first goes this way [m] against the second: those given, or where edges touch a normal of their faces
    that leaves more. On one side of a face's plane, or no more than `off` [m] beyond, they are apart as well: what
    slides level over a rim, by more in a step than that is rounded by, does not strike it.
    """
    (_, gap, _), faces = touching, len(surface_of(model, second[0]).faces) if second[0] != PLANE else 0
    reach = sqrt(dot(d, d)) - gap
    for side in range(2):
        (of, k), is_edge = (second[0], second[1] - faces), side == 1 and second[0] != PLANE and second[1] >= faces
        if side == 0:
            (of, k, is_edge) = first
        if not is_edge or k >= len(surface_of(model, of).edges):
            continue
        surfaces, part = surface_of(model, of), part_of(of, at[2])
        edge = surfaces.edges[k]
        p = vertex_at(surfaces.samples, edge.end[0], part)
        along = plus(vertex_at(surfaces.samples, edge.end[1], part), -1.0, p)
        for f in range(2):
            if edge.opposite[f] < 0:
                continue
            n, inner = cross(along, plus(vertex_at(surfaces.samples, edge.opposite[f], part), -1.0, p)), 0.0
            if edge.opposite[1 - f] >= 0:
                inner = dot(n, plus(vertex_at(surfaces.samples, edge.opposite[1 - f], part), -1.0, p))
            if of == BODY:
                n = turned_out(at[1][edge.collider], n)
            up, size = dot(n, d), sqrt(dot(n, n))
            if size == 0.0:
                continue
            towards = -1.0 if up < 0.0 else 1.0
            if towards * inner * (2.0 * side - 1.0) > off * size:
                continue  # the edge's other face lies beyond, where the other thing is: this plane divides nothing
            n = scaled(towards / size, n)
            left, closer = abs(up) / size - reach, -dot(n, way)
            if left >= -off and left - closer > touching[1] - touching[2]:
                touching = n, left, closer
    return touching


@kernel
def carry_first(model: Model, first: First, s: float, row: np.record) -> None:
    """The first nodes of a CONTACT are those of a soft body's vertex, or of its edge so far along it."""
    _, k, is_edge = first
    if is_edge:
        end = model.solids.surface.edges[k].end
        carry(model, row, 0, end[0], 1.0 - s)
        carry(model, row, 1, end[1], s)
    else:
        carry(model, row, 0, k, 1.0)
