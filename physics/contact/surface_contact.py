"""Where rods touch surfaces: at the points of both that are nearest to each other, nearer than any beside them.

There is one contact for one approach. The foot of a vertex has to be inside its face. Of a surface's edges and vertices
only what stands out towards the rod counts, for beside anything else a face is nearer (these are the Voronoi regions of
a surface's features: Ericson 2005, *Real-Time Collision Detection*, §5.1.5). Where an edge of a rod is nearest at its
far end, the next edge stands for it.

Of edges and vertices those count as well that are next to the nearest: along which the way to the rod rises less than
half as much as it falls off elsewhere, on a smooth surface those one angle between its faces further on. For an edge of
a rod that lies on a face touches both sides of it, and would rock on them if it were held by one at a time.

The side of the surface is the one where the rod is.

A step that looks ahead takes the points and their normal where things are expected when it ends, for there its forces
act. A normal that is frozen where the step begins lags behind what slides at v over a surface of radius R by the angle
v h/R, and holds it back as friction of that coefficient would. One that leads drives it on, and friction may stop what
was expected to go on: so what rubs is expected further on only as far as it has moved evenly (`detect.expect`).
"""

from math import inf, sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, cross, dot, plus, scaled, vector
from ..model import Model, Surfaces
from ..rods.chain import head_of
from .carriers.led_surface import corners, vertex_at, way_of_edge, way_of_vertex
from .continuous_detection import ON
from .passage import FAR
from .scratch import LED, VERTICES, clear
from .segment_distance import NO_FACE, closest_parameters, distance_to_triangle

