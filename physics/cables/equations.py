"""The energy of a cable, its gradient and its Hessian in a band; the update of its integral forces.

Energies of length, coherence and norm of each segment, of bending and torsion of each joint, the weight −f·x of each
point, and of handles ½ k |x − x_H|² + f·(x − x_H), x a place along a segment, and ½ k |q − q_H|² + f·(q − q_H).

A handle that exerts no more than F pulls with p = k (x − x_H) + f up to there, and beyond with F p/|p|: its energy is
(|p|² − |f|²)/2k, beyond (2F|p| − F² − |f|²)/2k, the Moreau envelope of F |x − x_H|.
"""

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.turns import unit
from ..arithmetic.vectors import Matrix, Vector, dot, scaled
from ..elements.bending_and_torsion import joint_hessian, moments, onto_before, onto_behind, rodrigues, turn
from ..elements.cable_coherence import coherence_derivatives, coherence_energy, third_axis
from ..elements.cable_length import length_derivatives, length_energy
from ..elements.cable_quaternion_norm import norm_derivatives, norm_energy
from .quaternion_derivatives import (
    gradient_by_quaternion,
    hessian_by_quaternion,
    mixed_by_quaternions,
)
from .tables import QUATERNION, STRIDE


@entry
def energy(
    y: np.ndarray, segments: np.ndarray, joints: np.ndarray, handles: np.ndarray, forces: np.ndarray, work: np.ndarray
) -> float:
    """Of unknowns y; SEGMENT (n − 1,), JOINT, HANDLE, forces (n, 3); work (10, 10)."""
    d, axis, a, b = work[0, :3], work[1, :3], work[2, :4], work[3, :4]
    total = 0.0
    for i in range(len(segments)):
        s = segments[i]
        first = STRIDE * i
        for c in range(3):
            d[c] = y[first + STRIDE + c] - y[first + c]
        turn = y[first + QUATERNION : first + STRIDE]
        total += length_energy(d, s.length, s.stretch, s.tension)
        total += coherence_energy(d, turn, s.coherence, s.shear, axis)
        total += norm_energy(turn, s.norm, s.swelling)
    for i in range(len(joints)):
        j = joints[i]
        total += moments(between(y, j, a, b), j.length, j.rest, j.stiffness)[0]
    for i in range(len(forces)):
        for c in range(3):
            total -= forces[i, c] * y[STRIDE * i + c]
    for i in range(len(handles)):
        h = handles[i]
        first = STRIDE * h.segment
        size = pull_of(y, h, d)
        if size <= h.strength:
            for c in range(3):
                total += 0.5 * (d[c] + h.force[c]) * off_place(y, h, c)
        else:
            total += 0.5 * (h.strength * (2.0 * size - h.strength) - dot(h.force, h.force)) / h.stiffness
        for c in range(4):
            off = y[first + QUATERNION + c] - h.turn[c]
            total += (0.5 * h.turn_stiffness * off + h.torque[c]) * off
    return total


@kernel
def add(
    band: np.ndarray, h: np.ndarray, row: int, rows: int, column: int, columns: int, first: int, second: int
) -> None:
    """Adds rows of h from `row` on to those of the band from `first` on, and columns likewise, what is not below the
    diagonal.
    """
    for i in range(rows):
        for j in range(columns):
            k = second + j - first - i
            if k >= 0:
                band[first + i, k] += h[row + i, column + j]


