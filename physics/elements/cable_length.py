"""Length of a cable's segment d, of rest length l: spring and integral force (Grégoire 2007, §3.3.2 and 4.4).

E = ½ k (|d| − l)² + f (|d| − l),    ∂E/∂d = (k (|d| − l) + f) u,    u = d/|d|,
∂²E/∂d² = k u uᵀ + (k (|d| − l) + f)/|d| (1 − u uᵀ).
"""

import numpy as np

from .._jit import kernel


@kernel
def length_energy(d: np.ndarray, l: float, k: float, f: float) -> float:
    """E of d (3,)."""
    c = np.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - l
    return (0.5 * k * c + f) * c


@kernel
def length_derivatives(d: np.ndarray, l: float, k: float, f: float, g: np.ndarray, h: np.ndarray) -> None:
    """g (3,) = ∂E/∂d, h (3, 3) = ∂²E/∂d²."""
    length = np.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
    tension = k * (length - l) + f
    across = tension / length
    along = (k - across) / (length * length)
    for i in range(3):
        g[i] = across * d[i]
        for j in range(3):
            h[i, j] = along * d[i] * d[j]
        h[i, i] += across
