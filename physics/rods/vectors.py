"""Vectors of three numbers: arrays (3,), or tuples, which a kernel keeps in registers."""

import numpy as np

from .._jit import kernel

Vector = tuple[float, float, float]


@kernel
def vector(row: np.ndarray) -> Vector:
    """The tuple of an array (3,)."""
    return row[0], row[1], row[2]


@kernel
def dot(a: Vector | np.ndarray, b: Vector | np.ndarray) -> float:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a: Vector | np.ndarray, b: Vector | np.ndarray) -> Vector:
    """Vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
