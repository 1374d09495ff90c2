"""Closest points of two segments, the minimum of a convex quadratic over the unit square, and how far segments, points
and faces are apart.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, cross, dot, plus

NO_FACE = 1e-30  # of the squares of two edges: the |e × g|² that rounding makes of a face (a, b, b), 12 u² at most


@kernel
def closest_parameters(
    p: Vector | np.ndarray, d: Vector | np.ndarray, e: Vector | np.ndarray, spread: float
) -> tuple[float, float]:
    """(s, t) in [0, 1]² nearest each other on a + s d and b + t e, with p = a − b.

    Segments that part by less than `spread` where they overlap, and parallel ones, meet in the middle of that: which of
    its ends is nearest is chance.
    """
    dd, ee, de, pd, pe = dot(d, d), dot(e, e), dot(d, e), dot(p, d), dot(p, e)
    area = dd * ee - de * de
    s0, s1 = min(1.0, max(0.0, -pd / dd)), min(1.0, max(0.0, (de - pd) / dd))  # the second's ends, seen along the first
    if area <= 1e-12 * dd * ee or (s1 - s0) ** 2 * dd * area < (spread * de) ** 2:
        s = 0.5 * (s0 + s1)
    else:
        s = min(1.0, max(0.0, (de * pe - ee * pd) / area))
    t = (de * s + pe) / ee
    if t < 0.0:
        t = 0.0
        s = min(1.0, max(0.0, -pd / dd))
    elif t > 1.0:
        t = 1.0
        s = min(1.0, max(0.0, (de - pd) / dd))
    return s, t


@kernel
def distance_to(a: Vector, b: Vector, p: Vector) -> float:
    """Of a point from the segment a–b [m], which may be a point as well."""
    along, d = plus(b, -1.0, a), plus(p, -1.0, a)
    d = plus(d, -min(max(dot(d, along) / (dot(along, along) + 1e-300), 0.0), 1.0), along)
    return sqrt(dot(d, d))


@kernel
def distance_of(a: Vector, b: Vector, p: Vector, q: Vector) -> float:
    """Of the segments a–b and p–q [m]; the second may be a point."""
    own, along, d = plus(b, -1.0, a), plus(q, -1.0, p), plus(a, -1.0, p)
    if dot(along, along) == 0.0:
        return distance_to(a, b, p)
    s, t = closest_parameters(d, own, along, 0.0)
    d = plus(plus(d, s, own), -t, along)
    return sqrt(dot(d, d))


@kernel
def distance_to_face(x: Vector, p: Vector, q: Vector, r: Vector) -> float:
    """Of a point from a triangle [m], or less: from its plane, and beside it from the lines of its edges."""
    e, g, d = plus(q, -1.0, p), plus(r, -1.0, p), plus(x, -1.0, p)
    n, f = cross(e, g), plus(g, -1.0, e)
    area = dot(n, n)
    if area <= NO_FACE * dot(e, e) * dot(g, g):
        return 0.0
    up, u, v = dot(d, n), dot(cross(d, g), n), dot(cross(e, d), n)
    a, b, c = min(u, 0.0) ** 2 / dot(g, g), min(v, 0.0) ** 2 / dot(e, e), min(area - u - v, 0.0) ** 2 / dot(f, f)
    return sqrt((up * up + max(a, b, c)) / area)


@kernel
def distance_to_triangle(x: Vector, p: Vector, q: Vector, r: Vector) -> float:
    """Of a point from a triangle [m]: from its plane over its inside, else from its edges."""
    e, g, d = plus(q, -1.0, p), plus(r, -1.0, p), plus(x, -1.0, p)
    n = cross(e, g)
    area = dot(n, n)
    u, v = dot(cross(d, g), n), dot(cross(e, d), n)
    if area > 0.0 and min(u, v, area - u - v) >= 0.0:
        return abs(dot(d, n)) / sqrt(area)
    return min(distance_of(p, q, x, x), distance_of(q, r, x, x), distance_of(r, p, x, x))
