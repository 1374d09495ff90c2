"""Free rigid parts: the energy of each, by its place p and quaternion q, and its derivatives.

|q| = 1 by a spring and integral force, as of cables; −w·(p + q o q̄) of its weight w at the centre of mass o, and alike
of each force on it at its place o, together −Σ w·p − ½ qᵀ Σ M q (see quaternion_derivatives); and, where it is led, a
hand that holds it by its place and its quaternion with no more than some strength each: the Moreau envelope of
elements/pull, of three numbers and of four. What pulls at a quaternion by p turns with the moment |p|/2 at most, for q
goes half as far as it turns.
"""

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.turns import Quaternion, quaternion
from ..arithmetic.vectors import Vector, dot, plus
from ..elements.cable_quaternion_norm import norm_derivatives, norm_energy
from ..elements.pull import pull, pull_derivatives, pull_energy
from .mounts import POSE

PART = np.dtype(
    [
        ("weight", float, 3),  # and all forces
        ("form", float, (4, 4)),  # Σ M
        ("norm", float),  # stiffness
        ("swelling", float),  # integral force of the norm
        ("position", float, 3),  # where a hand leads it, as in HANDLE
        ("stiffness", float),
        ("force", float, 3),
        ("strength", float),
        ("turn", float, 4),
        ("turn_stiffness", float),
        ("torque", float, 4),
        ("turn_strength", float),  # the most of it
    ],
    align=True,
)


def carried_form(force: np.ndarray, place: np.ndarray) -> np.ndarray:
    """M (4, 4) of a force (3,) at a place (3,) in a part's axes."""
    across, along = np.cross(place, force), 2.0 * float(np.sum(force * place))
    form = np.empty((4, 4))
    form[0, 0], form[0, 1:], form[1:, 0] = along, 2.0 * across, 2.0 * across
    form[1:, 1:] = 2.0 * (np.outer(place, force) + np.outer(force, place)) - along * np.eye(3)
    return form


@kernel
def off_place(y: np.ndarray, part: np.record) -> Vector:
    """p from where it is led to."""
    return y[0] - part.position[0], y[1] - part.position[1], y[2] - part.position[2]


@kernel
def turn_pull(q: Quaternion, part: np.record) -> tuple[Quaternion, float]:
    """(k (q − f) + what is held before, its size)."""
    k, f, t = part.turn_stiffness, part.turn, part.torque
    p = (
        t[0] + k * (q[0] - f[0]), t[1] + k * (q[1] - f[1]), t[2] + k * (q[2] - f[2]), t[3] + k * (q[3] - f[3]),
    )  # fmt: skip
    return p, np.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])


@kernel
def turn_energy(q: Quaternion, part: np.record) -> float:
    """Of what holds a quaternion."""
    (p, size), most, before, along = turn_pull(q, part), part.turn_strength, 0.0, 0.0
    for c in range(4):
        before += part.torque[c] * part.torque[c]
        along += (part.torque[c] + p[c]) * (q[c] - part.turn[c])
    if size <= most:
        return 0.5 * along
    return 0.5 * (most * (2.0 * size - most) - before) / part.turn_stiffness


@entry
def energy(poses: np.ndarray, parts: np.ndarray) -> float:
    """Of unknowns poses (7 p,), PART (p,)."""
    total = 0.0
    for i in range(len(parts)):
        part, y = parts[i], poses[POSE * i : POSE * (i + 1)]
        total += norm_energy(y[3:], part.norm, part.swelling)
        if part.stiffness > 0.0:
            total += pull_energy(off_place(y, part), part.stiffness, part.force, part.strength)
            total += turn_energy(quaternion(y[3:]), part)
        total -= dot(part.weight, y)
        for r in range(4):
            for c in range(4):
                total -= 0.5 * y[3 + r] * part.form[r, c] * y[3 + c]
    return total


@entry
def derivatives(poses: np.ndarray, parts: np.ndarray, work: np.ndarray, gradient: np.ndarray, own: np.ndarray) -> None:
    """Adds to the gradient (7 p,); own (p, 7, 7): the Hessian of each; work (15, 10)."""
    own[:] = 0.0
    h, g = work[:4, :4], work[10, :4]
    for i in range(len(parts)):
        part, slope, curve, y = parts[i], gradient[POSE * i :], own[i], poses[POSE * i : POSE * (i + 1)]
        force, pulled = pull_derivatives(off_place(y, part), part.stiffness, part.force, part.strength)
        for r in range(3):
            slope[r] += force[r] - part.weight[r]
            for c in range(3):
                curve[r, c] += pulled[r][c]
        norm_derivatives(y[3:], part.norm, part.swelling, g, h)
        p, size = turn_pull(quaternion(y[3:]), part)
        share = min(1.0, part.turn_strength / size) if size > 0.0 else 1.0
        across = share * part.turn_stiffness / (size * size) if share < 1.0 else 0.0
        for r in range(4):
            slope[3 + r] += g[r] + share * p[r]
            curve[3 + r, 3 + r] += share * part.turn_stiffness
            for c in range(4):
                curve[3 + r, 3 + c] += h[r, c] - across * p[r] * p[c]
        for r in range(4):
            for c in range(4):
                slope[3 + r] -= part.form[r, c] * y[3 + c]
                curve[3 + r, 3 + c] -= part.form[r, c]


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


@kernel
def absorb(part: np.record, off: Vector, q: Quaternion, share: float) -> tuple[float, float]:
    """Adds `share` of what a hand's springs hold, off by so much, to its integral forces. Returns the largest error and
    their energy.
    """
    worst = held = 0.0
    if part.stiffness > 0.0:
        force, k = pull(off, part.stiffness, part.force, part.strength), part.stiffness
        for c in range(3):
            more = (force[c] - part.force[c]) / k
            part.force[c] += share * k * more
            held += 0.5 * k * more * more
            worst = max(worst, abs(more))
        p, size = turn_pull(q, part)
        k, cut = part.turn_stiffness, min(1.0, part.turn_strength / size) if size > 0.0 else 1.0
        for c in range(4):
            more = (cut * p[c] - part.torque[c]) / k
            part.torque[c] += share * k * more
            held += 0.5 * k * more * more
            worst = max(worst, abs(more))
    return worst, held


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
