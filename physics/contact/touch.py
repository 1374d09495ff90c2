"""Contacts and what carries them solved together: sweeps over the contacts alternate with the carriers' answers."""

from math import inf, sqrt

from .._jit import kernel
from ..arithmetic.arrays import copy_rows
from ..arithmetic.vectors import dot
from ..constraints.length_system import has_lengths
from ..model import Model, OldState, State
from .carriers import body, chain
from .carriers.points import Carried, answer, carriers
from .conjugate_sweeps import begin_sweeps, lead
from .contact_springs import press
from .inequality_constraints import gains, on_held_rod, sweep, warm_start
from .scratch import FRAMES, VERTICES, ContactScratch

CONTACT_ROUNDS = 24  # at most
CONTACT_PRECISION = 1e-3  # of the smaller radius: what is missing after the last round is left to the next step
# On bodies, meshes, floors and held rods it is not: a stack would rock for ever, and a rope wound around a post creep.
STACK_ROUNDS = 1000  # at most, where bodies alone touch
ROD_ROUNDS = 120  # at most, with rods among them, whose answers take longer than the sweeps
FINE_PRECISION = 1e-5
PART = 0.1  # of the way that rods go in the step against what they touch, if that is finer: a log at rest falls by
REST_PRECISION = 1e-7  # 1e-5 of its radius in a step. This is the finest; not of what is led, which may press on


@kernel
def touch(
    model: Model, state: State, old: OldState, carried: Carried, work: ContactScratch, count: int, h: float
) -> None:
    """Rounds of sweeps over `count` contacts and their carriers' answers, until what is missing is small; or what
    contact springs do, where they are asked for.
    """
    _, welded, constraints = carried
    contacts, x, w, rods = work.contacts[:count], state.x, state.w, model.rods
    held = model.bodies, model.slaves, welded.slaves, work.pushes
    body.put_effective_masses(held, model.length_system.links, constraints.o, w)
    chain.prepare(rods, w, constraints.o, constraints.band)
    gains(contacts, rods, w, constraints.o, constraints.band, held)
    body.clear_effective_masses(model.slaves, w)
    copy_rows(x, work.answered)
    warm_start(contacts, x, w, held, work.frames)
    if model.world[0].springs:
        press(model, contacts, x, old.x, w, held, work.frames, h)
        if has_lengths(model):
            body.answer(model, state, old, welded, constraints, work.pushes, h)
        return
    missing, rounds, precision, last = inf, CONTACT_ROUNDS, CONTACT_PRECISION, 0.0
    fine, led, rods_touch, way = False, False, False, 0.0
    for q in range(count):
        row = contacts[q]
        fine = fine or not row.carrier[1] & VERTICES or carriers(row) & FRAMES != 0 or on_held_rod(row, w)
        led = led or dot(row.drift, row.drift) > 0.0
        if row.rod[0] >= 0:
            rods_touch, moved = True, chain.moved(row, x, old.x)
            way = max(way, sqrt(dot(moved, moved)) / row.radius)
    if fine:
        rounds = ROD_ROUNDS if rods_touch else STACK_ROUNDS
        precision = FINE_PRECISION if led or not rods_touch else max(REST_PRECISION, min(FINE_PRECISION, PART * way))
        begin_sweeps(contacts)
    for k in range(rounds + 1):
        ends = missing < precision or k == rounds
        if fine and k > 0 and not ends:  # what it pushes has to be answered before a sweep looks at it
            last = lead(contacts, x, w, held, work.frames, last)
        answer(model, state, old, carried, work, k, h)
        if ends:
            break
        copy_rows(x, work.answered)
        missing = sweep(contacts, x, old.x, w, held, work.frames, h)
