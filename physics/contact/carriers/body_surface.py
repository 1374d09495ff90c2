"""Surfaces of rigid bodies: they go where their body goes. Seen from the body they stand still, so what touches them is
looked at in its axes.

Under a push f, a point of contact at the arm p from the centre of mass moves by δ + φ × p, with δ = f/m and
φ = I⁻¹ (p × f): its mobility is 1/m + (p × n)ᵀ I⁻¹ (p × n) along n, as that of a vertex which the body holds (see
`body`, whose `held` this shares). Between two answers of the body, pushes add up to first order; what it has moved by
then is exact.
"""

from math import sqrt

import numpy as np

from ..._jit import kernel
from ...arithmetic.turns import conjugate, quaternion, turn_in_space, turned
from ...arithmetic.vectors import Vector, cross, dot, plus, scaled, vector
from .body import Held, swing


@kernel
def into(now: np.record, x: Vector) -> Vector:
    """A point x of the world [m] in the axes of a body, its BODY_STATE."""
    return turned(conjugate(now.q), plus(x, -1.0, vector(now.x)))


@kernel
def turned_out(now: np.record, d: Vector) -> Vector:
    """A direction of a body's axes in the world."""
    return turned(quaternion(now.q), d)


@kernel
def turned_in(now: np.record, d: Vector) -> Vector:
    """A direction of the world in a body's axes."""
    return turned(conjugate(now.q), d)


@kernel
def out_of(now: np.record, p: Vector) -> Vector:
    """Where a point p of a body's axes is in the world [m]."""
    return plus(turned_out(now, p), 1.0, vector(now.x))


@kernel
def way_of(push: np.record, p: Vector) -> Vector:
    """How far [m] a body's point at the arm p, of the old pose, has come since then; push: its BODY_PUSH."""
    r, d, t = push.rotation, push.gone, push.turn
    a = d[0] + push.shift[0] + dot(r[0], p) + t[1] * p[2] - t[2] * p[1]
    b = d[1] + push.shift[1] + dot(r[1], p) + t[2] * p[0] - t[0] * p[2]
    c = d[2] + push.shift[2] + dot(r[2], p) + t[0] * p[1] - t[1] * p[0]
    return a, b, c


@kernel
def centre(row: np.record, side: int) -> Vector:
    """The arm [m] of what turns with the body of a CONTACT: of the vertex or edge that its point is round about."""
    return plus(vector(row.arm[side]), -row.rounded[side], vector(row.n))


@kernel
def arm_at(row: np.record, side: int, now: np.record, old: np.record) -> Vector:
    """The arm [m] of a CONTACT's point as its body, BODY_STATE, has turned since an old pose: a ball turns, and touches
    with what is below it then. (As if the old point was that still, a ball that spun on a floor, in steps of 1 ms, won
    .7 of its energy in a second.)
    """
    return plus(turned_out(now, turned_in(old, centre(row, side))), row.rounded[side], vector(row.n))


@kernel
def gone(row: np.record, side: int, now: np.record, old: np.record) -> Vector:
    """How far [m] a CONTACT's point has moved with its body since an old pose; round parts roll on it: by φ × r n."""
    p, psi = centre(row, side), turn_in_space(old.q, now.q)
    way = plus(plus(vector(now.x), -1.0, vector(old.x)), 1.0, turned_out(now, turned_in(old, p)))
    return plus(plus(way, -1.0, p), row.rounded[side], cross(psi, vector(row.n)))


@kernel
def moved(row: np.record, held: Held) -> Vector:
    """How far [m] bodies have moved the first point of a CONTACT against the second since the old pose."""
    pushes, way = held[3], (0.0, 0.0, 0.0)
    for side in range(2):
        if row.body[side] >= 0:
            own = way_of(pushes[row.body[side]], vector(row.arm[side]))
            way = plus(way, 1.0 - 2.0 * side, own)
    return way


@kernel
def mobility(row: np.record, held: Held) -> tuple[float, float]:
    """How easily [1/kg] bodies let the points of a CONTACT move against each other: (along n, across n at most)."""
    n, along, xx, xy, yy = vector(row.n), 0.0, 0.0, 0.0, 0.0
    t = (0.0, n[2], -n[1]) if abs(n[0]) < 0.5 else (-n[2], 0.0, n[0])
    t = scaled(1.0 / sqrt(dot(t, t)), t)
    u = cross(n, t)
    for side in range(2):
        b = row.body[side]
        if b >= 0:
            p, w, inverse = vector(row.arm[side]), held[0][b].w, held[3][b].inverse
            along += swing(inverse, w, p, n)
            xx, yy = xx + swing(inverse, w, p, t), yy + swing(inverse, w, p, u)
            a, c = cross(p, t), cross(p, u)
            xy += a[0] * dot(inverse[0], c) + a[1] * dot(inverse[1], c) + a[2] * dot(inverse[2], c)
    return along, 0.5 * (xx + yy) + sqrt(0.25 * (xx - yy) ** 2 + xy * xy)


@kernel
def push(row: np.record, held: Held, f: Vector) -> None:
    """Push the bodies of a CONTACT by the impulse f [kg m] on its first point and its reaction."""
    for side in range(2):
        b = row.body[side]
        if b >= 0:
            sign, own, w = 1.0 - 2.0 * side, held[3][b], held[0][b].w
            moment = cross(vector(row.arm[side]), f)
            for c in range(3):
                own.shift[c] += sign * w * f[c]
                own.moment[c] += sign * moment[c]
                for d in range(3):
                    own.turn[c] += sign * own.inverse[c, d] * moment[d]
