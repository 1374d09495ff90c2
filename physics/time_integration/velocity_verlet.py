"""Velocity Verlet of soft bodies, with lumped mass (Swope et al. 1982), and its like where they are viscous.

Without viscosity a step of h is

    v½ = v₀ + h/2 M⁻¹F(x₀),   x₁ = x₀ + h v½,   v₁ = v½ + h/2 M⁻¹F(x₁):

second order, symplectic, stable below h = 2/ω. Viscosity −C(x) v would limit h to 2/(ω² τ), τ its relaxation time,
so it is implicit. Split off by itself it would let stiff putty flow as if h and not μ held it: it has to be solved for
with the forces it balances. So x is moved by half a step before and after, and in between, at x½, the linear equation

    M v' = F(x½) − C(x½) v

is integrated over h by two stages of an L-stable method of second order (Alexander 1977, SDIRK2: γ = 1 − 1/√2),

    (M + γhC) a₁ = F − C v₀,   (M + γhC) a₂ = F − C (v₀ + (1−γ)h a₁),   v₁ = v₀ + (1−γ)h a₁ + γh a₂:

second order as a whole, for it is symmetric but for the error of the stages; position Verlet as C → 0; x' = C⁻¹F, the
flow of what has no inertia, as C → ∞. See solids/viscous_solve for the equations.

A step is taken back and halved when an element's volume changes by more than a factor of 1/.7 in it, or, of sheets and
where nothing is viscous, a node's acceleration by so much that it matters where it is, h² |Δa| > .02 of the smallest
height there: so none ever inverts. So is one in which a surface passed through something. What touches is pressed apart
at the end of a step, before the forces there are known: see contact/soft_touch. Air drags at its beginning: see
forces/surface_drag. (Steps that adapt have no contact: their error would be that of what strikes.)
"""

from math import inf, sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.arrays import copy, copy_rows
from ..contact.feature_passage import soft_passed
from ..contact.room import asks_too_much
from ..contact.soft_touch import find_contacts, give_forces, press_apart, stop, withdraw
from ..forces.pressure import bursts
from ..forces.surface_drag import resist
from ..forces.weight import weigh
from ..model import Model, State
from ..sheets.motion import damp, turn
from ..sheets.motion import kick as kick_directors
from ..solids.collapse import volume_ratios
from ..solids.constraints import damp_springs, direct, meet, meet_rates, place_anchors
from ..solids.critical_step import applied_forces, critical_step
from ..solids.keyed_numbers import lay_solids
from ..solids.scratch import SolidScratch
from ..solids.viscous_solve import push_viscous
from .energy_look import look_longer, note, note_contacts, pressed
from .even_division import driver
from .halving import halving
from .soft_energy_look import measure_soft_work, soft_wins
from .step import shortened, shortest
from .symplectic_euler import DONE, GAINS, PAIRS_FULL, TOO_FAR, drift, fastest_thing
from .verify import CREEP, DEEP
from .workspace import Workspace

CHANGE = 0.7  # by which factor a volume may change in a step
SHIFT = 0.02  # of the smallest height
REDIVIDE = 1.15  # times as long as is allowed, or half as long: then the rest is divided anew
CHECK = 16  # steps after which the critical step is found again
BRIEF = 1.0 / 64.0  # of a usual step: where a rope lies on the cushion that it is tied to, shorter ones mend nothing
FINEST = 2.0**-40  # of the stretch: shorter steps get nowhere
Own = tuple[Model, State, Workspace, bool, float, float, float]  # viscous, fraction, max_step, the shortest step [s]


@kernel
def kick(state: State, work: Workspace, h: float) -> None:
    """v += h M⁻¹F of free nodes."""
    own, v, w = work.solids, state.v, state.w
    for i in range(len(v)):
        if w[i] > 0.0:
            for c in range(3):
                v[i, c] += h * (w[i] * own.force[i, c] + own.weight[i, c])


