"""Where soft bodies touch: at points that are nearest to each other, nearer than any beside them, of their surface and
of colliders, planes, each other's or their own (see `shape_contact`: the same Voronoi regions).

A row says how much of the motion of up to four nodes is that of the two points against each other: 1, or 1 − s and s,
of a vertex or an edge, and less the barycentric coordinates of the foot of a face or an edge. So what touches pushes
nodes by as much, and both momenta are kept. A collider's vertex on a soft face is a wall, seen from the face.

Seen through a body its own surface is near as well, where it is thin: there it does not touch.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, cross, dot, plus, scaled, vector
from ..model import Model, Surfaces
from .carriers import chain
from .carriers.led_surface import corners, vertex_at, way_of_vertex
from .passage import FAR
from .scratch import LED, VERTICES, WORLD, clear
from .soft_pairs import firsts, of_one, seconds
from .surface_contact import NOWHERE, SHARP, Place, collider_of, over_face
from .voronoi_regions import edge_across_edge, edge_stands_out, vertex_over_edge, vertex_over_vertex, vertex_stands_out


@kernel
def ends_of(model: Model, i: int, part: float) -> tuple[Vector, Vector]:
    """Both ends [m] of the first of a pair: of a vertex, twice that; part of the frame that is over."""
    own, (edge, led) = model.solids.surface, firsts(model)
    if i < edge:
        a = vector(own.samples[0, i])
        return a, a
    if i < led:
        end = own.edges[i - edge].end
        return vector(own.samples[0, end[0]]), vector(own.samples[0, end[1]])
    a = vertex_at(model.surfaces.samples, i - led, part)
    return a, a


@kernel
def over(surfaces: Surfaces, j: int, edge: bool, ends: tuple[Vector, Vector], parts: tuple[float, float]) -> Place:
    """Where a vertex, or an edge, between these ends [m] touches feature j of a surface; parts of the frame that are
    over now and at the end of the step.
    """
    (a, b), faces, edges = ends, len(surfaces.faces), len(surfaces.edges)
    if j < faces:
        return over_face(surfaces, j, a, parts, SHARP)
    if edge:
        return edge_across_edge(surfaces, j - faces, a, b, parts)
    if j < faces + edges:
        return vertex_over_edge(surfaces, j - faces, a, parts)
    return vertex_over_vertex(surfaces, j - faces - edges, a, parts)


@kernel
def touching_place(model: Model, pair: np.record, parts: tuple[float, float]) -> Place:
    """Where the two of a PAIR touch, if they do; parts: as in `over`."""
    own, i, (edge, led), (its, plane) = model.solids.surface, pair.i, firsts(model), seconds(model)
    ends, is_edge = ends_of(model, i, parts[0]), edge <= i < led
    if pair.j >= plane:
        wall = model.planes[pair.j - plane]
        up = dot(plus(ends[0], -1.0, vector(wall.point)), wall.n)
        return 0.0, scaled(up, vector(wall.n)), (0.0, 0.0, 0.0)
    if pair.j < its:
        j, faces = pair.j, len(own.faces)
        s, d, drift = over(own, j, is_edge, ends, (0.0, 0.0))
        if s >= 0.0 and of_one(model, pair) and not is_outside(model, i, j, d):
            return NOWHERE
    else:
        j, faces = pair.j - its, len(model.surfaces.faces)
        s, d, drift = over(model.surfaces, j, is_edge, ends, parts)
    if s >= 0.0 and j >= faces and not stands_out(model, i, scaled(-1.0, d), parts[0]):
        return NOWHERE
    return s, d, drift


@kernel
def first_body(model: Model, i: int) -> int:
    """Which soft body's vertex or edge the first of a pair is."""
    own, (edge, _) = model.solids.surface, firsts(model)
    return own.vertices[i].collider if i < edge else own.edges[i - edge].collider


@kernel
def stands_out(model: Model, i: int, away: Vector, part: float) -> bool:
    """Whether the first of a pair is nearest on its own surface to what lies so far [m] away from it."""
    own, (edge, led) = model.solids.surface, firsts(model)
    if i >= led:
        return vertex_stands_out(model.surfaces, i - led, away, part, SHARP)
    if i < edge:
        return vertex_stands_out(own, i, away, 0.0, SHARP)
    return edge_stands_out(own, i - edge, away, 0.0, SHARP)


@kernel
def is_outside(model: Model, i: int, j: int, d: Vector) -> bool:
    """Whether the way d from feature j to the first of a pair, of the same body, is not through the body."""
    own, edge = model.solids.surface, firsts(model)[0]
    if j < len(own.faces):
        p, q, r = corners(own, j, 0.0)
        return dot(d, cross(plus(q, -1.0, p), plus(r, -1.0, p))) > 0.0
    if not rises(own, j - len(own.faces), d):
        return False
    return i < edge or rises(own, i - edge, scaled(-1.0, d))


