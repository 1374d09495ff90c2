"""Deformation gradients F = B A⁻¹ of tetrahedra (see `tetrahedra`), kept as their columns."""

import numpy as np

from .._jit import kernel
from ..vectors import Vector, cross

Columns = tuple[Vector, Vector, Vector]


@kernel
def combined(a: float, u: Vector, b: float, v: Vector) -> Vector:
    """a u + b v."""
    return a * u[0] + b * v[0], a * u[1] + b * v[1], a * u[2] + b * v[2]


@kernel
def sum_of(a: float, u: Vector, b: float, v: Vector, c: float, w: Vector) -> Vector:
    """a u + b v + c w."""
    return a * u[0] + b * v[0] + c * w[0], a * u[1] + b * v[1] + c * w[1], a * u[2] + b * v[2] + c * w[2]


@kernel
def edge_from(x: np.ndarray, i: int, j: int) -> Vector:
    """From row i of x (n, 3) to row j."""
    return x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]


@kernel
def gradient(tetrahedron: np.record, x: np.ndarray) -> Columns:
    """Columns of B A⁻¹ of a TETRAHEDRON: F where x (n, 3) are places, dF/dt where they are velocities."""
    node, inverse = tetrahedron.node, tetrahedron.inverse
    a, b, c = edge_from(x, node[0], node[1]), edge_from(x, node[0], node[2]), edge_from(x, node[0], node[3])
    return (
        sum_of(inverse[0, 0], a, inverse[1, 0], b, inverse[2, 0], c),
        sum_of(inverse[0, 1], a, inverse[1, 1], b, inverse[2, 1], c),
        sum_of(inverse[0, 2], a, inverse[1, 2], b, inverse[2, 2], c),
    )


@kernel
def cofactors(F: Columns) -> Columns:
    """cof F = J F⁻ᵀ."""
    return cross(F[1], F[2]), cross(F[2], F[0]), cross(F[0], F[1])
