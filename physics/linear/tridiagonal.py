"""Tridiagonal systems, eliminated row by row, as their rows are laid (Golub & Van Loan, *Matrix Computations*, §4.3.6):

    a_j x_{j−1} + d_j x_j + c_j x_{j+1} = f_j    leaves    x_j = s_j − r_j x_{j+1},

    p_j = d_j − a_j r_{j−1},    r_j = c_j/p_j,    s_j = (f_j − a_j s_{j−1})/p_j.

An unknown whose diagonal d is infinite is 0. A pivot p that is 0 is the caller's to replace, or a matter of rounding
that it has to know of. As many pivots of a symmetric system are negative as eigenvalues are.

A cyclic system is one of all unknowns but the last, with a second side y, the column of the last (bordering).
"""

import numpy as np

from .._jit import kernel

TINY = 1e-14  # of the diagonal: a pivot that is none


@kernel(forceinline=True)
def reduce(a: float, d: float, f: float, r: float, s: float) -> tuple[float, float]:
    """p and p s of a row, from r and s of the one before."""
    return d - a * r, f - a * s


@kernel(forceinline=True)
def eliminate(a: float, d: float, c: float, f: float, r: float, s: float) -> tuple[float, float, float]:
    """r, s and p of a row, from r and s of the one before."""
    p, f = reduce(a, d, f, r, s)
    return c / p, f / p, p


@kernel
def close_ring(r: np.ndarray, s: np.ndarray, y: np.ndarray, row: tuple[float, float, float, float]) -> float:
    """The solution s (m,) of a cyclic system, from what is left of all rows but the last, and (first, before, d, f) of
    that: what couples it with the first one and with the one before. Returns its pivot. r (m,) and y (m,) are scratch.
    """
    m = len(s)
    first, before, d, f = row
    one, two = s[m - 2], y[m - 2]
    for j in range(m - 3, -1, -1):
        one, two = s[j] - r[j] * one, y[j] - r[j] * two
        s[j], y[j] = one, two
    p = d - first * y[0] - before * y[m - 2]
    if p == 0.0:
        p = 1.0
    last = s[m - 1] = (f - first * s[0] - before * s[m - 2]) / p
    for j in range(m - 1):
        s[j] -= y[j] * last
    return p


@kernel
def minimise(g: np.ndarray, d: np.ndarray, beside: np.ndarray, held: np.ndarray, r: np.ndarray, x: np.ndarray) -> bool:
    """x (m,), the minimum of ½ xᵀHx + gᵀx; d (m,): H's diagonal, beside (m − 1 or more,): what is next to it; held
    unknowns are 0. Whether H is positive definite. r (m,) is scratch.

    From both ends to the middle, and back: either half waits for quotients of its own.
    """
    m = len(g)
    middle, sound = m // 2, True
    a = b = s = t = 0.0  # r and s of the last one of either half
    for j in range(middle):
        k = m - 1 - j
        own, off = np.inf if held[j] else d[j], beside[j - 1] if j > 0 else 0.0
        a, s, p = eliminate(off, own, beside[j], -g[j], a, s)
        r[j], x[j], sound = a, s, sound and p > TINY * d[j]
        if k > middle:
            own, off = np.inf if held[k] else d[k], beside[k] if j > 0 else 0.0
            b, t, p = eliminate(off, own, beside[k - 1], -g[k], b, t)
            r[k], x[k], sound = b, t, sound and p > TINY * d[k]
    own = np.inf if held[middle] else d[middle]
    one, other = beside[middle - 1] if middle > 0 else 0.0, beside[middle] if middle + 1 < m else 0.0
    p = own - one * a - other * b
    x[middle] = -(g[middle] + one * s + other * t) / p
    for j in range(middle - 1, -1, -1):
        x[j] -= r[j] * x[j + 1]
    for k in range(middle + 1, m):
        x[k] -= r[k] * x[k - 1]
    return sound and p > TINY * d[middle]


@kernel
def minimise_ring(
    g: np.ndarray, d: np.ndarray, beside: np.ndarray, held: np.ndarray, r: np.ndarray, y: np.ndarray, x: np.ndarray
) -> bool:
    """The same of a cyclic H, 3 unknowns or more: beside (m,), the last one couples the last with the first."""
    m, sound, ratio, s, column = len(x), True, 0.0, 0.0, 0.0
    for j in range(m - 1):
        own, off, on = np.inf if held[j] else d[j], beside[j - 1] if j > 0 else 0.0, beside[j]
        border = beside[m - 1] if j == 0 else 0.0
        if j == m - 2:
            border, on = border + on, 0.0
        column = (border - off * column) / (own - off * ratio)
        ratio, s, p = eliminate(off, own, on, -g[j], ratio, s)
        r[j], x[j], y[j], sound = ratio, s, column, sound and p > TINY * d[j]
    own = np.inf if held[m - 1] else d[m - 1]
    p = close_ring(r, x, y, (beside[m - 1], beside[m - 2], own, -g[m - 1]))
    return sound and p > TINY * d[m - 1]