@entry
def derivatives(
    y: np.ndarray, segments: np.ndarray, joints: np.ndarray, handles: np.ndarray, forces: np.ndarray, work: np.ndarray,
    gradient: np.ndarray, band: np.ndarray,
) -> None:  # fmt: skip
    """The gradient (7n − 4,) and the Hessian's band (7n − 4, 11) of `energy`; work (15, 10)."""
    h, g, d, axis, a, b = work[:10], work[10], work[11, :3], work[12, :3], work[13, :4], work[14, :4]
    gradient[:] = 0.0
    band[:] = 0.0
    for i in range(len(segments)):
        s = segments[i]
        x, z, q = STRIDE * i, STRIDE * (i + 1), STRIDE * i + QUATERNION
        for c in range(3):
            d[c] = y[z + c] - y[x + c]
        length_derivatives(d, s.length, s.stretch, s.tension, g, h)
        add_difference(gradient, band, g, h, x, z)
        coherence_derivatives(d, y[q:z], s.coherence, s.shear, axis, g, h)
        add_difference(gradient, band, g, h, x, z)
        for c in range(4):
            gradient[q + c] += g[3 + c]
        add(band, h, 3, 4, 3, 4, q, q)
        add(band, h, 3, 4, 0, 3, q, z)
        for r in range(3):
            for c in range(4):
                band[x + r, q + c - x - r] -= h[r, 3 + c]
        norm_derivatives(y[q:z], s.norm, s.swelling, g, h)
        for c in range(4):
            gradient[q + c] += g[c]
        add(band, h, 0, 4, 0, 4, q, q)
    for i in range(len(joints)):
        j = joints[i]
        p, q = STRIDE * j.before + QUATERNION, STRIDE * j.after + QUATERNION
        s = between(y, j, a, b)
        m = moments(s, j.length, j.rest, j.stiffness)[1]
        aa, bb, ab = joint_hessian(s, j.length, j.rest, j.stiffness)
        if j.before >= 0:
            add_turn(gradient, band, g, h, a, scaled(-1.0, onto_before(s, m)), aa, p)
        if j.after >= 0:
            add_turn(gradient, band, g, h, b, onto_behind(s, m), bb, q)
        if j.before >= 0 and j.after >= 0:
            mixed_by_quaternions(a, b, ab, h)
            add(band, h, 0, 4, 0, 4, p, q)
    for i in range(len(forces)):
        for c in range(3):
            gradient[STRIDE * i + c] -= forces[i, c]
    for i in range(len(handles)):
        o = handles[i]
        x, z, q = STRIDE * o.segment, STRIDE * (o.segment + 1), STRIDE * o.segment + QUATERNION
        before, after = 1.0 - o.share, o.share
        size = pull_of(y, o, d)
        part = min(1.0, o.strength / size) if size > 0.0 else 1.0
        away = part * o.stiffness / (size * size) if part < 1.0 else 0.0
        for r in range(3):
            gradient[x + r] += before * part * d[r]
            gradient[z + r] += after * part * d[r]
            for c in range(3):
                h[r, c] = -away * d[r] * d[c]
            h[r, r] += part * o.stiffness
        for r in range(3):
            for c in range(3):
                band[x + r, STRIDE + c - r] += before * after * h[r, c]
                if c >= r:
                    band[x + r, c - r] += before * before * h[r, c]
                    band[z + r, c - r] += after * after * h[r, c]
        for c in range(4):
            gradient[q + c] += o.turn_stiffness * (y[q + c] - o.turn[c]) + o.torque[c]
            band[q + c, 0] += o.turn_stiffness


@kernel
def off_place(y: np.ndarray, handle: np.record, c: int) -> float:
    """Component c of x − x_H."""
    first = STRIDE * handle.segment + c
    return (1.0 - handle.share) * y[first] + handle.share * y[first + STRIDE] - handle.position[c]


@kernel
def pull_of(y: np.ndarray, handle: np.record, p: np.ndarray) -> float:
    """p (3,) becomes k (x − x_H) + f. Returns |p|."""
    for c in range(3):
        p[c] = handle.stiffness * off_place(y, handle, c) + handle.force[c]
    return np.sqrt(dot(p, p))


@kernel
def between(y: np.ndarray, joint: np.record, a: np.ndarray, b: np.ndarray) -> Vector:
    """σ of the turn from a to b, which become the quaternions (4,) before and behind a joint."""
    p, q = STRIDE * joint.before + QUATERNION, STRIDE * joint.after + QUATERNION
    for c in range(4):
        a[c] = y[p + c] if joint.before >= 0 else joint.frame[c]
        b[c] = y[q + c] if joint.after >= 0 else joint.frame[c]
    return rodrigues(unit(a), unit(b), 1.0)


