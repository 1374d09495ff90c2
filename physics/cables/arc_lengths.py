"""What a cable's energy has by arc lengths that are unknowns: by rest lengths l, which they make longer.

    ∂E/∂l = −(k (|d| − l) + f) of a segment;  −½ Σ B (κ² − κ̄²), κ = θ/l, of a joint,
    ∂²E/∂l∂d = −k u,  ∂²E/∂l² = k;    ∂²V/∂l∂δ = −∂V₀/∂δ/l,  ∂²V/∂l² = Σ B κ²/l,

V₀ a joint's energy were its rest shape straight. A joint is half of the segments beside it.
"""

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.turns import conjugate, product, quaternion
from ..arithmetic.vectors import dot, scaled
from ..elements.bending_and_torsion import moments, onto_before, onto_behind, turn
from .equations import between
from .mounts import POSE
from .quaternion_derivatives import gradient_by_quaternion
from .tables import QUATERNION, STRIDE


@entry
def by_arc_lengths(
    y: np.ndarray, segments: np.ndarray, joints: np.ndarray, handles: np.ndarray, change: np.ndarray, work: np.ndarray,
    gradient: np.ndarray, border: np.ndarray,
) -> None:  # fmt: skip
    """Adds to gradient (N,) and rows border (s, N) of s arc lengths, which come behind the last point, where they
    change rest lengths by change (s, n − 1); without what weight does.
    """
    first = STRIDE * len(segments) + 3
    for i in range(len(segments)):
        s, x, z = segments[i], STRIDE * i, STRIDE * (i + 1)
        d = y[z] - y[x], y[z + 1] - y[x + 1], y[z + 2] - y[x + 2]
        length = np.sqrt(dot(d, d))
        slope = -(s.stretch * (length - s.length) + s.tension)
        for r in range(len(border)):
            longer = change[r, i]
            if longer != 0.0:
                gradient[first + r] += longer * slope
                for c in range(3):
                    along = s.stretch * d[c] / length
                    border[r, x + c] += longer * along
                    border[r, z + c] -= longer * along
                for other in range(len(border)):
                    border[r, first + other] += longer * s.stretch * change[other, i]
    for i in range(len(joints)):
        add_joint(y, joints[i], handles, change, first, work, gradient, border)


@kernel
def half(change: np.ndarray, j: np.record) -> float:
    """By how much longer a joint becomes."""
    return 0.5 * ((change[j.before] if j.before >= 0 else 0.0) + (change[j.after] if j.after >= 0 else 0.0))


@kernel
def add_joint(
    y: np.ndarray, j: np.record, handles: np.ndarray, change: np.ndarray, first: int, work: np.ndarray,
    gradient: np.ndarray, border: np.ndarray,
) -> None:  # fmt: skip
    """Of a joint."""
    one, other, a, b = work[0, :4], work[1, :4], work[13, :4], work[14, :4]
    s = between(y, j, handles, a, b)
    kappa, rest, k = scaled(1.0 / j.length, turn(s)), j.rest, j.stiffness
    slope = curve = 0.0
    for c in range(3):
        slope -= 0.5 * k[c] * (kappa[c] * kappa[c] - rest[c] * rest[c])
        curve += k[c] * kappa[c] * kappa[c] / j.length
    m = scaled(-1.0 / j.length, moments(s, j.length, (0.0, 0.0, 0.0), k)[1])
    gradient_by_quaternion(a, scaled(-1.0, onto_before(s, m)), one)
    gradient_by_quaternion(b, onto_behind(s, m), other)
    for r in range(len(border)):
        longer = half(change[r], j)
        if longer != 0.0:
            gradient[first + r] += longer * slope
            for t in range(len(border)):
                border[r, first + t] += longer * curve * half(change[t], j)
            add_turn(border, r, longer, one, j.before, handles, j.handle, first)
            add_turn(border, r, longer, other, j.after, handles, j.handle, first)


@kernel
def add_turn(
    border: np.ndarray, r: int, longer: float, slope: np.ndarray, segment: int, handles: np.ndarray, handle: int,
    first: int,
) -> None:  # fmt: skip
    """By a segment's quaternion or, where it is a handle's frame, by that of the part that leads it, if any."""
    if segment >= 0:
        for c in range(4):
            border[r, STRIDE * segment + QUATERNION + c] += longer * slope[c]
    elif handles[handle].part >= 0:
        o = handles[handle]
        own = product(quaternion(slope), conjugate(quaternion(o.frame)))
        for c in range(4):
            border[r, first + len(border) + POSE * o.part + 3 + c] += longer * own[c]
