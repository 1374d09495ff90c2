"""Steps of rods and rigid bodies together with soft bodies that they touch or are tied to.

All go on by symplectic Euler, v += h M⁻¹F(x₀), x₁ = x₀ + h v, soft bodies with their lumped mass: leapfrog, as stable
as velocity Verlet, below 2/ω of the fastest vibration of either. Rods that are implicit have an effective mass in it,
so that what they are stiff by limits no step (implicit/effective_mass); then x₂ − 2x₁ + x₀ is of both sides, and what
ties hold together does no work. Then all that touches is pressed apart at once: of rods and bodies, of soft bodies, and
between them, in the same sweeps (`inequality_constraints`), which alternate with what chains and bodies answer; a soft
body's node moves by itself. Impulses come in pairs, so momenta are kept.
Viscosity is solved for with the last step's forces of what touches (as in contact/soft_touch), so that what rests is at
rest.

A step is attempted, verified by what either part asks of its end and by that nothing passed through, and halved where
it fails. One that wins energy counts all the same where no shorter one helps, until half of all there is was won so.
"""

from math import inf
from typing import NamedTuple

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.arrays import copy, copy_rows
from ..arithmetic.vectors import dot, scaled, vector
from ..compiling.by_reference import by_reference
from ..constraints.pulleys import loosen
from ..contact.carriers import body, chain
from ..contact.carriers.points import answer
from ..contact.conjugate_sweeps import begin_sweeps, lead
from ..contact.coupled_contact import coupled_contacts
from ..contact.coupled_pairs import list_coupled_pairs
from ..contact.coupled_passage import coupled_passed
from ..contact.detect import may_press
from ..contact.feature_passage import soft_passed
from ..contact.friction_moments import SHARE, add_moments
from ..contact.inequality_constraints import RECOVERY_SPEED, gains, sweep, warm_start
from ..contact.kept_forces import add_forces, clear_forces
from ..contact.pair_list import contact_margin, spread
from ..contact.room import has_rows, lacking
from ..contact.scratch import ContactScratch
from ..contact.soft_ties import Ties, begin_carriers, begin_swept, carry_along, push_tie, sweep_ties
from ..contact.soft_touch import find_contacts as find_soft_contacts
from ..forces.pressure import bursts
from ..forces.surface_drag import resist
from ..forces.weight import weigh
from ..implicit import effective_mass
from ..implicit.scratch import EffectiveMass
from ..implicit.tied_rods import find_response, pull_together
from ..model import Model, State
from ..rods.director_motion import lay_material_frames
from ..rods.keyed_numbers import lay_numbers
from ..sheets.motion import kick as kick_directors
from ..sheets.motion import turn
from ..solids.constraints import damp_springs, direct, largest_size, meet, place_anchors
from ..solids.critical_step import applied_forces, critical_step
from ..solids.forces import clear
from ..solids.keyed_numbers import lay_solids
from ..solids.viscous_solve import push_viscous
from . import step as explicit
from . import symplectic_euler, velocity_verlet
from .energy_look import GAIN, held_by_rods, is_gain, led, look_longer, note, note_contacts, pressed
from .even_division import driver
from .halving import halving
from .soft_energy_look import held_by_solids, measure_soft_work
from .step import FINEST, PREDICTED, shortened, shortest
from .step_limit import motion_step, stable_step
from .symplectic_euler import (
    DONE,
    GAINS,
    NOT_FINITE,
    PAIRS_FULL,
    SURPRISE,
    TOO_FAR,
    begin_lengths,
    fastest_rod,
    fastest_solid,
    fastest_thing,
    find_contacts,
    finish_motion,
    keep_lengths,
    measure_velocity,
    predict,
)
from .velocity_verlet import CHECK, REDIVIDE, depth_asked, keeps_pace, keeps_shape, kick
from .verify import verify
from .workspace import Workspace

ROUNDS = 120  # of sweeps and answers, at most
# Of the smaller radius or thickness: what is missing after the last round is left to the next step. In very short steps
# that would be faster than what overlaps drifts apart, so less is.
PRECISION = 1e-4
TIED = 1e-9  # of a soft body's size: the same of ties
GENTLE = 0.02  # of the stable step: the very first one

