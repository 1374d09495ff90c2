"""What bodies do on top of a step in which they touched: they leave what they struck at a part of the speed at which
they came (Newton's restitution), and rolling resistance takes its arm times the force that presses.

Impulses on velocities alone, sweep by sweep, for a step brings nothing nearer than touching. A blow goes on through all
that touches: what comes together is reflected, then what that sends against each other, until nothing comes together
(Smith et al. 2012, *Reflections on simultaneous impact*). So of a row of balls the last one leaves.
"""

from math import sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.vectors import Vector, cross, dot, plus, scaled, vector
from ..model import Model, OldState, State
from .carriers.body import swing
from .kept_forces import pressing
from .scratch import BODY

SWEEPS = 8
ROUNDS = 32  # of reflections at most
SLOW = 2.0  # what a step of gravity adds, so many times: slower nothing rebounds, it has come to rest,
SLIGHT = 1e-6  # nor at such a part of what strikes


@entry
def rebound(
    model: Model, state: State, old: OldState, contacts: np.ndarray, pushes: np.ndarray, h: float, unit: float, s: float
) -> bool:
    """Velocities and angular momenta of bodies that touched in a step of h [s], in place; pushes: BODY_PUSH (B,), their
    inverse inertias; unit [N]: of the contacts' impulses; s [s]: for which these forces have acted on velocities.

    Whether anything rebounds.
    """
    bounces = resists = False
    for q in range(len(contacts)):
        row = contacts[q]
        if row.carrier[0] & BODY and row.normal > 0.0:
            bounces = bounces or row.restitution > 0.0
            for side in range(2):
                resists = resists or (row.body[side] >= 0 and model.shapes[row.body[side]].rolling > 0.0)
    if bounces:
        bounces = bounce(model, state, old, contacts, pushes, h, s * unit)
    if resists:
        resist(model, state, contacts, pushes, h * unit)
    return bounces


@kernel
def bounce(
    model: Model, state: State, old: OldState, contacts: np.ndarray, pushes: np.ndarray, h: float, unit: float
) -> bool:
    """Contacts that were struck are left at restitution times the speed of coming, and what they strike in turn; unit
    [N s]: of the contacts' impulses. Whether there are any.
    """
    slow = strike(model, old, contacts, pushes, h)
    if slow < 0.0:
        return False
    if not join(model, contacts, pushes):
        reflect(model, state, old, contacts, pushes, h, False)
        return True
    for q in range(len(contacts)):  # what the step has made of them is found anew
        row = contacts[q]
        row.given[0] = 0.0
        if row.weight > 0.0:
            kick(model, state, old, row, scaled(-unit, pressing(row)))
    again = True
    for _ in range(ROUNDS):
        if again:
            reflect(model, state, old, contacts, pushes, h, False)
            again = strike_on(model, state, old, contacts, pushes, h, slow)
    for q in range(len(contacts)):  # and friction as far as it is pressed
        row = contacts[q]
        if row.weight > 0.0:
            kick(model, state, old, row, scaled(min(row.given[0] / row.normal, unit), vector(row.along)))
    reflect(model, state, old, contacts, pushes, h, True)
    return True


@kernel
def strike_on(
    model: Model, state: State, old: OldState, contacts: np.ndarray, pushes: np.ndarray, h: float, slow: float
) -> bool:
    """Of contacts that were sent against each other, faster than `slow` [m/s], the speed `left` [m/s]; of others 0.
    Whether there are any.
    """
    again = False
    for q in range(len(contacts)):
        row = contacts[q]
        row.left = 0.0
        if row.weight > 0.0:
            now = leaving(row, state.bodies, old.bodies, pushes) - dot(row.n, row.drift) / h
            if now < -slow:  # without the fall in the step, which is in it
                row.left = row.restitution * max(-now - h * pulled(row, model), 0.0)
                again = again or row.left > 0.0
    return again


@kernel
def strike(model: Model, old: OldState, contacts: np.ndarray, pushes: np.ndarray, h: float) -> float:
    """Of contacts that were struck the speed `left` [m/s] at which they are to be left, and their `weight`: of all
    others 0. Returns what is too slow to strike [m/s]; −1: all of them.
    """
    slow, fastest = SLOW * h * sqrt(dot(model.world[0].gravity, model.world[0].gravity)), 0.0
    for again in range(2):
        for q in range(len(contacts)):
            row = contacts[q]
            row.left = row.weight = 0.0
            if may_bounce(row):
                came = leaving(row, old.bodies, old.bodies, pushes) - dot(row.n, row.drift) / h
                fastest = max(fastest, -came)
                if again and came < -slow:  # and faster still where it strikes, by the fall that is left
                    fall = 2.0 * max(row.gap, 0.0) * pulled(row, model)
                    row.left = row.restitution * sqrt(max(came * came + fall, 0.0))
                    row.weight = mobility(model, row, pushes)
        if not fastest > slow:
            return -1.0
        slow = max(slow, SLIGHT * fastest)
    return slow


@kernel
def may_bounce(row: np.record) -> bool:
    """Whether a CONTACT is one of bodies that pressed on each other and may leave each other."""
    return row.carrier[0] & BODY != 0 and row.normal > 0.0 and row.restitution > 0.0


