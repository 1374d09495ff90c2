"""Turns of frames in kernels: unit quaternions q = (w, x, y, z), q a q* of vectors a, and vectors ψ [rad] as long as
their angles. Of a quaternion that is turned about its own axes by ψ, while p stays,

    q = p exp(ψ/2),    ω = ψ' − (1 − cos ψ)/ψ² ψ × ψ' + (ψ − sin ψ)/ψ³ ψ × (ψ × ψ')

is the angular velocity in the axes of q (Simo & Vu-Quoc 1988, *On the dynamics in space of rods undergoing large
motions*).

Little turns, as from one iteration to the next, go by series: right to rounding there, and a fraction of the time that
sine, cosine and arctangent take, which serve beyond.
"""

from math import atan2, cos, sin, sqrt

import numpy as np

from .._jit import kernel
from .vectors import Vector, cross, dot, plus, scaled, vector

Quaternion = tuple[float, float, float, float]
LITTLE = 1.0 / 16.0  # rad: what the series leave out is less than 1e-18 of it
SERIES = 1.0 / 16.0  # k² of arc_series: what it leaves out is 2e-17 of it
LEAST = 1e-300  # rad²: so that a turn of nothing has a direction
NEAR = 0.01  # rad²: below it what the series of `spin_of` leave out is less than 1e-16


@kernel
def cos_sin(angle: float) -> tuple[float, float]:
    """(cos, sin) of an angle [rad]."""
    if abs(angle) > LITTLE:
        return cos(angle), sin(angle)
    z = angle * angle
    s = angle * (1.0 - z / 6.0 * (1.0 - z / 20.0 * (1.0 - z / 42.0 * (1.0 - z / 72.0))))
    return 1.0 - z / 2.0 * (1.0 - z / 12.0 * (1.0 - z / 30.0 * (1.0 - z / 56.0))), s


@kernel
def arctangent(z: float) -> float:
    """atan(k)/k of a little k, by its square."""
    series = 1.0 / 7.0 - z * (1.0 / 9.0 - z * (1.0 / 11.0 - z / 13.0))
    return 1.0 - z * (1.0 / 3.0 - z * (1.0 / 5.0 - z * series))


@kernel
def arc_series(z: float) -> float:
    """(1 − atan(k)/k)/k² of z = k² up to SERIES, right to rounding; of z = −k² it is (artanh(k)/k − 1)/k²."""
    s = 1.0 / 19.0 - z * (1.0 / 21.0 - z * (1.0 / 23.0 - z * (1.0 / 25.0 - z / 27.0)))
    s = 1.0 / 9.0 - z * (1.0 / 11.0 - z * (1.0 / 13.0 - z * (1.0 / 15.0 - z * (1.0 / 17.0 - z * s))))
    return 1.0 / 3.0 - z * (1.0 / 5.0 - z * (1.0 / 7.0 - z * s))


@kernel
def quaternion(row: np.ndarray) -> Quaternion:
    """The tuple of an array (4,)."""
    return row[0], row[1], row[2], row[3]


@kernel
def unit(q: Quaternion | np.ndarray) -> Quaternion:
    """q/|q|."""
    k = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return k * q[0], k * q[1], k * q[2], k * q[3]


@kernel
def conjugate(q: Quaternion | np.ndarray) -> Quaternion:
    """q*, the turn back."""
    return q[0], -q[1], -q[2], -q[3]


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
def logarithm(q: Quaternion) -> Vector:
    """ψ of up to half a turn with exp(ψ/2) = ±q."""
    w, x, y, z = q
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    size = sqrt(x * x + y * y + z * z + LEAST)
    if size < LITTLE * w:
        k = 2.0 * arctangent(size * size / (w * w)) / w
    else:
        k = 2.0 * atan2(size, w) / size
    return k * x, k * y, k * z


@kernel
def turn_between(p: Quaternion, q: Quaternion) -> Vector:
    """ψ with q = p exp(ψ/2), in their own axes."""
    return logarithm(product(conjugate(p), q))


@kernel
def turn_in_space(p: np.ndarray, q: np.ndarray) -> Vector:
    """ψ with q = exp(ψ/2) p of arrays (4,), in the axes of space."""
    return logarithm(product(quaternion(q), conjugate(p)))


@kernel
def turned(q: Quaternion, a: Vector) -> Vector:
    """q a q*."""
    w, x, y, z = q
    cx, cy, cz = y * a[2] - z * a[1] + w * a[0], z * a[0] - x * a[2] + w * a[1], x * a[1] - y * a[0] + w * a[2]
    return a[0] + 2.0 * (y * cz - z * cy), a[1] + 2.0 * (z * cx - x * cz), a[2] + 2.0 * (x * cy - y * cx)


@kernel
def rotate(q: np.ndarray, a: np.ndarray, out: np.ndarray) -> None:
    """out = q a q* of arrays; in place is fine."""
    out[0], out[1], out[2] = turned(quaternion(q), vector(a))


@kernel
def turn_back(q: np.ndarray, a: np.ndarray, out: np.ndarray) -> None:
    """out = q* a q: the world vector a (3,) in the axes of a body at q (4,); in place is fine."""
    out[0], out[1], out[2] = turned(conjugate(q), vector(a))


@kernel
def spin_of(psi: Vector, rate: Vector) -> Vector:
    """ω of a turn ψ that changes by `rate` [rad/s], in the axes that it turns; of −ψ in those of space."""
    z = dot(psi, psi)
    if z < NEAR:
        a = 1.0 / 2.0 - z / 24.0 * (1.0 - z / 30.0 * (1.0 - z / 56.0 * (1.0 - z / 90.0)))
        b = 1.0 / 6.0 - z / 120.0 * (1.0 - z / 42.0 * (1.0 - z / 72.0 * (1.0 - z / 110.0)))
    else:
        size = sqrt(z)
        a, b = (1.0 - cos(size)) / z, (size - sin(size)) / (z * size)
    way = cross(psi, rate)
    return plus(plus(rate, -a, way), b, cross(psi, way))


@kernel
def turned_about(t: Vector, u: Vector, angle: float) -> Vector:
    """The vector u across the unit vector t, turned about it."""
    (c, s), v = cos_sin(angle), cross(t, u)
    return c * u[0] + s * v[0], c * u[1] + s * v[1], c * u[2] + s * v[2]


@kernel
def angle_about(u: Vector, w: np.ndarray, t: np.ndarray) -> float:
    """Angle [rad] in (−π, π] that turns u into w about the unit vector t, all of them across it."""
    y, x = dot(cross(u, w), t), dot(u, w)
    if abs(y) > LITTLE * x:
        return atan2(y, x)
    k = y / x
    return k * arctangent(k * k)


@kernel
def shortest_turn(u: Vector, w: Vector) -> Vector:
    """How u turns into w, both of any length: its axis, as long as the angle [rad] in [0, π]."""
    axis, x = cross(u, w), dot(u, w)
    square = dot(axis, axis)
    if x > 0.0 and square < LITTLE * LITTLE * x * x:
        return scaled(arctangent(square / (x * x)) / x, axis)
    size = sqrt(square)
    return scaled(atan2(size, x) / size if size > 0.0 else 0.0, axis)
