"""Pairs of rods' features and surfaces' that may touch, listed anew only when something has moved by part of the skin:
a vertex and a face, an edge and another edge, an edge and a vertex.

Edges of rods are numbered by the vertex they leave. They are listed where they are expected in the middle of the step:
so they stay within half their way of where that was. Of a fine surface hundreds of pairs are listed for each that
touches: one that is found to be far is looked at again when its edge has gone as far. An edge that has nothing around
it for a long way needs no new list for as long. What goes further than that in a step is looked at behind it, by how it
went.
"""

from math import inf, sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.vectors import Vector, vector
from ..model import SURFACES, Model, State
from ..rods.chain import head_of
from .bounding_volumes import next_leaf
from .carriers.led_surface import fastest, moment
from .near_features import OTHER, box_around, pairs_of, whole
from .renewed_list import inherit
from .scratch import ContactScratch
from .surface_contact import thickest

GOOD = 0.06, 1.1  # radii, and times what a step needs, that a list is good for
BEYOND = 0.02  # of the way that an edge is expected to go: by so much it may stray
SPARSE = 4.0  # times its skin that an edge without pairs tries next
LOOSE = 2.0  # times the skin that an edge would be given now: beyond that it is given that one
KEEP = 0.9  # of its skin, all of it where lists are made at each step: an edge that needs less keeps its pairs
KEPT = -1.0  # the skin of such an edge
# Columns of State.surface_listed [m], behind where vertices were: how wide gaps were at most that are listed; the
# smallest gap; by how much gaps had closed when other edges got new pairs; how far the edge has gone, all ways added
# up; and where vertices were when that was last counted.
SKIN, SMALLEST, GONE, WENT, LAST = range(3, 8)
MIDDLE = 0.5  # of the step, where pairs are listed


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
    listing, near, listed, middle = state.listings[SURFACES], work.near, state.surface_listed, work.middle
    time, whole = state.clock[0].time, listing.count < 0 or listing.time < model.surfaces.span[0]
    follow(model, state, x0, work)
    expect(model, state.x, x0, h, (surprise, BEYOND, 0.0), work)
    gaps_closed(model, state, x0, h, near)
    complete = not whole
    for i in range(len(near)):
        near[i] += work.beyond[i]
        if not near[i] <= listed[i, SKIN]:
            complete = False
    if complete:
        return True
    for i in range(len(x0)):
        for c in range(3):
            middle[i, c] = x0[i, c] + MIDDLE * (state.x[i, c] - x0[i, c])
    for i in range(len(near)):
        near[i] += ahead(work, MIDDLE, i) - work.beyond[i]  # were its pairs kept, and counted from the middle
    keep = 1.0 if time - listing.time < h else KEEP
    return list_anew(model, state, middle, work, (time + MIDDLE * h, MIDDLE), 0.0 if whole else keep, GOOD)


@kernel
def list_anew(
    model: Model,
    state: State,
    x: np.ndarray,
    work: ContactScratch,
    when: tuple[float, float],
    keep: float,
    good: tuple[float, float],
) -> bool:
    """Make the list of pairs at x (N, 3): see `list_surface_pairs`. Edges that need no more than such a part of their
    skin, keep, keep their pairs, unless they are LOOSE. when: the time [s], and which part of a step is on one side of
    it at most; good: radii, and times what a step needs, that the list is to be good for.
    """
    listing, near, listed, (time, part) = state.listings[SURFACES], work.near, state.surface_listed, when
    pairs, more, known, kept = state.surface_pairs, work.found, max(listing.count, 0), 0
    for i in range(len(near)):
        skin = good[0] * model.nodes[i].radius + good[1] * ahead(work, part, i)
        loose = listed[i, SMALLEST] < listed[i, SKIN] and listed[i, SKIN] > LOOSE * skin
        if keep == 0.0 or loose or not near[i] <= keep * listed[i, SKIN]:
            near[i] = skin_of(model, state, x, skin, i)
        else:
            near[i] = KEPT
    new = pairs_near(model, x, near, moment(model.surfaces, time), more)
    for p in range(known):
        kept += int(near[pairs[p].i] == KEPT)
    listing.asked = kept + new
    if listing.asked > len(pairs):
        return False
    inherit(pairs, known, more, new, work)
    put_in(pairs, known, more[:new], near)
    for i in range(len(near)):
        if near[i] == KEPT:
            listed[i, GONE] = closed(model, state, x, time, i)
        else:
            listed[i, SKIN], listed[i, SMALLEST], listed[i, GONE] = near[i], near[i], 0.0
    for i in range(len(near)):
        listed[i, 0], listed[i, 1], listed[i, 2] = x[i, 0], x[i, 1], x[i, 2]
        near[i] = ahead(work, part, i) + listed[i, GONE]
    for p in range(new):
        listed[more[p].i, SMALLEST] = min(listed[more[p].i, SMALLEST], more[p].gap)
    listing.time, listing.count = time, kept + new
    return True


