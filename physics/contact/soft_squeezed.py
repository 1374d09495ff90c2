"""What soft bodies ask of the room that colliders leave them: rows of `squeezed`, by the faces of their surface.

A soft body gives way until it is FLAT times as thick as it is relaxed. From each face that a collider is near to, a
column is followed along the normal there, out of the body on its far side, and through what other soft bodies it comes
to: all of it may become so much shorter. A column goes as one, like a rod's vertex, and what is near to either end has
to leave it room: the one at the far end, beyond what it may be shorter by. A column that ends where nodes are held goes
no further than these are led. What is held itself goes through colliders, and asks for nothing. A sheet, which has no
inside, is a column of no length, from either side.
"""

from math import inf, sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, cross, dot, plus, scaled, vector
from ..model import Model, State, Surfaces
from ..solids.constraints import led
from .bounding_volumes import LEAF, behind, fit_boxes, next_leaf
from .carriers.led_surface import corners, lay
from .contact_features import LED, PLANE, first_of, second_of
from .feature_contact import features_meet, stands_out

FLAT = 0.25  # a step's cost: between jaws a cube took 1.2, 2.2, 3.8, 7.0 and 12.3 times as long when it was flattened
# to .32, .25, .18, .15 and .12 as to .38, and beyond .05 it flowed out without end
ALONG = 1e-9  # of a triangle: how far beside it a column still meets it, lest it slips through between two
HELD = 0.5  # of the shares of a face's corners, from which on it goes where its nodes are held
Foot = tuple[int, float, Vector]  # (a face, or −1, how far along a column it is [m], the shares of its corners there)


@kernel
def ways_of_held(model: Model, state: State, time: float, way: np.ndarray) -> None:
    """How far nodes that are held go from where they are until a time [s]: way (N, 3) [m], 0 of others."""
    anchors = model.solids.anchors
    for k in range(len(anchors)):
        i = anchors[k].node
        if state.w[i] == 0.0:
            place, _, _ = led(model, anchors[k], time)
            for c in range(3):
                way[i, c] = place[c] - state.x[i, c]


@kernel
def lay_solids(model: Model, state: State) -> None:
    """Soft bodies' surfaces, and the boxes around them, are where their nodes are."""
    own, on_node = model.solids.surface, model.solids.on_node
    lay(own, on_node, state.x, 0)
    lay(own, on_node, state.x, 1)
    fit_boxes(own)


@kernel
def touches_of_solids(
    model: Model, state: State, pairs: np.ndarray, first: np.ndarray, contact: np.record, touches: np.ndarray
) -> int:
    """Fill touches, SQUEEZE, with what may touch soft bodies, of the node that is nearest: part is that, and the next
    one of the same node, `short` the gap at present; first (N,): of each node, or −1. pairs: as `features_near`
    fills them; contact: a CONTACT, scratch. Returns how many there are.
    """
    count, now, then = 0, (state.x, state.bodies, (0.0, 0.0)), (state.x, state.bodies, (1.0, 1.0))
    first[:] = -1
    for p in range(len(pairs)):
        (of, i, is_edge), (its, j) = first_of(model, pairs[p].i), second_of(model, pairs[p].j)
        if of == its:  # both soft
            continue
        pairs[p].force[0] = 1.0  # however far they are apart
        if not features_meet(model, pairs[p], now, then, contact):
            continue
        if is_edge and not stands_out(model, (of, i, True), now, vector(contact.n)):
            continue  # an edge that lies flat is on a way aslant of the faces at which columns begin
        most = 0
        for k in range(4):
            if abs(contact.share[k]) > abs(contact.share[most]):
                most = k
        node, row, n = contact.node[most], touches[count], vector(contact.n)
        if state.w[node] == 0.0:
            continue
        row.part[0], row.part[1], first[node] = node, first[node], count
        row.gap, row.short, row.feature = contact.gap - dot(n, contact.drift), contact.gap, -1
        if of == LED:
            row.feature = len(model.surfaces.faces) + len(model.surfaces.edges) + i
        elif its != PLANE:
            row.feature = j
        for c in range(3):
            row.slope[0, c] = n[c]
        count += 1
    return count


