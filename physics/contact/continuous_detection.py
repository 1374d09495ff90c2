"""Continuous detection: whether a point passed through a triangle in a step, or a line through a line (Liesenfeld &
Stolfi 1997, §6.2–6.3).

Between two moments points move along straight lines. Where four of them are in one plane, a determinant vanishes,

    f(τ) = det(u, v, w),    u = u₀ + τ u̇ …,

a cubic. Its Hermite data at both moments, f and f′, are its Bernstein coefficients,

    b₀ = f(0),  b₁ = b₀ + f′(0)/3,  b₂ = b₃ − f′(1)/3,  b₃ = f(1),

which hold it: where all have one sign, it has no root. Elsewhere the time is bisected after de Casteljau. Intervals are
numbered like a heap: 1 is the step, 2 k and 2 k + 1 the halves of k.
"""

from math import inf

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, cross, dot, plus
from .bounding_volumes import behind

SHORTEST = 1 << 26  # interval looked at
ON = 1e-7  # of a face's size: what is no higher over it, or behind it, is on it
BESIDE = 1e-6  # how far beside a triangle or a segment, in its own measure, something still hits it
Motion = tuple[Vector, Vector]  # (where a point is at first, how far it goes) [m]
Cubic = tuple[float, float, float, float]


@kernel
def between(one: Motion, other: Motion) -> Motion:
    """The vector from the other to the one, and how it changes."""
    return plus(one[0], -1.0, other[0]), plus(one[1], -1.0, other[1])


@kernel
def at(motion: Motion, time: float) -> Vector:
    """Where it is then."""
    return plus(motion[0], time, motion[1])


@kernel
def coplanarity(u: Motion, v: Motion, w: Motion) -> Cubic:
    """Bernstein coefficients of det(u, v, w)."""
    first = dot(u[0], cross(v[0], w[0]))
    slope = dot(u[1], cross(v[0], w[0])) + dot(u[0], cross(v[1], w[0])) + dot(u[0], cross(v[0], w[1]))
    u1, v1, w1 = at(u, 1.0), at(v, 1.0), at(w, 1.0)
    last = dot(u1, cross(v1, w1))
    end = dot(u[1], cross(v1, w1)) + dot(u1, cross(v[1], w1)) + dot(u1, cross(v1, w[1]))
    return first, first + slope / 3.0, last - end / 3.0, last


@kernel
def blossom(f: Cubic, r: float, s: float, t: float) -> float:
    """The polar form of a cubic: f(t, t, t) is its value at t, f(s, s, s), f(s, s, t) … its coefficients between."""
    a, b, c = f[0] + r * (f[1] - f[0]), f[1] + r * (f[2] - f[1]), f[2] + r * (f[3] - f[2])
    a, b = a + s * (b - a), b + s * (c - b)
    return a + t * (b - a)


@kernel
def next_root(f: Cubic, k: int) -> int:
    """Number of the first short interval, from k on in the order of time, in which f changes sign, or 0. A zero has the
    sign that f begins with: f may vanish just where two intervals meet, and what only comes there has not passed.
    """
    side = 1.0 if f[0] >= 0.0 else -1.0
    while k > 0:
        depth = 1
        while depth * 2 <= k:
            depth *= 2
        s, t = (k - depth) / depth, (k - depth + 1) / depth
        a, b = side * blossom(f, s, s, s), side * blossom(f, s, s, t)
        c, d = side * blossom(f, s, t, t), side * blossom(f, t, t, t)
        if min(a, b, c, d) < 0.0 and (max(a, b, c, d) > 0.0 or (a == 0.0 and s > 0.0)):
            if k >= SHORTEST:
                return k
            k *= 2
        else:
            k = behind(k)
    return 0


@kernel
def passes_face(x: Motion, p: Motion, q: Motion, r: Motion) -> bool:
    """Whether a point passes through a triangle; what begins on it begins before it."""
    return time_through_face(x, p, q, r, BESIDE, False) < inf


@kernel
def time_through_face(x: Motion, p: Motion, q: Motion, r: Motion, beside: float, two_sided: bool) -> float:
    """Which part of the step is over before that, ∞: it does not; so far beside the triangle it still hits it. What
    begins on it begins before it, or where it has two sides on its own one.
    """
    e, g, d = between(q, p), between(r, p), between(x, p)
    f, n = coplanarity(d, e, g), cross(e[0], g[0])
    least = ON * dot(n, n) ** 0.75
    if abs(f[0]) < least:
        f = -least if two_sided and f[0] < 0.0 else least, f[1], f[2], f[3]
    k = next_root(f, 1)
    while k > 0:
        time = (k - SHORTEST) / SHORTEST
        e1, g1, d1 = at(e, time), at(g, time), at(d, time)
        n = cross(e1, g1)
        area = dot(n, n)
        u, v = dot(cross(d1, g1), n), dot(cross(e1, d1), n)
        if min(u, v, area - u - v) >= -beside * area:
            return time
        k = next_root(f, behind(k))
    return inf


@kernel
def passes_segment(a: Motion, b: Motion, p: Motion, q: Motion) -> bool:
    """Whether the segments a–b and p–q pass through each other. Of those that touch at first that cannot be told."""
    own, along, d = between(b, a), between(q, p), between(a, p)
    f, n = coplanarity(d, own, along), cross(own[0], along[0])
    if abs(f[0]) < ON * dot(n, n) ** 0.75:
        return False
    k = next_root(f, 1)
    while k > 0:
        time = (k - SHORTEST) / SHORTEST
        u, e, w = at(own, time), at(along, time), at(d, time)
        n = cross(u, e)
        area = dot(n, n)
        s, t = dot(cross(e, w), n), dot(cross(u, w), n)
        if min(s, t, area - s, area - t) >= -BESIDE * area:
            return True
        k = next_root(f, behind(k))
    return False


@kernel
def motion_of(x: np.ndarray, x0: np.ndarray, i: int) -> Motion:
    """Of a vertex, from x0 (N, 3) to x."""
    before = x0[i, 0], x0[i, 1], x0[i, 2]
    return before, plus((x[i, 0], x[i, 1], x[i, 2]), -1.0, before)
