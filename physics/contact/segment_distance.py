"""Closest points of two segments: the minimum of a convex quadratic over the unit square."""

import numpy as np

from .._jit import kernel
from ..rods.vectors import Vector, dot


@kernel
def closest_parameters(p: Vector | np.ndarray, d: Vector | np.ndarray, e: Vector | np.ndarray) -> tuple[float, float]:
    """(s, t) in [0, 1]² nearest each other on a + s d and b + t e, with p = a − b.

    Parallel segments meet in the middle of their overlap.
    """
    dd, ee, de, pd, pe = dot(d, d), dot(e, e), dot(d, e), dot(p, d), dot(p, e)
    area = dd * ee - de * de
    if area > 1e-12 * dd * ee:
        s = min(1.0, max(0.0, (de * pe - ee * pd) / area))
    else:  # the ends of the second, seen along the first
        s0 = min(1.0, max(0.0, -pd / dd))
        s1 = min(1.0, max(0.0, (de - pd) / dd))
        s = 0.5 * (s0 + s1)
    t = (de * s + pe) / ee
    if t < 0.0:
        t = 0.0
        s = min(1.0, max(0.0, -pd / dd))
    elif t > 1.0:
        t = 1.0
        s = min(1.0, max(0.0, (de - pd) / dd))
    return s, t
