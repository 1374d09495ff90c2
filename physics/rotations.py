"""Rotations as unit quaternions (w, x, y, z), q a q* of vectors a."""

import numpy as np

from ._jit import kernel


@kernel
def rotate(q: np.ndarray, a: np.ndarray, out: np.ndarray) -> None:
    """out = q a q*: the vector a (3,) turned by the unit quaternion q (w, x, y, z)."""
    out[0], out[1], out[2] = turned(q[0], q[1], q[2], q[3], a[0], a[1], a[2])


@kernel
def turn_back(q: np.ndarray, a: np.ndarray, out: np.ndarray) -> None:
    """out = q* a q: the world vector a (3,) in the axes of a body at the unit quaternion q."""
    out[0], out[1], out[2] = turned(q[0], -q[1], -q[2], -q[3], a[0], a[1], a[2])


@kernel
def turned(w: float, x: float, y: float, z: float, a: float, b: float, c: float) -> tuple[float, float, float]:
    """The vector (a, b, c) turned by the unit quaternion (w, x, y, z)."""
    cx, cy, cz = y * c - z * b + w * a, z * a - x * c + w * b, x * b - y * a + w * c
    return a + 2.0 * (y * cz - z * cy), b + 2.0 * (z * cx - x * cz), c + 2.0 * (x * cy - y * cx)


@kernel
def multiply(p: np.ndarray, q: np.ndarray, out: np.ndarray) -> None:
    """out = p q of quaternions (4,): first q's turn, then p's; in place is fine."""
    w = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3]
    x = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2]
    y = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1]
    z = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]
    out[0], out[1], out[2], out[3] = w, x, y, z