@kernel
def rises(own: Surfaces, k: int, d: Vector) -> bool:
    """Whether d leads outwards from a soft body's edge k: along the sum of the unit normals of its faces."""
    edge, up = own.edges[k], 0.0
    p = vector(own.samples[0, edge.end[0]])
    along = plus(vector(own.samples[0, edge.end[1]]), -1.0, p)
    for m in range(2):
        if edge.opposite[m] >= 0:
            n = cross(along, plus(vector(own.samples[0, edge.opposite[m]]), -1.0, p))
            up += (1.0 - 2.0 * m) * dot(d, n) / sqrt(dot(n, n) + 1e-300)
    return up > 0.0


@kernel
def soft_meets(
    model: Model,
    pair: np.record,
    positions: tuple[np.ndarray, np.ndarray],
    parts: tuple[float, float],
    row: np.record,
) -> bool:
    """Whether the two of a PAIR are near at the old positions (N, 3), press on each other, or will be near at the new
    ones: then how, in `row`.
    """
    own, i, j, (edge, led), (its, plane) = model.solids.surface, pair.i, pair.j, firsts(model), seconds(model)
    s, d, drift = touching_place(model, pair, parts)
    distance = sqrt(dot(d, d))
    if s < 0.0 or (distance == 0.0 and j < plane):
        return False
    if j >= plane:
        n = vector(model.planes[j - plane].n)
        distance = dot(d, n)
    else:
        n = scaled(1.0 / distance, d)
    stands = WORLD if j >= plane else LED
    clear(row, 0, VERTICES, VERTICES if i < led and j < its else stands)
    if i < edge:
        carry(model, row, 0, i, 1.0)
    elif i < led:
        end = own.edges[i - edge].end
        carry(model, row, 0, end[0], 1.0 - s)
        carry(model, row, 1, end[1], s)
    if j < its:
        a, b = ends_of(model, i, parts[0])
        foot = plus(plus(scaled(1.0 - s, a), s, b), -1.0, d)
        sign = -1.0
        if i >= led:
            sign, n, drift = 1.0, scaled(-1.0, n), way_of_vertex(model.surfaces.samples, i - led, parts[1] - parts[0])
        carry_foot(model, row, j, foot, sign)
    for c in range(3):
        row.n[c], row.drift[c] = n[c], drift[c]
    one, other, row.radius, row.friction = size_of(model, i, j)
    row.gap = distance - one - other
    opened = dot(n, plus(chain.moved(row, positions[1], positions[0]), -1.0, drift))
    return min(row.gap, row.gap + opened) <= FAR * row.radius or pair.force[0] > 0.0


@kernel
def carry(model: Model, row: np.record, k: int, p: int, share: float) -> None:
    """The k-th node of a CONTACT is vertex p of the surface, with that share."""
    row.node[k], row.share[k] = model.solids.on_node[p], share


@kernel
def carry_foot(model: Model, row: np.record, j: int, foot: Vector, sign: float) -> None:
    """The last nodes of a CONTACT are those of feature j of the surface, with ± the coordinates of a foot [m] on it."""
    own = model.solids.surface
    faces, edges = len(own.faces), len(own.edges)
    if j < faces:
        corner, (p, q, r) = own.faces[j].corner, corners(own, j, 0.0)
        e, g, d = plus(q, -1.0, p), plus(r, -1.0, p), plus(foot, -1.0, p)
        n = cross(e, g)
        u, v = dot(cross(d, g), n) / dot(n, n), dot(cross(e, d), n) / dot(n, n)
        carry(model, row, 1, corner[0], sign * (1.0 - u - v))
        carry(model, row, 2, corner[1], sign * u)
        carry(model, row, 3, corner[2], sign * v)
    elif j < faces + edges:
        end = own.edges[j - faces].end
        p = vector(own.samples[0, end[0]])
        along = plus(vector(own.samples[0, end[1]]), -1.0, p)
        t = dot(plus(foot, -1.0, p), along) / dot(along, along)
        carry(model, row, 2, end[0], sign * (1.0 - t))
        carry(model, row, 3, end[1], sign * t)
    else:
        carry(model, row, 3, j - faces - edges, sign)


@kernel
def size_of(model: Model, i: int, j: int) -> tuple[float, float, float, float]:
    """(thickness of the first and of the second of a pair, that of the thinner soft one [m], Coulomb's coefficient)."""
    own, led, planes = model.solids.surface, firsts(model)[1], model.planes
    its, plane = seconds(model)
    if i < led:
        mine = own.colliders[first_body(model, i)]
        one, scale, friction = mine.thickness, mine.thickness, mine.friction
    else:
        leader = model.surfaces.colliders[model.surfaces.vertices[i - led].collider]
        one, scale, friction = leader.thickness, np.inf, leader.friction
    if j >= plane:
        return one, 0.0, scale, sqrt(friction * planes[j - plane].friction)
    if j < its:
        soft = own.colliders[collider_of(own, j)]
        return one, soft.thickness, min(scale, soft.thickness), sqrt(friction * soft.friction)
    collider = model.surfaces.colliders[collider_of(model.surfaces, j - its)]
    return one, collider.thickness, scale, sqrt(friction * collider.friction)
