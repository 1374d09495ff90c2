"""Mobility of an inextensible chain: how far impulses move its points when the edges keep their lengths, to first
order.

For a direction n at a point, W_eff = JWJᵀ − bᵀ A⁻¹ b with A = ∇C W ∇Cᵀ, tridiagonal, and b = ∇C W Jᵀ, which has
entries only at the edges next to the point. The band of A⁻¹ that this needs comes from two eliminations, one from
each end: (A⁻¹)_jj = 1/(d⁺_j + d⁻_j − a_jj) and (A⁻¹)_jk = −(c_j/d⁺_j) (A⁻¹)_{j+1,k} for j < k. Across a rod W_eff is
nearly the vertex's own mobility; along it, the whole rod moves. A closed chain is taken as open at its last edge.
"""

from .._jit import njit
from .fast_projection import apply_multipliers

LEAST = 1e-4  # of the mobility without the chain


@njit
def inverse_band(o, w, inverse, ratio, pivots):
    """The diagonal of A⁻¹ (m,) [kg/m²], ratio −c/d⁺ (m,) and pivots 1/d⁺ (m,), from old edges o (m, 3) [m] and
    inverse masses w (m + 1,).
    """
    m = len(o)
    before = coupling = 0.0
    for j in range(m):  # forward pivots d⁺
        a = (w[j] + w[j + 1]) * (o[j, 0] * o[j, 0] + o[j, 1] * o[j, 1] + o[j, 2] * o[j, 2])
        pivot = a + coupling * before
        if pivot <= 0.0:
            pivot = 1.0
        inverse[j] = pivot - a
        coupling = 0.0
        if j + 1 < m:
            coupling = -w[j + 1] * (o[j, 0] * o[j + 1, 0] + o[j, 1] * o[j + 1, 1] + o[j, 2] * o[j + 1, 2])
        before = -coupling / pivot
        ratio[j], pivots[j] = before, 1.0 / pivot
    after = coupling = 0.0
    for j in range(m - 1, -1, -1):  # backward pivots d⁻
        a = (w[j] + w[j + 1]) * (o[j, 0] * o[j, 0] + o[j, 1] * o[j, 1] + o[j, 2] * o[j, 2])
        pivot = a + coupling * after
        if pivot <= 0.0:
            pivot = 1.0
        both = inverse[j] + pivot
        inverse[j] = 1.0 / both if both > 0.0 else 0.0
        if j > 0:
            coupling = -w[j] * (o[j, 0] * o[j - 1, 0] + o[j, 1] * o[j - 1, 1] + o[j, 2] * o[j - 1, 2])
        after = -coupling / pivot


@njit
def respond(x, y, o, w, ratio, pivots, multiplier, step):
    """Let the chain answer displacements: x, moved from y by impulses, is moved on by W ∇Cᵀ δλ with A δλ = −∇C (x −
    y).
    """
    m = len(pivots)
    row = 0.0
    for j in range(m):
        dx = (x[j + 1, 0] - y[j + 1, 0]) - (x[j, 0] - y[j, 0])
        dy = (x[j + 1, 1] - y[j + 1, 1]) - (x[j, 1] - y[j, 1])
        dz = (x[j + 1, 2] - y[j + 1, 2]) - (x[j, 2] - y[j, 2])
        row = (ratio[j - 1] * row if j > 0 else 0.0) - (o[j, 0] * dx + o[j, 1] * dy + o[j, 2] * dz)
        step[j] = row
    lam = 0.0
    for j in range(m - 1, -1, -1):
        lam = step[j] * pivots[j] + ratio[j] * lam
        step[j] = lam
        multiplier[j] += lam
    apply_multipliers(x, o, w, step)


@njit
def mobility(a, b, s, nx, ny, nz, o, w, inverse, ratio, first, last):
    """W_eff [1/kg] in the direction n of the point (1 − s) x_a + s x_b of the chain with edges first … last − 1 (flat
    arrays).

    Where b is not a + 1, on the edge that closes a chain, the chain is left out.
    """
    if b != a + 1:
        return (1.0 - s) ** 2 * w[a] + s * s * w[b]
    wa, wb = (1.0 - s) * w[a], s * w[a + 1] if a < last else 0.0
    free = (1.0 - s) * wa + s * wb
    p = q = r = ip = iq = ir = cp = cq = 0.0
    if a > first:
        p = wa * (nx * o[a - 1, 0] + ny * o[a - 1, 1] + nz * o[a - 1, 2])
        ip, cp = inverse[a - 1], ratio[a - 1]
    if a < last:
        q = (wb - wa) * (nx * o[a, 0] + ny * o[a, 1] + nz * o[a, 2])
        iq, cq = inverse[a], ratio[a]
    if a + 1 < last:
        r = -wb * (nx * o[a + 1, 0] + ny * o[a + 1, 1] + nz * o[a + 1, 2])
        ir = inverse[a + 1]
    held = p * p * ip + q * q * iq + r * r * ir + 2.0 * (p * q * cp * iq + q * r * cq * ir + p * r * cp * cq * ir)
    return max(free - held, LEAST * free)