@kernel
def skin_of(model: Model, state: State, x: np.ndarray, skin: float, i: int) -> float:
    """How wide [m] gaps may be that are listed of edge i at x (N, 3): a skin, or more where nothing is around it."""
    listed, wide = state.surface_listed[i], SPARSE * state.surface_listed[i, SKIN]
    if state.listings[SURFACES].count < 0 or listed[SMALLEST] < listed[SKIN] or wide <= skin:
        return skin
    head = head_of(model, i)
    end = vector(x[head if head >= 0 else i])
    box = box_around(vector(x[i]), end, end, thickest(model, i, head) + wide)
    return wide if next_leaf(model.surfaces.tree, box, 1) == 0 else skin


@kernel
def put_in(pairs: np.ndarray, known: int, more: np.ndarray, skin: np.ndarray) -> None:
    """Leave those of the `known` pairs out whose edges have not KEPT theirs, put `more` in: in the order of edges."""
    k, q = 0, len(more)
    for p in range(known):
        if skin[pairs[p].i] == KEPT:
            if k < p:
                pairs[k] = pairs[p]
            k += 1
    while q > 0:  # from behind, where there is room
        if k > 0 and pairs[k - 1].i > more[q - 1].i:
            k -= 1
            pairs[k + q] = pairs[k]
        else:
            q -= 1
            pairs[k + q] = more[q]


@kernel
def expect(
    model: Model,
    x: np.ndarray,
    x0: np.ndarray,
    h: float,
    surprise: tuple[float, float, float],
    work: ContactScratch,
) -> None:
    """How far [m] edges may move against surfaces, work.margin (N,), and beyond where they are expected, work.beyond
    (N,): by so many radii, and parts of their way and of the furthest of all.
    """
    beyond, margin, most, led = work.beyond, work.margin, 0.0, fastest(model.surfaces) * h
    ways(model, x, x0, margin)
    for i in range(len(x)):
        beyond[i] = surprise[0] * model.nodes[i].radius
        if not margin[i] <= most:
            most = margin[i]
    of_edges(model, beyond)
    for i in range(len(x)):
        beyond[i] += surprise[1] * margin[i] + surprise[2] * most
        margin[i] += beyond[i] + led


@kernel
def ahead(work: ContactScratch, part: float, i: int) -> float:
    """By how much [m] gaps of edge i may close from when pairs are listed; part: see `list_anew`."""
    return work.beyond[i] + part * (work.margin[i] - work.beyond[i])


@kernel
def follow(model: Model, state: State, x: np.ndarray, work: ContactScratch) -> None:
    """Count on how far edges have gone, all ways added up, to where vertices are at x (N, 3): work.went (N,) [m], with
    what surfaces have gone in the present frame.
    """
    listed, last, way = state.surface_listed, state.surface_listed[:, LAST:], work.went
    led = fastest(model.surfaces) * (state.clock[0].time - model.surfaces.span[0])
    ways(model, x, last, way)
    for i in range(len(x)):
        listed[i, WENT] += way[i]
        way[i] = listed[i, WENT] + led
        for c in range(3):
            last[i, c] = x[i, c]


@kernel
def ways(model: Model, x: np.ndarray, x0: np.ndarray, found: np.ndarray) -> None:
    """How far [m] the ends of edges are at most from x0 (N, 3 or more) to x: found (N,)."""
    for i in range(len(x)):
        found[i] = (x[i, 0] - x0[i, 0]) ** 2 + (x[i, 1] - x0[i, 1]) ** 2 + (x[i, 2] - x0[i, 2]) ** 2
    of_edges(model, found)
    for i in range(len(x)):
        found[i] = sqrt(found[i])


