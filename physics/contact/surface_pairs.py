"""Pairs of rods' features and surfaces' that may touch, listed anew only when something has moved by part of the skin:
a vertex and a face, an edge and another edge, an edge and a vertex.

Edges of rods are numbered by the vertex they leave.
"""

from math import inf, sqrt

import numpy as np

from .._jit import entry, kernel
from ..model import Model, State
from ..rods.chain import head_of
from ..rods.vectors import Vector, vector
from .bounding_volumes import LEAF, behind, next_leaf
from .carriers.led_surface import fastest, moment, vertex_at
from .contact_filter import pass_through
from .inequality_constraints import inherit
from .scratch import ContactScratch
from .segment_distance import distance_of, distance_to, distance_to_face

SPARE, WIDER = 0.5, 2.0  # radii, and times what a step needs, that a list is good for
BEYOND, BESIDE = 1.2, 0.1  # times the way that a vertex is expected to go, and the furthest of all: so far it may get
SKIN = 3  # column of State.surface_listed


@kernel
def thickest(model: Model, i: int, head: int) -> float:
    """The larger radius [m] of both ends of an edge, −1: it is but a vertex."""
    radius = model.nodes[i].radius
    return max(radius, model.nodes[head].radius) if head >= 0 else radius


@kernel
def furthest(x: np.ndarray, y: np.ndarray) -> float:
    """The longest row of x − y (n, 3)."""
    square = 0.0
    for i in range(len(x)):
        d = (x[i, 0] - y[i, 0]) ** 2 + (x[i, 1] - y[i, 1]) ** 2 + (x[i, 2] - y[i, 2]) ** 2
        if not d <= square:
            square = d
    return sqrt(square)


@entry
def list_surface_pairs(
    model: Model, state: State, x0: np.ndarray, work: ContactScratch, h: float, surprise: float
) -> bool:
    """Keep the list of pairs complete for a step of h [s] from x0 (N, 3) to about state.x, in which a vertex may end so
    many radii from there: work.near (N,) of each edge is how wide, when they were listed, gaps were at most that may
    close. False when the list has no room: then it is as it was.
    """
    listing, near, listed = state.surface_listing[0], work.near, state.surface_listed
    expect(model, state.x, x0, h, surprise, work.margin)
    time, first = state.clock[0].time, listing.count < 0 or listing.time < model.surfaces.span[0]
    for i in range(len(near)):
        near[i] = margin_of(model, work.margin, i) + closed(model, state, x0, time, i)
        first = first or not near[i] <= listed[i, SKIN]
    if not first:
        return True
    return list_anew(model, state, x0, work)


@kernel
def list_anew(model: Model, state: State, x0: np.ndarray, work: ContactScratch) -> bool:
    """Make the list of pairs at x0 (N, 3), for margins in work.margin (N,): see `list_surface_pairs`."""
    listing, near, listed, time = state.surface_listing[0], work.near, state.surface_listed, state.clock[0].time
    known = max(listing.count, 0)
    for p in range(known):
        work.old_pairs[p] = state.surface_pairs[p]
    for i in range(len(near)):
        near[i] = SPARE * model.nodes[i].radius + WIDER * margin_of(model, work.margin, i)
    count = pairs_near(model, x0, near, moment(model.surfaces, time), state.surface_pairs)
    if count > len(state.surface_pairs):
        for p in range(known):
            state.surface_pairs[p] = work.old_pairs[p]
        return False
    for i in range(len(near)):
        listed[i, 0], listed[i, 1], listed[i, 2], listed[i, SKIN] = x0[i, 0], x0[i, 1], x0[i, 2], near[i]
        near[i] = margin_of(model, work.margin, i)
    listing.time, listing.count = time, count
    inherit(work.old_pairs, known, state.surface_pairs, count, work.first, work.following)
    return True


@kernel
def expect(model: Model, x: np.ndarray, x0: np.ndarray, h: float, surprise: float, margin: np.ndarray) -> None:
    """How far [m] each vertex may move against surfaces: margin (N,)."""
    common = BESIDE * furthest(x, x0) + fastest(model.surfaces) * h
    for i in range(len(x)):
        margin[i] = surprise * model.nodes[i].radius + BEYOND * distance(x[i], x0[i]) + common


