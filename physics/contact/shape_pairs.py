"""Pairs that may touch bodies: what of rods, colliders, planes and other bodies is near a body's surface. The list is
made anew only when something may have moved by half its skin. How pairs are numbered: `contact_features`.
"""

from math import acos, sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.arrays import copy, copy_rows
from ..arithmetic.vectors import dot, plus, scaled, vector
from ..model import Model, OldState, State
from .carriers.body_surface import into
from .carriers.led_surface import fastest, moment
from .contact_features import BODY, LED, At
from .contact_filter import contains
from .feature_pairs import planes_near, things_near, within
from .near_features import OTHER, pairs_of
from .renewed_list import renew
from .scratch import ContactScratch
from .surface_contact import thickest
from .surface_pairs import furthest

# Scales of the smallest body, and times what a step needs, that a list is good for: half of that, a quarter …, what the
# step needs at least, where more than a quarter of ample room would be taken up: each step looks at all that is listed.
SPARE, WIDER, LONG = 0.5, 8.0, 0.25
BEYOND = 1.2  # times the way that things are expected to go, and
SURPRISE = 0.1  # scales of a body: so far it may get


@kernel
def key_of(model: Model, i: int, b: int, edge: bool) -> int:
    """In Model.rooted: vertex i, or the edge that leaves it, does not touch body b."""
    return 2 * (i * len(model.shapes) + b) + int(edge)


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
    for b in range(len(model.shapes)):
        if model.shapes[b].scale > 0.0:
            least = min(least, model.shapes[b].scale)
    coming = 2.0 * SURPRISE * least + fastest(model.surfaces) * h + BEYOND * furthest(state.x, old.x)
    coming += 2.0 * BEYOND * way_of_bodies(model, old.bodies, state.bodies)
    if listing.count >= 0 and listing.time >= model.surfaces.span[0]:
        listing.near = closed_by(model, state, old.x, old.bodies, time) + coming
        if listing.near <= listing.skin:
            return True
    skin, at = SPARE * least + WIDER * coming, (old.x, old.bodies, (moment(model.surfaces, time), 0.0))
    found = work.found[: len(state.shape_pairs)]
    count = shape_pairs_near(model, at, skin, found)
    while count > LONG * model.world[0].ample and skin > coming:
        skin = max(0.5 * skin, coming)
        count = shape_pairs_near(model, at, skin, found)
    if not renew(state.shape_pairs, listing, count, work):
        return False
    copy_rows(old.x, state.shape_listed)
    copy(old.bodies, state.listed_bodies)
    listing.skin, listing.near, listing.time = skin, coming, time
    return True


@kernel
def shape_pairs_near(model: Model, at: At, skin: float, pairs: np.ndarray) -> int:
    """Fill `pairs` with all whose gaps are below `skin` [m]. Returns how many there are; where there is no room for
    all, more than there is for.
    """
    count, shapes, bodies, near = 0, model.shapes, at[1], (at, skin, 0.0)
    for b in range(len(shapes)):
        if shapes[b].face[0] == shapes[b].face[1]:
            continue
        if len(model.capsules) > 0:
            count = near_rods(model, at, b, skin, pairs, count)
        for a in range(b):
            if count > max(len(pairs), model.world[0].ample):
                return count  # however many there are
            if shapes[a].face[0] < shapes[a].face[1]:
                d = plus(vector(bodies[a].x), -1.0, vector(bodies[b].x))
                if dot(d, d) <= (shapes[a].reach + shapes[b].reach + skin) ** 2:
                    count = things_near(model, (BODY, a), (BODY, b), near, pairs, count)
        if len(model.surfaces.faces) > 0:
            count = things_near(model, (BODY, b), (LED, -1), near, pairs, count)
        count = planes_near(model, (BODY, b), near, pairs, count)
    return count


@kernel
def near_rods(model: Model, at: At, b: int, skin: float, pairs: np.ndarray, count: int) -> int:
    """Add the pairs of rods and body b."""
    for k in range(len(model.capsules)):
        capsule = model.capsules[k]
        count = near_edge(model, at, (capsule.tail, capsule.head, b), skin, pairs, count)
        if not capsule.successor and not model.rods[capsule.rod].closed:
            count = near_edge(model, at, (capsule.head, -1, b), skin, pairs, count)
    return count


@kernel
def near_edge(model: Model, at: At, which: tuple[int, int, int], skin: float, pairs: np.ndarray, count: int) -> int:
    """Add the pairs of a rod's edge from vertex i to `head`, or of vertex i alone, −1, and body b."""
    (i, head, b), (x, bodies, _), radius = which, at, thickest(model, which[0], which[1])
    a, c = vector(x[i]), vector(x[head if head >= 0 else i])
    mid, along, far = plus(scaled(0.5, a), 0.5, c), plus(c, -1.0, a), model.shapes[b].reach + radius + skin
    d = plus(mid, -1.0, vector(bodies[b].x))
    if dot(d, d) > (far + model.skins.colliders[b].thickness + 0.5 * sqrt(dot(along, along))) ** 2:
        return count
    point = not contains(model.rooted, key_of(model, i, b, False))
    edge = head >= 0 and not contains(model.rooted, key_of(model, i, b, True))
    segment = into(bodies[b], a), into(bodies[b], c), i, point, edge, edge, OTHER
    group, near, own = model.rods[model.nodes[i].rod].group, (radius, skin, 0.0), within(model, (BODY, b))
    return pairs_of(model.skins, model.collision_filter, group, segment, near, own, pairs, count)