@kernel
def rows_of_solids(
    model: Model,
    state: State,
    touches: np.ndarray,
    first: np.ndarray,
    places: tuple[np.ndarray, np.ndarray],
    closing: float,
    rows: np.ndarray,
) -> int:
    """Fill rows with what columns ask for, whose part is the face at which they begin, and behind it the one at that
    end; touches, first: of `touches_of_solids`; places: (ways of what is held, relaxed places) (N, 3) [m]; closing [m]:
    what is further apart does not meet. Returns how many there are, more than there is room for perhaps.
    """
    own, on_node, count = model.solids.surface, model.solids.on_node, 0
    for f in range(len(own.faces)):
        nearest, gap = -1, inf
        for k in range(3):
            t = first[on_node[own.faces[f].corner[k]]]
            while t >= 0:
                if touches[t].feature >= 0 and touches[t].short < gap:
                    nearest, gap = t, touches[t].short
                t = touches[t].part[1]
        if nearest < 0:
            continue
        n, (p, q, r) = vector(touches[nearest].slope[0]), corners(own, f, 0.0)
        if not (is_open(own, f) or dot(n, cross(plus(q, -1.0, p), plus(r, -1.0, p))) < 0.0):
            continue
        begin = (f, 0.0, (1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0))
        room, end, held = follow(model, state, begin, (at_foot(model, state.x, begin), n), places[1], closing)
        if end[0] < 0:
            continue
        count = add_touches(model, state, (touches, first), (f, begin), n, 0.0, rows, count)
        count = add_touches(model, state, (touches, first), (f, end), n, room, rows, count)
        if held:
            room += dot(n, at_foot(model, places[0], end))
            count = add(rows, count, (f, end[0]), scaled(-1.0, n), (room, inf), -1)
    return count


@kernel
def add_touches(
    model: Model,
    state: State,
    known: tuple[np.ndarray, np.ndarray],
    at: tuple[int, Foot],
    n: Vector,
    room: float,
    rows: np.ndarray,
    count: int,
) -> int:
    """Add what touches the end of a column along n, as far as it is from there; known: touches and first, of
    `touches_of_solids`; at: (the face at which the column begins, this end); room [m]: by which it may be shorter.
    """
    own, (touches, first), (f, foot) = model.solids.surface, known, at
    place, thickness = at_foot(model, state.x, foot), own.colliders[own.faces[foot[0]].collider].thickness
    for k in range(3):
        node = model.solids.on_node[own.faces[foot[0]].corner[k]]
        beyond, t = plus(place, -1.0, vector(state.x[node])), first[node]
        while t >= 0:
            m = vector(touches[t].slope[0])
            gap = touches[t].gap + dot(m, beyond) + room * max(0.0, -dot(m, n))
            count = add(rows, count, (f, foot[0]), m, (gap, thickness), touches[t].feature)
            t = touches[t].part[1]
    return count


@kernel
def add(rows: np.ndarray, count: int, parts: tuple[int, int], n: Vector, gap: tuple[float, float], feature: int) -> int:
    """Add a SQUEEZE, where there is room for it; gap: (itself, radius) [m]."""
    if count < len(rows):
        row = rows[count]
        row.part[0], row.part[1] = parts
        row.gap, row.radius, row.feature, row.short = gap[0], gap[1], feature, 0.0
        for c in range(3):
            row.n[c], row.slope[0, c], row.slope[1, c] = n[c], n[c], 0.0
    return count + 1


