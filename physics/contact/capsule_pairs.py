"""Pairs of capsules that may touch within some time: those whose gap is less than a skin and what they close by as they
are expected to move. Edges of one rod go much the same way, however fast it is: of them few do.

Edges shorter than their radius are many, and the boxes around all near ones overlap. So boxes are around runs of edges,
each about a radius long: there are as many pairs of them as if the rod had edges of that length. Pairs of edges are
looked at only of runs that may come near: balls around both, that move against each other as they do at most, meet,
the way between them along a rod is not so short that they cannot touch, and the rod is bent there. Of one that is not,
let A and B be ends of two runs, w apart along it, all of both in between. Places that can touch are q = πr apart along
it or more, so together at most w − q from A and from B, and

    |A − B| − (w − q)

from each other at least, also across planes that are upright to A − B.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, dot, plus, scaled, vector
from ..compiling.by_reference import by_reference
from .along_rod import Places, are_near, half_turn, lay_ways, nearest, unbent, ways_around, ways_between
from .broad_phase import Boxes, arrange, overlapping, room_for
from .contact_filter import are_watched
from .passage import closing_along, meeting

# Columns of a ball: behind its middle [m] its radius [m]; of a run how fast it goes against its middle at most [m/s],
# and that one's velocity.
REACH, SPEED, BALL = 3, 4, 8


@by_reference
class Runs(NamedTuple):
    """K runs of all C capsules, and scratch."""

    first: np.ndarray  # (K + 1,) capsule of each, and that behind the last
    thin: np.ndarray  # (K,) smallest radius [m],
    thick: np.ndarray  # (K,) and largest
    boxes: Boxes  # around runs
    balls: np.ndarray  # (K, BALL) around runs,
    ball: np.ndarray  # (C, 4) and around capsules
    ways: np.ndarray  # (C, 2) [m] along the rod to where each begins and ends


def runs_of(capsules: np.ndarray) -> Runs:
    """The runs of CAPSULE (C,)."""
    further = np.cumsum(np.maximum(np.diff(capsules["arc"], prepend=0.0), 0.0) / capsules["radius"])
    begins = (np.diff(capsules["rod"], prepend=-1) != 0) | (np.diff(further // 1.0, prepend=-1.0) != 0.0)
    first = np.flatnonzero(begins)
    return Runs(
        first=np.append(first, len(capsules)),
        thin=np.minimum.reduceat(capsules["radius"], first) if len(first) else np.zeros(0),
        thick=np.maximum.reduceat(capsules["radius"], first) if len(first) else np.zeros(0),
        boxes=room_for(len(first)),
        balls=np.zeros((len(first), BALL)),
        ball=np.zeros((len(capsules), REACH + 1)),
        ways=np.zeros((len(capsules), 2)),
    )


@kernel
def wrap(capsules: np.ndarray, x: np.ndarray, skin: float, lasting: float, runs: Runs) -> None:
    """Fill in boxes and balls around what is between the vertices x (N, 6) [m, m/s], each grown by half the skin [m];
    the boxes also by the way that runs go against all together in so long [s].
    """
    lay_ways(capsules, x, runs.ways)
    for i in range(len(capsules)):
        one, ball = capsules[i], runs.ball[i]
        for c in range(3):
            ball[c] = 0.5 * (x[one.tail, c] + x[one.head, c])
        ball[REACH] = 0.5 * (runs.ways[i, 1] - runs.ways[i, 0]) + one.radius + 0.5 * skin
    whole = mean_velocity(capsules, x) if lasting > 0.0 else (0.0, 0.0, 0.0)
    for p in range(len(runs.balls)):
        wrap_run(capsules, x, skin, (lasting, whole), runs, p)


@kernel
def mean_velocity(capsules: np.ndarray, x: np.ndarray) -> Vector:
    """Of the vertices at which capsules begin."""
    total = 0.0, 0.0, 0.0
    for i in range(len(capsules)):
        total = plus(total, 1.0, vector(x[capsules[i].tail, 3:]))
    return scaled(1.0 / len(capsules), total)


@kernel
def wrap_run(capsules: np.ndarray, x: np.ndarray, skin: float, goes: tuple[float, Vector], runs: Runs, p: int) -> None:
    """The box and the ball around run p; goes: for so long [s], against such a velocity [m/s]."""
    (lasting, whole), low, high, ball = goes, runs.boxes.low[p], runs.boxes.high[p], runs.balls[p]
    first, end = runs.first[p], runs.first[p + 1]
    a, b, far, fast = capsules[first].tail, capsules[end - 1].head, 0.0, 0.0
    for c in range(3):
        ball[c], low[c], high[c] = 0.5 * (x[a, c] + x[b, c]), np.inf, -np.inf
        ball[SPEED + 1 + c] = 0.5 * (x[a, 3 + c] + x[b, 3 + c]) if lasting > 0.0 else 0.0
    for i in range(first, end + 1):
        k, square, rate = capsules[i].tail if i < end else b, 0.0, 0.0
        for c in range(3):
            there = x[k, c]
            square += (there - ball[c]) ** 2
            low[c], high[c] = min(low[c], there), max(high[c], there)
            if lasting > 0.0:
                there += lasting * (x[k, 3 + c] - whole[c])
                rate += (x[k, 3 + c] - ball[SPEED + 1 + c]) ** 2
                low[c], high[c] = min(low[c], there), max(high[c], there)
        far, fast = max(far, square), max(fast, rate)
    grow = runs.thick[p] + 0.5 * skin
    for c in range(3):
        low[c], high[c] = low[c] - grow, high[c] + grow
    ball[REACH], ball[SPEED] = sqrt(far) + grow, sqrt(fast)


@kernel(forceinline=True)
def closes_by(one: np.ndarray, other: np.ndarray, lasting: float) -> float:
    """How far [m] two runs go against each other in so long [s], at most, by their balls."""
    if lasting == 0.0:
        return 0.0
    square = 0.0
    for c in range(SPEED + 1, BALL):
        square += (one[c] - other[c]) ** 2
    return lasting * (one[SPEED] + other[SPEED] + sqrt(square))


@kernel(forceinline=True)
def may_meet(one: np.ndarray, other: np.ndarray, more: float) -> bool:
    """Whether two balls meet that come nearer by so much [m]."""
    reach, square = one[REACH] + other[REACH] + more, 0.0
    for c in range(3):
        square += (one[c] - other[c]) ** 2
    return square <= reach * reach


@kernel
def runs_are_near(capsules: np.ndarray, rods: np.ndarray, runs: Runs, one: int, two: int, longer: float) -> bool:
    """What `are_near` says of all capsules of two runs, at least."""
    i, j = runs.first[one], runs.first[two]
    k, l, most = runs.first[one + 1] - 1, runs.first[two + 1] - 1, 0.5 * np.pi * (runs.thin[one] + runs.thin[two])
    if capsules[i].rod != capsules[j].rod:
        return False
    on, off = ways_around(capsules, rods, (i, k), (j, l), runs.ways, longer)
    return min(on, off) < most


@kernel
def runs_are_parted(
    capsules: np.ndarray,
    rods: np.ndarray,
    x: np.ndarray,
    within: tuple[float, float, float],
    runs: Runs,
    one: int,
    two: int,
) -> bool:
    """Whether no places of two runs of a rod that can touch come near enough to be listed, by the formula above."""
    i, j = runs.first[one], runs.first[two]
    k, l, (skin, lasting, longer) = runs.first[one + 1] - 1, runs.first[two + 1] - 1, within
    if capsules[i].rod != capsules[j].rod:
        return False
    on, off = ways_around(capsules, rods, (i, k), (j, l), runs.ways, 0.0)
    a, b = (capsules[i].tail, capsules[l].head) if on <= off else (capsules[k].head, capsules[j].tail)
    d = plus(vector(x[a]), -1.0, vector(x[b]))
    size, nearer = sqrt(dot(d, d)), 0.0
    for c in range(3):
        nearer += d[c] * (runs.balls[two, SPEED + 1 + c] - runs.balls[one, SPEED + 1 + c])
    closing = max(nearer + size * (runs.balls[one, SPEED] + runs.balls[two, SPEED]), 0.0) * lasting
    most = 0.5 * np.pi * (runs.thin[one] + runs.thin[two]) / (1.0 + longer)
    gap = size - (min(on, off) - most) - runs.thick[one] - runs.thick[two]
    return (gap - skin) * size > closing


@kernel
def apart(
    capsules: np.ndarray, rods: np.ndarray, i: int, j: int, x: np.ndarray, longer: float
) -> tuple[float, float, Vector]:
    """(the gap of two capsules [m], less what edges close it by that grow by a part of `longer`, how far apart their
    axes are, and the way from the second one to the first).

    Places that come to be half a turn apart along a rod were at least 1/(1 + longer) of that apart: so far, and no
    further, they are from those that are half a turn apart now.
    """
    return gap_of(capsules[i], capsules[j], nearest(capsules, rods, i, j, x, 0.0), longer)


@kernel
def apart_by_ways(
    capsules: np.ndarray, rods: np.ndarray, i: int, j: int, x: np.ndarray, ways: np.ndarray, longer: float
) -> tuple[float, float, Vector]:
    """The same, i < j, without a walk along the rod. ways: see `lay_ways`."""
    one, two = capsules[i], capsules[j]
    nx, ny, nz, s, t = meeting(x, one.tail, one.head, two.tail, two.head, 0.0)
    found = (nx, ny, nz), (s, t), 0
    if one.rod == two.rod:
        between = ways_between(capsules, rods, i, j, ways)
        if min(between[0], between[1]) < half_turn(one, two):
            found = unbent(one, two, x, between, found)
    return gap_of(one, two, found, longer)


@kernel
def gap_of(one: np.record, two: np.record, found: Places, longer: float) -> tuple[float, float, Vector]:
    """What `apart` returns of two CAPSULES whose nearest places that can touch are `found`."""
    way, _, bent = found
    distance = sqrt(dot(way, way))
    gap = distance - one.radius - two.radius
    return gap - longer / (1.0 + longer) * half_turn(one, two) if bent != 0 else gap, distance, way


@kernel
def capsule_pairs(
    capsules: np.ndarray,
    rods: np.ndarray,
    joined: np.ndarray,
    collision_filter: np.ndarray,
    x: np.ndarray,
    within: tuple[float, float, float],
    runs: Runs,
    pairs: np.ndarray,
) -> int:
    """Fill pairs, the lower number first, with all capsules between the vertices x (N, 6) [m, m/s] that are, or by
    their velocities may come, nearer than a skin [m] within some time [s], while no edge of a rod that stretches grows
    by more than some part, and that contact has to watch. runs: theirs; velocities are not looked at within no time.

    Returns the number of pairs found; more than p means that the list is too small.
    """
    skin, lasting, growth = within
    wrap(capsules, x, skin, lasting, runs)
    boxes, first = runs.boxes, runs.first
    grids, count = arrange(boxes), 0
    for p in range(len(boxes.number)):
        own, others = boxes.number[p], overlapping(boxes, grids, p)
        for q in range(others + 1):
            other = own if q == others else boxes.found[q]
            one, two = min(own, other), max(own, other)
            more = closes_by(runs.balls[one], runs.balls[two], lasting)
            if not may_meet(runs.balls[one], runs.balls[two], more):
                continue
            longer = growth if rods[capsules[first[one]].rod].stretchable else 0.0
            many = first[one + 1] - first[one] + first[two + 1] - first[two] > 2
            if many and runs_are_near(capsules, rods, runs, one, two, longer):
                continue
            if runs_are_parted(capsules, rods, x, (skin, lasting, longer), runs, one, two):
                continue
            for i in range(first[one], first[one + 1]):
                if not may_meet(runs.ball[i], runs.balls[two], more):
                    continue
                for j in range(max(first[two], i + 1), first[two + 1]):
                    if not may_meet(runs.ball[i], runs.ball[j], more):
                        continue
                    if are_near(capsules, rods, i, j, runs.ways, longer):
                        continue
                    if not are_watched(capsules, rods, joined, collision_filter, i, j):
                        continue
                    gap, distance, way = apart_by_ways(capsules, rods, i, j, x, runs.ways, longer)
                    closing = 0.0
                    if lasting > 0.0:
                        closing = closing_along(x, x[:, 3:], way, distance, capsules[i], capsules[j])
                    if gap > skin + closing * lasting:
                        continue
                    if count < len(pairs):
                        pairs[count].i, pairs[count].j = i, j
                        pairs[count].gap, pairs[count].closing = gap, closing
                    count += 1
    return count
