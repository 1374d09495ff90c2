"""Contacts and chains solved together: sweeps over the contacts alternate with the chains' answers."""

from math import inf

from .._jit import kernel
from ..arrays import copy_rows
from ..constraints.articulation import correct
from ..constraints.chain_mobility import inverse_band, respond
from ..constraints.fast_projection import newton
from ..rigid_bodies.slaves import pose
from ..rigid_bodies.stand_in import take_pushes
from .floor import floor_gains, floor_sweep, floor_warm_start
from .inequality_constraints import gains, sweep, warm_start

CONTACT_ROUNDS = 24  # at most
LONGEST_PUSH = 0.25  # of the shortest edge: beyond that the chains' linear answer is of no use
RECOVERY_SPEED = 20.0  # radii a second: what overlaps at the start drifts apart, it does not explode
CONTACT_PRECISION = 1e-3  # of the smallest radius: what is missing after the last round is left to the next step


@kernel
def contact_gains(model, state, work, count, on_floor):
    """How hard each contact may push, from the mobility of its chain."""
    rods, w = model.rods, state.w
    for r in range(len(rods)):
        c, d = rods[r].first, rods[r].last
        if rods[r].stretchable:
            for j in range(c, d):
                work.band[j].inverse = 0.0
        else:
            inverse_band(work.o[c:d], w[c : d + 1], work.band[c:d])
        if on_floor:
            floor_gains(rods[r], w, work.o, work.band, work.impulse)
    gains(rods, model.capsules, state.pairs, work.contacts[:count], w, work.o, work.band)


@kernel
def touch(model, state, work, count, on_floor, h):
    """Rounds of contact sweeps and the chains' answers, until what is missing is small."""
    world, nodes, capsules, pairs = model.world[0], model.nodes, model.capsules, state.pairs
    x, x0, w, contacts = state.x, work.x0, state.w, work.contacts[:count]
    copy_rows(x, work.pushed)
    warm_start(capsules, pairs, contacts, x, w)
    if on_floor:
        floor_warm_start(x, w, state.floor_force, h, work.impulse)
    precision = CONTACT_PRECISION * world.thinnest
    longest = LONGEST_PUSH * shortest_edge(model.rods)
    recovery = RECOVERY_SPEED * world.thinnest * h
    for k in range(CONTACT_ROUNDS):
        answer(model, state, work, k, h)
        copy_rows(x, work.pushed)
        missing = sweep(capsules, pairs, contacts, x, x0, w, longest, recovery)
        if on_floor:
            missing = max(missing, floor_sweep(world, nodes, x, x0, w, work.impulse, longest, recovery))
        if missing < precision:
            break
    answer(model, state, work, CONTACT_ROUNDS, h)


@kernel
def shortest_edge(rods):
    """Rest length [m] of the shortest edge of all."""
    best = inf
    for r in range(len(rods)):
        best = min(best, rods[r].shortest)
    return best


@kernel
def answer(model, state, work, k, h):
    """Each chain's answer to what the contacts have pushed since work.pushed; a Newton step in round k = 0, and
    for closed chains. What is welded together answers as one.
    """
    rods, edges, x, w = model.rods, model.edges, state.x, state.w
    if len(model.bodies) > 0:
        take_pushes(model.bodies, model.slaves, state, work, h)
        pose(model.bodies, model.slaves, state, work, h)
        correct(model, state, work, h)
    for r in range(len(rods)):
        if rods[r].stretchable or rods[r].articulated:
            continue
        c, d = rods[r].first, rods[r].last + 1
        e = d if rods[r].closed else d - 1
        o, multiplier, scratch = work.o[c:e], work.multiplier[c:e], work.elimination[c:e]
        if k == 0 or rods[r].closed:
            newton(x[c:d], o, w[c:d], edges["length"][c:e], rods[r].closed, multiplier, scratch)
        else:
            respond(x[c:d], work.pushed[c:d], o, w[c:d], work.band[c:e], multiplier, scratch)