Counts = tuple[int, int, int]  # of contacts of rods and bodies, of soft bodies, and of all
RECENT = 1.0  # s, in which what was won is forgotten: half of all there is, won in that, ends the bake
NONE = (0, 0, 0)


@by_reference
class Side(NamedTuple):
    """What goes on by itself."""

    model: Model
    state: State
    work: Workspace


@by_reference
class Coupled(NamedTuple):
    """Rods and rigid bodies, soft bodies, and what is between them. Nodes (N,) of the rods come before those of the
    soft bodies, and either side's arrays are parts of these.
    """

    x: np.ndarray  # (N, 3) [m]
    x0: np.ndarray  # (N, 3) [m] where the step began
    w: np.ndarray  # (N,) [1/kg]
    rods: Side
    soft: Side
    model: Model  # rods and bodies, with soft bodies' surfaces: see contact/coupled_pairs
    state: State  # its pairs
    contact: ContactScratch  # its own
    ties: Ties
    mass: EffectiveMass  # of rods that are implicit


@kernel
def attempt(c: Coupled, viscous: bool, h: float, furthest: float) -> tuple[int, int, Counts, float]:
    """One step of h [s] of everything from the forces at hand; see `symplectic_euler.attempt`."""
    rods, soft, time = c.rods, c.soft, c.rods.state.clock[0].time
    own = soft.work.solids
    lay_numbers(c.model, time + h)  # of nodes of its own; before winches and pulleys change tables that both share
    predict(rods.model, rods.state, rods.work, h)
    lay_solids(soft.model.solids, time + h)
    limits = rods.work.constraints
    effective_mass.begin(rods.model, rods.state, rods.work.old, limits.o, limits.multiplier, c.mass, h)
    moved = spread(rods.state.x, rods.work.old.x) if rods.model.world[0].skin > 0.0 else 0.0
    if not moved <= furthest:
        return TOO_FAR, fastest_rod(rods.model.rods, rods.state.x, rods.work.old.x), NONE, moved
    direct(soft.model, own, soft.state.x)
    resist(soft.model, soft.state, own.rate, h)
    damp_springs(soft.model, soft.state.v, soft.state.w, time, h)
    kick_directors(soft.model.solids, soft.state, h)
    if not viscous:
        kick(soft.state, soft.work, h)
    symplectic_euler.drift(soft.state.x, soft.state.v, soft.state.w, h)
    place_anchors(soft.model, time + h, soft.state.x, soft.state.v)
    near = contact_margin(rods.model.world[0], moved), 0.0, SURPRISE
    count = find_contacts(rods.model, rods.state, rods.work, near, False, h, h * h)
    if count < 0:
        return PAIRS_FULL, 0, NONE, moved
    inside = find_soft_contacts(soft.model, soft.state, soft.work.old, soft.work.contact, h)
    total = find_coupled(c, count, inside, h) if inside >= 0 else -1
    if total < 0:
        return PAIRS_FULL, 0, NONE, moved
    if viscous:
        copy_rows(soft.work.old.x, soft.state.x)
        load(c, rods.work.contact.contacts[count:total], h)
        push_viscous(soft.model, own, soft.state.x, soft.state.v, soft.state.w, h)
        weigh(soft.model, soft.state.fields, own.weight)
        symplectic_euler.drift(soft.state.x, soft.state.v, soft.state.w, h)
        place_anchors(soft.model, time + h, soft.state.x, soft.state.v)
        withdraw(c, rods.work.contact.contacts[count:total], h)
    begin_lengths(rods.model, rods.state, rods.work, h)
    measure_velocity(soft.state.x, soft.work.old.x, h, own.free)
    press(c, count, inside, total, h)
    status, failed = keep_lengths(rods.model, rods.state, rods.work, h)
    if status != DONE:
        return status, failed, NONE, moved
    meet(soft.model, own, soft.state.w, soft.state.x, soft.state.v, time + h, h)
    status, failed = finish_motion(rods.model, rods.state, rods.work, h)
    if status != DONE:
        return status, failed, NONE, moved
    finite = measure_soft_velocity(soft.state, soft.work.old.x, h)
    return DONE if finite else NOT_FINITE, 0, (count, inside, total), moved


