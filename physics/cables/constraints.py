"""What constraints of a cable hold after a step, of segments' length, coherence and norm, handles' places and
quaternions: f + k (c + C p), linear in the step p.

|d| − l,   d/|d| − d₃(q),   1/|q| − 1,   x − x_H,   q − q_H,    and by a step (δd, δq, δl),
u·δd − δl,   (δd − u u·δd)/|d| − (∂d₃/∂q) δq,   −q·δq/|q|³,   δx − δx_H,   δq − δq_H,    u = d/|d|.

Along u coherence is 1 − |q|², and so twice the norm: what these hold against each other, (1, −2) in proportion, is no
force, but would grow with what is not linear, and is left out, so that forces are (2, 1) as those of springs are.

d₃ and what parts carry are quadratic in quaternions, so (∂d₃/∂q) δq = ½ (d₃(q + δq) − d₃(q − δq)).
"""

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.turns import Quaternion, product, quaternion
from ..arithmetic.vectors import Vector, dot, plus, scaled
from ..elements.cable_coherence import third_axis
from .equations import absorb, off_place
from .mounts import POSE
from .quaternion_derivatives import carried
from .tables import QUATERNION, STRIDE


@entry
def take_up(
    y: np.ndarray, p: np.ndarray, longer: np.ndarray, first: int, segments: np.ndarray, handles: np.ndarray,
    work: np.ndarray,
) -> None:  # fmt: skip
    """Integral forces become what springs hold after a step p from y (N,), which makes segments `longer` (m,), as far
    as constraints are linear; poses of parts begin at `first`. work (15, 10).
    """
    axis, there, back, a, b = work[0, :3], work[1, :3], work[2, :3], work[3, :4], work[4, :4]
    for i in range(len(segments)):
        s, x, z, q = segments[i], STRIDE * i, STRIDE * (i + 1), STRIDE * i + QUATERNION
        d = y[z] - y[x], y[z + 1] - y[x + 1], y[z + 2] - y[x + 2]
        step = p[z] - p[x], p[z + 1] - p[x + 1], p[z + 2] - p[x + 2]
        length = np.sqrt(dot(d, d))
        u = scaled(1.0 / length, d)
        along = dot(u, step)
        s.tension += s.stretch * (length - s.length + along - longer[i])
        size = turned = 0.0
        for c in range(4):
            a[c], b[c] = y[q + c] + p[q + c], y[q + c] - p[q + c]
            size, turned = size + y[q + c] * y[q + c], turned + y[q + c] * p[q + c]
        third_axis(y[q:z], axis)
        third_axis(a, there)
        third_axis(b, back)
        for c in range(3):
            across = (step[c] - along * u[c]) / length
            s.shear[c] += s.coherence * (u[c] - axis[c] + across - 0.5 * (there[c] - back[c]))
        size = 1.0 / np.sqrt(size)
        s.swelling += s.norm * (size - 1.0 - turned * size * size * size)
        n = plus(d, 1.0, step)
        n = scaled(1.0 / np.sqrt(dot(n, n)), n)
        held = s.shear[0] * n[0] + s.shear[1] * n[1] + s.shear[2] * n[2]
        both = 0.2 * (2.0 * held + s.swelling)
        for c in range(3):
            s.shear[c] += (2.0 * both - held) * n[c]
        s.swelling = both
    for i in range(len(handles)):
        o = handles[i]
        q = STRIDE * o.segment + QUATERNION
        place, turn = led_by(y, p, o, first, a, b)
        off = plus(plus(off_place(y, o), 1.0, moves(p, o)), -1.0, place)
        own = quaternion(y[q:]), quaternion(p[q:])
        absorb(
            o, off,
            (
                own[0][0] + own[1][0] - turn[0], own[0][1] + own[1][1] - turn[1],
                own[0][2] + own[1][2] - turn[2], own[0][3] + own[1][3] - turn[3],
            ),
            1.0,
        )  # fmt: skip


@kernel
def moves(p: np.ndarray, o: np.record) -> Vector:
    """δx of the place that a handle holds."""
    x, z = STRIDE * o.segment, STRIDE * (o.segment + 1)
    return plus(scaled(1.0 - o.share, (p[x], p[x + 1], p[x + 2])), o.share, (p[z], p[z + 1], p[z + 2]))


@kernel
def led_by(
    y: np.ndarray, p: np.ndarray, o: np.record, first: int, a: np.ndarray, b: np.ndarray
) -> tuple[Vector, Quaternion]:
    """δx_H and δq_H of a handle that a part leads, nothing of any other; a, b (4,) are scratch."""
    if o.part < 0:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)
    x = first + POSE * o.part
    for c in range(4):
        a[c], b[c] = y[x + 3 + c] + p[x + 3 + c], y[x + 3 + c] - p[x + 3 + c]
    arm = plus(scaled(0.5, carried(a, o.arm)), -0.5, carried(b, o.arm))
    return plus((p[x], p[x + 1], p[x + 2]), 1.0, arm), product(quaternion(p[x + 3 :]), quaternion(o.frame))
