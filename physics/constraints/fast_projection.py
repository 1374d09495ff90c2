"""Inextensibility by fast manifold projection (Bergou 2008, §8; Goldenthal et al. 2007) along SHAKE directions.

Constraints C_j = (e^j·e^j − l_j²)/2. Newton's step for the multipliers, x += W ∇C(x₀)ᵀ δλ with
∇C(x) W ∇C(x₀)ᵀ δλ = −C(x), takes the directions of the *old* edges o = ∇C(x₀): each impulse then acts along the line
that joins its two vertices at x₀, so angular momentum is kept to round-off and equilibria do not depend on the step.
Taking the current edges instead gives the printed scheme, which dissipates but converges from farther away.

In all kernels: x (n, 3) [m] in place, o (m, 3) [m] directions, w (n,) [1/kg] inverse masses (0 holds a vertex),
length (m,) [m], multiplier (m,) [kg], to which the step is added, and scratch, ELIMINATION (m,). m = n − 1, or n for
a closed chain.
"""

import numpy as np

from .._jit import kernel
from ..linear.tridiagonal import close_ring, reduce

TOLERANCE = 1e-9  # relative error of an edge's length
QUADRATIC = 3e-6  # an error whose successor is below the tolerance, for convergence is quadratic
SOON = 1e-4  # an error whose successor may be below it, which is looked at before all is eliminated again
ROUNDS = 30


@kernel
def edge_vectors(x: np.ndarray, closed: bool, o: np.ndarray) -> None:
    """The edges o (m, 3) of the chain x."""
    for j in range(len(x) - 1):
        o[j, 0], o[j, 1], o[j, 2] = x[j + 1, 0] - x[j, 0], x[j + 1, 1] - x[j, 1], x[j + 1, 2] - x[j, 2]
    if closed:
        j = len(x) - 1
        o[j, 0], o[j, 1], o[j, 2] = x[0, 0] - x[j, 0], x[0, 1] - x[j, 1], x[0, 2] - x[j, 2]


@kernel
def apply_multipliers(x: np.ndarray, o: np.ndarray, w: np.ndarray, multiplier: np.ndarray) -> None:
    """x += W ∇C(x₀)ᵀ multiplier: repeats the last step's impulses as a first guess of this one's."""
    n, m = len(x), len(multiplier)
    ax = ay = az = 0.0
    if m == n:
        ax, ay, az = multiplier[m - 1] * o[m - 1, 0], multiplier[m - 1] * o[m - 1, 1], multiplier[m - 1] * o[m - 1, 2]
    for j in range(n):
        bx = by = bz = 0.0
        if j < m:
            bx, by, bz = multiplier[j] * o[j, 0], multiplier[j] * o[j, 1], multiplier[j] * o[j, 2]
        x[j, 0] += w[j] * (ax - bx)
        x[j, 1] += w[j] * (ay - by)
        x[j, 2] += w[j] * (az - bz)
        ax, ay, az = bx, by, bz


@kernel
def newton_open(
    x: np.ndarray, o: np.ndarray, w: np.ndarray, length: np.ndarray, multiplier: np.ndarray, scratch: np.ndarray
) -> float:
    """One Newton step on an open chain, unless it is within TOLERANCE already; returns the largest error before it."""
    m = len(length)
    worst = above = upper = 0.0
    for j in range(m):
        bx, by, bz = x[j + 1, 0] - x[j, 0], x[j + 1, 1] - x[j, 1], x[j + 1, 2] - x[j, 2]
        square = length[j] * length[j]
        c = 0.5 * (square - (bx * bx + by * by + bz * bz))
        if w[j] + w[j + 1] == 0.0:  # an edge between two held vertices is as they want it
            c = 0.0
        if abs(c) > worst * square:
            worst = abs(c) / square
        d = (w[j] + w[j + 1]) * (bx * o[j, 0] + by * o[j, 1] + bz * o[j, 2])
        if j > 0:
            lower = -w[j] * (bx * o[j - 1, 0] + by * o[j - 1, 1] + bz * o[j - 1, 2])
            d, c = reduce(lower, d, c, upper, above)
        if d == 0.0:
            d = 1.0
        upper = 0.0
        if j + 1 < m:
            upper = -w[j + 1] * (bx * o[j + 1, 0] + by * o[j + 1, 1] + bz * o[j + 1, 2]) / d
        above = c / d
        scratch[j].ratio, scratch[j].step = upper, above
    if worst <= TOLERANCE:
        return worst
    ax = ay = az = lam = 0.0
    for j in range(m - 1, -1, -1):
        lam = scratch[j].step - scratch[j].ratio * lam
        multiplier[j] += lam
        bx, by, bz = lam * o[j, 0], lam * o[j, 1], lam * o[j, 2]
        k = w[j + 1]
        x[j + 1, 0] += k * (bx - ax)
        x[j + 1, 1] += k * (by - ay)
        x[j + 1, 2] += k * (bz - az)
        ax, ay, az = bx, by, bz
    k = w[0]
    x[0, 0] -= k * ax
    x[0, 1] -= k * ay
    x[0, 2] -= k * az
    return worst