@kernel
def find_coupled(c: Coupled, count: int, inside: int, h: float) -> int:
    """All contacts, as rows of the rods' ContactScratch: behind their `count`, the soft bodies', their nodes counted on
    and their impulses in the same units, and those between both. Returns how many, or −1 where a list is full.
    """
    rods, soft, nodes = c.rods, c.soft, len(c.rods.state.x)
    rows = rods.work.contact.contacts
    if not has_rows(rods.state, len(rows), count + inside):
        return -1
    for q in range(inside):
        rows[count + q] = soft.work.contact.contacts[q]
        row = rows[count + q]
        row.normal *= 2.0
        for k in range(4):
            row.node[k] += nodes
        for k in range(3):
            row.along[k] *= 2.0
    span = c.model.surfaces.span
    span[0], span[1] = rods.state.clock[0].time, rods.state.clock[0].time + h
    if not list_coupled_pairs(c.model, c.state, rods.work.old, c.contact, h):
        return -1
    first = count + inside
    total = coupled_contacts(c.model, c.state, rods.work.old, c.contact.near, rows, first, h)
    if not has_rows(rods.state, len(rows), total):
        return -1
    body.prepare(rods.model.bodies, rods.work.old.bodies, rods.state.bodies, rods.work.contact.pushes)
    held = rods.model.bodies, rods.model.slaves, rods.work.welded.slaves, rods.work.contact.pushes
    frames = rods.work.contact.frames
    for q in range(first, total):
        may_press(c.model, c.state, rods.work.old.x, c.w, rows[q], held, frames, h * h)
    return total


@kernel
def give(c: Coupled, rows: np.ndarray, f: np.ndarray, unit: float) -> None:
    """Add what contacts and ties do to soft bodies' nodes to f (S, 3) [N]; unit [N]: of their impulses."""
    nodes, ties, members = len(c.rods.state.x), c.soft.model.solids.ties, c.soft.model.solids.members
    for q in range(len(rows)):
        row = rows[q]
        for k in range(4):
            i = row.node[k] - nodes
            if i >= 0:
                for a in range(3):
                    f[i, a] += row.share[k] * unit * (row.normal * row.n[a] + row.along[a])
    for t in range(len(ties)):
        for m in range(ties[t].member[0], ties[t].member[1]):
            for a in range(3):
                f[members[m].node, a] += members[m].share * c.soft.state.tied[t, a]


@kernel
def load(c: Coupled, rows: np.ndarray, h: float) -> None:
    """Let what contacts and ties did last accelerate soft bodies' nodes, as gravity does: viscosity is then solved for
    from there, so that however early that ends momentum is kept.
    """
    own, w = c.soft.work.solids, c.soft.state.w
    clear(own.correction)
    give(c, rows, own.correction, 1.0 / (h * h))
    for i in range(len(w)):
        for a in range(3):
            own.weight[i, a] += w[i] * own.correction[i, a]


@kernel
def withdraw(c: Coupled, rows: np.ndarray, h: float) -> None:
    """Take from soft bodies' nodes what the forces do to them that they were given: sweeps begin with it anew."""
    own, w = c.soft.work.solids.correction, c.soft.state.w
    clear(own)
    give(c, rows, own, 1.0 / (h * h))
    for i in range(len(own)):
        for a in range(3):
            c.soft.state.x[i, a] -= h * h * w[i] * own[i, a]


