"""Deformation gradients (see domains.py) as their columns."""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, cross

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
def cofactors(F: Columns) -> Columns:
    """cof F = J F⁻ᵀ."""
    return cross(F[1], F[2]), cross(F[2], F[0]), cross(F[0], F[1])