@kernel
def newton_closed(
    x: np.ndarray, o: np.ndarray, w: np.ndarray, length: np.ndarray, multiplier: np.ndarray, scratch: np.ndarray
) -> float:
    """The same for a closed chain, its cyclic system solved by bordering the last multiplier."""
    m = len(length)
    worst = above = upper = side = 0.0
    for j in range(m):
        i = j + 1 if j + 1 < m else 0
        bx, by, bz = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2]
        square = length[j] * length[j]
        c = 0.5 * (square - (bx * bx + by * by + bz * bz))
        if w[j] + w[i] == 0.0:
            c = 0.0
        if abs(c) > worst * square:
            worst = abs(c) / square
        d = (w[j] + w[i]) * (bx * o[j, 0] + by * o[j, 1] + bz * o[j, 2])
        p = j - 1 if j > 0 else m - 1
        lower = -w[j] * (bx * o[p, 0] + by * o[p, 1] + bz * o[p, 2])
        higher = -w[i] * (bx * o[i, 0] + by * o[i, 1] + bz * o[i, 2])
        if j == m - 1:
            break
        border = 0.0
        if j == 0:
            border, lower = lower, 0.0
        if j == m - 2:
            border, higher = border + higher, 0.0
        d, c = reduce(lower, d, c, upper, above)
        if d == 0.0:
            d = 1.0
        upper, above, side = higher / d, c / d, (border - lower * side) / d
        scratch[j].ratio, scratch[j].step, scratch[j].column = upper, above, side
    if worst <= TOLERANCE:
        return worst
    close_ring(scratch["ratio"], scratch["step"], scratch["column"], (higher, lower, d, c))
    for k in range(m):
        multiplier[k] += scratch[k].step
    apply_multipliers(x, o, w, scratch["step"])
    return worst


@kernel
def newton(
    x: np.ndarray,
    o: np.ndarray,
    w: np.ndarray,
    length: np.ndarray,
    closed: bool,
    multiplier: np.ndarray,
    scratch: np.ndarray,
) -> float:
    """One Newton step on a chain; returns the largest relative error before it."""
    if closed:
        return newton_closed(x, o, w, length, multiplier, scratch)
    return newton_open(x, o, w, length, multiplier, scratch)


@kernel
def largest_error(x: np.ndarray, w: np.ndarray, length: np.ndarray) -> float:
    """The largest relative error of an edge's length, as Newton's step finds it."""
    m, worst = len(length), 0.0
    for j in range(m):
        i = j + 1 if j + 1 < len(x) else 0
        bx, by, bz = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2]
        square = length[j] * length[j]
        error = abs(0.5 * (square - (bx * bx + by * by + bz * bz)))
        if error > worst * square and w[j] + w[i] > 0.0:
            worst = error / square
    return worst


@kernel
def fast_projection(
    x: np.ndarray,
    o: np.ndarray,
    w: np.ndarray,
    length: np.ndarray,
    closed: bool,
    multiplier: np.ndarray,
    scratch: np.ndarray,
) -> bool:
    """Project the chain x to its lengths; false when it does not converge (more length asked for than there is)."""
    for _ in range(ROUNDS):
        error = newton(x, o, w, length, closed, multiplier, scratch)
        if error < QUADRATIC or (error < SOON and largest_error(x, w, length) <= TOLERANCE):
            return True
    for _ in range(ROUNDS):  # a large step: the printed directions
        edge_vectors(x, closed, o)
        if newton(x, o, w, length, closed, multiplier, scratch) < QUADRATIC:
            return True
    return False
