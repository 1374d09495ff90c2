"""Turns of frames by series where they are little, as from one iteration to the next: right to rounding there, and a
fraction of the time that sine, cosine and arctangent take, which serve beyond.
"""

from math import atan2, cos, sin, sqrt

import numpy as np

from ._jit import kernel
from .vectors import Vector, cross, dot, scaled

LITTLE = 1.0 / 16.0  # rad: what the series leave out is less than 1e-18 of it
SERIES = 1.0 / 16.0  # k² of arc_series: what it leaves out is 2e-17 of it


@kernel
def cos_sin(angle: float) -> tuple[float, float]:
    """(cos, sin) of an angle [rad]."""
    if abs(angle) > LITTLE:
        return cos(angle), sin(angle)
    z = angle * angle
    s = angle * (1.0 - z / 6.0 * (1.0 - z / 20.0 * (1.0 - z / 42.0 * (1.0 - z / 72.0))))
    return 1.0 - z / 2.0 * (1.0 - z / 12.0 * (1.0 - z / 30.0 * (1.0 - z / 56.0))), s


@kernel
def turned(t: Vector, u: Vector, angle: float) -> Vector:
    """The vector u across the unit vector t, turned about it."""
    (c, s), v = cos_sin(angle), cross(t, u)
    return c * u[0] + s * v[0], c * u[1] + s * v[1], c * u[2] + s * v[2]


@kernel
def turn_from(u: Vector, w: np.ndarray, t: np.ndarray) -> float:
    """Angle [rad] in (−π, π] that turns u into w about the unit vector t, all of them across it."""
    y, x = dot(cross(u, w), t), dot(u, w)
    if abs(y) > LITTLE * x:
        return atan2(y, x)
    k = y / x
    return k * arctangent(k * k)


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
def turn_between(u: Vector, w: Vector) -> Vector:
    """How u turns into w, both of any length: its axis, as long as the angle [rad] in [0, π]."""
    axis, x = cross(u, w), dot(u, w)
    square = dot(axis, axis)
    if x > 0.0 and square < LITTLE * LITTLE * x * x:
        return scaled(arctangent(square / (x * x)) / x, axis)
    size = sqrt(square)
    return scaled(atan2(size, x) / size if size > 0.0 else 0.0, axis)