@kernel
def attempt(model: Model, state: State, work: Workspace, viscous: bool, h: float, usual: float) -> int:
    """One step of h [s], from the forces at hand: DONE if it counts, TOO_FAR or PAIRS_FULL."""
    own, x, v, w, time, count = work.solids, state.x, state.v, state.w, state.clock[0].time, 0
    touches = len(model.solids.on_node) > 0
    copy_rows(x, work.old.x)
    copy_rows(v, work.old.v)
    copy_rows(own.force, own.old_force)
    copy(own.jacobian, own.old_jacobian)
    copy(state.directors, own.old_directors)
    direct(model, own, x)
    resist(model, state, own.rate, h)
    damp_springs(model, v, w, time, h)
    if viscous:
        if touches:
            drift(x, v, w, h)
            count = find_contacts(model, state, work.old, work.contact, h)
            if count < 0:
                return PAIRS_FULL
            copy_rows(work.old.x, x)
        drift(x, v, w, 0.5 * h)
        place_anchors(model, time + 0.5 * h, x, v)
        turn(model.solids, x, state.directors, 0.5 * h)
        lay_solids(model.solids, time + 0.5 * h)
        applied_forces(model, own, state, time + 0.5 * h, own.force)
        if not keeps_shape(own.jacobian, own.old_jacobian):
            return TOO_FAR
        give_forces(work.contact.contacts[:count], own.force, h)
        push_viscous(model, own, x, v, w, h)
        kick_directors(model.solids, state, h)
        drift(x, v, w, 0.5 * h)
    else:
        kick(state, work, 0.5 * h)
        kick_directors(model.solids, state, 0.5 * h)
        drift(x, v, w, h)
    place_anchors(model, time + h, x, v)
    if touches and not viscous:
        count = find_contacts(model, state, work.old, work.contact, h)
        if count < 0:
            return PAIRS_FULL
    copy_rows(v, own.free)
    work.look[0].given = work.look[0].closed = work.look[0].rubbed = 0.0
    if count > 0:
        withdraw(work.contact.contacts[:count], own.free, w, h)
        press_apart(model, state, work.old, work.welded, work.contact, count, h)
        contacts = work.contact.contacts[:count]
        nodes = x, work.old.x, w
        note_contacts(work.look[0], pressed(model, state, nodes, work.old.bodies, contacts, 2.0 / (h * h), h), False)
    meet(model, own, w, x, v, time + h, h)
    if touches and soft_passed(model, state, work.old, h, depth_asked(h, usual)):
        return TOO_FAR
    if bursts(model, x):
        return TOO_FAR
    if viscous:
        volume_ratios(model.solids.tetrahedra, x, own.jacobian)
        turn(model.solids, x, state.directors, 0.5 * h)
    else:
        turn(model.solids, x, state.directors, h)
        lay_solids(model.solids, time + h)
        applied_forces(model, own, state, time + h, own.force)
        kick(state, work, 0.5 * h)
        kick_directors(model.solids, state, 0.5 * h)
    if count > 0:
        stop(model, state, work.welded, work.contact, count, own.trial, h)
    direct(model, own, x)
    meet_rates(model, own, w, v, time + h)
    measure_soft_work(model, state, work, h, 0.0 if viscous else 0.5 * h)
    fine = keeps_shape(own.jacobian, own.old_jacobian) and keeps_pace(model, state, work, viscous, h)
    return DONE if fine else TOO_FAR


@kernel
def depth_asked(h: float, usual: float) -> tuple[float, float]:
    """(how deep surfaces may end in each other, of what they are rounded by, how much deeper what was drawn so may)
    behind a step of h [s], of usual ones: what BRIEF parts of a step do not keep apart sinks in, and the bake goes on.
    """
    return (DEEP if h > BRIEF * usual else inf), CREEP * h


@kernel
def keeps_shape(jacobian: np.ndarray, before: np.ndarray) -> bool:
    """Whether no element's det F (T,) has changed by too large a factor."""
    for e in range(len(jacobian)):
        ratio = jacobian[e] / before[e]
        if not CHANGE < ratio < 1.0 / CHANGE:
            return False
    return True


