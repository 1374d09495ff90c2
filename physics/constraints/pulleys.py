"""Pulleys: rings without mass, size or friction that rods run through.

A ring at P on an edge (a, b) of the length l is a point of it at a rest length s behind a, an unknown that has no mass
and keeps |x_a − P| = s, |x_b − P| = l − s. Both are pulled alike, for nothing pulls s, which is eliminated:

    C = l (l − |x_a − P| − |P − x_b|) = 0 in place of the edge's own length,

one multiplier, whose directions are l times the unit vectors from P; several rings may be on one edge. The path keeps
its length wherever on it the ring is, so there is no place between two vertices where it would rather be. It is a row
of `length_system`, which has the bodies that carry rings as well.

A vertex close to P would turn about it, for its distance goes by |v_t|²/r, which bounces it back. So there it counts
by its distance along u, from P to the next vertex y,

    r(x) = |x − P| (1 − β) + (x − P)·u β,    u = (y − P)/|y − P|,

β going from 0 to 1 as |x − P|/l goes from FAR to NEAR. That has derivatives by y as well, β (x − P)/|y − P| across u,
without which forces would have no potential: a rope at rest in a ring would flutter. It passes the ring where the
distance changes its sign. Its velocity, relative to the ring, and what it is off the line by, are turned as the rod is,
so nothing is lost or won, and the ring is on the next edge. The momentum that takes is its body's.

The rod bends freely in the ring. A hinge less than one edge from it is off, one more than two edges on, and in between
it goes smoothly with the rest length to the ring: see `loosen`, by which twist is handed on by no ring, either.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.turns import rotate
from ..arithmetic.vectors import Vector, dot, plus, scaled, vector
from ..model import Model, OldState, State
from ..rigid_bodies.loads import add_impulse
from ..rods.chain import edges_at
from ..rods.softening import soften
from .scratch import ConstraintScratch
from .trajectory import evaluate

# Parts of an edge: what brings a vertex back across is at most T ((1 − β)/r + 1/l) = 4.5 T/l, about the 4 T/l of steps,
# and |dβ/ds| is 7.5; the wider these are, the further off a slack rod may be.
NEAR, FAR = 0.1, 0.3
LEAST = 1e-9  # of a hinge's stiffness that is left: what divides by it stays finite, and it hands on nothing
NONE = (0.0, 0.0, 0.0)


@kernel
def run_of(model: Model, state: State, q: int) -> int:
    """RUN of the edge that is in pulley q; −1: none."""
    pulley, now = model.pulleys[q], state.pulleys[q]
    rod = model.rods[pulley.rod]
    if now.out or now.edge < rod.first or now.edge >= rod.last + int(rod.closed):
        return -1
    run = pulley.first_run + now.edge - rod.first
    return run if model.length_system.runs[run].link >= 0 else -1


@kernel
def put(v: Vector, out: np.ndarray) -> None:
    """out (3,) = v."""
    out[0], out[1], out[2] = v


@kernel
def unit(v: Vector, least: float) -> Vector:
    """v made a unit vector; 0 where it is no longer than `least`."""
    size = sqrt(dot(v, v))
    return scaled(1.0 / size, v) if size > least else NONE


@kernel
def find_places(model: Model, bodies: np.ndarray, time: float, work: ConstraintScratch) -> None:
    """Where pulleys are at `time` [s], with `bodies`, BODY_STATE (B,): work.pulls.place."""
    for q in range(len(model.pulleys)):
        pulley, place = model.pulleys[q], work.pulls[q].place
        if pulley.body >= 0:
            now = bodies[pulley.body]
            rotate(now.q, pulley.arm, place)
            put(plus(vector(place), 1.0, vector(now.x)), place)
        else:
            evaluate(model.times, model.samples, pulley.first_sample, pulley.end_sample, time, work.target)
            put(vector(work.target), place)


@kernel
def follow_bodies(model: Model, bodies: np.ndarray, work: ConstraintScratch) -> None:
    """The same of those that `bodies`, BODY_STATE (B,), carry, as these are moved."""
    for q in range(len(model.pulleys)):
        pulley, place = model.pulleys[q], work.pulls[q].place
        if pulley.body >= 0:
            rotate(bodies[pulley.body].q, pulley.arm, place)
            put(plus(vector(place), 1.0, vector(bodies[pulley.body].x)), place)


@kernel
def begin_pulleys(model: Model, state: State, old: OldState, work: ConstraintScratch, h: float) -> None:
    """Where pulleys are at both ends of a step of h [s], and what of rods is in them where it begins."""
    find_places(model, old.bodies, state.clock[0].time, work)
    for q in range(len(model.pulleys)):
        put(vector(work.pulls[q].place), work.pulls[q].start)
    aim(model, state, old.x, old.bodies, work)
    find_places(model, state.bodies, state.clock[0].time + h, work)


@kernel
def aim(model: Model, state: State, x: np.ndarray, bodies: np.ndarray, work: ConstraintScratch) -> None:
    """Directions at x (N, 3) [m] and `bodies`, BODY_STATE (B,), by places of pulleys as they are in work.pulls."""
    pulls, beside = work.pulls, work.beside
    beside[:, :] = 0
    for q in range(len(model.pulleys)):
        pulls[q].run = run_of(model, state, q)
    for q in range(len(model.pulleys)):
        own, tail = pulls[q], state.pulleys[q].edge
        if own.run < 0:
            continue
        _, head = edges_at(model.rods[model.pulleys[q].rod], tail)
        own.joined[0] = int(q > 0 and shares(model, state, work, q - 1, q))
        own.joined[1] = int(q + 1 < len(pulls) and shares(model, state, work, q, q + 1))
        for side in range(2):
            if not own.joined[side]:
                beside[model.length_system.runs[own.run].link, side] = q + 1
            own.next[side] = -1
            put(NONE, own.turning[side])
            if own.joined[side]:
                way = plus(vector(pulls[q - 1 + 2 * side].place), -1.0, vector(own.place))
                put(unit(way, 0.0), own.along[side])
                put(vector(own.along[side]), own.slope[side])
                put(vector(own.place), own.arm[side])
            else:
                aim_at(model, state, x, work, q, side, head if side else tail)
        for side in range(2):
            if dot(own.along[side], own.along[side]) == 0.0:  # the end of a rod in the ring, or another ring: go on
                put(scaled(-1.0, vector(own.along[1 - side])), own.along[side])
                put(vector(own.along[side]), own.slope[side])
            if model.pulleys[q].body >= 0:
                centre = vector(bodies[model.pulleys[q].body].x)
                put(plus(vector(own.arm[side]), -1.0, centre), own.arm[side])
                put(plus(vector(own.far_arm[side]), -1.0, centre), own.far_arm[side])
        if not own.joined[0]:
            put(scaled(-model.edges[tail].length, vector(own.slope[0])), work.o[tail])


@kernel
def aim_at(model: Model, state: State, x: np.ndarray, work: ConstraintScratch, q: int, side: int, i: int) -> None:
    """The same of pulley q on one side, where vertex i is next."""
    own, length = work.pulls[q], model.edges[state.pulleys[q].edge].length
    way = plus(vector(x[i]), -1.0, vector(own.place))
    size, along = sqrt(dot(way, way)), unit(way, 0.0)
    put(vector(x[i]), own.arm[side])
    if size < FAR * length:
        own.next[side] = beyond(model, state, work, x, q, i, side, NEAR * length)
    put(along, own.along[side])
    put(along, own.slope[side])
    if own.next[side] == -1:
        return
    far = place_of(own.next[side], x, work.pulls)
    put(far, own.far_arm[side])
    far = plus(far, -1.0, vector(own.place))
    u = unit(far, 0.0)
    across, beta = plus(way, -dot(way, u), u), share(size / length)
    steep = slope_of_share(size / length) / length * (dot(way, u) - size)
    put(u, own.along[side])
    put(plus(scaled(1.0 - beta + steep, along), beta, u), own.slope[side])
    if own.next[side] >= 0:
        put(scaled(beta / sqrt(dot(far, far)), across), own.turning[side])


@kernel
def share(s: float) -> float:
    """β of a vertex that is s edges away."""
    return 1.0 - smooth((s - NEAR) / (FAR - NEAR))


@kernel
def slope_of_share(s: float) -> float:
    """dβ/ds."""
    s = min(max((s - NEAR) / (FAR - NEAR), 0.0), 1.0)
    return -6.0 * s * (1.0 - s) / (FAR - NEAR)


@kernel
def place_of(i: int, x: np.ndarray, pulls: np.ndarray) -> Vector:
    """Of what PULL.next says, with vertices at x (N, 3) [m]."""
    other = -2 - i
    return vector(x[i]) if i >= 0 else vector(pulls[other].place)


@kernel
def shares(model: Model, state: State, work: ConstraintScratch, q: int, other: int) -> bool:
    """Whether both pulleys are on the same edge of a rod."""
    one, two = model.pulleys[q], model.pulleys[other]
    on = work.pulls[q].run >= 0 and work.pulls[other].run >= 0
    return on and one.rod == two.rod and state.pulleys[q].edge == state.pulleys[other].edge


@kernel
def beyond(
    model: Model, state: State, work: ConstraintScratch, x: np.ndarray, q: int, i: int, side: int, least: float
) -> int:
    """Where the rod in pulley q, whose vertex i at x (N, 3) is close to it, goes on there, as PULL.next has it; no
    nearer to it than `least` [m].
    """
    rod, place, other = model.rods[model.pulleys[q].rod], vector(work.pulls[q].place), q - 1 + 2 * side
    before, behind = edges_at(rod, i)
    j = behind if side else before
    if j < 0:
        return -1
    there = 0 <= other < len(work.pulls) and work.pulls[other].run >= 0
    if there and model.pulleys[other].rod == model.pulleys[q].rod and state.pulleys[other].edge == (i if side else j):
        way = plus(vector(work.pulls[other].place), -1.0, place)
        if dot(way, way) > least * least:
            return -2 - other
    way = plus(vector(x[j]), -1.0, place)
    return j if dot(way, way) > least * least else -1


@kernel
def head_direction(model: Model, work: ConstraintScratch, j: int) -> Vector:
    """The direction of LINK j at its head, as work.o is at its tail."""
    tail = model.length_system.links[j].tail
    q = work.beside[j, 1] - 1
    return scaled(model.edges[tail].length, vector(work.pulls[q].slope[1])) if q >= 0 else vector(work.o[tail])


@kernel
def coupled_beside(model: Model, w: np.ndarray, work: ConstraintScratch, one: int, other: int) -> float:
    """What LINK `one`, whose head is the tail of `other`, and that have in common by the vertices behind them, where a
    pulley is close to the one between them.
    """
    links, total = model.length_system.links, 0.0
    q = work.beside[other, 0] - 1
    if q >= 0 and work.pulls[q].next[0] >= 0:
        turning = scaled(model.edges[links[other].tail].length, vector(work.pulls[q].turning[0]))
        total -= w[links[one].tail] * dot(turning, vector(work.o[links[one].tail]))
    q = work.beside[one, 1] - 1
    if q >= 0 and work.pulls[q].next[1] >= 0:
        turning = scaled(model.edges[links[one].tail].length, vector(work.pulls[q].turning[1]))
        total += w[links[other].head] * dot(turning, head_direction(model, work, other))
    return total


@kernel
def distance(own: np.record, side: int, i: int, x: np.ndarray, pulls: np.ndarray, length: float) -> float:
    """[m] from a pulley to vertex i on that side, as it counts, vertices being at x (N, 3); length [m]: of the edge."""
    way = plus(vector(x[i]), -1.0, vector(own.place))
    size = sqrt(dot(way, way))
    if own.next[side] == -1:
        return size
    beta = share(size / length)
    u = unit(plus(place_of(own.next[side], x, pulls), -1.0, vector(own.place)), 0.0)
    return (1.0 - beta) * size + beta * dot(way, u)


@kernel
def length_through(model: Model, x: np.ndarray, pulls: np.ndarray, q: int) -> float:
    """[m] of the edge in pulley q, the first on it, with vertices at x (N, 3)."""
    link = model.length_system.links[model.length_system.runs[pulls[q].run].link]
    length = model.edges[link.tail].length
    total = distance(pulls[q], 0, link.tail, x, pulls, length)
    while pulls[q].joined[1]:
        way = plus(vector(pulls[q + 1].place), -1.0, vector(pulls[q].place))
        total += sqrt(dot(way, way))
        q += 1
    return total + distance(pulls[q], 1, link.head, x, pulls, length)


@kernel
def pass_on(model: Model, state: State, work: ConstraintScratch, h: float) -> bool:
    """At the end of a step of h [s] that counts: vertices that have come to the other side of pulleys go on there; a
    rod's loose end that comes closer than FAR runs out of it. Returns whether any did.
    """
    passed = False
    for q in range(len(model.pulleys)):
        own, now = work.pulls[q], state.pulleys[q]
        if own.run < 0:
            continue
        link = model.length_system.links[model.length_system.runs[own.run].link]
        for side in range(2):
            i = link.head if side else link.tail
            before, behind = edges_at(model.rods[model.pulleys[q].rod], i)
            ahead = behind if side else before
            way = plus(vector(state.x[i]), -1.0, vector(own.place))
            if own.joined[side] or (ahead < 0 and state.w[i] == 0.0):
                continue
            if ahead < 0:
                now.out = dot(way, way) < (FAR * model.edges[link.tail].length) ** 2
            elif dot(way, own.along[side]) < 0.0:
                now.edge = i if side else before
                now.out = run_of(model, state, q) < 0
            else:
                continue
            if ahead >= 0 or now.out:
                turn_over(model, state, work, q, i, side, h)
                passed = True
                break
    return passed


@kernel
def turn_over(model: Model, state: State, work: ConstraintScratch, q: int, i: int, side: int, h: float) -> None:
    """Vertex i has come to pulley q from one side: it goes on along the other, turned as the rod is there, as fast as
    before, and where the edge that the pulley leaves has its length: at an end on one line with it.
    """
    own, link = work.pulls[q], model.length_system.links[model.length_system.runs[work.pulls[q].run].link]
    if state.w[i] == 0.0:
        return
    way = plus(vector(state.x[i]), -1.0, vector(own.place))
    back, ahead, other = scaled(-1.0, vector(own.along[side])), vector(own.along[1 - side]), link.tail
    if not own.joined[1 - side]:
        other = link.tail if side else link.head
        ahead = unit(plus(vector(state.x[other]), -1.0, vector(own.place)), 0.0)
    aside, far = NONE, dot(way, back)
    if not state.pulleys[q].out:
        aside = turned_along(plus(way, -far, back), back, ahead)
    if not own.joined[1 - side]:
        length = model.edges[link.tail].length
        reach = distance(own, 1 - side, other, state.x, work.pulls, length)
        far = reach - sqrt(max(length * length - dot(aside, aside), 0.0))
    put(plus(plus(vector(own.place), 1.0, aside), far, ahead), state.x[i])
    speed = scaled(1.0 / h, plus(vector(own.place), -1.0, vector(own.start)))
    was = plus(vector(state.v[i]), -1.0, speed)
    now = turned_along(was, back, ahead)
    put(plus(speed, 1.0, now), state.v[i])
    b = model.pulleys[q].body
    if b >= 0:
        f, centre = scaled(model.nodes[i].mass, plus(was, -1.0, now)), state.bodies[b]
        put(plus(vector(own.place), -1.0, vector(centre.x)), own.arm[0])
        add_impulse(model.bodies[b].w, centre, own.arm[0], f[0], f[1], f[2])


@kernel
def turned_along(v: Vector, a: Vector, b: Vector) -> Vector:
    """v, turned as the unit vector a is to become b; where that is −a, whichever way."""
    both, c = plus(a, 1.0, b), dot(a, b)
    across = plus(v, -dot(a, v), a)
    k = dot(both, across) / (1.0 + c) if 1.0 + c > 1e-12 else 0.0
    return plus(plus(across, -k, both), dot(a, v), b)


@kernel
def loosen(model: Model, state: State, work: ConstraintScratch, time: float) -> None:
    """At `time` [s], hinges near pulleys less stiff, by how far these are, of rods whose own numbers are in the Model's
    tables.
    """
    if len(model.pulleys) == 0:
        return
    find_places(model, state.bodies, time, work)
    for q in range(len(model.pulleys)):
        if run_of(model, state, q) < 0:
            continue
        rod, place, tail = model.rods[model.pulleys[q].rod], vector(work.pulls[q].place), state.pulleys[q].edge
        before, head = edges_at(rod, tail)
        _, behind = edges_at(rod, head)
        for i, next_one in ((tail, before), (head, behind)):
            soften(model, i, LEAST, LEAST)
            if next_one >= 0:
                way = plus(vector(state.x[i]), -1.0, place)
                part = max(smooth(sqrt(dot(way, way)) / model.edges[tail].length), LEAST)
                soften(model, next_one, part, part)


@kernel
def smooth(s: float) -> float:
    """From 0 at 0 to 1 at 1."""
    s = min(max(s, 0.0), 1.0)
    return s * s * (3.0 - 2.0 * s)
