"""Coulomb's cone: what friction holds of a force along a surface, sticking inside, sliding at its edge, μ N."""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, dot, plus, scaled, vector


@kernel
def clipped(along: Vector, most: float) -> tuple[Vector, float]:
    """(the force nearest to `along` that is no larger than `most`, what part of it that is): below 1 it slides."""
    size, part = sqrt(dot(along, along)), 1.0
    if size >= most:
        part = most / size if size > 0.0 else 0.0
    return scaled(part, along), part


@kernel
def friction_along(row: np.record, way: Vector, give: float, pressed: float) -> tuple[Vector, float]:
    """What friction does in a CONTACT pressed so hard, as `clipped` has it, whose points move by `way` [m] against each
    other with the friction that it has: what more there is moves them back by `give` [m] each unit.
    """
    n = vector(row.n)
    slid = plus(way, -dot(n, way), n)
    return clipped(plus(vector(row.along), -give, slid), row.friction * pressed)