@kernel
def keeps_pace(model: Model, state: State, work: Workspace, viscous: bool, h: float) -> bool:
    """Whether no node's acceleration has changed by so much that a step of h [s] is too long; where viscosity is solved
    for, of sheets alone.
    """
    own, w, bodies = work.solids, state.w, model.solids.bodies
    for b in range(len(bodies)):
        if viscous and not bodies[b].open:
            continue
        for i in range(bodies[b].node[0], bodies[b].node[1]):
            square = 0.0
            for c in range(3):
                square += (own.force[i, c] - own.old_force[i, c]) ** 2
            if not sqrt(square) * w[i] * h * h <= SHIFT * own.height[i]:
                return False
    return True


@kernel
def take_back(state: State, work: Workspace) -> None:
    """To where the step began."""
    own = work.solids
    copy_rows(work.old.x, state.x)
    copy_rows(work.old.v, state.v)
    copy_rows(own.old_force, own.force)
    copy(own.old_jacobian, own.jacobian)
    copy(own.old_directors, state.directors)


@kernel
def begin_step(own: Own) -> tuple[int, int, float]:
    """Nothing: an attempt remembers what it changes."""
    return DONE, -1, 0.0


@kernel
def attempt_step(own: Own, h: float, usual: float, begun: float, last: bool) -> tuple[int, int, int]:
    """One of h [s], looked at and accepted: see `halving`."""
    model, state, work, viscous, _, _, _ = own
    status = attempt(model, state, work, viscous, h, usual)
    if status == DONE:
        look_longer(work.look[0], h, usual)
        won = soft_wins(model, state, work)
        if won and not last:
            return GAINS, -1, -1
        note(state, work, h, won, fastest_thing(model, state, work.old)[0] if won else 0)
        state.clock[0].time += h
        state.clock[0].step = h
    return status, -1, -1


@kernel
def step_back(own: Own) -> None:
    """To where it began."""
    take_back(own[1], own[2])


@kernel
def shorter(own: Own, status: int, h: float, usual: float) -> float:
    """What to try next [s], or 0: see `halving`."""
    if status == PAIRS_FULL:
        return shortened(status, h, shortest(status, asks_too_much(own[0], own[1])) * usual)
    return shortened(status, h, own[6])


@kernel
def longest(own: Own, taken: int, halved: bool, kept: float) -> tuple[float, float]:
    """The longest step now [s], found every few steps: see even_division.driver."""
    model, state, work, viscous, fraction, max_step, _ = own
    if taken % CHECK != 0 and not halved:
        return kept, kept
    lay_solids(model.solids, state.clock[0].time)
    if viscous and taken > 0:  # its forces are those of the middle of the step
        applied_forces(model, work.solids, state, state.clock[0].time, work.solids.force)
    limit = min(fraction * critical_step(model, work.solids, state), max_step)
    return limit, limit


go_on = driver(longest, halving(begin_step, attempt_step, step_back, shorter), REDIVIDE, 0.5, 1)


@kernel
def begin(model: Model, state: State, own: SolidScratch, duration: float) -> None:
    """What steps of `duration` [s] begin with: what damps sheets in all of it, and forces where they begin."""
    weigh(model, state.fields, own.weight)
    copy_rows(own.weight, own.acceleration)
    place_anchors(model, state.clock[0].time, state.x, state.v)
    lay_solids(model.solids, state.clock[0].time)
    damp(model, state, (own.residual, own.search, own.answer), own.turns, own.directors, duration)
    applied_forces(model, own, state, state.clock[0].time, own.force)


@entry
def verlet_steps(
    model: Model, state: State, work: Workspace, viscous: bool, duration: float, fraction: float, max_step: float
) -> tuple[int, int, float]:
    """Go on by `duration` [s] in even steps of at most `fraction` of the critical step and max_step [s].

    Returns (status, steps taken, time left undone [s]).
    """
    begin(model, state, work.solids, duration)
    own = model, state, work, viscous, fraction, max_step, FINEST * duration
    status, _, _, taken, left = go_on(own, duration, 0.0, 0.0)
    return status, taken, left