@kernel
def add_turn(
    gradient: np.ndarray, band: np.ndarray, g: np.ndarray, h: np.ndarray, q: np.ndarray, slope: Vector, curve: Matrix,
    first: int,
) -> None:  # fmt: skip
    """Adds a function's derivatives by turns of the quaternion q, the unknowns from `first` on."""
    gradient_by_quaternion(q, slope, g)
    hessian_by_quaternion(q, slope, curve, h)
    for c in range(4):
        gradient[first + c] += g[c]
    add(band, h, 0, 4, 0, 4, first, first)


@entry
def joints_bear(y: np.ndarray, joints: np.ndarray, work: np.ndarray, kappa: np.ndarray, moment: np.ndarray) -> None:
    """kappa (k, 3) of all joints, and moment (k, 3) that what is behind exerts, in the axes of what is before."""
    a, b = work[0, :4], work[1, :4]
    for i in range(len(joints)):
        j = joints[i]
        s = between(y, j, a, b)
        bent = turn(s)
        torque = onto_before(s, moments(s, j.length, j.rest, j.stiffness)[1])
        for c in range(3):
            kappa[i, c] = bent[c] / j.length
            moment[i, c] = torque[c]


@entry
def frame_slopes(y: np.ndarray, joints: np.ndarray, work: np.ndarray, out: np.ndarray) -> None:
    """out (k, 4) = ∂E/∂frame of half joints."""
    a, b = work[0, :4], work[1, :4]
    for i in range(len(joints)):
        j = joints[i]
        s = between(y, j, a, b)
        m = moments(s, j.length, j.rest, j.stiffness)[1]
        slope = onto_behind(s, m) if j.after < 0 else scaled(-1.0, onto_before(s, m))
        gradient_by_quaternion(j.frame, slope, out[i])


@kernel
def add_difference(gradient: np.ndarray, band: np.ndarray, g: np.ndarray, h: np.ndarray, x: int, z: int) -> None:
    """Adds a function's derivatives by the difference of the points at z and at x."""
    for r in range(3):
        gradient[z + r] += g[r]
        gradient[x + r] -= g[r]
        for c in range(3):
            band[x + r, z + c - x - r] -= h[r, c]
            if c >= r:
                band[x + r, c - r] += h[r, c]
                band[z + r, c - r] += h[r, c]


@entry
def integrate(
    y: np.ndarray, segments: np.ndarray, handles: np.ndarray, share: float, out: np.ndarray, work: np.ndarray
) -> None:
    """Adds `share` of what springs hold to the integral forces. out (2,): the largest error, of lengths over rest
    lengths, of directions, norms and quaternions, of handles' places; the energy in springs.
    """
    worst = held = 0.0
    axis, p = work[0, :3], work[1, :3]
    for i in range(len(segments)):
        s = segments[i]
        x, z = STRIDE * i, STRIDE * (i + 1)
        q = y[x + QUATERNION : z]
        length = np.sqrt((y[z] - y[x]) ** 2 + (y[z + 1] - y[x + 1]) ** 2 + (y[z + 2] - y[x + 2]) ** 2)
        off = length - s.length
        s.tension += share * s.stretch * off
        held += 0.5 * s.stretch * off * off
        worst = max(worst, abs(off) / s.length)
        third_axis(q, axis)
        for c in range(3):
            off = (y[z + c] - y[x + c]) / length - axis[c]
            s.shear[c] += share * s.coherence * off
            held += 0.5 * s.coherence * off * off
            worst = max(worst, abs(off))
        off = 1.0 / np.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) - 1.0
        s.swelling += share * s.norm * off
        held += 0.5 * s.norm * off * off
        worst = max(worst, abs(off))
    for i in range(len(handles)):
        o = handles[i]
        x = STRIDE * o.segment
        if o.stiffness > 0.0:
            size = pull_of(y, o, p)
            part = min(1.0, o.strength / size) if size > 0.0 else 1.0
            for c in range(3):
                off = (part * p[c] - o.force[c]) / o.stiffness
                o.force[c] += share * o.stiffness * off
                held += 0.5 * o.stiffness * off * off
                worst = max(worst, abs(off))
        if o.turn_stiffness > 0.0:
            for c in range(4):
                off = y[x + QUATERNION + c] - o.turn[c]
                o.torque[c] += share * o.turn_stiffness * off
                held += 0.5 * o.turn_stiffness * off * off
                worst = max(worst, abs(off))
    out[0], out[1] = worst, held
