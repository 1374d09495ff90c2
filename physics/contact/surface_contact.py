"""Where rods touch surfaces: at the points of both that are nearest to each other, nearer than any beside them.

There is one contact for one approach. The foot of a vertex has to be inside its face. Of a surface's edges and vertices
only what stands out towards the rod counts, for beside anything else a face is nearer (these are the Voronoi regions of
a surface's features: Ericson 2005, *Real-Time Collision Detection*, §5.1.5). Where an edge of a rod is nearest at its
far end, the next edge stands for it.

The side of the surface is the one where the rod is.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..model import Model, Surfaces
from ..rods.vectors import Vector, cross, dot, plus, scaled, vector
from .carriers.led_surface import vertex_at, way_of_vertex
from .passage import FAR
from .segment_distance import closest_parameters
from .surface_pairs import head_of

SHARP = 1e-3  # sine of the angle by which something has to stand out
Place = tuple[float, Vector, Vector]  # (how far along the rod's edge, −1: nowhere; vector to it from the surface [m];
NOWHERE = (-1.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))  # how far that goes in the step [m])


@kernel
def surface_meets(
    model: Model, pair: np.record, x0: np.ndarray, x: np.ndarray, parts: tuple[float, float], row: np.record
) -> bool:
    """Whether the two of a PAIR are near at x0 (N, 3), press on each other, or will be near at x (N, 3): then how, in
    `row`. parts of the frame that are over at the old positions, and at the new ones.
    """
    surfaces, i = model.surfaces, pair.i
    faces, edges = len(surfaces.faces), len(surfaces.edges)
    head = head_of(model, i)
    if pair.j < faces:
        collider = surfaces.faces[pair.j].collider
        s, d, drift = over_face(surfaces, pair.j, vector(x0[i]), parts)
    elif head < 0:
        return False
    elif pair.j < faces + edges:
        collider = surfaces.edges[pair.j - faces].collider
        s, d, drift = over_edge(surfaces, pair.j - faces, vector(x0[i]), vector(x0[head]), parts)
    else:
        collider = surfaces.vertices[pair.j - faces - edges].collider
        s, d, drift = over_vertex(surfaces, pair.j - faces - edges, vector(x0[i]), vector(x0[head]), parts)
    if s < 0.0 or (s == 1.0 and head_of(model, head) >= 0):
        return False
    node, other = model.nodes[i], model.nodes[head if s > 0.0 else i]
    distance, radius = sqrt(dot(d, d)), (1.0 - s) * node.radius + s * other.radius
    if distance == 0.0:
        return False
    gap = distance - radius - surfaces.colliders[collider].thickness
    n = scaled(1.0 / distance, d)
    closer = 0.0
    for c in range(3):
        closer -= n[c] * ((1.0 - s) * (x[i, c] - x0[i, c]) - drift[c])
        if s > 0.0:
            closer -= n[c] * s * (x[head, c] - x0[head, c])
    if min(gap, gap - closer) > FAR * radius and pair.force[0] == 0.0:
        return False
    for k in range(4):
        row.node[k], row.share[k] = i, 0.0
    row.share[0] = 1.0 - s
    if s > 0.0:
        row.node[1], row.share[1] = head, s
    row.rod[0], row.rod[1] = node.rod, node.rod
    for c in range(3):
        row.n[c], row.drift[c] = n[c], drift[c]
    row.gap, row.radius, row.wall = gap, radius, True
    row.friction = sqrt(((1.0 - s) * node.friction + s * other.friction) * surfaces.colliders[collider].friction)
    return True


@kernel
def over_face(surfaces: Surfaces, f: int, x: Vector, parts: tuple[float, float]) -> Place:
    """Of a vertex at x [m] over the inside of face f. On it, it is before the face."""
    corner, samples, (now, then) = surfaces.faces[f].corner, surfaces.samples, parts
    p, q, r = vertex_at(samples, corner[0], now), vertex_at(samples, corner[1], now), vertex_at(samples, corner[2], now)
    e, g, d = plus(q, -1.0, p), plus(r, -1.0, p), plus(x, -1.0, p)
    n = cross(e, g)
    area = dot(n, n)
    if area == 0.0:
        return NOWHERE
    u, v = dot(cross(d, g), n) / area, dot(cross(e, d), n) / area
    if u < 0.0 or v < 0.0 or u + v > 1.0:
        return NOWHERE
    up = dot(d, n) / area
    return 0.0, scaled(up if up != 0.0 else 1e-300, n), drift_of(samples, corner, (1.0 - u - v, u, v), then - now)


@kernel
def drift_of(samples: np.ndarray, corner: np.ndarray, share: Vector, part: float) -> Vector:
    """How far [m] a point goes in part of the frame whose motion is that of three vertices."""
    way = scaled(share[0], way_of_vertex(samples, corner[0], part))
    way = plus(way, share[1], way_of_vertex(samples, corner[1], part))
    return plus(way, share[2], way_of_vertex(samples, corner[2], part))


@kernel
def over_edge(surfaces: Surfaces, k: int, a: Vector, b: Vector, parts: tuple[float, float]) -> Place:
    """Of a rod's edge from a to b [m] over the inside of a surface's edge k."""
    edge, samples, (now, then) = surfaces.edges[k], surfaces.samples, parts
    p, q = vertex_at(samples, edge.end[0], now), vertex_at(samples, edge.end[1], now)
    along, own = plus(q, -1.0, p), plus(b, -1.0, a)
    square = dot(along, along)
    if square == 0.0:
        return NOWHERE
    s, t = closest_parameters(plus(a, -1.0, p), own, along)
    if t == 0.0 or t == 1.0:
        return NOWHERE
    d = plus(plus(plus(a, -1.0, p), s, own), -t, along)
    out = 0.0
    for m in range(2):
        if edge.opposite[m] >= 0:
            inward = plus(vertex_at(samples, edge.opposite[m], now), -1.0, p)
            inward = plus(inward, -dot(inward, along) / square, along)
            rise = dot(d, inward)
            if rise > 0.0:
                return NOWHERE
            out = max(out, -rise / sqrt(dot(inward, inward) * dot(d, d) + 1e-300))
    if out < SHARP:
        return NOWHERE
    way = scaled(1.0 - t, way_of_vertex(samples, edge.end[0], then - now))
    return s, d, plus(way, t, way_of_vertex(samples, edge.end[1], then - now))


@kernel
def over_vertex(surfaces: Surfaces, k: int, a: Vector, b: Vector, parts: tuple[float, float]) -> Place:
    """Of a rod's edge from a to b [m] over a surface's vertex k."""
    samples, (now, then) = surfaces.samples, parts
    p, own = vertex_at(samples, k, now), plus(b, -1.0, a)
    s = min(max(dot(plus(p, -1.0, a), own) / dot(own, own), 0.0), 1.0)
    d = plus(plus(a, -1.0, p), s, own)
    out = 0.0
    for m in range(surfaces.vertices[k].edge[0], surfaces.vertices[k].edge[1]):
        e = plus(vertex_at(samples, surfaces.neighbours[m], now), -1.0, p)
        rise = dot(d, e)
        if rise > 0.0:
            return NOWHERE
        out = max(out, -rise / sqrt(dot(e, e) * dot(d, d) + 1e-300))
    return (s, d, way_of_vertex(samples, k, then - now)) if out >= SHARP else NOWHERE
