"""Turns ψ [rad], vectors as long as their angles, of unit quaternions (w, x, y, z) about their own axes:

    q = p exp(ψ/2),    ω = ψ' − (1 − cos ψ)/ψ² ψ × ψ' + (ψ − sin ψ)/ψ³ ψ × (ψ × ψ')

the angular velocity in the axes of q, while p stays (Simo & Vu-Quoc 1988, *On the dynamics in space of rods undergoing
large motions*).
"""

from math import atan2, cos, sin, sqrt

from ._jit import kernel
from .rotations import turned
from .small_turns import LITTLE, arctangent, cos_sin
from .vectors import Vector, cross, dot, plus

Quaternion = tuple[float, float, float, float]
LEAST = 1e-300  # rad²: so that a turn of nothing has a direction
NEAR = 0.01  # rad²: below it what series leave out is less than 1e-16


@kernel
def product(p: Quaternion, q: Quaternion) -> Quaternion:
    """p q: first q's turn, then p's."""
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    )


@kernel
def exponential(psi: Vector) -> Quaternion:
    """exp(ψ/2)."""
    size = sqrt(dot(psi, psi) + LEAST)
    c, s = cos_sin(0.5 * size)
    k = s / size
    return c, k * psi[0], k * psi[1], k * psi[2]


@kernel
def turn_between(p: Quaternion, q: Quaternion) -> Vector:
    """ψ of up to half a turn from p to q."""
    w, x, y, z = product((p[0], -p[1], -p[2], -p[3]), q)
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    size = sqrt(x * x + y * y + z * z + LEAST)
    if size < LITTLE * w:
        k = 2.0 * arctangent(size * size / (w * w)) / w
    else:
        k = 2.0 * atan2(size, w) / size
    return k * x, k * y, k * z


@kernel
def turned_by(q: Quaternion, a: Vector) -> Vector:
    """q a q*."""
    return turned(q[0], q[1], q[2], q[3], a[0], a[1], a[2])


@kernel
def spin_of(psi: Vector, rate: Vector) -> Vector:
    """ω of a turn ψ that changes by `rate` [rad/s]."""
    z = dot(psi, psi)
    if z < NEAR:
        a = 1.0 / 2.0 - z / 24.0 * (1.0 - z / 30.0 * (1.0 - z / 56.0 * (1.0 - z / 90.0)))
        b = 1.0 / 6.0 - z / 120.0 * (1.0 - z / 42.0 * (1.0 - z / 72.0 * (1.0 - z / 110.0)))
    else:
        size = sqrt(z)
        a, b = (1.0 - cos(size)) / z, (size - sin(size)) / (z * size)
    way = cross(psi, rate)
    return plus(plus(rate, -a, way), b, cross(psi, way))
