"""Coherence of a cable's segment d with its quaternion q, whose third axis d₃(q) it follows: spring and integral force
(Grégoire 2007, §3.3.5 and 4.5).

    E = ½ k |Δ|² + f·Δ,    Δ = u − d₃,    u = d/|d|,    |d₃| = |q|²,

which with |u| = 1, N = q·q and v = k u + f is ½ k (1 + N²) + f·u − v·d₃. With v·d₃ = qᵀ S(v) q and P = 1 − u uᵀ:

    ∂E/∂q = 2 k N q − 2 S(v) q,             ∂²E/∂q² = 2 k N 1 + 4 k q qᵀ − 2 S(v),
    ∂E/∂d = P w/|d|,  w = f − k d₃,         ∂²E/∂d² = −((1 − 3 u uᵀ) u·w + u wᵀ + w uᵀ)/|d|²,
    ∂²E/∂d∂q = −k P (∂d₃/∂q)/|d|.

The thesis drops the terms in N, which is right only where the norm is held exactly: they make the gradient that of E.
"""

import numpy as np

from .._jit import kernel


@kernel
def third_axis(q: np.ndarray, out: np.ndarray) -> None:
    """out = d₃ (3,) of q (4,), |q|² long."""
    out[0] = 2.0 * (q[1] * q[3] + q[0] * q[2])
    out[1] = 2.0 * (q[2] * q[3] - q[0] * q[1])
    out[2] = q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3]


@kernel
def coherence_energy(d: np.ndarray, q: np.ndarray, k: float, f: np.ndarray, axis: np.ndarray) -> float:
    """E of d (3,), q (4,), f (3,); axis (3,): d₃."""
    third_axis(q, axis)
    inverse = 1.0 / np.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
    energy = 0.0
    for i in range(3):
        off = d[i] * inverse - axis[i]
        energy += (0.5 * k * off + f[i]) * off
    return energy


@kernel
def coherence_derivatives(
    d: np.ndarray, q: np.ndarray, k: float, f: np.ndarray, axis: np.ndarray, g: np.ndarray, h: np.ndarray
) -> None:
    """g (7,) and h (7, 7), of d first; axis (3,): d₃."""
    third_axis(q, axis)
    inverse = 1.0 / np.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
    u0, u1, u2 = d[0] * inverse, d[1] * inverse, d[2] * inverse
    w0, w1, w2 = f[0] - k * axis[0], f[1] - k * axis[1], f[2] - k * axis[2]
    v0, v1, v2 = k * u0 + f[0], k * u1 + f[1], k * u2 + f[2]
    along = u0 * w0 + u1 * w1 + u2 * w2
    g[0], g[1], g[2] = inverse * (w0 - along * u0), inverse * (w1 - along * u1), inverse * (w2 - along * u2)
    square = inverse * inverse
    h[0, 0] = -square * (along - 3.0 * along * u0 * u0 + 2.0 * u0 * w0)
    h[1, 1] = -square * (along - 3.0 * along * u1 * u1 + 2.0 * u1 * w1)
    h[2, 2] = -square * (along - 3.0 * along * u2 * u2 + 2.0 * u2 * w2)
    h[0, 1] = h[1, 0] = -square * (u0 * w1 + w0 * u1 - 3.0 * along * u0 * u1)
    h[0, 2] = h[2, 0] = -square * (u0 * w2 + w0 * u2 - 3.0 * along * u0 * u2)
    h[1, 2] = h[2, 1] = -square * (u1 * w2 + w1 * u2 - 3.0 * along * u1 * u2)
    s = h[3:, 3:]
    s[0, 0], s[1, 1], s[2, 2], s[3, 3] = v2, -v2, -v2, v2
    s[0, 1] = s[1, 0] = -v1
    s[0, 2] = s[2, 0] = v0
    s[0, 3] = s[3, 0] = 0.0
    s[1, 2] = s[2, 1] = 0.0
    s[1, 3] = s[3, 1] = v0
    s[2, 3] = s[3, 2] = v1
    norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
    for i in range(4):
        pull = 0.0
        for j in range(4):
            pull += s[i, j] * q[j]
        g[3 + i] = 2.0 * (k * norm * q[i] - pull)
    for i in range(4):
        for j in range(4):
            s[i, j] = 4.0 * k * q[i] * q[j] - 2.0 * s[i, j]
        s[i, i] += 2.0 * k * norm
    for j in range(4):  # columns of ∂d₃/∂q, and what P leaves of them
        if j == 0:
            a0, a1, a2 = q[2], -q[1], q[0]
        elif j == 1:
            a0, a1, a2 = q[3], -q[0], -q[1]
        elif j == 2:
            a0, a1, a2 = q[0], q[3], -q[2]
        else:
            a0, a1, a2 = q[1], q[2], q[3]
        part = u0 * a0 + u1 * a1 + u2 * a2
        h[0, 3 + j] = h[3 + j, 0] = -2.0 * k * inverse * (a0 - part * u0)
        h[1, 3 + j] = h[3 + j, 1] = -2.0 * k * inverse * (a1 - part * u1)
        h[2, 3 + j] = h[3 + j, 2] = -2.0 * k * inverse * (a2 - part * u2)
