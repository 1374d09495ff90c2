"""Internal damping: a Kelvin–Voigt moment η dφ/dt at every vertex against the rate of its turning angle φ.

With d the unit vector along t^i − t^{i−1}, dφ/dt = d·(dt^i/dt − dt^{i−1}/dt), which no rigid motion changes: neither
momentum nor angular momentum is touched. All vertices are taken implicitly together, v' = v + W Gᵀ λ with G = ∂φ/∂x
and

    (1/hη + G W Gᵀ) λ = −G v,

a pentadiagonal system, so the law holds with any step (backward Euler). A steady whirl (a skipping rope) keeps its
angles and is left alone. In a closed rod the vertices on both sides of its first edge are relaxed before and behind
the others, half each.
"""

from math import sqrt

from .._jit import kernel
from .vectors import dot

STRAIGHT = 1e-20  # |t^i − t^{i−1}|² below which a vertex counts as straight and bends whichever way it moves


@kernel
def turning_gradient(h, i, j, x, v, a, c):
    """∂φ/∂x at vertex i between h and j: a (3,) that of h, c (3,) that of j, −a − c that of i [1/m]."""
    aa = bb = 0.0
    for k in range(3):
        aa += (x[i, k] - x[h, k]) ** 2
        bb += (x[j, k] - x[i, k]) ** 2
    p, q = 1.0 / sqrt(aa), 1.0 / sqrt(bb)
    dx, dy, dz = (
        q * (x[j, 0] - x[i, 0]) - p * (x[i, 0] - x[h, 0]),
        q * (x[j, 1] - x[i, 1]) - p * (x[i, 1] - x[h, 1]),
        q * (x[j, 2] - x[i, 2]) - p * (x[i, 2] - x[h, 2]),
    )
    if dx * dx + dy * dy + dz * dz < STRAIGHT:
        dx = q * (v[j, 0] - v[i, 0]) - p * (v[i, 0] - v[h, 0])
        dy = q * (v[j, 1] - v[i, 1]) - p * (v[i, 1] - v[h, 1])
        dz = q * (v[j, 2] - v[i, 2]) - p * (v[i, 2] - v[h, 2])
    across(dx, dy, dz, x, h, i, p, a)
    across(dx, dy, dz, x, i, j, q, c)


@kernel
def across(dx, dy, dz, x, i, j, k, out):
    """out = k times the unit vector along d's part across the edge from i to j, 1/k long; zero if there is none."""
    tx, ty, tz = k * (x[j, 0] - x[i, 0]), k * (x[j, 1] - x[i, 1]), k * (x[j, 2] - x[i, 2])
    s = dx * tx + dy * ty + dz * tz
    gx, gy, gz = dx - s * tx, dy - s * ty, dz - s * tz
    size = sqrt(gx * gx + gy * gy + gz * gz)
    k = k / size if size > 0.0 else 0.0
    out[0], out[1], out[2] = k * gx, k * gy, k * gz


@kernel
def turning_rate(a, c, u, v, w):
    """G v for one vertex with velocity v between neighbours with velocities u and w."""
    return a[0] * (u[0] - v[0]) + a[1] * (u[1] - v[1]) + a[2] * (u[2] - v[2]) + dot(c, w) - dot(c, v)


@kernel
def middle_square(a, c):
    """|a + c|²."""
    return (a[0] + c[0]) ** 2 + (a[1] + c[1]) ** 2 + (a[2] + c[2]) ** 2


@kernel
def internal_damping(x, v, w, viscosity, h, closed, a, c, rows):
    """Damp v (n, 3) [m/s] of a chain in place; viscosity η (n,) [N m s]. Scratch: a, c (n, 3), rows (4 or more, n)."""
    n = len(x)
    if closed:
        relax_vertex(n - 2, n - 1, 0, x, v, w, 0.5 * h * viscosity[n - 1], a[0], c[0])
        relax_vertex(n - 1, 0, 1, x, v, w, 0.5 * h * viscosity[0], a[0], c[0])
    relax_inner(x, v, w, viscosity, h, a, c, rows[0], rows[1], rows[2], rows[3])
    if closed:
        relax_vertex(n - 1, 0, 1, x, v, w, 0.5 * h * viscosity[0], a[0], c[0])
        relax_vertex(n - 2, n - 1, 0, x, v, w, 0.5 * h * viscosity[n - 1], a[0], c[0])


@kernel
def relax_inner(x, v, w, viscosity, h, a, c, pivot, first, second, lam):
    """All vertices but the ends, together."""
    n = len(x)
    for i in range(1, n - 1):
        turning_gradient(i - 1, i, i + 1, x, v, a[i], c[i])
    for i in range(1, n - 1):
        pivot[i] = (
            1.0 / (h * viscosity[i])
            + w[i - 1] * dot(a[i], a[i])
            + w[i] * middle_square(a[i], c[i])
            + w[i + 1] * dot(c[i], c[i])
        )
        first[i] = second[i] = 0.0
        if i + 2 < n:
            b = dot(a[i], a[i + 1]) + dot(c[i], a[i + 1])
            first[i] = -w[i] * b - w[i + 1] * (dot(c[i], a[i + 1]) + dot(c[i], c[i + 1]))
        if i + 3 < n:
            second[i] = w[i + 1] * dot(c[i], a[i + 2])
        lam[i] = -turning_rate(a[i], c[i], v[i - 1], v[i], v[i + 1])
        if i > 1:
            pivot[i] -= first[i - 1] * first[i - 1] * pivot[i - 1]
            lam[i] -= first[i - 1] * lam[i - 1]
        if i > 2:
            pivot[i] -= second[i - 2] * second[i - 2] * pivot[i - 2]
            lam[i] -= second[i - 2] * lam[i - 2]
        if i > 1:
            first[i] -= first[i - 1] * second[i - 1] * pivot[i - 1]
        first[i] /= pivot[i]
        second[i] /= pivot[i]
    for i in range(n - 2, 0, -1):
        lam[i] /= pivot[i]
        if i + 1 < n - 1:
            lam[i] -= first[i] * lam[i + 1]
        if i + 2 < n - 1:
            lam[i] -= second[i] * lam[i + 2]
    for i in range(1, n - 1):
        push(i - 1, i, i + 1, v, w, a[i], c[i], lam[i])


@kernel
def push(h, i, j, v, w, a, c, lam):
    """v += W Gᵀ λ for vertex i between h and j."""
    for k in range(3):
        v[h, k] += w[h] * lam * a[k]
        v[i, k] -= w[i] * lam * (a[k] + c[k])
        v[j, k] += w[j] * lam * c[k]


@kernel
def relax_vertex(h, i, j, x, v, w, eta, a, c):
    """The same for vertex i between h and j alone; eta = h η."""
    turning_gradient(h, i, j, x, v, a, c)
    mobility = w[h] * dot(a, a) + w[i] * middle_square(a, c) + w[j] * dot(c, c)
    push(h, i, j, v, w, a, c, -eta * turning_rate(a, c, v[h], v[i], v[j]) / (1.0 + eta * mobility))