@kernel
def of_edges(model: Model, found: np.ndarray) -> None:
    """What is found (N,) of vertices becomes what is found of edges: the larger one of both ends."""
    for r in range(len(model.rods)):
        first, last = model.rods[r].first, model.rods[r].last
        other = found[first] if model.rods[r].closed else found[last]
        for i in range(first, last):
            found[i] = max(found[i], found[i + 1])
        found[last] = max(found[last], other)


@kernel
def gaps_closed(model: Model, state: State, x0: np.ndarray, h: float, found: np.ndarray) -> None:
    """What `closed` says of all edges at most, in a step of h [s] from x0 (N, 3) to state.x: found (N,)."""
    x, listed, since = state.x, state.surface_listed, state.clock[0].time - state.listings[SURFACES].time
    led = fastest(model.surfaces) * max(abs(since), abs(since + h))
    for i in range(len(x)):
        own = (x[i, 0] - listed[i, 0]) ** 2 + (x[i, 1] - listed[i, 1]) ** 2 + (x[i, 2] - listed[i, 2]) ** 2
        was = (x0[i, 0] - listed[i, 0]) ** 2 + (x0[i, 1] - listed[i, 1]) ** 2 + (x0[i, 2] - listed[i, 2]) ** 2
        found[i] = max(own, was)
    of_edges(model, found)
    for i in range(len(x)):
        found[i] = sqrt(found[i]) + listed[i, GONE] + led


@kernel
def closed(model: Model, state: State, x: np.ndarray, time: float, i: int) -> float:
    """By how much [m] gaps of edge i may have closed since pairs were listed, vertices being at x (N, 3) at `time`."""
    head, listed = head_of(model, i), state.surface_listed
    square = square_of(x[i], listed[i])
    if head >= 0:
        square = max(square, square_of(x[head], listed[head]))
    return sqrt(square) + listed[i, GONE] + fastest(model.surfaces) * abs(time - state.listings[SURFACES].time)


@kernel
def list_strayed(model: Model, state: State, x0: np.ndarray, h: float, work: ContactScratch) -> int:
    """Fill work.found with what edges were near in a step of h [s] from x0 (N, 3) to state.x that have gone further
    than pairs are listed: by how they went, work.margin (N,) [m] from x0. Returns how many pairs there are, more than
    there is room for perhaps. work.gone of these edges becomes ∞.
    """
    near, middle, led, strayed = work.near, work.middle, fastest(model.surfaces) * h, False
    for i in range(len(near)):
        near[i] = KEPT
        if not work.gone[i] <= state.surface_listed[i, SKIN]:
            near[i], work.gone[i], strayed = MIDDLE * (work.margin[i] + led), inf, True
        for c in range(3):
            middle[i, c] = x0[i, c] + MIDDLE * (state.x[i, c] - x0[i, c])
    time = state.clock[0].time + MIDDLE * h
    if not strayed:
        return 0
    count = pairs_near(model, middle, near, moment(model.surfaces, time), work.found)
    if count > len(work.found):
        state.listings[SURFACES].asked = count
    return count


@kernel
def distance(a: np.ndarray | Vector, b: np.ndarray | Vector) -> float:
    """Of two points [m], the first three numbers of both."""
    return sqrt(square_of(a, b))


@kernel
def square_of(a: np.ndarray | Vector, b: np.ndarray | Vector) -> float:
    """Of that distance [m²]."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2


@kernel
def pairs_near(model: Model, x: np.ndarray, skin: np.ndarray, part: float, pairs: np.ndarray) -> int:
    """Fill `pairs` with all that is nearer to an edge than its skin (N,) [m], when part of the frame is over, but for
    edges that have KEPT theirs. Returns how many there are, more than there is room for perhaps.
    """
    count, nodes = 0, model.nodes
    for i in range(len(nodes)):
        if skin[i] != KEPT:
            head, group, point = head_of(model, i), model.rods[nodes[i].rod].group, not nodes[i].embedded
            both = head >= 0 and point and not nodes[head].embedded
            segment = vector(x[i]), vector(x[head if head >= 0 else i]), i, point, both, both, OTHER
            near, where = (thickest(model, i, head), skin[i], part), whole(model.surfaces)
            count = pairs_of(model.surfaces, model.collision_filter, group, segment, near, where, pairs, count)
    return count