@kernel
def follow(
    model: Model, state: State, begin: Foot, ray: tuple[Vector, Vector], rest: np.ndarray, closing: float
) -> tuple[float, Foot, bool]:
    """(by how much [m] a column may become shorter, where it ends, whether that is held); ray: (where it begins [m],
    direction); rest (N, 3) [m]: relaxed; closing [m]: bodies further apart do not meet. The end is no face where it
    does not come out again.
    """
    own, room, end = model.solids.surface, 0.0, (-1, 0.0, ray[0])
    if is_open(own, begin[0]):
        return 0.0, begin, free_share(model, state, begin) < HELD
    while begin[0] >= 0:
        body = own.colliders[own.faces[begin[0]].collider]
        size = model.solids.bodies[own.faces[begin[0]].collider].size
        out = meets(own, ray, (begin[1], begin[1] + 2.0 * size), own.faces[begin[0]].collider, 1.0)
        if out[0] < 0:
            break
        end = out
        one, other = at_foot(model, rest, begin), at_foot(model, rest, end)
        apart = plus(other, -1.0, one)
        room += end[1] - begin[1] - FLAT * sqrt(dot(apart, apart))
        if free_share(model, state, end) < HELD:
            return room, end, True
        begin = meets(own, ray, (end[1], end[1] + 2.0 * body.thickness + closing), -1, -1.0)
        if begin[0] >= 0:
            thick = body.thickness + own.colliders[own.faces[begin[0]].collider].thickness
            room += max(0.0, begin[1] - end[1] - thick)
    return room, end, False


@kernel
def is_open(own: Surfaces, f: int) -> bool:
    """Whether face f is a sheet's."""
    return own.colliders[own.faces[f].collider].open


@kernel
def free_share(model: Model, state: State, foot: Foot) -> float:
    """The shares of a foot's corners that are free."""
    free, corner = 0.0, model.solids.surface.faces[foot[0]].corner
    for k in range(3):
        if state.w[model.solids.on_node[corner[k]]] > 0.0:
            free += foot[2][k]
    return free


@kernel
def at_foot(model: Model, x: np.ndarray, foot: Foot) -> Vector:
    """Where a foot is with nodes at x (N, 3) [m]."""
    place, corner = (0.0, 0.0, 0.0), model.solids.surface.faces[foot[0]].corner
    for k in range(3):
        place = plus(place, foot[2][k], vector(x[model.solids.on_node[corner[k]]]))
    return place


@kernel
def meets(own: Surfaces, ray: tuple[Vector, Vector], between: tuple[float, float], body: int, sign: float) -> Foot:
    """The first foot of a ray, (from, direction), between two ways along it [m], on a face of a body, −1: of any, that
    it leaves that by, or enters: sign 1 or −1. Of the face where it begins, −1 where there is none.

    It leaves later than it has entered: else a ray along faces that are flat to rounding errors, of which some count as
    entered and some as left, would go in and out of an edge between them without end.
    """
    (a, n), (low, high), best = ray, between, (-1, inf, (0.0, 0.0, 0.0))
    p, q = plus(a, low, n), plus(a, high, n)
    box = min(p[0], q[0]), min(p[1], q[1]), min(p[2], q[2]), max(p[0], q[0]), max(p[1], q[1]), max(p[2], q[2])
    leaves, k = len(own.tree) // 2, next_leaf(own.tree, box, 1)
    while k > 0:
        for m in range(LEAF * (k - leaves), min(LEAF * (k - leaves + 1), len(own.faces))):
            face = own.faces[own.order[m]]
            if body >= 0 and face.collider != body:
                continue
            p, q, r = corners(own, own.order[m], 0.0)
            e, g = plus(q, -1.0, p), plus(r, -1.0, p)
            up = cross(e, g)
            square, rise, d = dot(up, up), dot(up, n), plus(p, -1.0, a)
            if not sign * rise > 0.0:
                continue
            t = dot(d, up) / rise
            foot = plus(scaled(t, n), -1.0, d)
            u, v = dot(cross(foot, g), up) / square, dot(cross(e, foot), up) / square
            ahead = t > low if sign > 0.0 else t >= low
            if ahead and t < min(best[1], high) and u >= -ALONG and v >= -ALONG and u + v <= 1.0 + ALONG:
                best = (own.order[m], t, (1.0 - u - v, u, v))
        k = behind(k)
        if k > 0:
            k = next_leaf(own.tree, box, k)
    return best
