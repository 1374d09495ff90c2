"""Where two capsules are nearest, of the places that can touch.

Places of one rod that are nearer along it, as long as it is now, than half a turn of its own radius are bent, not
touching: a rod that bends as far as its own radius r turns back within πr. Of all other places of two capsules those
that are nearest count, also where places that are bent are nearer: else a fold would be seen when it is deep, as its
nearest places come to be half a turn apart. By that a closed fold of two right angles is held open.

With α and β the ways from two places to the ends that face each other, W the edges between these, unit vectors d and e
along both capsules and c from the second one's end to the first one's, such places are those of the least

    |c − α d − β e|,   α + β = q = πr − W,   where  α = (c − q e)·(d − e)/|d − e|²,

or as near to that as both capsules reach. Edges that share a vertex are bent wherever they are. Of a ring so short that
both ways around it bind, the shorter one is looked at.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..vectors import Vector, dot, plus, scaled, vector
from .passage import meeting

STRAIGHT = 1e-12  # |d − e|²: all places so far apart along a straight rod are as near
Places = tuple[Vector, tuple[float, float], int]


@kernel
def edge_before(capsules: np.ndarray, rods: np.ndarray, i: int) -> int:
    """The capsule that ends where capsule i begins, or −1. A contact at that vertex stands for it too."""
    r = capsules[i].rod
    if i > 0 and capsules[i - 1].rod == r:
        return i - 1
    return i + rods[r].last - rods[r].first if rods[r].closed else -1


@kernel
def edge_after(capsules: np.ndarray, rods: np.ndarray, i: int) -> int:
    """The capsule that begins where capsule i ends, or −1."""
    r = capsules[i].rod
    if i + 1 < len(capsules) and capsules[i + 1].rod == r:
        return i + 1
    return i - rods[r].last + rods[r].first if rods[r].closed else -1


@kernel
def edge_length(x: np.ndarray, a: int, b: int) -> float:
    """Distance [m] of the vertices a, b."""
    return sqrt((x[b, 0] - x[a, 0]) ** 2 + (x[b, 1] - x[a, 1]) ** 2 + (x[b, 2] - x[a, 2]) ** 2)


@kernel
def adjoin(one: np.record, two: np.record) -> bool:
    """Whether two capsules share a vertex."""
    return one.head == two.tail or two.head == one.tail


@kernel
def way_between(
    capsules: np.ndarray, rods: np.ndarray, i: int, j: int, x: np.ndarray, most: float
) -> tuple[float, int]:
    """(how long [m] the edges are that follow capsule i before capsule j of the same rod, `most` if no less or if j
    does not follow; how many).
    """
    k, way, count = edge_after(capsules, rods, i), 0.0, 0
    while k >= 0 and k != j and way < most:
        way, count = way + edge_length(x, capsules[k].tail, capsules[k].head), count + 1
        k = edge_after(capsules, rods, k)
    return (min(way, most) if k == j else most), count


@kernel
def half_turn(one: np.record, two: np.record) -> float:
    """Way [m] along a rod from which on two of its capsules can touch."""
    return 0.5 * np.pi * (one.radius + two.radius)


@kernel
def near_along_rod(capsules: np.ndarray, rods: np.ndarray, i: int, j: int, x: np.ndarray, longer: float = 0.0) -> bool:
    """Whether no places of capsules i, j can touch, were each edge between them, and they, so much longer [m]."""
    one, two = capsules[i], capsules[j]
    if one.rod != two.rod:
        return False
    if adjoin(one, two):
        return True
    most, own = half_turn(one, two), edge_length(x, one.tail, one.head) + edge_length(x, two.tail, two.head)
    for way, count in (way_between(capsules, rods, i, j, x, most), way_between(capsules, rods, j, i, x, most)):
        if way + own + (count + 2) * longer < most:
            return True
    return False


@kernel(forceinline=True)
def nearest(capsules: np.ndarray, rods: np.ndarray, i: int, j: int, x: np.ndarray, spread: float) -> Places:
    """(vector [m] from capsule j to capsule i where places that can touch are nearest, where that is along both, how
    many edges have a part in how far along the rod these places are apart). spread [m]: see `passage.meeting`.

    That number is 0 where these are the nearest places of all, and negative where none are far enough apart along the
    rod to touch: then they are those that are furthest.
    """
    one, two = capsules[i], capsules[j]
    nx, ny, nz, s, t = meeting(x, one.tail, one.head, two.tail, two.head, spread)
    found = (nx, ny, nz), (s, t), 0
    return unbent(capsules, rods, i, j, x, found) if one.rod == two.rod else found


@kernel
def unbent(capsules: np.ndarray, rods: np.ndarray, i: int, j: int, x: np.ndarray, found: Places) -> Places:
    """The same of capsules of one rod, which are nearest as `found`."""
    one, two, (s, t) = capsules[i], capsules[j], found[1]
    most = half_turn(one, two)
    first, second = edge_length(x, one.tail, one.head), edge_length(x, two.tail, two.head)
    ahead, count = way_between(capsules, rods, i, j, x, most)
    back, others = way_between(capsules, rods, j, i, x, most)
    on, off = ahead + (1.0 - s) * first + t * second, back + s * first + (1.0 - t) * second
    if min(on, off) >= most:
        return found
    d, e = along(x, one, first), along(x, two, second)
    if on <= off:
        c = plus(vector(x[one.head]), -1.0, vector(x[two.tail]))
        a, b, far = on_line(c, d, e, first, second, most - ahead)
        return plus(plus(c, -a, d), -b, e), (1.0 - a / first, b / second), (count + 2) * far
    c = plus(vector(x[one.tail]), -1.0, vector(x[two.head]))
    a, b, far = on_line(c, scaled(-1.0, d), scaled(-1.0, e), first, second, most - back)
    return plus(plus(c, a, d), b, e), (a / first, 1.0 - b / second), (others + 2) * far


@kernel
def along(x: np.ndarray, capsule: np.record, length: float) -> Vector:
    """Unit vector along a capsule of this length [m]."""
    return scaled(1.0 / length, plus(vector(x[capsule.head]), -1.0, vector(x[capsule.tail])))


@kernel
def on_line(c: Vector, d: Vector, e: Vector, first: float, second: float, q: float) -> tuple[float, float, int]:
    """(α, β) [m], at most `first` and `second`, of the formula above, and 1, or −1 where these are less than q."""
    if q > first + second:
        return first, second, -1
    lean = plus(d, -1.0, e)
    square = dot(lean, lean)
    a = dot(plus(c, -q, e), lean) / square if square > STRAIGHT else 0.5 * q
    a = min(max(a, q - second, 0.0), first, q)
    return a, min(q - a, second), 1
