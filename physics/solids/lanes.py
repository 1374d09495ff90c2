"""Tetrahedra side by side, each in a lane: one instruction of the processor does the same to several.

Corners lie scattered in memory, and so do the nodes that forces act on: these are gathered and scattered one by one.
Forces on corners 1, 2, 3 are the columns of −V P A⁻ᵀ, that on corner 0 is minus their sum.
"""

import numpy as np

from .._jit import kernel
from ..model import table
from ..vectors import Vector
from .deformation_gradient import Columns, edge_from, sum_of

COUNT = 16
LANES = table(
    edge=(float, (3, 3, COUNT)),  # those from the first corner [m]; at last forces on the others [N]
    inverse=(float, (3, 3, COUNT)),  # rows of A⁻¹ [1/m]
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
def gather(tetrahedra: np.ndarray, e: int, x: np.ndarray, here: np.record) -> int:
    """Edges at x (n, 3), shapes and moduli from TETRAHEDRON e on to LANES, as many as there are or as have its energy;
    returns how many. (That it may end early keeps the loop as it is: processors gather no faster by themselves.)
    """
    l, most = 0, min(COUNT, len(tetrahedra) - e)
    while l < most and tetrahedra[e + l].paper == tetrahedra[e].paper:
        one = tetrahedra[e + l]
        put(edges(one, x), here.edge, l)
        for j in range(3):
            for k in range(3):
                here.inverse[j, k, l] = one.inverse[j, k]
        here.bulk[l], here.shear[l] = one.volume * one.bulk, one.volume * one.shear
        l += 1
    return l


@kernel
def gather_rates(tetrahedra: np.ndarray, e: int, count: int, v: np.ndarray, here: np.record) -> None:
    """Edges at the velocities v (n, 3), as `rate`, and viscosities of so many to LANES."""
    l = 0
    while l < count and e + l < len(tetrahedra):
        one = tetrahedra[e + l]
        put(edges(one, v), here.rate, l)
        here.dilation[l], here.viscosity[l] = one.volume * one.dilation, one.volume * one.viscosity
        l += 1


@kernel
def edges(tetrahedron: np.record, x: np.ndarray) -> Columns:
    """B of a TETRAHEDRON: from its first corner to the others."""
    node = tetrahedron.node
    return edge_from(x, node[0], node[1]), edge_from(x, node[0], node[2]), edge_from(x, node[0], node[3])


@kernel
def gradients(edge: np.ndarray, here: np.record, count: int, F: np.ndarray) -> None:
    """F (3, 3, COUNT) = B A⁻¹, of edges of places, or dF/dt, of velocities."""
    for l in range(count):
        (a, b, c), (p, q, r) = columns(edge, l), columns(here.inverse, l)
        put(
            (sum_of(p[0], a, q[0], b, r[0], c), sum_of(p[1], a, q[1], b, r[1], c), sum_of(p[2], a, q[2], b, r[2], c)),
            F,
            l,
        )


@kernel
def scatter(tetrahedra: np.ndarray, e: int, count: int, here: np.record, f: np.ndarray) -> None:
    """Add to f (n, 3) [N] the forces of LANES, from TETRAHEDRON e on."""
    for l in range(count):
        (p, q, r), (a, b, c) = columns(here.inverse, l), columns(here.P, l)
        u, v = sum_of(p[0], a, p[1], b, p[2], c), sum_of(q[0], a, q[1], b, q[2], c)
        put((u, v, sum_of(r[0], a, r[1], b, r[2], c)), here.edge, l)
    for l in range(count):
        node, (a, b, c) = tetrahedra[e + l].node, columns(here.edge, l)
        pull(a, f, node[1])
        pull(b, f, node[2])
        pull(c, f, node[3])
        pull((-a[0] - b[0] - c[0], -a[1] - b[1] - c[1], -a[2] - b[2] - c[2]), f, node[0])


@kernel
def pull(u: Vector, f: np.ndarray, i: int) -> None:
    """Take u from row i of f (n, 3)."""
    f[i, 0] -= u[0]
    f[i, 1] -= u[1]
    f[i, 2] -= u[2]
