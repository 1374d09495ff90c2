"""Vectors of three numbers: arrays (3,), or tuples, which a kernel keeps in registers."""

from .._jit import kernel


@kernel
def vector(row):
    """The tuple of an array (3,)."""
    return row[0], row[1], row[2]


@kernel
def dot(a, b):
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a, b):
    """Vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
