"""What bodies do on top of a step in which they touched: they leave what they struck at a part of the speed at which
they came (Newton's restitution), and rolling resistance takes its arm times the force that presses.

Impulses on velocities alone, sweep by sweep, for a step brings nothing nearer than touching.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..model import Model, OldState, State
from ..rods.vectors import cross, dot, plus, scaled, vector

SWEEPS = 8
SLOW = 2.0  # what a step of gravity adds, so many times: slower nothing rebounds, it has come to rest


@kernel
def rebound(model: Model, state: State, old: OldState, contacts: np.ndarray, pushes: np.ndarray, h: float) -> None:
    """Velocities and angular momenta of bodies that touched in a step of h [s], in place; pushes: BODY_PUSH (B,), their
    inverse inertias.
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
        resist(model, state, contacts, h)


@kernel
def bounce(model: Model, state: State, old: OldState, contacts: np.ndarray, pushes: np.ndarray, h: float) -> None:
    """Contacts that were struck are left at restitution times the speed of coming."""
    bodies, slow = model.bodies, SLOW * h * sqrt(dot(model.world[0].gravity, model.world[0].gravity))
    for q in range(len(contacts)):
        row = contacts[q]
        row.left = 0.0  # from here on the speed at which it is to be left [m/s],
        row.gain = 0.0  # and the impulse that gives it [N s]
        if row.of_shape and row.rod[0] < 0 and row.normal > 0.0 and row.restitution > 0.0:
            came = speed(row, model, old.bodies, pushes, h)
            if came < -slow:  # and faster still where it strikes, by the fall that is left
                row.left = row.restitution * sqrt(max(came * came + 2.0 * max(row.gap, 0.0) * pulled(row, model), 0.0))
    for _ in range(SWEEPS):
        for q in range(len(contacts)):
            row = contacts[q]
            if row.left == 0.0:
                continue
            new = max(row.gain + (row.left - speed(row, model, state.bodies, pushes, h)) / row.weight, 0.0)
            change, row.gain = new - row.gain, new
            for side in range(2):
                b = row.body[side]
                if b >= 0:
                    f = scaled(change * (1.0 - 2.0 * side), vector(row.n))
                    moment = cross(vector(row.arm[side]), f)
                    for c in range(3):
                        state.bodies[b].v[c] += bodies[b].w * f[c]
                        state.bodies[b].l[c] += moment[c]


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
def speed(row: np.record, model: Model, bodies: np.ndarray, pushes: np.ndarray, h: float) -> float:
    """How fast [m/s] the points of a CONTACT leave each other along n, bodies being as in BODY_STATE (B,)."""
    along = -dot(row.n, row.drift) / h
    for side in range(2):
        b = row.body[side]
        if b >= 0:
            inverse, l = pushes[b].inverse, bodies[b].l
            omega = dot(inverse[0], l), dot(inverse[1], l), dot(inverse[2], l)
            own = plus(cross(omega, vector(row.arm[side])), 1.0, vector(bodies[b].v))
            along += (1.0 - 2.0 * side) * dot(row.n, own)
    return along


@kernel
def resist(model: Model, state: State, contacts: np.ndarray, h: float) -> None:
    """Rolling resistance: a torque of at most its arm times the force that presses, against what turns."""
    for q in range(len(contacts)):
        row = contacts[q]
        if not row.of_shape or row.rod[0] >= 0 or row.normal <= 0.0:
            continue
        for side in range(2):
            b = row.body[side]
            if b >= 0 and model.shapes[b].rolling > 0.0:
                l = vector(state.bodies[b].l)
                size, most = sqrt(dot(l, l)), model.shapes[b].rolling * row.normal / h
                if size > 0.0:
                    l = scaled(max(1.0 - most / size, 0.0), l)
                for c in range(3):
                    state.bodies[b].l[c] = l[c]
