"""The equations of an implicit step for rigid bodies.

The turn ψ from the old pose is the unknown, q = exp(ψ) q₀, for a second-order formula needs a vector. With ψ̄ where the
body would be turned to at no angular velocity and l̄ its angular momentum without torques,

    M (x − y)/s² = f,    (l − l̄)/s = τ,    l = I(q) ω,    ω = ψ' + (1 − cos ψ)/ψ² ψ × ψ' + (ψ − sin ψ)/ψ³ ψ × (ψ × ψ'),

where ψ' = (ψ − ψ̄)/s. In the matrix the turning part is I/s² alone: what gyroscopic terms leave is left to the
iteration, which begins where a free body would be.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.turns import exponential, product, quaternion, rotate, spin_of, turn_back, turn_in_space, unit
from ..arithmetic.vectors import plus, scaled, vector
from ..model import PANEL, Model, State
from . import border
from .scratch import ImplicitScratch

PAIRS = 15  # of six unknowns


@kernel
def measure_turning(work: ImplicitScratch, b: int, s: float) -> None:
    """ω of body b as it is turned."""
    step, k = work.bodies[b], 1.0 / s
    psi = vector(step.turn)
    rate = scaled(k, plus(psi, -1.0, vector(step.before)))
    step.omega[0], step.omega[1], step.omega[2] = spin_of(scaled(-1.0, psi), rate)


@kernel
def times_inertia(body: np.record, q: np.ndarray, v: np.ndarray, out: np.ndarray) -> None:
    """out = I(q) v, all (3,); in place is fine."""
    turn_back(q, v, out)
    for c in range(3):
        out[c] *= body.inertia[c]
    rotate(q, out, out)


@kernel
def push_body(model: Model, state: State, work: ImplicitScratch, b: int, s: float) -> None:
    """Inertia, what acts from outside and drag of body b into work.own_side; its angular momentum as it turns."""
    step, now, side, drag = work.bodies[b], state.bodies[b], work.own_side, work.bodies[b].drag / s
    measure_turning(work, b, s)
    times_inertia(model.bodies[b], now.q, step.omega, now.l)
    for c in range(3):
        side[c] = step.force[c] - step.inertia * (now.x[c] - step.drift[c]) - drag * (now.x[c] - step.rest[c])
        side[3 + c] = (step.momentum[c] - now.l[c]) / s + step.torque[c]


@kernel
def add_bodies(model: Model, state: State, work: ImplicitScratch, s: float) -> None:
    """The same of all bodies into the border, and in its matrix."""
    for b in range(len(model.bodies)):
        step, now, own = work.bodies[b], state.bodies[b], work.own
        push_body(model, state, work, b, s)
        for c in range(4):
            step.matrix_q[c] = now.q[c]
        for c in range(6):
            for d in range(6):
                own[c].value[d] = 0.0
        drag = step.drag / s
        for c in range(3):
            own[c].value[c] = step.inertia + drag
            axis = work.w[0]
            axis[0], axis[1], axis[2] = 0.0, 0.0, 0.0
            axis[c] = 1.0 / (s * s)
            times_inertia(model.bodies[b], now.q, axis, axis)
            for d in range(3):
                own[3 + c].value[3 + d] = axis[d]
            step.alone[c] = axis[c]
        border.add(model, work, PANEL * b, (PAIRS * b, PAIRS * b + PAIRS), 1)


@kernel
def compare(model: Model, work: ImplicitScratch) -> None:
    """How much of what resists the turning of bodies is their own inertia: the gyroscopic terms that the matrix lacks
    go with it. The border has all equations, and is not yet eliminated.
    """
    for b in range(len(model.bodies)):
        step = work.bodies[b]
        step.share = 0.0
        for c in range(3):
            row = model.chain_system.border[PANEL * b + 3 + c]
            step.share = max(step.share, step.alone[c] / work.diagonal[row])


@kernel
def move_body(
    model: Model, state: State, work: ImplicitScratch, b: int, q0: np.ndarray, scale: float, s: float
) -> float:
    """Change the pose of body b, which was turned as q0 (4,), by the solution, or by part of it. Returns by how much
    [rad] it turns.

    Its angular momentum becomes what the equations say of it, with the inertia that the matrix has, however exactly
    the pose solves them: so all of it is where torques bring it.
    """
    now, step, side, gained = state.bodies[b], work.bodies[b], work.own_side[:6], work.w[0]
    border.read(model, work, PANEL * b, side)
    times_inertia(model.bodies[b], step.matrix_q, side[3:], gained)
    for c in range(3):
        now.x[c] += scale * side[c]
        now.l[c] += scale * gained[c] / s
    turn = exponential((scale * side[3], scale * side[4], scale * side[5]))
    now.q[0], now.q[1], now.q[2], now.q[3] = unit(product(turn, quaternion(now.q)))
    step.turn[0], step.turn[1], step.turn[2] = turn_in_space(q0, now.q)
    return sqrt(side[3] * side[3] + side[4] * side[4] + side[5] * side[5])
