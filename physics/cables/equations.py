"""The energy of a cable, its gradient and its Hessian in a band; the update of its integral forces.

Energies of length, coherence and norm of each segment, of bending and torsion of each joint, the weight −f·x of each
point, and of handles: the pull (elements/pull) on a place along a segment, off by x − x_H, and ½ k |q − q_H|² +
f·(q − q_H). A joint that ends at a handle's frame is bent from there.
"""

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.turns import Quaternion, quaternion, unit
from ..arithmetic.vectors import Matrix, Vector, scaled
from ..elements.bending_and_torsion import joint_hessian, moments, onto_before, onto_behind, rodrigues, turn
from ..elements.cable_coherence import coherence_derivatives, coherence_energy, third_axis
from ..elements.cable_length import length_derivatives, length_energy
from ..elements.cable_quaternion_norm import norm_derivatives, norm_energy
from ..elements.pull import pull, pull_derivatives, pull_energy
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
        total += moments(between(y, j, handles, a, b), j.length, j.rest, j.stiffness)[0]
    for i in range(len(forces)):
        for c in range(3):
            total -= forces[i, c] * y[STRIDE * i + c]
    for i in range(len(handles)):
        total += held_energy(
            handles[i], off_place(y, handles[i]), quaternion(y[STRIDE * handles[i].segment + QUATERNION :])
        )
    return total


@entry
def derivatives(
    y: np.ndarray, segments: np.ndarray, joints: np.ndarray, handles: np.ndarray, forces: np.ndarray, work: np.ndarray,
    gradient: np.ndarray, band: np.ndarray,
) -> None:  # fmt: skip
    """The gradient (7n − 4,) and the Hessian's band (7n − 4, 11) of `energy`; work (15, 10)."""
    gradient[:] = 0.0
    band[:] = 0.0
    for i in range(len(segments)):
        add_segment(y, segments[i], i, work, gradient, band)
    for i in range(len(joints)):
        add_joint(y, joints[i], handles, work, gradient, band)
    for i in range(len(forces)):
        for c in range(3):
            gradient[STRIDE * i + c] -= forces[i, c]
    for i in range(len(handles)):
        add_handle(y, handles[i], gradient, band)


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


@kernel
def add_segment(
    y: np.ndarray, s: np.record, i: int, work: np.ndarray, gradient: np.ndarray, band: np.ndarray
) -> None:  # fmt: skip
    """Adds the derivatives of segment i."""
    h, g, d, axis = work[:10], work[10], work[11, :3], work[12, :3]
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


@kernel
def add_joint(
    y: np.ndarray, j: np.record, handles: np.ndarray, work: np.ndarray, gradient: np.ndarray, band: np.ndarray
) -> None:
    """Adds the derivatives of a joint."""
    h, g, a, b = work[:10], work[10], work[13, :4], work[14, :4]
    p, q = STRIDE * j.before + QUATERNION, STRIDE * j.after + QUATERNION
    s = between(y, j, handles, a, b)
    m = moments(s, j.length, j.rest, j.stiffness)[1]
    aa, bb, ab = joint_hessian(s, j.length, j.rest, j.stiffness)
    if j.before >= 0:
        add_turn(gradient, band, g, h, a, scaled(-1.0, onto_before(s, m)), aa, p)
    if j.after >= 0:
        add_turn(gradient, band, g, h, b, onto_behind(s, m), bb, q)
    if j.before >= 0 and j.after >= 0:
        mixed_by_quaternions(a, b, ab, h)
        add(band, h, 0, 4, 0, 4, p, q)


@kernel
def add_handle(y: np.ndarray, o: np.record, gradient: np.ndarray, band: np.ndarray) -> None:
    """Adds the derivatives of a handle, by the unknowns of its segment."""
    x, z, q = STRIDE * o.segment, STRIDE * (o.segment + 1), STRIDE * o.segment + QUATERNION
    before, after = 1.0 - o.share, o.share
    force, h = pull_derivatives(off_place(y, o), o.stiffness, o.force, o.strength)
    for r in range(3):
        gradient[x + r] += before * force[r]
        gradient[z + r] += after * force[r]
        for c in range(3):
            band[x + r, STRIDE + c - r] += before * after * h[r][c]
            if c >= r:
                band[x + r, c - r] += before * before * h[r][c]
                band[z + r, c - r] += after * after * h[r][c]
    for c in range(4):
        gradient[q + c] += o.turn_stiffness * (y[q + c] - o.turn[c]) + o.torque[c]
        band[q + c, 0] += o.turn_stiffness


@kernel
def off_place(y: np.ndarray, handle: np.record) -> Vector:
    """x − x_H."""
    x, z = STRIDE * handle.segment, STRIDE * (handle.segment + 1)
    a, b, place = 1.0 - handle.share, handle.share, handle.position
    return (
        a * y[x] + b * y[z] - place[0], a * y[x + 1] + b * y[z + 1] - place[1], a * y[x + 2] + b * y[z + 2] - place[2]
    )  # fmt: skip


@kernel
def held_energy(o: np.record, off: Vector, q: Quaternion) -> float:
    """Of what holds a place that is off by so much, and a quaternion."""
    total = pull_energy(off, o.stiffness, o.force, o.strength)
    for c in range(4):
        away = q[c] - o.turn[c]
        total += (0.5 * o.turn_stiffness * away + o.torque[c]) * away
    return total


@kernel
def absorb(o: np.record, off: Vector, q: Quaternion, share: float) -> tuple[float, float]:
    """Adds `share` of what springs hold to the integral forces of such. Returns the largest error and their energy."""
    worst = held = 0.0
    if o.stiffness > 0.0:
        force = pull(off, o.stiffness, o.force, o.strength)
        for c in range(3):
            more = (force[c] - o.force[c]) / o.stiffness
            o.force[c] += share * o.stiffness * more
            held += 0.5 * o.stiffness * more * more
            worst = max(worst, abs(more))
    if o.turn_stiffness > 0.0:
        for c in range(4):
            away = q[c] - o.turn[c]
            o.torque[c] += share * o.turn_stiffness * away
            held += 0.5 * o.turn_stiffness * away * away
            worst = max(worst, abs(away))
    return worst, held


@kernel
def between(y: np.ndarray, joint: np.record, handles: np.ndarray, a: np.ndarray, b: np.ndarray) -> Vector:
    """σ of the turn from a to b, which become the quaternions (4,) before and behind a joint."""
    p, q = STRIDE * joint.before + QUATERNION, STRIDE * joint.after + QUATERNION
    for c in range(4):
        a[c] = y[p + c] if joint.before >= 0 else handles[joint.handle].turn[c]
        b[c] = y[q + c] if joint.after >= 0 else handles[joint.handle].turn[c]
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
def joints_bear(
    y: np.ndarray, joints: np.ndarray, handles: np.ndarray, work: np.ndarray, kappa: np.ndarray, moment: np.ndarray
) -> None:
    """kappa (k, 3) of all joints, and moment (k, 3) that what is behind exerts, in the axes of what is before."""
    a, b = work[0, :4], work[1, :4]
    for i in range(len(joints)):
        j = joints[i]
        s = between(y, j, handles, a, b)
        bent = turn(s)
        torque = onto_before(s, moments(s, j.length, j.rest, j.stiffness)[1])
        for c in range(3):
            kappa[i, c] = bent[c] / j.length
            moment[i, c] = torque[c]


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
    axis = work[0, :3]
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
        error, more = absorb(o, off_place(y, o), quaternion(y[STRIDE * o.segment + QUATERNION :]), share)
        worst, held = max(worst, error), held + more
    out[0], out[1] = worst, held