@kernel
def mobility(model: Model, row: np.record, pushes: np.ndarray) -> float:
    """Of a CONTACT along n [1/kg]."""
    total = 0.0
    for side in range(2):
        b = row.body[side]
        if b >= 0:
            total += swing(pushes[b].inverse, model.bodies[b].w, vector(row.arm[side]), vector(row.n))
    return total


@kernel
def join(model: Model, contacts: np.ndarray, pushes: np.ndarray) -> bool:
    """Give a weight to all contacts that what was struck may hand a blow on to. Whether there are any."""
    for b in range(len(pushes)):
        pushes[b].struck = False
    found, grew = False, True
    while grew:
        grew = False
        for q in range(len(contacts)):
            row, struck = contacts[q], contacts[q].weight > 0.0
            if may_bounce(row):
                for side in range(2):
                    struck = struck or (row.body[side] >= 0 and pushes[row.body[side]].struck)
            if struck:
                if row.weight == 0.0:
                    row.weight, found = mobility(model, row, pushes), True
                for side in range(2):
                    b = row.body[side]
                    if b >= 0 and not pushes[b].struck:
                        pushes[b].struck = grew = True
    return found


@kernel
def reflect(
    model: Model, state: State, old: OldState, contacts: np.ndarray, pushes: np.ndarray, h: float, rest: bool
) -> None:
    """Impulses by which contacts are left at their speed, those alone that have one, or, to `rest`, all that came to
    bounce at none.
    """
    for q in range(len(contacts)):
        contacts[q].gain = 0.0  # the impulse [N s]
    for _ in range(SWEEPS):
        for q in range(len(contacts)):
            row = contacts[q]
            if row.weight > 0.0 and (rest or row.left > 0.0):
                now = leaving(row, state.bodies, old.bodies, pushes) - dot(row.n, row.drift) / h
                new = max(row.gain + (row.left - now) / row.weight, 0.0)
                change, row.gain = new - row.gain, new
                row.given[0] += change
                kick(model, state, old, row, scaled(change, vector(row.n)))


@kernel
def kick(model: Model, state: State, old: OldState, row: np.record, impulse: Vector) -> None:
    """An impulse [N s] on the first of a CONTACT, and its opposite on the second."""
    for side in range(2):
        b = row.body[side]
        if b >= 0:
            f = scaled(1.0 - 2.0 * side, impulse)
            moment = cross(arm_now(row, side, state.bodies[b], old.bodies[b]), f)
            for c in range(3):
                state.bodies[b].v[c] += model.bodies[b].w * f[c]
                state.bodies[b].l[c] += moment[c]


@kernel
def arm_now(row: np.record, side: int, now: np.record, old: np.record) -> Vector:
    """From where a body's centre of mass is now to the point of a CONTACT, which is one for both: momenta are kept."""
    return plus(plus(vector(row.arm[side]), 1.0, vector(old.x)), -1.0, vector(now.x))


@kernel
def pulled(row: np.record, model: Model) -> float:
    """How gravity brings the points of a CONTACT together [m/s²]."""
    towards = 0.0
    for side in range(2):
        if row.body[side] >= 0:
            share = (2.0 * side - 1.0) * model.bodies[row.body[side]].gravity
            towards += share * dot(row.n, model.world[0].gravity)
    return towards


@kernel
def leaving(row: np.record, bodies: np.ndarray, old: np.ndarray, pushes: np.ndarray) -> float:
    """How fast [m/s] the points of a CONTACT leave each other along n by bodies, as in BODY_STATE (B,); old: those at
    the step's begin.
    """
    along = 0.0
    for side in range(2):
        b = row.body[side]
        if b >= 0:
            own = cross(turning(bodies[b], pushes[b]), arm_now(row, side, bodies[b], old[b]))
            along += (1.0 - 2.0 * side) * (dot(row.n, own) + dot(row.n, bodies[b].v))
    return along


@kernel
def turning(now: np.record, push: np.record) -> Vector:
    """Angular velocity [rad/s] of a body, by its inverse inertia."""
    return dot(push.inverse[0], now.l), dot(push.inverse[1], now.l), dot(push.inverse[2], now.l)


@kernel
def resist(model: Model, state: State, contacts: np.ndarray, pushes: np.ndarray, unit: float) -> None:
    """Rolling resistance: a torque of at most its arm times the force that presses, against what turns against what.

    unit [N s]: of the contacts' impulses.
    """
    for q in range(len(contacts)):
        row, most, omega, give = contacts[q], 0.0, (0.0, 0.0, 0.0), 0.0
        if not row.carrier[0] & BODY or row.normal <= 0.0:
            continue
        for side in range(2):
            b = row.body[side]
            if b >= 0:
                most = max(most, model.shapes[b].rolling * row.normal * unit)
                omega = plus(omega, 1.0 - 2.0 * side, turning(state.bodies[b], pushes[b]))
        size = sqrt(dot(omega, omega))
        if most == 0.0 or size == 0.0:
            continue
        for side in range(2):
            b = row.body[side]
            if b >= 0:
                inverse = pushes[b].inverse
                turned = dot(inverse[0], omega), dot(inverse[1], omega), dot(inverse[2], omega)
                give += dot(omega, turned) / (size * size)
        torque = min(most, size / give) / size
        for side in range(2):
            b = row.body[side]
            if b >= 0:
                for c in range(3):
                    state.bodies[b].l[c] -= (1.0 - 2.0 * side) * torque * omega[c]
