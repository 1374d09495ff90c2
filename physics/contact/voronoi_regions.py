"""Where a vertex or an edge of something is nearest to an edge or a vertex of a surface, nearer than to anything beside
it: in the Voronoi region of that (Ericson 2005, *Real-Time Collision Detection*, §5.1.5), where the way between them
points out of the surface.

Regions meet without gaps. A way that leans out over the rim of a face by less than SHARP is the face's; one that leans
over the end of an edge by less, the edge's; and where edges cross nearer than that to the end of one, its vertex stands
for it.
"""

from math import sqrt

from .._jit import kernel
from ..arithmetic.vectors import Vector, cross, dot, plus
from ..model import Surfaces
from .carriers.led_surface import vertex_at, way_of_edge, way_of_vertex
from .segment_distance import closest_parameters
from .surface_contact import NOWHERE, SHARP, Place

PARALLEL = 1e-6  # sine squared


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
    square = dot(along, along) + 1e-300
    t = dot(d, along) / square
    d = plus(d, -t, along)
    lean = SHARP * sqrt(dot(d, d) / square)
    if not -lean <= t <= 1.0 + lean or not edge_stands_out(surfaces, k, d, now, -SHARP):
        return NOWHERE
    return 0.0, d, way_of_edge(surfaces, k, t, d, then - now)


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
    """Of a surface's edge from a to b [m] across the inside of another's edge k, whether or not they stand out."""
    end, samples, (now, then) = surfaces.edges[k].end, surfaces.samples, parts
    p, q = vertex_at(samples, end[0], now), vertex_at(samples, end[1], now)
    own, along = plus(b, -1.0, a), plus(q, -1.0, p)
    n = cross(own, along)
    if dot(n, n) <= PARALLEL * dot(own, own) * dot(along, along):
        return NOWHERE
    s, t = closest_parameters(plus(a, -1.0, p), own, along, 0.0)
    d = plus(plus(plus(a, -1.0, p), s, own), -t, along)
    lean, its = SHARP * sqrt(dot(d, d) / dot(own, own)), SHARP * sqrt(dot(d, d) / dot(along, along))
    if not (lean < s < 1.0 - lean and its < t < 1.0 - its):
        return NOWHERE
    return s, d, way_of_edge(surfaces, k, t, d, then - now)
