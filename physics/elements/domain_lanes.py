"""Domains side by side, each in a lane: one instruction of the processor computes the stress of several.

Nodes lie scattered in memory, and each domain has its own number of them: deformation gradients are gathered, and
forces scattered, one by one. Both go by differences of places from the first node: a shift changes no digit of F, and
the forces of a domain sum to nothing. Domains that are tetrahedra have four rows of SLOPE each, one behind the other:
without a loop over them, and without a look where each begins, elastic forces take four fifths of the time.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector
from ..model import table
from .deformation_gradient import Columns, edge_from, sum_of

COUNT = 16
LANES = table(
    F=(float, (3, 3, COUNT)),  # columns of it, and of
    rate=(float, (3, 3, COUNT)),  # dF/dt [1/s], and of
    P=(float, (3, 3, COUNT)),  # stress times relaxed volume [J]
    J=(float, COUNT),  # det F
    bulk=(float, COUNT),  # moduli times relaxed volume [J]
    shear=(float, COUNT),
    dilation=(float, COUNT),  # viscosities times relaxed volume [J s]
    viscosity=(float, COUNT),
)


@kernel
def columns(a: np.ndarray, l: int) -> Columns:
    """Of a (3, 3, COUNT), in lane l."""
    return (
        (a[0, 0, l], a[0, 1, l], a[0, 2, l]),
        (a[1, 0, l], a[1, 1, l], a[1, 2, l]),
        (a[2, 0, l], a[2, 1, l], a[2, 2, l]),
    )


@kernel
def put(u: Columns, a: np.ndarray, l: int) -> None:
    """Columns to lane l of a (3, 3, COUNT)."""
    for j in range(3):
        a[j, 0, l], a[j, 1, l], a[j, 2, l] = u[j]


@kernel
def gather(domains: np.ndarray, slopes: np.ndarray, e: int, x: np.ndarray, here: np.record) -> int:
    """F at x (n, 3) and moduli from DOMAIN e on to LANES, as many as there are or as are of its kind; returns how many.
    (That it may end early keeps the loop as it is: processors gather no faster by themselves.)
    """
    l, most, whole, rows = 0, min(COUNT, len(domains) - e), domains[e].tetrahedron >= 0, slopes[domains[e].first :]
    while l < most and is_alike(domains[e], domains[e + l]):
        one = domains[e + l]
        put(gradient_of_four(rows, 4 * l, x) if whole else gradient(slopes[one.first : one.end], x), here.F, l)
        here.bulk[l], here.shear[l] = one.volume * one.bulk, one.volume * one.shear
        l += 1
    return l


@kernel
def is_alike(a: np.record, b: np.record) -> bool:
    """Whether two DOMAIN have the same energy, and both are tetrahedra or neither is."""
    return a.paper == b.paper and (a.tetrahedron < 0) == (b.tetrahedron < 0)


@kernel
def gather_rates(domains: np.ndarray, slopes: np.ndarray, e: int, count: int, v: np.ndarray, here: np.record) -> None:
    """dF/dt at the velocities v (n, 3) and viscosities of so many to LANES."""
    l, whole = 0, domains[e].tetrahedron >= 0
    while l < count and e + l < len(domains):
        one = domains[e + l]
        rows = slopes[one.first : one.end]
        put(gradient_of_four(rows, 0, v) if whole else gradient(rows, v), here.rate, l)
        here.dilation[l], here.viscosity[l] = one.volume * one.dilation, one.volume * one.viscosity
        l += 1


@kernel
def gradient(rows: np.ndarray, x: np.ndarray) -> Columns:
    """Columns of Σ x ⊗ b of a domain's SLOPE: F where x (n, 3) are places, dF/dt where velocities."""
    i = rows[0].node
    x0, x1, x2 = x[i, 0], x[i, 1], x[i, 2]
    a0 = a1 = a2 = b0 = b1 = b2 = c0 = c1 = c2 = 0.0
    for k in range(1, len(rows)):
        j, b = rows[k].node, rows[k].slope
        u0, u1, u2 = x[j, 0] - x0, x[j, 1] - x1, x[j, 2] - x2
        a0 += b[0] * u0
        a1 += b[0] * u1
        a2 += b[0] * u2
        b0 += b[1] * u0
        b1 += b[1] * u1
        b2 += b[1] * u2
        c0 += b[2] * u0
        c1 += b[2] * u1
        c2 += b[2] * u2
    return (a0, a1, a2), (b0, b1, b2), (c0, c1, c2)


