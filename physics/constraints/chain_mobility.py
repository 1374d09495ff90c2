"""Mobility of an inextensible chain: how far impulses move its points when the edges keep their lengths, to first
order.

For a direction n at a point, W_eff = JWJᵀ − bᵀ A⁻¹ b with A = ∇C W ∇Cᵀ, tridiagonal, and b = ∇C W Jᵀ, which has
entries only at the edges next to the point. The band of A⁻¹ that this needs comes of A's pivots p and ratios r
(Takahashi, Fagan & Chin 1973): (A⁻¹)_jj = 1/p_j + r_j² (A⁻¹)_{j+1,j+1} and (A⁻¹)_jk = −r_j (A⁻¹)_{j+1,k} for j < k.
Across a rod W_eff is nearly the vertex's own mobility; along it, the whole rod moves. A closed chain is taken as open
at its last edge.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector
from ..linear.tridiagonal import eliminate
from .fast_projection import apply_multipliers

LEAST = 1e-4  # of the mobility without the chain


@kernel
def inverse_band(o: np.ndarray, w: np.ndarray, band: np.ndarray) -> None:
    """The BAND (m,) of A⁻¹ from old edges o (m, 3) [m] and inverse masses w (m + 1,). A pivot that rounding makes
    negative is left out.
    """
    m = len(o)
    ratio = before = 0.0
    for j in range(m):
        a = (w[j] + w[j + 1]) * (o[j, 0] * o[j, 0] + o[j, 1] * o[j, 1] + o[j, 2] * o[j, 2])
        behind = 0.0
        if j + 1 < m:
            behind = -w[j + 1] * (o[j, 0] * o[j + 1, 0] + o[j, 1] * o[j + 1, 1] + o[j, 2] * o[j + 1, 2])
        ratio, _, pivot = eliminate(before, a, behind, 0.0, ratio, 0.0)
        inverse = 1.0 / pivot
        if pivot <= 0.0:
            ratio = inverse = 0.0
        band[j].ratio, band[j].pivot, before = -ratio, inverse, behind
    inverse = 0.0
    for j in range(m - 1, -1, -1):
        inverse = band[j].pivot + band[j].ratio * band[j].ratio * inverse
        band[j].inverse = inverse


@kernel
def respond(
    x: np.ndarray,
    y: np.ndarray,
    o: np.ndarray,
    w: np.ndarray,
    band: np.ndarray,
    multiplier: np.ndarray,
    scratch: np.ndarray,
) -> None:
    """Let the chain answer displacements: x, moved from y by impulses, is moved on by W ∇Cᵀ δλ with A δλ = −∇C (x −
    y).
    """
    m = len(band)
    row = 0.0
    for j in range(m):
        dx = (x[j + 1, 0] - y[j + 1, 0]) - (x[j, 0] - y[j, 0])
        dy = (x[j + 1, 1] - y[j + 1, 1]) - (x[j, 1] - y[j, 1])
        dz = (x[j + 1, 2] - y[j + 1, 2]) - (x[j, 2] - y[j, 2])
        row = (band[j - 1].ratio * row if j > 0 else 0.0) - (o[j, 0] * dx + o[j, 1] * dy + o[j, 2] * dz)
        scratch[j].step = row
    lam = 0.0
    for j in range(m - 1, -1, -1):
        lam = scratch[j].step * band[j].pivot + band[j].ratio * lam
        scratch[j].step = lam
        multiplier[j] += lam
    apply_multipliers(x, o, w, scratch["step"])


@kernel
def mobility(
    rod: np.record, a: int, b: int, s: float, n: Vector, w: np.ndarray, o: np.ndarray, band: np.ndarray
) -> float:
    """W_eff [1/kg] in the direction n of the point (1 − s) x_a + s x_b of a rod's chain; o (N, 3), w (N,), band (N,).

    Where b is not a + 1, on the edge that closes a chain, the chain is left out.
    """
    if b != a + 1:
        return (1.0 - s) ** 2 * w[a] + s * s * w[b]
    nx, ny, nz = n
    wa, wb = (1.0 - s) * w[a], s * w[a + 1] if a < rod.last else 0.0
    free = (1.0 - s) * wa + s * wb
    p = q = r = ip = iq = ir = cp = cq = 0.0
    if a > rod.first:
        p = wa * (nx * o[a - 1, 0] + ny * o[a - 1, 1] + nz * o[a - 1, 2])
        ip, cp = band[a - 1].inverse, band[a - 1].ratio
    if a < rod.last:
        q = (wb - wa) * (nx * o[a, 0] + ny * o[a, 1] + nz * o[a, 2])
        iq, cq = band[a].inverse, band[a].ratio
    if a + 1 < rod.last:
        r = -wb * (nx * o[a + 1, 0] + ny * o[a + 1, 1] + nz * o[a + 1, 2])
        ir = band[a + 1].inverse
    held = p * p * ip + q * q * iq + r * r * ir + 2.0 * (p * q * cp * iq + q * r * cq * ir + p * r * cp * cq * ir)
    return max(free - held, LEAST * free)
