"""Pulleys: rings without mass, size or friction that rods run through.

A ring at P on an edge (a, b) of the length l is a point of it at a rest length s behind a, an unknown that has no mass
and keeps |x_a − P| = s, |x_b − P| = l − s. Both are pulled alike, for nothing pulls s, which is eliminated:

    C = l (l − |x_a − P| − |P − x_b|) = 0 in place of the edge's own length,

one multiplier, whose directions are l times the unit vectors from P; several rings may be on one edge. The path keeps
its length wherever on it the ring is, so there is no place between two vertices where it would rather be. It is a row
of `length_system`, which has the bodies that carry rings as well.

A vertex closer than NEAR to P counts by its distance along where the rod comes from, else it would turn about P: its
distance would go by |v_t|²/r, which bounces it back. It passes the ring where that distance changes its sign; what it
came with, relative to the ring, goes along the other side, as fast as before, so nothing is lost or won, and the ring
is on the next edge. Momentum that a pass changes is taken from the body that carries the ring.

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
from .scratch import ConstraintScratch
from .trajectory import evaluate

NEAR = 1.0 / 3.0  # of an edge: what pulls a vertex across is T (1/r + 1/l) there, 4 T/l as steps are made for
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
    pulls = work.pulls
    for q in range(len(model.pulleys)):
        pulls[q].run = run_of(model, state, q)
    for q in range(len(model.pulleys)):
        own, r = pulls[q], model.pulleys[q].rod
        if own.run < 0:
            continue
        rod, tail = model.rods[r], state.pulleys[q].edge
        _, head = edges_at(rod, tail)
        least = NEAR * model.edges[tail].length
        own.joined[0] = int(q > 0 and shares(model, state, work, q - 1, q))
        own.joined[1] = int(q + 1 < len(pulls) and shares(model, state, work, q, q + 1))
        for side in range(2):
            other, i, place = q - 1 + 2 * side, head if side else tail, vector(own.place)
            if own.joined[side]:
                own.near[side] = 0
                put(unit(plus(vector(pulls[other].place), -1.0, place), 0.0), own.away[side])
                put(place, own.arm[side])
            else:
                from_here = plus(vector(x[i]), -1.0, place)
                own.near[side] = int(dot(from_here, from_here) <= least * least)
                way = unit(from_here, 0.0)
                if own.near[side]:
                    way = beyond(model, state, work, x, q, i, side, least)
                put(way, own.away[side])
                put(vector(x[i]), own.arm[side])
            if model.pulleys[q].body >= 0:
                centre = vector(bodies[model.pulleys[q].body].x)
                put(plus(vector(own.arm[side]), -1.0, centre), own.arm[side])
        for side in range(2):
            if dot(own.away[side], own.away[side]) == 0.0:  # the end of a rod in the ring, or another pulley: go on
                put(scaled(-1.0, vector(own.away[1 - side])), own.away[side])
        if not own.joined[0]:
            put(scaled(-model.edges[tail].length, vector(own.away[0])), work.o[tail])


@kernel
def shares(model: Model, state: State, work: ConstraintScratch, q: int, other: int) -> bool:
    """Whether both pulleys are on the same edge of a rod."""
    one, two = model.pulleys[q], model.pulleys[other]
    on = work.pulls[q].run >= 0 and work.pulls[other].run >= 0
    return on and one.rod == two.rod and state.pulleys[q].edge == state.pulleys[other].edge


@kernel
def beyond(
    model: Model, state: State, work: ConstraintScratch, x: np.ndarray, q: int, i: int, side: int, least: float
) -> Vector:
    """The unit vector from pulley q to where its rod, whose vertex i at x (N, 3) is near it, goes on there: to another
    pulley on the next edge, or the next vertex; 0 where nothing further than `least` [m] is.
    """
    rod, place, other = model.rods[model.pulleys[q].rod], vector(work.pulls[q].place), q - 1 + 2 * side
    before, behind = edges_at(rod, i)
    j = behind if side else before
    there = 0 <= other < len(work.pulls) and work.pulls[other].run >= 0
    if there and model.pulleys[other].rod == model.pulleys[q].rod and state.pulleys[other].edge == (i if side else j):
        way = unit(plus(vector(work.pulls[other].place), -1.0, place), least)
        if dot(way, way) > 0.0:
            return way
    return unit(plus(vector(x[j]), -1.0, place), least) if j >= 0 else NONE


@kernel
def head_direction(model: Model, work: ConstraintScratch, j: int) -> Vector:
    """The direction of LINK j at its head, as work.o is at its tail."""
    system, tail = model.length_system, model.length_system.links[j].tail
    for q in range(len(work.pulls)):
        own = work.pulls[q]
        if own.run >= 0 and system.runs[own.run].link == j and not own.joined[1]:
            return scaled(model.edges[tail].length, vector(own.away[1]))
    return vector(work.o[tail])


@kernel
def pulley_on(model: Model, pulls: np.ndarray, j: int) -> int:
    """The first pulley that LINK j is in, or −1."""
    for q in range(len(pulls)):
        if pulls[q].run >= 0 and model.length_system.runs[pulls[q].run].link == j:
            return q
    return -1


@kernel
def distance(own: np.record, side: int, x: np.ndarray) -> float:
    """[m] of the vertex on that side at x (3,), as it counts."""
    way = plus(vector(x), -1.0, vector(own.place))
    return dot(way, own.away[side]) if own.near[side] else sqrt(dot(way, way))


@kernel
def length_through(model: Model, x: np.ndarray, pulls: np.ndarray, q: int) -> float:
    """[m] of the edge in pulley q, the first on it, with vertices at x (N, 3)."""
    link = model.length_system.links[model.length_system.runs[pulls[q].run].link]
    total = distance(pulls[q], 0, x[link.tail])
    while pulls[q].joined[1]:
        way = plus(vector(pulls[q + 1].place), -1.0, vector(pulls[q].place))
        total += sqrt(dot(way, way))
        q += 1
    return total + distance(pulls[q], 1, x[link.head])


@kernel
def pass_on(model: Model, state: State, work: ConstraintScratch, h: float) -> None:
    """At the end of a step of h [s]: vertices that have come to the other side of pulleys go on there."""
    follow_bodies(model, state.bodies, work)
    for q in range(len(model.pulleys)):
        own, now = work.pulls[q], state.pulleys[q]
        if own.run < 0:
            continue
        link = model.length_system.links[model.length_system.runs[own.run].link]
        for side in range(2):
            i = link.head if side else link.tail
            way = plus(vector(state.x[i]), -1.0, vector(own.place))
            if own.joined[side] or dot(way, own.away[side]) >= 0.0:
                continue
            turn_over(model, state, own, q, i, side, -dot(way, own.away[side]), h)
            before, behind = edges_at(model.rods[model.pulleys[q].rod], i)
            now.out = (behind if side else before) < 0
            if not now.out:
                now.edge = i if side else before
                now.out = run_of(model, state, q) < 0
            break


@kernel
def turn_over(model: Model, state: State, own: np.record, q: int, i: int, side: int, way: float, h: float) -> None:
    """Vertex i, `way` [m] past pulley q, is as far on the other side, and goes on there as fast."""
    if state.w[i] == 0.0 or model.nodes[i].slave >= 0:
        return
    ahead = plus(vector(own.away[0]), 1.0, vector(own.away[1]))
    put(plus(vector(state.x[i]), way, ahead), state.x[i])
    speed = scaled(1.0 / h, plus(vector(own.place), -1.0, vector(own.start)))
    was = plus(vector(state.v[i]), -1.0, speed)
    now = plus(was, -dot(was, own.away[side]), ahead)
    size = dot(now, now)
    if size > 0.0:
        now = scaled(sqrt(dot(was, was) / size), now)
    put(plus(speed, 1.0, now), state.v[i])
    b = model.pulleys[q].body
    if b >= 0:
        f = scaled(model.nodes[i].mass, plus(was, -1.0, now))
        centre = state.bodies[b]
        arm = plus(vector(own.place), -1.0, vector(centre.x))
        put(arm, own.arm[0])
        add_impulse(model.bodies[b].w, centre, own.arm[0], f[0], f[1], f[2])


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
            soften(model, i, 0.0)
            if next_one >= 0:
                way = plus(vector(state.x[i]), -1.0, place)
                soften(model, next_one, smooth(sqrt(dot(way, way)) / model.edges[tail].length))


@kernel
def smooth(s: float) -> float:
    """From 0 at 0 to 1 at 1."""
    s = min(max(s, 0.0), 1.0)
    return s * s * (3.0 - 2.0 * s)


@kernel
def soften(model: Model, i: int, part: float) -> None:
    """Of the hinge at vertex i so much is left."""
    hinge = model.hinges[i]
    hinge.bend *= part
    hinge.twist_rate *= part
    hinge.viscosity *= part
    for c in range(4):
        hinge.bending[c] *= part
