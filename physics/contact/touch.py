"""Contacts and chains solved together: sweeps over the contacts alternate with the chains' answers."""

from .._jit import njit
from ..arrays import copy_rows, smallest
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


@njit
def contact_gains(model, state, work, count, on_floor):
    """How hard each contact may push, from the mobility of its chain."""
    rods, capsules, w = model.rods, model.capsules, state.w
    for r in range(len(rods.first)):
        c, d = rods.first[r], rods.last[r]
        if rods.stretchable[r]:
            for j in range(c, d):
                work.inverse[j] = 0.0
        else:
            inverse_band(work.o[c:d], w[c : d + 1], work.inverse[c:d], work.ratio[c:d], work.pivots[c:d])
        if on_floor:
            floor_gains(w, work.o, work.inverse, work.ratio, c, d, work.impulse)
    gains(
        w,
        capsules.tail,
        capsules.head,
        capsules.rod,
        state.pairs,
        work.o,
        work.inverse,
        work.ratio,
        rods.first,
        rods.last,
        work.touching,
        work.contacts,
        count,
    )


@njit
def touch(model, state, work, count, on_floor, h):
    """Rounds of contact sweeps and the chains' answers, until what is missing is small."""
    rods, capsules, x, w = model.rods, model.capsules, state.x, state.w
    height, floor_friction = capsules.floor[0], capsules.floor[1]
    copy_rows(x, work.pushed)
    warm_start(x, w, capsules.tail, capsules.head, state.pairs, work.touching, work.contacts, count)
    if on_floor:
        floor_warm_start(x, w, state.floor_force, h, work.impulse)
    precision = CONTACT_PRECISION * capsules.thinnest[0]
    longest = LONGEST_PUSH * smallest(rods.shortest)
    recovery = RECOVERY_SPEED * capsules.thinnest[0] * h
    for k in range(CONTACT_ROUNDS):
        answer(model, state, work, k, h)
        copy_rows(x, work.pushed)
        missing = sweep(
            x,
            work.x0,
            w,
            capsules.tail,
            capsules.head,
            state.pairs,
            work.touching,
            work.contacts,
            count,
            longest,
            recovery,
        )
        if on_floor:
            missing = max(
                missing,
                floor_sweep(
                    x, work.x0, w, rods.radius, rods.friction, height, floor_friction, work.impulse, longest, recovery
                ),
            )
        if missing < precision:
            break
    answer(model, state, work, CONTACT_ROUNDS, h)


@njit
def answer(model, state, work, k, h):
    """Each chain's answer to what the contacts have pushed since work.pushed; a Newton step in round k = 0, and
    for closed chains. What is welded together answers as one.
    """
    rods, x, w = model.rods, state.x, state.w
    if len(model.bodies.mass) > 0:
        take_pushes(model.bodies, state, work, h)
        pose(model.bodies, state, work, h)
        correct(model.articulation, rods, model.bodies, state, work, h)
    for r in range(len(rods.first)):
        if rods.stretchable[r] or rods.articulated[r]:
            continue
        c, d = rods.first[r], rods.last[r] + 1
        e = d if rods.closed[r] else d - 1
        o, multiplier, rows = work.o[c:e], work.multiplier[c:e], work.rows
        if k == 0 or rods.closed[r]:
            newton(
                x[c:d],
                o,
                w[c:d],
                rods.length[c:e],
                rods.closed[r],
                multiplier,
                rows[0, c:e],
                rows[1, c:e],
                rows[2, c:e],
            )
        else:
            respond(x[c:d], work.pushed[c:d], o, w[c:d], work.ratio[c:e], work.pivots[c:e], multiplier, rows[0, c:e])
