"""What happened to two edges in a step: how far they moved against each other, how near they are, whether their lines
passed through each other.

Between two moments points move along straight lines. Two edges' distance then changes by no more than they move against
each other, so only lines that have come nearer than that can have crossed.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, cross, dot, plus, scaled, vector
from .segment_distance import closest_parameters

COINCIDENT = 1e-6  # of the radii: lines so near to each other have no sides yet
FAR = 0.5  # of the smaller radius: further nothing moves in a step against what it may touch


@kernel
def relative_motion(x: np.ndarray, x0: np.ndarray, a: int, b: int, c: int, d: int) -> float:
    """The furthest [m] that a point of the edge a–b has moved from x0 to x against one of the edge c–d."""
    square = 0.0
    for i in (a, b):
        for j in (c, d):
            dx = x[i, 0] - x0[i, 0] - x[j, 0] + x0[j, 0]
            dy = x[i, 1] - x0[i, 1] - x[j, 1] + x0[j, 1]
            dz = x[i, 2] - x0[i, 2] - x[j, 2] + x0[j, 2]
            square = max(square, dx * dx + dy * dy + dz * dz)
    return sqrt(square)


@kernel(forceinline=True)
def closing_along(
    x: np.ndarray, v: np.ndarray, way: Vector, distance: float, one: np.record, other: np.record
) -> float:
    """How fast [m/s] the distance of two CAPSULES' axes closes at most while vertices go from x (N, 3) at v (N, 3)
    [m/s], or by how much [m] if they go by v [m]: `way` [m] leads from the second one's axis to the first one's where
    they are nearest, so planes across it part them, that far.

    Nor by more than they go against each other but for a turn ω of both, as edges turn on average: straight ways by
    that bring nothing nearer, for |d + τ ω × d| ≥ |d|. So what swings alike closes by nothing.
    """
    if distance == 0.0:
        return 0.0
    first = min(dot(v[one.tail], way), dot(v[one.head], way))
    closing = max(0.0, (max(dot(v[other.tail], way), dot(v[other.head], way)) - first) / distance)
    if closing == 0.0:
        return 0.0
    turn, square = plus(turning(x, v, one), 1.0, turning(x, v, other)), 0.0
    for i in (one.tail, one.head):
        for j in (other.tail, other.head):
            apart = plus(vector(x[i]), -1.0, vector(x[j]))
            left = plus(plus(vector(v[i]), -1.0, vector(v[j])), -0.5, cross(turn, apart))
            square = max(square, dot(left, left))
    return min(closing, sqrt(square))


@kernel(forceinline=True)
def turning(x: np.ndarray, v: np.ndarray, one: np.record) -> Vector:
    """The angular velocity, across it, of a CAPSULE's axis."""
    e = plus(vector(x[one.head]), -1.0, vector(x[one.tail]))
    square = dot(e, e)
    turn = cross(e, plus(vector(v[one.head]), -1.0, vector(v[one.tail])))
    return scaled(1.0 / square, turn) if square > 0.0 else turn


@kernel(forceinline=True)
def separation(x: np.ndarray, a: int, b: int, c: int, d: int) -> tuple[float, float, float, float, float]:
    """(vector [m] from the edge c–d to the edge a–b where they are nearest, and where that is along both)."""
    return meeting(x, a, b, c, d, 0.0)


@kernel(forceinline=True)
def meeting(x: np.ndarray, a: int, b: int, c: int, d: int, spread: float) -> tuple[float, float, float, float, float]:
    """The same where they touch: in the middle of where they overlap, if they part by less than `spread` [m] there."""
    dx, dy, dz = x[b, 0] - x[a, 0], x[b, 1] - x[a, 1], x[b, 2] - x[a, 2]
    ex, ey, ez = x[d, 0] - x[c, 0], x[d, 1] - x[c, 1], x[d, 2] - x[c, 2]
    px, py, pz = x[a, 0] - x[c, 0], x[a, 1] - x[c, 1], x[a, 2] - x[c, 2]
    s, t = closest_parameters((px, py, pz), (dx, dy, dz), (ex, ey, ez), spread)
    return px + s * dx - t * ex, py + s * dy - t * ey, pz + s * dz - t * ez, s, t


@kernel
def sank(now: Vector, before: Vector, inside: bool, reach: float, deep: float, creep: float) -> bool:
    """Whether capsules whose radii sum up to `reach` [m], the vectors [m] between whose axes are these, overlap by more
    than `deep` [m], and by `creep` [m] more than before, or their lines passed through each other on the way; inside:
    whether both are between places inside them, not ends.
    """
    square, old = dot(now, now), dot(before, before)
    deeper = sqrt(old) - sqrt(square) > creep
    on_each_other = min(square, old) <= (COINCIDENT * reach) ** 2
    crossed = inside and not on_each_other and dot(now, before) < 0.0
    return crossed or (deeper and square < (reach - deep) ** 2)