@kernel
def gradient_of_four(rows: np.ndarray, k: int, x: np.ndarray) -> Columns:
    """The same of a tetrahedron's, SLOPE k to k + 3."""
    i, p, q, r = rows[k].node, rows[k + 1].slope, rows[k + 2].slope, rows[k + 3].slope
    a, b, c = edge_from(x, i, rows[k + 1].node), edge_from(x, i, rows[k + 2].node), edge_from(x, i, rows[k + 3].node)
    u, v = sum_of(p[0], a, q[0], b, r[0], c), sum_of(p[1], a, q[1], b, r[1], c)
    return u, v, sum_of(p[2], a, q[2], b, r[2], c)


@kernel
def keep_ratios(domains: np.ndarray, e: int, count: int, here: np.record, jacobian: np.ndarray) -> bool:
    """det F of LANES, from DOMAIN e on, to `jacobian` (T,) where they are tetrahedra; returns whether they are."""
    first = domains[e].tetrahedron
    if first < 0:
        return False
    own = jacobian[first : first + count]
    for l in range(count):
        own[l] = here.J[l]
    return True


@kernel
def scatter(domains: np.ndarray, slopes: np.ndarray, e: int, count: int, here: np.record, f: np.ndarray) -> None:
    """Add to f (n, 3) [N] the forces of LANES, from DOMAIN e on."""
    if domains[e].tetrahedron < 0:
        for l in range(count):
            scatter_one(slopes[domains[e + l].first : domains[e + l].end], columns(here.P, l), f)
        return
    rows = slopes[domains[e].first :]
    for l in range(count):
        scatter_four(rows, 4 * l, columns(here.P, l), f)


@kernel
def scatter_one(rows: np.ndarray, P: Columns, f: np.ndarray) -> None:
    """Add to f (n, 3) [N] the forces −P b of a domain's SLOPE."""
    p, q, r = P
    t0 = t1 = t2 = 0.0
    for k in range(1, len(rows)):
        b = rows[k].slope
        u = sum_of(b[0], p, b[1], q, b[2], r)
        pull(u, f, rows[k].node)
        t0 += u[0]
        t1 += u[1]
        t2 += u[2]
    pull((-t0, -t1, -t2), f, rows[0].node)


@kernel
def scatter_four(rows: np.ndarray, k: int, P: Columns, f: np.ndarray) -> None:
    """The same of a tetrahedron's, SLOPE k to k + 3."""
    (p, q, r), a, b, c = P, rows[k + 1].slope, rows[k + 2].slope, rows[k + 3].slope
    t, u, v = sum_of(a[0], p, a[1], q, a[2], r), sum_of(b[0], p, b[1], q, b[2], r), sum_of(c[0], p, c[1], q, c[2], r)
    pull(t, f, rows[k + 1].node)
    pull(u, f, rows[k + 2].node)
    pull(v, f, rows[k + 3].node)
    pull((-t[0] - u[0] - v[0], -t[1] - u[1] - v[1], -t[2] - u[2] - v[2]), f, rows[k].node)


@kernel
def pull(u: Vector, f: np.ndarray, i: int) -> None:
    """Take u from row i of f (n, 3)."""
    f[i, 0] -= u[0]
    f[i, 1] -= u[1]
    f[i, 2] -= u[2]