@kernel
def press(c: Coupled, count: int, inside: int, total: int, h: float) -> None:
    """Rounds of sweeps over all contacts and ties and their carriers' answers, until what is missing is small."""
    model, state, work, soft = c.rods.model, c.rods.state, c.rods.work, c.soft.model
    if total == 0 and len(c.ties.rows) == 0:
        return
    rows, x, w, own, nodes = work.contact.contacts[:total], c.x, c.w, work.constraints, len(state.x)
    held = model.bodies, model.slaves, work.welded.slaves, work.contact.pushes
    effective_mass.find_inverse(model, state.w, c.mass)
    body.put_effective_masses(held, model.length_system.links, own.o, w)
    chain.prepare(model.rods, w, own.o, own.band)
    gains(rows[:count], model.rods, w, own.o, own.band, held)
    gains(rows[count + inside :], model.rods, w, own.o, own.band, held)
    begin_swept(soft, model, c.ties.rows, w, (own.o, own.band), nodes)
    body.clear_effective_masses(model.slaves, w)
    begin_carriers(soft, c.ties, model.length_system, own, w, held, work.old.bodies, nodes)
    effective_gains(c, rows)
    find_response(soft, model, w, c.mass, nodes)
    effective_mass.put_mobilities(model, w, c.mass)
    copy_rows(state.x, work.contact.answered)
    warm_start(rows, x, w, held, work.contact.frames)
    for t in range(len(c.ties.rows)):
        row = c.ties.rows[t]
        row.impulse[0] = row.impulse[1] = row.impulse[2] = 0.0
        if row.carrier < 0:
            push_tie(soft, t, row, x, w, held, scaled(h * h, vector(c.soft.state.tied[t])), nodes)
    carry_along(soft, c.ties, x, w, held, work.old.bodies, nodes)  # before a light body answers what presses it alone
    begin_sweeps(rows)
    missing, apart, last, precise = inf, inf, 0.0, TIED * largest_size(soft)
    enough = min(PRECISION, RECOVERY_SPEED * h)
    for k in range(ROUNDS + 1):
        ends = (missing < enough and apart < precise) or k == ROUNDS
        answer(model, state, work.old, (work.elastic, work.welded, own), work.contact, k, h)
        effective_mass.answer(model, state, own.multiplier, work.contact.answered, c.mass)
        if ends:
            effective_mass.put_masses(model, w, c.mass)
            break
        copy_rows(state.x, work.contact.answered)
        if k > 0:
            last = lead(rows, x, w, held, work.contact.frames, last)
        missing = sweep(rows, x, c.x0, w, held, work.contact.frames, h)
        apart = sweep_ties(soft, model, c.ties.rows, x, w, held, nodes)
        apart = max(apart, pull_together(soft, c.ties.rows, x, w, held, c.mass, nodes))
        apart = max(apart, carry_along(soft, c.ties, x, w, held, work.old.bodies, nodes))


@kernel
def effective_gains(c: Coupled, rows: np.ndarray) -> None:
    """Each contact's gain, where a rod is implicit, by the mobility of that."""
    rods, w, own, nodes = c.rods.model.rods, c.w, c.rods.work.constraints, len(c.rods.state.x)
    for q in range(len(rows)):
        row = rows[q]
        if row.rod[0] < 0:
            continue
        whole = row.weight / row.gain
        for side in range(2):
            r, a, b = row.rod[side], row.node[2 * side], row.node[2 * side + 1]
            if r >= 0 and rods[r].implicit:
                s = abs(row.share[2 * side + 1]) if b < nodes else 0.0
                whole -= chain.give(row, side, rods, w, own.o, own.band)
                whole += effective_mass.mobility(rods[r], c.mass, a, s, vector(row.n))
        row.gain = row.weight / whole


@kernel
def measure_soft_velocity(state: State, x0: np.ndarray, h: float) -> bool:
    """v = (x − x0)/h of free nodes; returns whether all of it is finite."""
    total = 0.0
    for i in range(len(x0)):
        if state.w[i] > 0.0:
            for k in range(3):
                state.v[i, k] = (state.x[i, k] - x0[i, k]) / h
        total += dot(state.v[i], state.v[i])
    return np.isfinite(total)


@kernel
def keep_forces(c: Coupled, counts: Counts, h: float) -> None:
    """Remember the forces [N] on soft bodies for the next step."""
    state, rows, (count, inside, total), unit = c.soft.state, c.rods.work.contact.contacts, counts, 1.0 / (h * h)
    clear_forces(state)
    clear_forces(c.state)
    add_forces(state, rows[count : count + inside], unit)
    add_forces(c.state, rows[count + inside : total], unit)
    add_moments(c.model, c.state, rows[count + inside : total], SHARE * unit)
    for t in range(len(c.ties.rows)):
        for k in range(3):
            state.tied[t, k] = c.ties.rows[t].impulse[k] / (h * h)


