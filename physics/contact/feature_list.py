"""The list of pairs that may touch rigid or soft bodies, made anew only when something may have moved by a part of its
skin; pairs of one soft body, but for how that moves as a whole. How pairs are numbered: `contact_features`.

The samples of soft bodies' surfaces are where a step begins and where it leads, before anything is listed.
"""

from math import acos, inf, sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.arrays import copy, copy_rows
from ..arithmetic.vectors import dot, plus, vector
from ..model import FEATURES, Model, OldState, State
from .bounding_volumes import fit_boxes
from .carriers.led_surface import fastest, moment, thinnest
from .contact_features import PLANE, At, ends_of, first_of, second_of
from .feature_contact import reach_of, size_of
from .feature_pairs import between, features_near
from .renewed_list import renew
from .rigid_motion import ways_of
from .scratch import ContactScratch
from .surface_pairs import furthest

# Scales of the smallest rigid body, or thicknesses of the thinnest soft one, that a list is good for, or times what a
# step needs, if that is more; and scales by which gaps may close beside what is expected:
RIGID = 2.0, 8.0, 0.2
SOFT = 12.0, 4.0, 0.5
OWN = 6.0  # pairs of one soft body, and those between rigid and soft ones, go by so many thicknesses.
# Half of that, a quarter …, where more than this part of ample room would be taken up, for each step looks at all that
# is listed; but no less than for so many steps, or for one where that would take up more than is ample:
LONG, STEPS = 0.125, 2.0
BEYOND = 1.2  # times the way that things are expected to go
ENDLESS = 1e300  # m: no pair is nearer where there is none

Places = tuple[np.ndarray, np.ndarray, np.ndarray]  # of rods' vertices (N, 3), bodies, BODY_STATE (B,), and vertices of
# soft bodies (V, 3) [m]
Gaps = tuple[float, float]  # [m] of all pairs but those of one soft body, and of these


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
def closing(model: Model, old: Places, new: Places, led: float) -> Gaps:
    """By how much gaps close at most where things go from old to new places, and colliders so far, led [m]."""
    own, most = model.solids.surface, way_of_bodies(model, old[1], new[1])
    if between(model):
        return most + furthest(new[2], old[2]), 0.0
    within, rods = 0.0, furthest(new[0], old[0]) if len(model.capsules) > 0 else 0.0
    for s in range(len(own.colliders)):
        first, end = own.colliders[s].vertex
        way = ways_of(new[2][first:end], old[2][first:end])
        most, within = max(most, way[0]), max(within, way[1])
    return most + max(most, rods, led), 2.0 * within


@kernel
def closed_by(model: Model, state: State, x: np.ndarray, bodies: np.ndarray, k: int, time: float) -> Gaps:
    """By how much gaps may have closed since they were measured: at these places, soft bodies' in sample k, at this
    `time` [s].
    """
    then, now = state.feature_listed, (x, bodies, model.solids.surface.samples[k])
    led = fastest(model.surfaces) * abs(time - state.listings[FEATURES].time)
    return closing(model, (then, state.listed_bodies, then), now, led)


@kernel
def finest(model: Model) -> float:
    """The thickness of the thinnest soft body, or the smallest scale of a rigid one [m], ENDLESS where none touches:
    then what lists are good for has a ratio to what they were good for.
    """
    least = min(thinnest(model.solids.surface), ENDLESS)
    for b in range(0 if least < ENDLESS else len(model.shapes)):
        if model.shapes[b].scale > 0.0:
            least = min(least, model.shapes[b].scale)
    return least


@kernel
def coming(model: Model, state: State, old: OldState, h: float) -> Gaps:
    """By how much gaps may close in a step of h [s] from `old` to about `state`."""
    before, behind = model.solids.surface.samples[0], model.solids.surface.samples[1]
    way = closing(model, (old.x, old.bodies, before), (state.x, state.bodies, behind), fastest(model.surfaces) * h)
    surprise = (SOFT[2] if len(model.solids.on_node) > 0 else RIGID[2]) * finest(model)
    return surprise + BEYOND * way[0], surprise + BEYOND * way[1]


@kernel
def are_listed(model: Model, state: State, old: OldState, gaps: Gaps) -> bool:
    """Whether all pairs are listed that may touch in a step from `old` in which gaps close by that: near of the listing
    is how wide, when they were measured, gaps were at most that may.
    """
    listing, time = state.listings[FEATURES], state.clock[0].time
    if listing.count < 0 or (listing.time < model.surfaces.span[0] and not between(model)):
        return False
    gone = closed_by(model, state, old.x, old.bodies, 0, time)
    listing.near, listing.own_near = gone[0] + gaps[0], gone[1] + gaps[1]
    return listing.closed + listing.near <= listing.skin and listing.own_closed + listing.own_near <= listing.own_skin