@kernel
def margin_of(model: Model, margin: np.ndarray, i: int) -> float:
    """The larger one of both ends of an edge."""
    head = head_of(model, i)
    return max(margin[i], margin[head]) if head >= 0 else margin[i]


@kernel
def closed(model: Model, state: State, x: np.ndarray, time: float, i: int) -> float:
    """By how much [m] gaps of edge i may have closed since pairs were listed, vertices being at x (N, 3) at `time`."""
    head, listed = head_of(model, i), state.surface_listed
    gone = distance(x[i], listed[i])
    if head >= 0:
        gone = max(gone, distance(x[head], listed[head]))
    return gone + fastest(model.surfaces) * abs(time - state.surface_listing[0].time)


@kernel
def distance(a: np.ndarray | Vector, b: np.ndarray | Vector) -> float:
    """Of two points [m], the first three numbers of both."""
    return sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)


@kernel
def pairs_near(model: Model, x: np.ndarray, skin: np.ndarray, part: float, pairs: np.ndarray) -> int:
    """Fill `pairs` with all that is nearer to an edge than its skin (N,) [m], when part of the frame is over. Returns
    how many there are, more than there is room for perhaps.
    """
    tree, faces, count = model.surfaces.tree, model.surfaces.faces, 0
    leaves = len(tree) // 2
    for i in range(len(model.nodes)):
        head = head_of(model, i)
        a, b = vector(x[i]), vector(x[head if head >= 0 else i])
        reach = thickest(model, i, head) + skin[i]
        low = min(a[0], b[0]) - reach, min(a[1], b[1]) - reach, min(a[2], b[2]) - reach
        high = max(a[0], b[0]) + reach, max(a[1], b[1]) + reach, max(a[2], b[2]) + reach
        box = low[0], low[1], low[2], high[0], high[1], high[2]
        k = next_leaf(tree, box, 1)
        while k > 0:
            for m in range(LEAF * (k - leaves), min(LEAF * (k - leaves + 1), len(faces))):
                count = add_features(model, (a, b), (i, head), model.surfaces.order[m], (skin[i], part), pairs, count)
            k = behind(k)
            if k > 0:
                k = next_leaf(tree, box, k)
    return count


@kernel
def add_features(
    model: Model,
    rod: tuple[Vector, Vector],
    ends: tuple[int, int],
    f: int,
    near: tuple[float, float],
    pairs: np.ndarray,
    count: int,
) -> int:
    """Add the pairs of one edge of a rod, or of its last vertex, with what is found with face f.

    rod: its ends [m]; ends: their numbers, −1: there is no edge; near: (skin [m], part of the frame that is over).
    """
    surfaces, (a, b), (i, head), (skin, part) = model.surfaces, rod, ends, near
    face, samples = surfaces.faces[f], surfaces.samples
    group = surfaces.colliders[face.collider].group
    if pass_through(model.strangers, model.rods[model.nodes[i].rod].group, group):
        return count
    reach = thickest(model, i, head) + surfaces.colliders[face.collider].thickness + skin
    p, q, r = (
        vertex_at(samples, face.corner[0], part),
        vertex_at(samples, face.corner[1], part),
        vertex_at(samples, face.corner[2], part),
    )
    if apart(a, b, p, q, r) > reach:
        return count
    if not model.nodes[i].sunk and apart(a, a, p, q, r) <= reach:
        count = add(pairs, count, (i, f), distance_to_face(a, p, q, r), (reach, skin))
    if head < 0 or model.nodes[i].sunk or model.nodes[head].sunk:
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
        own.i, own.j, own.gap, own.aside = pair[0], pair[1], distance - near[0] + near[1], 0.0
    return count + 1


@kernel
def apart(a: Vector, b: Vector, p: Vector, q: Vector, r: Vector) -> float:
    """How far [m] the boxes around a, b and around p, q, r are apart along some axis."""
    most = -inf
    for c in range(3):
        low, high = min(p[c], q[c], r[c]), max(p[c], q[c], r[c])
        most = max(most, low - max(a[c], b[c]), min(a[c], b[c]) - high)
    return most
