"""Adapted frames along a polyline: parallel transport in space and time, Bishop frame (Bergou 2008, §4.2.2).

P turns t⁰ into t¹ about t⁰ × t¹. For a vector u across t⁰ that is P u = u − (u·t¹)/(1 + t⁰·t¹) (t⁰ + t¹).
The Bishop frame of edge j is u^j = P_j u^{j−1}, v^j = t^j × u^j.
"""

from math import atan2, cos, pi, sin, sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.fixed_order import dot, norm
from ..arithmetic.vectors import Vector, vector
from ..elements.hinge import axes_at


@kernel
def transport(u: np.ndarray, t0: np.ndarray, t1: Vector | np.ndarray, out: np.ndarray) -> None:
    """Parallel transport of u (3,), across the unit vector t0, to the unit vector t1 (not −t0); in place is fine."""
    k = (u[0] * t1[0] + u[1] * t1[1] + u[2] * t1[2]) / (1.0 + t0[0] * t1[0] + t0[1] * t1[1] + t0[2] * t1[2])
    a = u[0] - k * (t0[0] + t1[0])
    b = u[1] - k * (t0[1] + t1[1])
    c = u[2] - k * (t0[2] + t1[2])
    out[0], out[1], out[2] = a, b, c


@kernel
def tangents(e: np.ndarray, t: np.ndarray) -> None:
    """Unit tangents t (m, 3) of the edges e (m, 3)."""
    for j in range(len(e)):
        a, b, c = e[j, 0], e[j, 1], e[j, 2]
        k = 1.0 / sqrt(a * a + b * b + c * c)
        t[j, 0], t[j, 1], t[j, 2] = k * a, k * b, k * c


@kernel
def adapt(u: np.ndarray, t: np.ndarray) -> None:
    """Make u (3,) a unit vector across the unit vector t, in place."""
    k = u[0] * t[0] + u[1] * t[1] + u[2] * t[2]
    a, b, c = u[0] - k * t[0], u[1] - k * t[1], u[2] - k * t[2]
    k = 1.0 / sqrt(a * a + b * b + c * c)
    u[0], u[1], u[2] = k * a, k * b, k * c


@kernel
def bishop(t: np.ndarray, u: np.ndarray) -> None:
    """Transport u[0], across t[0], along the tangents t (m, 3): fills u (m, 3)."""
    for j in range(1, len(t)):
        transport(u[j - 1], t[j - 1], t[j], u[j])


@kernel
def signed_angle(u: Vector | np.ndarray, w: np.ndarray, t: np.ndarray) -> float:
    """Angle [rad] in (−π, π] that turns u into w about the unit vector t."""
    cx = u[1] * w[2] - u[2] * w[1]
    cy = u[2] * w[0] - u[0] * w[2]
    cz = u[0] * w[1] - u[1] * w[0]
    return atan2(cx * t[0] + cy * t[1] + cz * t[2], u[0] * w[0] + u[1] * w[1] + u[2] * w[2])


@kernel
def unwrap(angle: float, near: float) -> float:
    """The angle's representative, modulo 2π, closest to `near`."""
    return angle + 2.0 * pi * np.floor((near - angle) / (2.0 * pi) + 0.5)


@kernel
def material_axes(t: Vector, u: Vector, theta: float) -> tuple[Vector, Vector]:
    """(m₁, m₂) of an edge, as t and u tuples: m₁ = cos θ u + sin θ v."""
    return axes_at(t, u, cos(theta), sin(theta))


@kernel
def material_frame(t: np.ndarray, u: np.ndarray, theta: np.ndarray, m1: np.ndarray) -> None:
    """m₁ on every edge: t, u, m1 (m, 3), theta (m,)."""
    for j in range(len(theta)):
        m1[j, 0], m1[j, 1], m1[j, 2] = material_axes(vector(t[j]), vector(u[j]), theta[j])[0]


def any_normal(t: np.ndarray) -> np.ndarray:
    """A unit vector (3,) across t (3,), along the coordinate axis that lies flattest to it."""
    t = np.asarray(t, dtype=np.float64) / norm(t)
    u = np.eye(3)[np.argmin(np.abs(t))]
    u = u - dot(u, t) * t
    return u / norm(u)