SHARP = 1e-3  # sine of the angle by which something has to stand out
NEXT_TO = 0.5  # of how far the way to the rod falls off: so far it may rise
CAREFUL = 0.5  # of how far aside something is, for what it is aside of turns as well
NOWHERE = (-1e-300, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
FLAT = (1.0 - NEXT_TO) * SHARP
Place = tuple[float, Vector, Vector]  # (how far along the rod's edge, or, negative, how far aside of where they would
# touch [m]; vector to the rod from the surface [m], in that case 0 where it is not known; how far the surface goes
# there in the step [m])


@kernel
def surface_meets(
    model: Model,
    pair: np.record,
    positions: tuple[np.ndarray, np.ndarray, np.ndarray],
    parts: tuple[float, float],
    ways: tuple[float, float],
    ahead: bool,
    row: np.record,
) -> bool:
    """Whether the two of a PAIR are near at the old positions (N, 3), press on each other, or will be near at the new
    ones: then how, in `row`, at the old ones, or `ahead`, at the third ones. parts of the frame that are over then;
    ways [m]: how far things have gone, as pair.wakes_beside and pair.wakes_near have it, and may move in the step.
    """
    x0, x, expected = positions
    collider = model.surfaces.colliders[collider_of(model.surfaces, pair.j)]
    s, d, drift = place_of(model, pair, x0, parts)
    distance, i = sqrt(dot(d, d)), pair.i
    if s < 0.0:
        apart = distance - thickest(model, i, head_of(model, i)) - collider.thickness if distance > 0.0 else 0.0
        still = parts[0] == parts[1]  # else the step's motion counts as well, for surfaces turn
        pair.wakes_beside = ways[0] - CAREFUL * s if still else 0.0
        pair.wakes_near = ways[0] + (apart if still else max(apart, -CAREFUL * s))
        if not ahead or pair.wakes_beside > ways[0] + ways[1]:
            return False
    elif distance == 0.0:
        return False
    gap = gap_at(model, pair, s, d) if s >= 0.0 else inf
    if s >= 0.0 and gap > ways[1] and pair.force[0] == 0.0:
        pair.wakes_near = gap + ways[0]
        return False
    if ahead:
        part = parts[1] - parts[0]
        then, apart, going = place_of(model, pair, expected, (parts[1], parts[1] + part))
        if then < 0.0:
            return False
        way = plus(moved(model, i, then, x0, expected), -1.0, going)
        if dot(apart, plus(apart, -1.0, way)) > 0.0:
            n = scaled(1.0 / sqrt(dot(apart, apart)), apart)
            left, closer = gap_at(model, pair, then, apart), -dot(n, way)
            if s < 0.0:  # what slides to here was as deep where it came from
                gap = max(left + closer, min(left, 0.0))
            s, d, drift = then, apart, plus(going, gap - left - closer, n)
        elif s < 0.0:
            return False  # they would pass through each other
    n = scaled(1.0 / sqrt(dot(d, d)), d)
    closer = dot(n, drift) - dot(n, moved(model, i, s, x0, x))
    head = head_of(model, i) if s > 0.0 else i
    node, other = model.nodes[i], model.nodes[head]
    radius = (1.0 - s) * node.radius + s * other.radius
    if min(gap, gap - closer) > FAR * radius and pair.force[0] == 0.0:
        return False
    clear(row, i, VERTICES, LED)
    row.rod[0], row.node[1], row.share[0], row.share[1] = node.rod, head, 1.0 - s, s
    for c in range(3):
        row.n[c], row.drift[c] = n[c], drift[c]
    row.gap, row.radius = gap, radius
    row.friction = sqrt(((1.0 - s) * node.friction + s * other.friction) * collider.friction)
    return True


@kernel
def rub(model: Model, pair: np.record) -> bool:
    """Whether friction acts between the two of a PAIR."""
    collider = model.surfaces.colliders[collider_of(model.surfaces, pair.j)]
    return model.nodes[pair.i].friction * collider.friction > 0.0


@kernel
def moved(model: Model, i: int, s: float, x0: np.ndarray, x: np.ndarray) -> Vector:
    """How far [m] the point of edge i so far along it has moved from x0 (N, 3) to x."""
    way = scaled(1.0 - s, plus(vector(x[i]), -1.0, vector(x0[i])))
    if s == 0.0:
        return way
    head = head_of(model, i)
    return plus(way, s, plus(vector(x[head]), -1.0, vector(x0[head])))


@kernel
def gap_at(model: Model, pair: np.record, s: float, d: Vector) -> float:
    """The gap [m] of the two of a PAIR, of points so far along the rod's edge that are d [m] apart."""
    node = model.nodes[pair.i]
    other = model.nodes[head_of(model, pair.i) if s > 0.0 else pair.i]
    radius = (1.0 - s) * node.radius + s * other.radius
    thickness = model.surfaces.colliders[collider_of(model.surfaces, pair.j)].thickness
    return sqrt(dot(d, d)) - radius - thickness + (1.0 - s) * node.padding + s * other.padding


@kernel
def place_of(model: Model, pair: np.record, x: np.ndarray, parts: tuple[float, float]) -> Place:
    """Where the two of a PAIR touch, if they do, with vertices at x (N, 3); parts: as in `surface_meets`."""
    surfaces, i, head = model.surfaces, pair.i, head_of(model, pair.i)
    faces, edges = len(surfaces.faces), len(surfaces.edges)
    if pair.j < faces:
        return over_face(surfaces, pair.j, vector(x[i]), parts, 0.0)
    if head < 0:
        return NOWHERE
    if pair.j < faces + edges:
        place = over_edge(surfaces, pair.j - faces, vector(x[i]), vector(x[head]), parts)
    else:
        place = over_vertex(surfaces, pair.j - faces - edges, vector(x[i]), vector(x[head]), parts)
    if place[0] == 1.0 and head_of(model, head) >= 0:
        own = plus(vector(x[head]), -1.0, vector(x[i]))
        return past_end(place[1], own, own)
    return place


@kernel
def past_end(d: Vector, along: Vector, own: Vector) -> Place:
    """No place, where d [m] leads to the rod from what is nearest at the end of an edge. How far aside: as far as the
    edge, `along`, falls off from there; less, for as the rod's `own` edge turns, d does.
    """
    fall = abs(dot(d, along)) / sqrt(dot(along, along))
    fall /= 1.0 + 2.0 * sqrt(dot(d, d) / dot(own, own))
    return min(-fall, NOWHERE[0]), d, (0.0, 0.0, 0.0)


@kernel
def thickest(model: Model, i: int, head: int) -> float:
    """The larger radius [m] of both ends of an edge, −1: it is but a vertex."""
    radius = model.nodes[i].radius
    return max(radius, model.nodes[head].radius) if head >= 0 else radius


@kernel
def collider_of(surfaces: Surfaces, j: int) -> int:
    """Which collider feature j is of."""
    faces, edges = len(surfaces.faces), len(surfaces.edges)
    if j < faces:
        return surfaces.faces[j].collider
    return surfaces.edges[j - faces].collider if j < faces + edges else surfaces.vertices[j - faces - edges].collider


@kernel
def overlap_of(model: Model, pair: np.record, x: np.ndarray, part: float) -> float:
    """How deep [m] the two of a PAIR are in each other where they touch, vertices at x (N, 3), that part of the frame
    over; over the rod's radius. −∞: they do not touch.
    """
    s, d, _ = place_of(model, pair, x, (part, part))
    if s < 0.0:
        return -inf
    node = model.nodes[pair.i]
    other = model.nodes[head_of(model, pair.i) if s > 0.0 else pair.i]
    return -gap_at(model, pair, s, d) / ((1.0 - s) * node.radius + s * other.radius)


@kernel
def over_face(surfaces: Surfaces, f: int, x: Vector, parts: tuple[float, float], leaning: float) -> Place:
    """Of a vertex at x [m] over the inside of face f, or beside it by this part of its height. On it, it is before the
    face.
    """
    corner, samples, (now, then) = surfaces.faces[f].corner, surfaces.samples, parts
    p, q, r = corners(surfaces, f, now)
    e, g, d = plus(q, -1.0, p), plus(r, -1.0, p), plus(x, -1.0, p)
    n = cross(e, g)
    area = dot(n, n)
    if area <= NO_FACE * dot(e, e) * dot(g, g):
        return NOWHERE
    u, v = dot(cross(d, g), n) / area, dot(cross(e, d), n) / area
    up, least, size = dot(d, n) / area, ON / sqrt(sqrt(area)), sqrt(area)
    up = up if abs(up) > least else least
    if u < 0.0 or v < 0.0 or u + v > 1.0:
        far = plus(g, -1.0, e)
        aside = min(u * size / sqrt(dot(g, g)), v * size / sqrt(dot(e, e)), (1.0 - u - v) * size / sqrt(dot(far, far)))
        lean = leaning * abs(up) * size
        if aside < -lean or distance_to_triangle(plus(x, -up, n), p, q, r) > lean:
            return aside, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    return 0.0, scaled(up, n), drift_of(samples, corner, (1.0 - u - v, u, v), then - now)


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
    s, t = closest_parameters(plus(a, -1.0, p), own, along, 0.0)
    d = plus(plus(plus(a, -1.0, p), s, own), -t, along)
    on_wire = edge.opposite[0] < 0 and abs(dot(d, along)) <= SHARP * sqrt(square * dot(d, d))
    if (t == 0.0 or t == 1.0) and not on_wire:  # what is over a vertex of a straight line of edges is over both of them
        return past_end(d, along, own)
    up, down, inwards = 0.0, 0.0, (0.0, 0.0, 0.0)
    for m in range(2):
        if edge.opposite[m] >= 0:
            inward = plus(vertex_at(samples, edge.opposite[m], now), -1.0, p)
            inward = plus(inward, -dot(inward, along) / square, along)
            inward = scaled(1.0 / sqrt(dot(inward, inward) + 1e-300), inward)
            inwards, rise = plus(inwards, 1.0, inward), dot(d, inward)
            up, down = max(up, rise), max(down, -rise)
    if up > NEXT_TO * down or (down < SHARP * sqrt(dot(d, d)) and edge.opposite[0] >= 0):
        aside = (up - NEXT_TO * down) / (1.0 + NEXT_TO)
        return min(-max(aside, hollow(d, inwards) if now == then else 0.0), NOWHERE[0]), d, (0.0, 0.0, 0.0)
    return s, d, way_of_edge(surfaces, k, t, d, then - now)


@kernel
def hollow(d: Vector, inwards: Vector) -> float:
    """How far [m] the vector d from a surface's edge has to move at least until the edge may count, where the surface
    is flat or hollow towards d; else 0 or less. inwards: sum of the directions from the edge into its faces.

    Where it counts, d rises along one of them by less than it falls off along the other: d · inwards ≤ −FLAT |d|.
    """
    return (dot(d, inwards) + FLAT * sqrt(dot(d, d))) / (sqrt(dot(inwards, inwards)) + FLAT)


@kernel
def over_vertex(surfaces: Surfaces, k: int, a: Vector, b: Vector, parts: tuple[float, float]) -> Place:
    """Of a rod's edge from a to b [m] over a surface's vertex k."""
    samples, (now, then) = surfaces.samples, parts
    p, own = vertex_at(samples, k, now), plus(b, -1.0, a)
    s = min(max(dot(plus(p, -1.0, a), own) / dot(own, own), 0.0), 1.0)
    d = plus(plus(a, -1.0, p), s, own)
    up = down = 0.0
    for m in range(surfaces.vertices[k].edge[0], surfaces.vertices[k].edge[1]):
        e = plus(vertex_at(samples, surfaces.neighbours[m], now), -1.0, p)
        rise = dot(d, e) / sqrt(dot(e, e) + 1e-300)
        up, down = max(up, rise), max(down, -rise)
    if up > NEXT_TO * down:
        return (NEXT_TO * down - up) / (1.0 + NEXT_TO), d, (0.0, 0.0, 0.0)
    alone = surfaces.vertices[k].edge[0] == surfaces.vertices[k].edge[1]
    if down < SHARP * sqrt(dot(d, d)) and not alone:
        return NOWHERE[0], d, (0.0, 0.0, 0.0)
    return s, d, way_of_vertex(samples, k, then - now)
