"""The nearest places of two capsules of one rod that can touch.

Two places cannot touch where the way between them along the rod, as long as it is now, is shorter than half a turn, πr:
a rod of radius r that bends as far as it can, to that radius, comes back to itself after πr. They are near because the
rod bends. Of all other places the nearest count, even if bent ones are nearer: else a fold would be found only when its
nearest places are half a turn apart, and deep in each other. A closed fold of two right angles is held open by this.

Let W be the length of the edges between the capsules; α and β the ways from a place on each to the ends that face each
other; d and e unit vectors along the capsules; c the way from the second one's end to the first one's. The nearest
places that can touch are, as far as the capsules reach, those of the least

    |c − α d − β e|,   α + β = q = πr − W,   where  α = (c − q e)·(d − e)/|d − e|²;

of a straight rod, d = e, all of these are equally near. Edges that share a vertex never touch. Of a ring so short that
both ways around it are shorter than πr, the shorter way is looked at.
"""

from math import inf, sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, dot, plus, scaled, vector
from .passage import meeting

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


@kernel(forceinline=True)
def is_reeled_in(capsule: np.record, rods: np.ndarray) -> bool:
    """Whether a winch holds both ends of a capsule."""
    rod = rods[capsule.rod]
    first, end = rod.reeled[0], rod.reeled[1]
    return (first > 0 and capsule.head < rod.first + first) or (end > 0 and capsule.tail > rod.last - end)


@kernel
def way_between(capsules: np.ndarray, rods: np.ndarray, i: int, j: int, x: np.ndarray, most: float) -> float:
    """Length [m] of the edges between capsule i and capsule j, which follows it along the same rod; `most` where it is
    no less, or where j does not follow.
    """
    k, way = edge_after(capsules, rods, i), 0.0
    while k >= 0 and k != j and way < most:
        way += edge_length(x, capsules[k].tail, capsules[k].head)
        k = edge_after(capsules, rods, k)
    return min(way, most) if k == j else most


@kernel
def half_turn(one: np.record, two: np.record) -> float:
    """πr [m] of two capsules of a rod: places that are nearer along it cannot touch."""
    return 0.5 * np.pi * (one.radius + two.radius)


@kernel
def lay_ways(capsules: np.ndarray, x: np.ndarray, ways: np.ndarray) -> None:
    """Ways [m] along its rod, as long as that is now, to where each capsule begins and ends: ways (C, 2)."""
    for i in range(len(capsules)):
        ways[i, 0] = ways[i - 1, 1] if i > 0 and capsules[i - 1].rod == capsules[i].rod else 0.0
        ways[i, 1] = ways[i, 0] + edge_length(x, capsules[i].tail, capsules[i].head)


@kernel(forceinline=True)
def ways_around(
    capsules: np.ndarray, rods: np.ndarray, one: tuple[int, int], two: tuple[int, int], ways: np.ndarray, longer: float
) -> tuple[float, float]:
    """Lengths [m] of all edges from the first of some capsules to the last of others, behind them along their rod, and
    around the other way; ∞: there is none. ways: see `lay_ways`; longer: the part by which all of them may grow.
    """
    (i, k), (j, l), rod = one, two, rods[capsules[one[0]].rod]
    on = (1.0 + longer) * (ways[l, 1] - ways[i, 0])
    if not rod.closed:
        return on, inf
    begin = i - capsules[i].tail + rod.first
    end = begin + rod.last - rod.first
    return on, (1.0 + longer) * (ways[end, 1] - ways[j, 0] + ways[k, 1])


@kernel(forceinline=True)
def are_near(capsules: np.ndarray, rods: np.ndarray, i: int, j: int, ways: np.ndarray, longer: float) -> bool:
    """Whether no places of capsules i < j can touch, nor can when edges have grown by a part of `longer`. ways: see
    `lay_ways`. What a winch has reeled in touches nothing.
    """
    if is_reeled_in(capsules[i], rods) or is_reeled_in(capsules[j], rods):
        return True
    if capsules[i].rod != capsules[j].rod:
        return False
    on, off = ways_around(capsules, rods, (i, i), (j, j), ways, longer)
    return min(on, off) < half_turn(capsules[i], capsules[j]) or adjoin(capsules[i], capsules[j])


@kernel(forceinline=True)
def ways_between(capsules: np.ndarray, rods: np.ndarray, i: int, j: int, ways: np.ndarray) -> tuple[float, float]:
    """Lengths [m] of the edges between capsules i < j of a rod, along it and around the other way; ∞: there is none.
    ways: see `lay_ways`.
    """
    on, off = ways_around(capsules, rods, (i, i), (j, j), ways, 0.0)
    own = ways[i, 1] - ways[i, 0] + ways[j, 1] - ways[j, 0]
    return on - own, off - own


@kernel(forceinline=True)
def nearest(capsules: np.ndarray, rods: np.ndarray, i: int, j: int, x: np.ndarray, spread: float) -> Places:
    """Of the nearest places of capsules i, j that can touch: the vector [m] from j to i, where they are along both
    capsules, and 0 where these are the nearest places of all, 1 where nearer ones are bent. It is −1 where no places
    can touch: then these are the places that are furthest apart along the rod. spread [m]: see `passage.meeting`.
    """
    one, two = capsules[i], capsules[j]
    nx, ny, nz, s, t = meeting(x, one.tail, one.head, two.tail, two.head, spread)
    found = (nx, ny, nz), (s, t), 0
    if one.rod != two.rod:
        return found
    most = half_turn(one, two)
    between = way_between(capsules, rods, i, j, x, most), way_between(capsules, rods, j, i, x, most)
    return unbent(one, two, x, between, found)


@kernel
def unbent(one: np.record, two: np.record, x: np.ndarray, between: tuple[float, float], found: Places) -> Places:
    """What `nearest` returns for capsules of one rod, whose nearest places of all are `found`; between [m]: lengths of
    the edges from the first one on to the second one, and from there.
    """
    (s, t), (ahead, back), most = found[1], between, half_turn(one, two)
    first, second = edge_length(x, one.tail, one.head), edge_length(x, two.tail, two.head)
    on, off = ahead + (1.0 - s) * first + t * second, back + s * first + (1.0 - t) * second
    if min(on, off) >= most:
        return found
    d, e = along(x, one, first), along(x, two, second)
    if on <= off:
        c = plus(vector(x[one.head]), -1.0, vector(x[two.tail]))
        a, b, far = on_line(c, d, e, first, second, most - ahead)
        return plus(plus(c, -a, d), -b, e), (1.0 - a / first, b / second), far
    c = plus(vector(x[one.tail]), -1.0, vector(x[two.head]))
    a, b, far = on_line(c, scaled(-1.0, d), scaled(-1.0, e), first, second, most - back)
    return plus(plus(c, a, d), b, e), (a / first, 1.0 - b / second), far


@kernel
def along(x: np.ndarray, capsule: np.record, length: float) -> Vector:
    """Unit vector along a capsule of this length [m]."""
    return scaled(1.0 / length, plus(vector(x[capsule.head]), -1.0, vector(x[capsule.tail])))


@kernel
def on_line(c: Vector, d: Vector, e: Vector, first: float, second: float, q: float) -> tuple[float, float, int]:
    """α and β [m] of the formula above, at most `first` and `second`; and 1, or −1 where their sum is less than q."""
    if q > first + second:
        return first, second, -1
    lean = plus(d, -1.0, e)
    square = dot(lean, lean)
    a = dot(plus(c, -q, e), lean) / square if square > 0.0 else 0.5 * q
    a = min(max(a, q - second, 0.0), first, q)
    return a, min(q - a, second), 1
