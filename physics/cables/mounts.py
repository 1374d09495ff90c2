"""Handles of a cable that rigid parts lead: what its energies have by their places and quaternions.

A part at p with the quaternion q has what is mounted on it at an arm o, with a frame c, at x_H = p + q o q̄ and
q_H = q c. With g and H by those, J = ∂x_H/∂(p, q) and the form M of g·(q o q̄) (see quaternion_derivatives), by a part
it has

    Jᵀ g,    Jᵀ H J + M of q alone;    ∂E/∂q_H c̄,    and rows and columns of ∂²E/∂q_H² likewise, for q c is linear.
"""

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.turns import conjugate, product, quaternion
from ..arithmetic.vectors import scaled
from ..elements.bending_and_torsion import joint_hessian, moments, onto_before, onto_behind
from ..elements.pull import pull_derivatives
from .equations import between, off_place
from .quaternion_derivatives import (
    carried,
    carried_form,
    gradient_by_quaternion,
    hessian_by_quaternion,
    mixed_by_quaternions,
)
from .tables import QUATERNION, STRIDE

POSE = 7  # unknowns of a part: place and quaternion


@entry
def lead(poses: np.ndarray, handles: np.ndarray) -> None:
    """Handles go to where parts of such unknowns (7 p,) have them."""
    for i in range(len(handles)):
        o = handles[i]
        if o.part >= 0:
            first = POSE * o.part
            q = poses[first + 3 : first + POSE]
            place, turn = carried(q, o.arm), product(quaternion(q), quaternion(o.frame))
            for c in range(3):
                o.position[c] = poses[first + c] + place[c]
            for c in range(4):
                o.turn[c] = turn[c]


@entry
def mounted(
    y: np.ndarray, joints: np.ndarray, handles: np.ndarray, work: np.ndarray, gradient: np.ndarray, border: np.ndarray
) -> None:
    """Adds derivatives of what parts lead to gradient (N,) and rows border (7 p, N), their unknowns the last of N."""
    first = len(y) - len(border)
    for i in range(len(handles)):
        o = handles[i]
        if o.part >= 0:
            add_pull(y, o, first, work, gradient, border)
            if o.turn_stiffness > 0.0:
                add_spring(y, o, first, gradient, border)
    for i in range(len(joints)):
        j = joints[i]
        if min(j.before, j.after) < 0 and handles[j.handle].part >= 0:
            add_half_joint(y, j, handles, first, work, gradient, border)


@kernel
def add_pull(
    y: np.ndarray, o: np.record, first: int, work: np.ndarray, gradient: np.ndarray, border: np.ndarray
) -> None:
    """Of its place."""
    m, jacobian = work[:4, :4], work[4:7, :POSE]
    row, x, z = POSE * o.part, STRIDE * o.segment, STRIDE * (o.segment + 1)
    pose, arm = first + row, (o.arm[0], o.arm[1], o.arm[2])
    force, h = pull_derivatives(off_place(y, o), o.stiffness, o.force, o.strength)
    for a in range(3):
        axis = (1.0 if a == 0 else 0.0, 1.0 if a == 1 else 0.0, 1.0 if a == 2 else 0.0)
        carried_form(axis, arm, m)
        for c in range(3):
            jacobian[a, c] = axis[c]
        for c in range(4):
            jacobian[a, 3 + c] = 0.0
            for d in range(4):
                jacobian[a, 3 + c] += m[c, d] * y[pose + 3 + d]
    carried_form(force, arm, m)
    for r in range(POSE):
        for a in range(3):
            gradient[pose + r] -= jacobian[a, r] * force[a]
            push = jacobian[0, r] * h[0][a] + jacobian[1, r] * h[1][a] + jacobian[2, r] * h[2][a]
            border[row + r, x + a] -= (1.0 - o.share) * push
            border[row + r, z + a] -= o.share * push
            for c in range(POSE):
                border[row + r, pose + c] += push * jacobian[a, c]
    for r in range(4):
        for c in range(4):
            border[row + 3 + r, pose + 3 + c] -= m[r, c]


@kernel
def add_spring(y: np.ndarray, o: np.record, first: int, gradient: np.ndarray, border: np.ndarray) -> None:
    """Of a segment's quaternion."""
    k, q, row = o.turn_stiffness, STRIDE * o.segment + QUATERNION, POSE * o.part + 3
    back, pose = conjugate(quaternion(o.frame)), first + row
    t, f = o.torque, o.turn
    off = (
        t[0] + k * (y[q] - f[0]),
        t[1] + k * (y[q + 1] - f[1]),
        t[2] + k * (y[q + 2] - f[2]),
        t[3] + k * (y[q + 3] - f[3]),
    )
    slope = product(off, back)
    for r in range(4):
        gradient[pose + r] -= slope[r]
        border[row + r, pose + r] += k
        unit = (1.0 if r == 0 else 0.0, 1.0 if r == 1 else 0.0, 1.0 if r == 2 else 0.0, 1.0 if r == 3 else 0.0)
        led = product(unit, quaternion(o.frame))
        for c in range(4):
            border[row + r, q + c] -= k * led[c]


@kernel
def add_half_joint(
    y: np.ndarray, j: np.record, handles: np.ndarray, first: int, work: np.ndarray, gradient: np.ndarray,
    border: np.ndarray,
) -> None:  # fmt: skip
    """Of a half joint, by the frame that it ends at."""
    o = handles[j.handle]
    h, mixed, g, a, b = work[:4, :4], work[4:8, :4], work[8], work[13, :4], work[14, :4]
    row, behind = POSE * o.part + 3, j.after < 0  # whether the frame is behind
    pose, q = first + row, STRIDE * max(j.before, j.after) + QUATERNION
    s = between(y, j, handles, a, b)
    m = moments(s, j.length, j.rest, j.stiffness)[1]
    aa, bb, ab = joint_hessian(s, j.length, j.rest, j.stiffness)
    mixed_by_quaternions(a, b, ab, mixed)
    if behind:
        slope = onto_behind(s, m)
        gradient_by_quaternion(b, slope, g)
        hessian_by_quaternion(b, slope, bb, h)
    else:
        slope = scaled(-1.0, onto_before(s, m))
        gradient_by_quaternion(a, slope, g)
        hessian_by_quaternion(a, slope, aa, h)
    back = conjugate(quaternion(o.frame))
    own = product(quaternion(g), back)
    for c in range(4):
        gradient[pose + c] += own[c]
        own_row = product((h[c, 0], h[c, 1], h[c, 2], h[c, 3]), back)
        h[c, 0], h[c, 1], h[c, 2], h[c, 3] = own_row
    for c in range(4):
        cross = product(quaternion(mixed[:, c]) if not behind else quaternion(mixed[c]), back)
        own_column = product((h[0, c], h[1, c], h[2, c], h[3, c]), back)
        for r in range(4):
            border[row + r, q + c] += cross[r]
            border[row + r, pose + c] += own_column[r]
