"""Triangles of plates side by side, each in a lane: one instruction of the processor does the same to several. What of
them is scattered in memory is gathered here one by one, and forces are scattered, in the order of triangles.
"""

from typing import NamedTuple

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Matrix, Vector
from ..model import table

COUNT = 16
LANES = table(
    x=(float, (3, 3, COUNT)),  # places of corners [m]
    director=(float, (3, 3, COUNT)),  # of each edge,
    angle=(float, (3, COUNT)),  # φ [rad] of it,
    sine=(float, (3, COUNT)),  # and its sine,
    cosine=(float, (3, COUNT)),  # and 1 + cosine, both times the same
    v=(float, (3, 3, COUNT)),  # velocities of corners [m/s]
    turn=(float, (3, COUNT)),  # rates of φ by directors alone [rad/s]
    height=(float, (3, COUNT)),  # columns of PLATE
    arc=(float, (3, COUNT)),
    trace=(float, (3, COUNT)),
    bent=(float, (3, COUNT)),
    bend=(float, (3, 3, COUNT)),
    shear=(float, COUNT),
    bulk=(float, COUNT),
    area=(float, COUNT),
    relaxation=(float, COUNT),
    force=(float, (3, 3, COUNT)),  # on corners [N]
    moment=(float, (3, COUNT)),  # ∂/∂φ [N m]
)


class Rest(NamedTuple):
    """Columns of PLATE, in a lane."""

    height: Vector
    arc: Vector
    trace: Vector
    bent: Vector
    bend: Matrix
    shear: float
    bulk: float
    area: float


@kernel
def rows_of(a: np.ndarray, l: int) -> Matrix:
    """Of a (3, 3, COUNT), in lane l."""
    return column(a[0], l), column(a[1], l), column(a[2], l)


@kernel
def column(a: np.ndarray, l: int) -> Vector:
    """Of a (3, COUNT), in lane l."""
    return a[0, l], a[1, l], a[2, l]


@kernel
def rest_of(here: np.record, l: int) -> Rest:
    """Lane l's."""
    return Rest(
        column(here.height, l), column(here.arc, l), column(here.trace, l), column(here.bent, l),
        rows_of(here.bend, l), here.shear[l], here.bulk[l], here.area[l],
    )  # fmt: skip


@kernel
def give(here: np.record, l: int, force: Matrix, moment: Vector) -> None:
    """What lane l has found."""
    for i in range(3):
        here.moment[i, l] = moment[i]
        for c in range(3):
            here.force[i, c, l] = force[i][c]


@kernel
def put(u: Vector, a: np.ndarray, l: int) -> None:
    """A vector to lane l of a (3, COUNT)."""
    a[0, l], a[1, l], a[2, l] = u


@kernel
def gather(x: np.ndarray, own: np.ndarray, here: np.record) -> None:
    """Corners of PLATE (COUNT or less,) at x (n, 3), and moduli, to LANES."""
    for l in range(len(own)):
        row = own[l]
        for i in range(3):
            here.trace[i, l] = row.trace[i]
            for c in range(3):
                here.x[i, c, l] = x[row.node[i], c]
                here.bend[i, c, l] = row.bend[i, c]
        here.shear[l], here.bulk[l], here.area[l] = row.shear, row.bulk, row.area


@kernel
def gather_shape(directors: np.ndarray, own: np.ndarray, here: np.record) -> None:
    """Directors of PLATE (COUNT or less,) among PLATE_DIRECTOR (e,), and shapes at rest, to LANES."""
    for l in range(len(own)):
        row = own[l]
        for i in range(3):
            here.height[i, l], here.arc[i, l], here.bent[i, l] = row.height[i], row.arc[i], row.bent[i]
            for c in range(3):
                here.director[i, c, l] = directors[row.edge[i]].r[c]


@kernel
def gather_rates(v: np.ndarray, turn: np.ndarray, own: np.ndarray, here: np.record) -> None:
    """Velocities v (n, 3) of corners of PLATE (COUNT or less,) and turns (e,) [rad/s] of their directors to LANES."""
    for l in range(len(own)):
        row = own[l]
        here.relaxation[l] = row.relaxation
        for i in range(3):
            here.turn[i, l] = row.side[i] * turn[row.edge[i]]
            for c in range(3):
                here.v[i, c, l] = v[row.node[i], c]


@kernel
def scatter(own: np.ndarray, here: np.record, f: np.ndarray, torque: np.ndarray) -> None:
    """Add forces in LANES, of PLATE (COUNT or less,), to f (n, 3) [N] and to torques (e,) [N m] of directors."""
    for l in range(len(own)):
        row = own[l]
        for i in range(3):
            torque[row.edge[i]] -= row.side[i] * here.moment[i, l]
            for c in range(3):
                f[row.node[i], c] += here.force[i, c, l]
