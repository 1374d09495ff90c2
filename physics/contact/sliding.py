"""How far what touches may slide in a step: as long as its contact, frozen where it begins, tells how near it is.

Of two edges that are nearest at parts s and t of them, with n from the second to the first there, that is

    n/|n| · (x₁(s) − x₂(t)) for their distance,

at the end as at the beginning. Edges that cross may so slide along each other by many radii, for the normal is across
both all the way; such as lie along each other may not, for it turns as one goes over the other.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, dot, plus, vector
from .segment_distance import closest_parameters

OFF = 0.025  # of the smaller radius: by what that may be wrong; as deep as things may be before they are pushed apart


@kernel
def slides_truly(x: np.ndarray, v: np.ndarray, one: np.record, two: np.record, h: float) -> bool:
    """Whether that holds of two CAPSULES from x (N, 3) [m], which go on at v (N, 3) [m/s] for h [s], or whether they
    then do not touch, neither by it nor in truth.
    """
    p, d, e = edges_at(x, v, one, two, 0.0)
    s, t = closest_parameters(p, d, e, 0.0)
    n = plus(plus(p, s, d), -t, e)
    p, d, e = edges_at(x, v, one, two, h)
    frozen = dot(n, plus(plus(p, s, d), -t, e))
    s, t = closest_parameters(p, d, e, 0.0)
    away = plus(plus(p, s, d), -t, e)
    if not dot(n, away) > 0.0:
        return False  # they passed through each other
    told, distance = frozen / sqrt(dot(n, n)), sqrt(dot(away, away))
    apart = min(told, distance) > one.radius + two.radius
    return apart or abs(told - distance) <= OFF * min(one.radius, two.radius)


@kernel(forceinline=True)
def edges_at(x: np.ndarray, v: np.ndarray, one: np.record, two: np.record, h: float) -> tuple[Vector, Vector, Vector]:
    """(from the tail of the second to that of the first, along the first, along the second) [m], h [s] later."""
    a, b, c = vertex_at(x, v, one.tail, h), vertex_at(x, v, two.tail, h), vertex_at(x, v, one.head, h)
    return plus(a, -1.0, b), plus(c, -1.0, a), plus(vertex_at(x, v, two.head, h), -1.0, b)


@kernel(forceinline=True)
def vertex_at(x: np.ndarray, v: np.ndarray, i: int, h: float) -> Vector:
    """Where vertex i is then."""
    return plus(vector(x[i]), h, vector(v[i]))
