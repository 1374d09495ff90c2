"""Vectors of three numbers: arrays (3,), or tuples, which a kernel keeps in registers."""

import numpy as np

from .._jit import kernel

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]  # its rows


@kernel
def vector(row: Vector | np.ndarray) -> Vector:
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


@kernel
def scaled(k: float, u: Vector) -> Vector:
    """k u."""
    return k * u[0], k * u[1], k * u[2]


@kernel
def plus(u: Vector, k: float, v: Vector) -> Vector:
    """u + k v."""
    return u[0] + k * v[0], u[1] + k * v[1], u[2] + k * v[2]


@kernel
def dyad(k: float, u: Vector, v: Vector) -> Matrix:
    """k u vᵀ."""
    return scaled(k * u[0], v), scaled(k * u[1], v), scaled(k * u[2], v)


@kernel
def plus_dyad(a: Matrix, k: float, u: Vector, v: Vector) -> Matrix:
    """A + k u vᵀ."""
    return plus(a[0], k * u[0], v), plus(a[1], k * u[1], v), plus(a[2], k * u[2], v)


@kernel
def plus_rows(a: Matrix, k: float, b: Matrix) -> Matrix:
    """A + k B."""
    return plus(a[0], k, b[0]), plus(a[1], k, b[1]), plus(a[2], k, b[2])


@kernel
def crossed(k: float, u: Vector, a: Matrix) -> Matrix:
    """k [u]× A."""
    x, y, z = k * u[0], k * u[1], k * u[2]
    return plus(scaled(y, a[2]), -z, a[1]), plus(scaled(z, a[0]), -x, a[2]), plus(scaled(x, a[1]), -y, a[0])


@kernel
def transposed(a: Matrix) -> Matrix:
    """Aᵀ."""
    return (a[0][0], a[1][0], a[2][0]), (a[0][1], a[1][1], a[2][1]), (a[0][2], a[1][2], a[2][2])