@kernel
def list_features(model: Model, state: State, old: OldState, work: ContactScratch, h: float) -> bool:
    """Keep the list complete for a step of h [s] from `old` to about `state`. False when it has no room: then it is as
    it was. So it is where the step leads nowhere.
    """
    gaps = coming(model, state, old, h)
    return not gaps[0] < inf or are_listed(model, state, old, gaps) or relist(model, state, old, work, gaps[0], gaps[1])


@entry
def relist(model: Model, state: State, old: OldState, work: ContactScratch, gap: float, own_gap: float) -> bool:
    """Make the list anew for steps as the one in which gaps close by so much [m]. False when it has no room."""
    listing, time, own = state.listings[FEATURES], state.clock[0].time, model.solids.surface
    soft, at = len(model.solids.on_node) > 0, (old.x, old.bodies, (moment(model.surfaces, time), 0.0))
    spare, wider, _ = SOFT if soft else RIGID
    least, ample, found = finest(model), model.world[0].ample, work.found[: len(state.feature_pairs)]
    wide = max((OWN if between(model) else spare) * least, wider * gap) if others(model) else 0.0
    inside = max(OWN * least, wider * own_gap)
    part = first_part(listing, (wide, inside), (gap, own_gap), LONG * ample)
    if soft:
        fit_boxes(own)
    while True:
        skins = max(part * wide, gap) if wide > 0.0 else ENDLESS, max(part * inside, own_gap)
        count = features_near(model, at, skins, found)
        steps = STEPS if count <= ample else 1.0
        if count <= LONG * ample or (part * wide <= steps * gap and part * inside <= steps * own_gap):
            break
        part *= 0.5
    if not renew(state.feature_pairs, listing, count, work):
        return False
    listing.skin, listing.own_skin, listing.near, listing.own_near = skins[0], skins[1], gap, own_gap
    listing.closed = listing.own_closed = 0.0
    stay(model, state, old)
    return True


@kernel
def first_part(listing: np.record, widest: Gaps, gaps: Gaps, most: float) -> float:
    """Of the widest skins [m], with which the next list may have no more than `most` pairs: what the last one had, or
    twice as much, for on a surface pairs go by its square; but enough for some steps in which gaps close by that.
    """
    (wide, inside), (gap, own_gap) = widest, gaps
    if listing.count < 0:
        return 1.0
    last, least = listing.own_skin / inside, STEPS * own_gap / inside
    if wide > 0.0:
        last, least = max(last, listing.skin / wide), max(least, STEPS * gap / wide)
    return min(max(2.0 * last if 4.0 * listing.count <= most else last, least), 1.0)


@kernel
def stay(model: Model, state: State, old: OldState) -> None:
    """Gaps are as they are at `old`."""
    if len(model.solids.on_node) > 0:
        copy_rows(model.solids.surface.samples[0], state.feature_listed)
    else:
        copy_rows(old.x, state.feature_listed)
    copy(old.bodies, state.listed_bodies)
    state.listings[FEATURES].time = state.clock[0].time


@kernel
def measure_anew(model: Model, state: State, old: OldState) -> None:
    """Measure the gaps of all listed pairs at `old`, if they have closed by half of what makes pairs near: what is near
    each other on one mesh stays so, and need not be looked at in each step.
    """
    listing, time = state.listings[FEATURES], state.clock[0].time
    gone = closed_by(model, state, old.x, old.bodies, 0, time)
    if 2.0 * gone[0] < listing.near and 2.0 * gone[1] < listing.own_near:
        return
    at = old.x, old.bodies, (moment(model.surfaces, time), 0.0)
    for p in range(listing.count):
        state.feature_pairs[p].gap = gap_of(model, state.feature_pairs[p], at)
    listing.closed, listing.own_closed = listing.closed + gone[0], listing.own_closed + gone[1]
    listing.near, listing.own_near = listing.near - gone[0], listing.own_near - gone[1]
    stay(model, state, old)


@kernel
def gap_of(model: Model, pair: np.record, at: At) -> float:
    """Of a PAIR [m], as it is listed: that of a rod counts as everywhere as thick as at its thicker end."""
    (of, j), one, other = second_of(model, pair.j), size_of(model, pair, 0.0)[0], size_of(model, pair, 1.0)[0]
    if of == PLANE:
        up = plus(ends_of(model, first_of(model, pair.i), at)[0], -1.0, vector(model.planes[j].point))
        return dot(up, model.planes[j].n) - one
    return min(one - other, 0.0) - reach_of(model, pair, at)


@kernel
def others(model: Model) -> bool:
    """Whether there is anything beside a single soft body."""
    surroundings = len(model.surfaces.faces) > 0 or len(model.planes) > 0
    return surroundings or len(model.shapes) > 0 or len(model.solids.surface.colliders) > 1
