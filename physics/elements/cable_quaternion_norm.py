"""Norm of a cable's quaternion q: spring and integral force (Grégoire 2007, §3.3.4, second form).

    E = ½ k c² + f c,    c = 1/|q| − 1,    ∂E/∂q = −(k c + f) q/|q|³,
    ∂²E/∂q² = k q qᵀ/|q|⁶ + (k c + f) (3 q qᵀ/|q|⁵ − 1/|q|³).

It has no bound where q vanishes, so a quaternion cannot take all bending of a sharp fold into its norm.
"""

import numpy as np

from .._jit import kernel


@kernel
def norm_energy(q: np.ndarray, k: float, f: float) -> float:
    """E of q (4,)."""
    c = 1.0 / np.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) - 1.0
    return (0.5 * k * c + f) * c


@kernel
def norm_derivatives(q: np.ndarray, k: float, f: float, g: np.ndarray, h: np.ndarray) -> None:
    """g (4,) = ∂E/∂q, h (4, 4) = ∂²E/∂q²."""
    inverse = 1.0 / np.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    push = k * (inverse - 1.0) + f
    square = inverse * inverse
    cube = square * inverse
    along = k * cube * cube + 3.0 * push * cube * square
    for i in range(4):
        g[i] = -push * cube * q[i]
        for j in range(4):
            h[i, j] = along * q[i] * q[j]
        h[i, i] -= push * cube