@kernel
def judge(
    c: Coupled, viscous: bool, clear: float, moved: float, count: int, h: float, usual: float
) -> tuple[int, int, int]:
    """DONE, or what is wrong with a step's end and where: see `verify`. The soft bodies' forces become those at it."""
    rods, soft = c.rods, c.soft
    own = soft.work.solids
    status, rod, other = verify(rods.model, rods.state, rods.work, clear, moved, count, h)
    if status != DONE:
        return status, rod, other
    limits = depth_asked(h, usual)
    if soft_passed(soft.model, soft.state, soft.work.old, h, limits):
        return TOO_FAR, -1, -1
    if coupled_passed(c.model, c.state, rods.work.old, c.contact, h, limits):
        return TOO_FAR, -1, -1
    turn(soft.model.solids, soft.state.x, soft.state.directors, h)
    applied_forces(soft.model, own, soft.state, rods.state.clock[0].time + h, own.force)
    if not keeps_shape(own.jacobian, own.old_jacobian) or bursts(soft.model, soft.state.x):
        return TOO_FAR, -1, -1
    fine = keeps_pace(soft.model, soft.state, soft.work, viscous, h)
    return DONE if fine else TOO_FAR, -1, -1


@kernel
def wins(c: Coupled, contacts: np.ndarray, h: float, usual: float) -> bool:
    """Whether a step of h [s] that is about to be accepted has won energy, all things together; see `energy_look`."""
    rods, soft, clock = c.rods, c.soft, c.rods.state.clock[0]
    look, other = rods.work.look[0], soft.work.look[0]
    measure_soft_work(soft.model, soft.state, soft.work, h, 0.0)
    look.given += led(rods.model, rods.state, rods.work, h, False)
    nodes = c.x, c.x0, c.w
    look.closed = look.won + other.won
    note_contacts(look, pressed(rods.model, rods.state, nodes, rods.work.old.bodies, contacts, 1.0 / (h * h), h), False)
    look.shown = look.given
    look.won += other.won - look.given
    look.held += other.held
    look.quiet += other.quiet
    look_longer(look, h, usual)
    if not is_gain(look, GAIN * clock.most):
        return False
    look.held += held_by_rods(rods.model, rods.state, rods.work) + held_by_solids(soft.model, soft.state, soft.work)
    return is_gain(look, GAIN * max(clock.most, look.held))


@kernel
def runs_away(clock: np.record, look: np.record) -> bool:
    """Whether, with a step that has won, more of all energy there is has come from nothing, lately, than has not."""
    return 2.0 * (clock.gained + look.won) > max(clock.most, look.held) + look.won


@kernel
def fastest_of_both(c: Coupled) -> int:
    """The rod, or what is counted on from there, of what has moved furthest in a step: see `fastest_thing`."""
    model = c.rods.model
    thing, square = fastest_thing(model, c.rods.state, c.rods.work.old)
    s, further = fastest_solid(c.soft.model.solids.bodies, c.soft.state.x, c.soft.work.old.x)
    return len(model.rods) + len(model.surfaces.colliders) + len(model.bodies) + s if further > square else thing


Own = tuple[Coupled, bool, float, float, float]  # viscous, fractions of rods' and soft bodies' steps, max_step [s]


@kernel
def begin_step(own: Own) -> tuple[int, int, float]:
    """Elastic forces, and how far [m] rods and bodies may approach each other: see `halving`."""
    rods, soft, scratch = own[0].rods, own[0].soft, own[0].soft.work.solids
    copy_rows(soft.state.x, soft.work.old.x)
    copy_rows(soft.state.v, soft.work.old.v)
    copy_rows(scratch.force, scratch.old_force)
    copy(scratch.jacobian, scratch.old_jacobian)
    copy(soft.state.directors, scratch.old_directors)
    return explicit.begin((rods.model, rods.state, rods.work))


