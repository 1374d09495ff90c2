"""Domains side by side, each in a lane: one instruction of the processor computes the stress of several.

Nodes lie scattered in memory, and each domain has its own number of them: deformation gradients are gathered, and
forces scattered, one by one. Both go by differences of places from the first node: a shift changes no digit of F, and
the forces of a domain sum to nothing.
"""

import numpy as np

from .._jit import kernel
from ..model import table
from .deformation_gradient import Columns

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
    """F at x (n, 3) and moduli from DOMAIN e on to LANES, as many as there are or as have its energy; returns how many.
    (That it may end early keeps the loop as it is: processors gather no faster by themselves.)
    """
    l, most = 0, min(COUNT, len(domains) - e)
    while l < most and domains[e + l].paper == domains[e].paper:
        one = domains[e + l]
        put(gradient(slopes, one.first, one.end, x), here.F, l)
        here.bulk[l], here.shear[l] = one.volume * one.bulk, one.volume * one.shear
        l += 1
    return l


@kernel
def gather_rates(domains: np.ndarray, slopes: np.ndarray, e: int, count: int, v: np.ndarray, here: np.record) -> None:
    """dF/dt at the velocities v (n, 3) and viscosities of so many to LANES."""
    l = 0
    while l < count and e + l < len(domains):
        one = domains[e + l]
        put(gradient(slopes, one.first, one.end, v), here.rate, l)
        here.dilation[l], here.viscosity[l] = one.volume * one.dilation, one.volume * one.viscosity
        l += 1


@kernel
def gradient(slopes: np.ndarray, first: int, end: int, x: np.ndarray) -> Columns:
    """Columns of Σ x ⊗ b of the rows of SLOPE from `first` on: F where x (n, 3) are places, dF/dt where velocities."""
    i = slopes[first].node
    x0, x1, x2 = x[i, 0], x[i, 1], x[i, 2]
    a0 = a1 = a2 = b0 = b1 = b2 = c0 = c1 = c2 = 0.0
    for k in range(first + 1, end):
        j, b = slopes[k].node, slopes[k].slope
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
def scatter(domains: np.ndarray, slopes: np.ndarray, e: int, count: int, here: np.record, f: np.ndarray) -> None:
    """Add to f (n, 3) [N] the forces of LANES, from DOMAIN e on."""
    for l in range(count):
        p, q, r = columns(here.P, l)
        first = domains[e + l].first
        t0 = t1 = t2 = 0.0
        for k in range(first + 1, domains[e + l].end):
            j, b = slopes[k].node, slopes[k].slope
            u0 = b[0] * p[0] + b[1] * q[0] + b[2] * r[0]
            u1 = b[0] * p[1] + b[1] * q[1] + b[2] * r[1]
            u2 = b[0] * p[2] + b[1] * q[2] + b[2] * r[2]
            f[j, 0] -= u0
            f[j, 1] -= u1
            f[j, 2] -= u2
            t0 += u0
            t1 += u1
            t2 += u2
        i = slopes[first].node
        f[i, 0] += t0
        f[i, 1] += t1
        f[i, 2] += t2
