"""What bodies do on top of a step in which they touched: they leave what they struck at a part of the speed at which
they came (Newton's restitution), and rolling resistance takes its arm times the force that presses.

Impulses on velocities alone, sweep by sweep, for a step brings nothing nearer than touching.
"""

from math import sqrt

import numpy as np

from .._jit import entry, kernel
from ..model import Model, OldState, State
from ..rods.vectors import Vector, cross, dot, plus, scaled, vector
from .carriers.body import swing

SWEEPS = 8
SLOW = 2.0  # what a step of gravity adds, so many times: slower nothing rebounds, it has come to rest


@entry
def rebound(
    model: Model, state: State, old: OldState, contacts: np.ndarray, pushes: np.ndarray, h: float, unit: float
) -> None:
    """Velocities and angular momenta of bodies that touched in a step of h [s], in place; pushes: BODY_PUSH (B,), their
    inverse inertias; unit [N]: of the contacts' impulses.
    """
    bounces = resists = False
    for q in range(len(contacts)):
        row = contacts[q]
        if row.of_shape and row.rod[0] < 0 and row.normal > 0.0:
            bounces = bounces or row.restitution > 0.0
            for side in range(2):
                resists = resists or (row.body[side] >= 0 and model.shapes[row.body[side]].rolling > 0.0)
    if bounces:
        bounce(model, state, old, contacts, pushes, h)
    if resists:
        resist(model, state, contacts, pushes, h * unit)


@kernel
def bounce(model: Model, state: State, old: OldState, contacts: np.ndarray, pushes: np.ndarray, h: float) -> None:
    """Contacts that were struck are left at restitution times the speed of coming."""
    bodies, slow = model.bodies, SLOW * h * sqrt(dot(model.world[0].gravity, model.world[0].gravity))
    for q in range(len(contacts)):
        row = contacts[q]
        row.left = 0.0  # from here on the speed at which it is to be left [m/s],
        row.gain = 0.0  # and the impulse that gives it [N s]
        if row.of_shape and row.rod[0] < 0 and row.normal > 0.0 and row.restitution > 0.0:
            row.weight = 0.0
            for side in range(2):
                b = row.body[side]
                if b >= 0:
                    row.weight += swing(pushes[b].inverse, bodies[b].w, vector(row.arm[side]), vector(row.n))
            came = leaving(row, old.bodies, old.bodies, pushes) - dot(row.n, row.drift) / h
            if came < -slow:  # and faster still where it strikes, by the fall that is left
                row.left = row.restitution * sqrt(max(came * came + 2.0 * max(row.gap, 0.0) * pulled(row, model), 0.0))
    for _ in range(SWEEPS):
        for q in range(len(contacts)):
            row = contacts[q]
            if row.left == 0.0:
                continue
            now = leaving(row, state.bodies, old.bodies, pushes) - dot(row.n, row.drift) / h
            new = max(row.gain + (row.left - now) / row.weight, 0.0)
            change, row.gain = new - row.gain, new
            for side in range(2):
                b = row.body[side]
                if b >= 0:
                    f = scaled(change * (1.0 - 2.0 * side), vector(row.n))
                    moment = cross(arm_now(row, side, state.bodies[b], old.bodies[b]), f)
                    for c in range(3):
                        state.bodies[b].v[c] += bodies[b].w * f[c]
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
        if not row.of_shape or row.rod[0] >= 0 or row.normal <= 0.0:
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
