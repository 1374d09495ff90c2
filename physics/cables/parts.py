"""Free rigid parts: the energy of each, by its place p and quaternion q, and its derivatives.

|q| = 1 by a spring and integral force, as of cables; the weight −w·(p + q o q̄) of a centre of mass o; and, where it is
led, a hand that holds it as a handle holds a cable: by its place, with no more than some strength, and its quaternion.
"""

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.turns import quaternion
from ..arithmetic.vectors import Vector, dot, plus
from ..elements.cable_quaternion_norm import norm_derivatives, norm_energy
from ..elements.pull import pull_derivatives
from .equations import absorb, held_energy
from .mounts import POSE
from .quaternion_derivatives import carried, carried_form

PART = np.dtype(
    [
        ("weight", float, 3),
        ("centre", float, 3),  # of mass, in its axes
        ("norm", float),  # stiffness
        ("swelling", float),  # integral force of the norm
        ("position", float, 3),  # where a hand leads it, as in HANDLE
        ("stiffness", float),
        ("force", float, 3),
        ("strength", float),
        ("turn", float, 4),
        ("turn_stiffness", float),
        ("torque", float, 4),
    ],
    align=True,
)


@kernel
def off_place(y: np.ndarray, part: np.record) -> Vector:
    """p from where it is led to."""
    return y[0] - part.position[0], y[1] - part.position[1], y[2] - part.position[2]


@entry
def energy(poses: np.ndarray, parts: np.ndarray) -> float:
    """Of unknowns poses (7 p,), PART (p,)."""
    total = 0.0
    for i in range(len(parts)):
        part, y = parts[i], poses[POSE * i : POSE * (i + 1)]
        centre = carried(y[3:], part.centre)
        total += norm_energy(y[3:], part.norm, part.swelling) + held_energy(part, off_place(y, part), quaternion(y[3:]))
        total -= dot(part.weight, y) + dot(part.weight, centre)
    return total


@entry
def derivatives(poses: np.ndarray, parts: np.ndarray, work: np.ndarray, gradient: np.ndarray, own: np.ndarray) -> None:
    """Adds to the gradient (7 p,); own (p, 7, 7): the Hessian of each; work (15, 10)."""
    own[:] = 0.0
    h, g = work[:4, :4], work[10, :4]
    for i in range(len(parts)):
        part, slope, curve, y = parts[i], gradient[POSE * i :], own[i], poses[POSE * i : POSE * (i + 1)]
        w, o = part.weight, part.centre
        force, pulled = pull_derivatives(off_place(y, part), part.stiffness, part.force, part.strength)
        for r in range(3):
            slope[r] += force[r] - w[r]
            for c in range(3):
                curve[r, c] += pulled[r][c]
        norm_derivatives(y[3:], part.norm, part.swelling, g, h)
        for r in range(4):
            slope[3 + r] += g[r] + part.turn_stiffness * (y[3 + r] - part.turn[r]) + part.torque[r]
            curve[3 + r, 3 + r] += part.turn_stiffness
            for c in range(4):
                curve[3 + r, 3 + c] += h[r, c]
        carried_form((w[0], w[1], w[2]), (o[0], o[1], o[2]), h)
        for r in range(4):
            for c in range(4):
                slope[3 + r] -= h[r, c] * y[3 + c]
                curve[3 + r, 3 + c] -= h[r, c]


@entry
def take_up(poses: np.ndarray, step: np.ndarray, parts: np.ndarray) -> None:
    """Integral forces become what springs hold after a step (7 p,), as far as constraints are linear."""
    for i in range(len(parts)):
        part, y, p = parts[i], poses[POSE * i : POSE * (i + 1)], step[POSE * i : POSE * (i + 1)]
        q, dq = quaternion(y[3:]), quaternion(p[3:])
        size = 1.0 / np.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
        turned = q[0] * dq[0] + q[1] * dq[1] + q[2] * dq[2] + q[3] * dq[3]
        part.swelling += part.norm * (size - 1.0 - turned * size * size * size)
        off = plus(off_place(y, part), 1.0, (p[0], p[1], p[2]))
        absorb(part, off, (q[0] + dq[0], q[1] + dq[1], q[2] + dq[2], q[3] + dq[3]), 1.0)


@entry
def integrate(poses: np.ndarray, parts: np.ndarray, share: float, out: np.ndarray) -> None:
    """Adds `share` of what springs hold to the integral forces. out (2,): the largest error; the energy in springs."""
    out[:] = 0.0
    for i in range(len(parts)):
        part, y = parts[i], poses[POSE * i : POSE * (i + 1)]
        q = quaternion(y[3:])
        off = 1.0 / np.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) - 1.0
        part.swelling += share * part.norm * off
        error, held = absorb(part, off_place(y, part), q, share)
        out[0] = max(out[0], abs(off), error)
        out[1] += 0.5 * part.norm * off * off + held
