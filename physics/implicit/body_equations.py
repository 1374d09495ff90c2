"""The equations of an implicit step for rigid bodies.

The turn ψ from the old pose is the unknown, q = exp(ψ) q₀, for a second-order formula needs a vector. With ψ̄ where the
body would be turned to at no angular velocity and l̄ its angular momentum without torques,

    M (x − y)/s² = f,    (l − l̄)/s = τ,    l = I(q) ω,    ω = ψ' + (1 − cos ψ)/ψ² ψ × ψ' + (ψ − sin ψ)/ψ³ ψ × (ψ × ψ'),

where ψ' = (ψ − ψ̄)/s. In the matrix the turning part is I/s² alone: what gyroscopic terms leave is left to the
iteration, which begins where a free body would be.
"""

from math import atan2, cos, sin, sqrt

import numpy as np

from .._jit import kernel
from ..model import PANEL, Model, State
from ..rotations import rotate, turn_back
from ..vectors import Vector, cross, dot, vector
from . import border
from .scratch import ImplicitScratch

PAIRS = 15  # of six unknowns
SLOW = 1e-4  # rad: below it sines are series


@kernel
def turn_between(q: np.ndarray, q0: np.ndarray) -> Vector:
    """ψ [rad] with q = exp(ψ) q₀, unit quaternions (4,)."""
    w = q[0] * q0[0] + q[1] * q0[1] + q[2] * q0[2] + q[3] * q0[3]
    x = q[1] * q0[0] - q[0] * q0[1] - q[2] * q0[3] + q[3] * q0[2]
    y = q[2] * q0[0] - q[0] * q0[2] - q[3] * q0[1] + q[1] * q0[3]
    z = q[3] * q0[0] - q[0] * q0[3] - q[1] * q0[2] + q[2] * q0[1]
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    size = sqrt(x * x + y * y + z * z)
    k = 2.0 * atan2(size, w) / size if size > SLOW else 2.0 / w
    return k * x, k * y, k * z


@kernel
def turn_by(psi: Vector, q: np.ndarray) -> None:
    """q (4,) ← exp(ψ) q."""
    angle = sqrt(dot(psi, psi))
    k = sin(0.5 * angle) / angle if angle > SLOW else 0.5
    w, x, y, z = cos(0.5 * angle), k * psi[0], k * psi[1], k * psi[2]
    q[0], q[1], q[2], q[3] = (
        w * q[0] - x * q[1] - y * q[2] - z * q[3],
        w * q[1] + x * q[0] + y * q[3] - z * q[2],
        w * q[2] + y * q[0] + z * q[1] - x * q[3],
        w * q[3] + z * q[0] + x * q[2] - y * q[1],
    )
    unit = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    for c in range(4):
        q[c] *= unit


@kernel
def angular_rate(psi: Vector, rate: Vector) -> Vector:
    """ω [rad/s] of a turn ψ that changes at `rate`."""
    square = dot(psi, psi)
    a, b = 0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0
    if square > SLOW:
        angle = sqrt(square)
        a, b = (1.0 - cos(angle)) / square, (angle - sin(angle)) / (square * angle)
    first = cross(psi, rate)
    second = cross(psi, first)
    return (
        rate[0] + a * first[0] + b * second[0],
        rate[1] + a * first[1] + b * second[1],
        rate[2] + a * first[2] + b * second[2],
    )


@kernel
def measure_turning(work: ImplicitScratch, b: int, s: float) -> None:
    """ω of body b as it is turned."""
    step, k = work.bodies[b], 1.0 / s
    psi, before = vector(step.turn), vector(step.before)
    rate = (k * (psi[0] - before[0]), k * (psi[1] - before[1]), k * (psi[2] - before[2]))
    step.omega[0], step.omega[1], step.omega[2] = angular_rate(psi, rate)


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
            axis = work.w
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
    now, step, side, gained = state.bodies[b], work.bodies[b], work.own_side[:6], work.w
    border.read(model, work, PANEL * b, side)
    times_inertia(model.bodies[b], step.matrix_q, side[3:], gained)
    for c in range(3):
        now.x[c] += scale * side[c]
        now.l[c] += scale * gained[c] / s
    turn_by((scale * side[3], scale * side[4], scale * side[5]), now.q)
    step.turn[0], step.turn[1], step.turn[2] = turn_between(now.q, q0)
    return sqrt(side[3] * side[3] + side[4] * side[4] + side[5] * side[5])