@kernel
def attempt_step(own: Own, h: float, usual: float, clear: float, last: bool) -> tuple[int, int, int]:
    """One of h [s], judged and accepted: see `halving`. Rod −1: it concerns soft bodies."""
    c, viscous, _, _, _ = own
    rods, clock, look = c.rods, c.rods.state.clock[0], c.rods.work.look[0]
    status, rod, counts, moved = attempt(c, viscous, h, PREDICTED * clear if len(rods.state.x) > 0 else inf)
    if status != DONE:
        return status, rod, rod
    status, rod, other = judge(c, viscous, clear, moved, counts[0], h, usual)
    if status != DONE:
        return status, rod, other
    won = wins(c, rods.work.contact.contacts[: counts[2]], h, usual)
    fastest = fastest_of_both(c) if won else 0
    if won and (not last or runs_away(clock, look)):
        return GAINS, fastest, fastest
    note(rods.state, rods.work, h, won, fastest)
    clock.gained = clock.gained * max(1.0 - h / RECENT, 0.0) + (look.won if won else 0.0)
    symplectic_euler.accept(rods.model, rods.state, rods.work, counts[0], h)
    keep_forces(c, counts, h)
    return DONE, 0, 0


@kernel
def take_back(own: Own) -> None:
    """To where it began."""
    symplectic_euler.take_back(own[0].rods.state, own[0].rods.work.old)
    velocity_verlet.take_back(own[0].soft.state, own[0].soft.work)


@kernel
def shorter(own: Own, status: int, h: float, usual: float) -> float:
    """What to try next [s], or 0: see `halving`."""
    return shortened(status, h, max(shortest(status, ask_too_much(own[0])), FINEST) * usual)


@kernel
def ask_too_much(c: Coupled) -> bool:
    """What `asks_too_much` says of the lists of all Models, of those that lack room if any do."""
    one, other = lacking(c.rods.state, c.rods.model.world[0].ample), lacking(c.state, c.model.world[0].ample)
    third = lacking(c.soft.state, c.soft.model.world[0].ample)
    return (one[0] or other[0] or third[0]) and not (one[1] or other[1] or third[1])


@kernel
def allowed_step(c: Coupled, fraction: float, most: float) -> float:
    """[s] that rods and bodies allow, of `most` [s]."""
    model, state = c.rods.model, c.rods.state
    h = min(stable_step(model, state) * fraction, most) if len(model.rods) + len(model.bodies) > 0 else most
    return min(h, motion_step(model, state))


@kernel
def longest(own: Own, taken: int, _halved: bool, critical: float) -> tuple[float, float]:
    """The longest step now [s], and what soft bodies allow of it, found every few steps: see even_division.driver."""
    c, _, fraction, soft_fraction, max_step = own
    if taken % CHECK == 0:
        lay_solids(c.soft.model.solids, c.soft.state.clock[0].time)
        critical = min(soft_fraction * critical_step(c.soft.model, c.soft.work.solids, c.soft.state), max_step)
    return allowed_step(c, fraction, critical), critical


go_on = driver(longest, halving(begin_step, attempt_step, take_back, shorter), REDIVIDE, 0.5, 1)


@entry
def coupled_steps(
    c: Coupled, viscous: bool, duration: float, fraction: float, soft_fraction: float, max_step: float
) -> tuple[int, int, int, int, float]:
    """Go on by `duration` [s] in even steps of at most these fractions of the rods' stable and the soft bodies'
    critical step, and max_step [s], to where material frames can be read.

    Returns (status, rod, the other rod, steps taken, time left undone [s]); rod −1: it concerns soft bodies.
    """
    lay_numbers(c.rods.model, c.rods.state.clock[0].time)
    loosen(c.rods.model, c.rods.state, c.rods.work.constraints, c.rods.state.clock[0].time)
    velocity_verlet.begin(c.soft.model, c.soft.state, c.soft.work.solids, duration)
    own = c, viscous, fraction, soft_fraction, max_step
    first = critical = 0.0
    if c.rods.state.clock[0].step == 0.0:
        critical = longest(own, 0, False, 0.0)[1]
        first = GENTLE * allowed_step(c, 1.0, critical)
    ended = go_on(own, duration, first, critical)
    lay_material_frames(c.rods.model, c.rods.state, c.rods.work.elastic)
    return ended
