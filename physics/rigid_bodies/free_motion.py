"""Free rotation of a rigid body, split into turns about its principal axes (Touma & Wisdom 1994; McLachlan 1993).

The energy Σ L_k²/2I_k is a sum of three parts, each of which alone turns the body about axis k by h L_k/I_k. Taken as
1, 2, 3, 2, 1 with half steps outside, second order: angular momentum in world axes is kept exactly, the map is
symplectic, energy does not drift.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.turns import cos_sin, rotate, turn_back


@kernel
def turn_about(q: np.ndarray, momentum: np.ndarray, k: int, angle: float) -> None:
    """Turn q (4,) by `angle` [rad] about its own axis k; momentum (3,), in body axes, stays as it is in the world."""
    c, s = cos_sin(0.5 * angle)
    i, j = (k + 1) % 3, (k + 2) % 3
    w, a, b, d = q[0], q[1 + k], q[1 + i], q[1 + j]
    q[0], q[1 + k], q[1 + i], q[1 + j] = c * w - s * a, c * a + s * w, c * b + s * d, c * d - s * b
    c, s = c * c - s * s, 2.0 * s * c
    b, d = momentum[i], momentum[j]
    momentum[i], momentum[j] = c * b + s * d, c * d - s * b


@kernel
def free_turn(
    q0: np.ndarray, l: np.ndarray, inertia: np.ndarray, h: float, momentum: np.ndarray, q: np.ndarray
) -> None:
    """q (4,): where a body at q0 with angular momentum l (3,) [kg m²/s] has turned to after h [s].

    inertia (3,) principal moments [kg m²]; momentum (3,) is scratch.
    """
    for c in range(4):
        q[c] = q0[c]
    turn_back(q0, l, momentum)
    for k in range(2):
        turn_about(q, momentum, k, 0.5 * h * momentum[k] / inertia[k])
    turn_about(q, momentum, 2, h * momentum[2] / inertia[2])
    for k in range(1, -1, -1):
        turn_about(q, momentum, k, 0.5 * h * momentum[k] / inertia[k])
    unit = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    for c in range(4):
        q[c] *= unit


@kernel
def angular_velocity(q: np.ndarray, l: np.ndarray, inertia: np.ndarray, out: np.ndarray) -> None:
    """out (3,) [rad/s], world axes, of a body at q with angular momentum l (3,)."""
    turn_back(q, l, out)
    for k in range(3):
        out[k] /= inertia[k]
    rotate(q, out, out)


@kernel
def angular_speed(q: np.ndarray, l: np.ndarray, inertia: np.ndarray) -> float:
    """|ω| [rad/s] of a body at q with angular momentum l (3,)."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    a = (1.0 - 2.0 * (y * y + z * z)) * l[0] + 2.0 * (x * y + w * z) * l[1] + 2.0 * (x * z - w * y) * l[2]
    b = 2.0 * (x * y - w * z) * l[0] + (1.0 - 2.0 * (x * x + z * z)) * l[1] + 2.0 * (y * z + w * x) * l[2]
    c = 2.0 * (x * z + w * y) * l[0] + 2.0 * (y * z - w * x) * l[1] + (1.0 - 2.0 * (x * x + y * y)) * l[2]
    return sqrt((a / inertia[0]) ** 2 + (b / inertia[1]) ** 2 + (c / inertia[2]) ** 2)
