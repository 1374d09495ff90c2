"""Derivatives by quaternions q of any norm of what depends on their turns alone, from those by turns δ about own axes.

q + dq = q (1 + s, v), where (s, v) = q̄ dq/|q|², is q turned by δ = 2 v (1 − s) and terms of the third order. So with
B = ∂v/∂q, 3 × 4, b = ∂s/∂q = q/|q|², and g, H the gradient and Hessian of q → q exp(δ/2),

    ∂/∂q = 2 Bᵀ g,    ∂²/∂q² = 4 Bᵀ H B − 2 (b gᵀB + Bᵀg bᵀ),    ∂²/∂q∂q′ = 4 Bᵀ H B′  of two quaternions.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Matrix, Vector, dot


@kernel
def columns(q: np.ndarray) -> tuple[Vector, Vector, Vector, Vector]:
    """Those of B."""
    k = 1.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    w, x, y, z = k * q[0], k * q[1], k * q[2], k * q[3]
    return (-x, -y, -z), (w, -z, y), (z, w, -x), (-y, x, w)


@kernel
def gradient_by_quaternion(q: np.ndarray, g: Vector, out: np.ndarray) -> None:
    """out (4,) = ∂/∂q."""
    own = columns(q)
    for i in range(4):
        out[i] = 2.0 * dot(own[i], g)


@kernel
def hessian_by_quaternion(q: np.ndarray, g: Vector, h: Matrix, out: np.ndarray) -> None:
    """out (4, 4) = ∂²/∂q²."""
    mixed_by_quaternions(q, q, h, out)
    own = columns(q)
    k = -2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    for i in range(4):
        for j in range(4):
            out[i, j] += k * (q[i] * dot(own[j], g) + q[j] * dot(own[i], g))


@kernel
def mixed_by_quaternions(p: np.ndarray, q: np.ndarray, h: Matrix, out: np.ndarray) -> None:
    """out (4, 4) = ∂²/∂p∂q."""
    rows, own = columns(p), columns(q)
    for j in range(4):
        pull = dot(h[0], own[j]), dot(h[1], own[j]), dot(h[2], own[j])
        for i in range(4):
            out[i, j] = 4.0 * dot(rows[i], pull)
