"""Coulomb's cone: what friction holds of a force along a surface, sticking inside, sliding at its edge, μ N."""

from math import sqrt

from .._jit import kernel
from ..arithmetic.vectors import Vector, dot, scaled


@kernel
def clipped(along: Vector, most: float) -> tuple[Vector, float]:
    """(the force nearest to `along` that is no larger than `most`, what part of it that is): below 1 it slides."""
    size, part = sqrt(dot(along, along)), 1.0
    if size >= most:
        part = most / size if size > 0.0 else 0.0
    return scaled(part, along), part
