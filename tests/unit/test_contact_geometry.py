"""Nearest points of segments and the pairs of capsules that may touch, against brute force."""

import numpy as np
import pytest
from tendril.physics.contact.along_rod import are_near, lay_ways
from tendril.physics.contact.along_rod import nearest as nearest_places
from tendril.physics.contact.capsule_pairs import capsule_pairs, runs_of
from tendril.physics.contact.passage import closing_along
from tendril.physics.contact.segment_distance import closest_parameters, distance_to_face
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.materials import Material
from tendril.physics.model import CAPSULE, PAIR, ROD, changed
from tendril.physics.scene import Rod

RNG = np.random.default_rng(11)


def nearest(a, d, c, e):
    """(s, t, distance) of a + s d and c + t e."""
    s, t = closest_parameters(a - c, d, e, 0.0)
    return s, t, np.linalg.norm(a - c + s * d - t * e)


def grid(a, d, c, e, n=400):
    """The smallest distance on a grid of n² pairs of points."""
    s = np.linspace(0.0, 1.0, n)
    p, q = a + s[:, None] * d, c + s[:, None] * e
    return np.sqrt(((p[:, None] - q[None]) ** 2).sum(axis=2).min())


def test_nearest_points_of_random_segments():
    for _ in range(60):
        a, d, c, e = RNG.normal(size=(4, 3))
        s, t, distance = nearest(a, d, c, e)
        assert 0.0 <= s <= 1.0
        assert 0.0 <= t <= 1.0
        brute = grid(a, d, c, e)
        assert brute - 0.02 < distance <= brute + 1e-12


@pytest.mark.parametrize(
    ("c", "e", "expected"),
    [
        ((0.2, 0.3, 0.0), (0.5, 0.0, 0.0), 0.3),  # beside it
        ((0.2, 0.3, 0.0), (-0.7, 0.0, 0.0), 0.3),  # the other way round
        ((1.4, 0.3, 0.0), (0.5, 0.0, 0.0), 0.5),  # beyond its end
        ((-0.4, 0.3, 0.0), (-1.0, 0.0, 0.0), 0.5),  # before it
        ((0.3, 0.0, 0.0), (0.2, 0.0, 0.0), 0.0),  # on it
    ],
)
def test_parallel_segments(c, e, expected):
    x = np.array([1.0, 0.0, 0.0])
    assert nearest(np.zeros(3), x, np.array(c), np.array(e))[2] == pytest.approx(expected, abs=1e-12)


def test_parallel_segments_meet_in_the_middle():
    s, t, _ = nearest(np.zeros(3), np.array([1.0, 0.0, 0.0]), np.array([0.4, 1.0, 0.0]), np.array([1.0, 0.0, 0.0]))
    assert s == pytest.approx(0.7)
    assert t == pytest.approx(0.3)


@pytest.mark.parametrize("tilt", [-1e-3, -1e-5, 1e-5, 1e-3])
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_nearly_parallel_segments_meet_in_the_middle(tilt, way):
    """Where they part by less than what is allowed over their overlap, whichever of its ends is nearest: that is .6
    long, from .4 to 1 along the first.
    """
    begin = np.array([0.4 if way > 0.0 else 1.4, 1.0, 0.0])
    d, e = np.array([1.0, 0.0, 0.0]), np.array([way, tilt, 0.0])
    s, t = closest_parameters(-begin, d, e, 0.61 * abs(tilt))
    assert s == pytest.approx(0.7, abs=2.0 * abs(tilt))
    assert t == pytest.approx(0.3 if way > 0.0 else 0.7, abs=2.0 * abs(tilt))
    s, t = closest_parameters(-begin, d, e, 0.59 * abs(tilt))
    assert s == pytest.approx(1.0 if way * tilt < 0.0 else 0.4, abs=2.0 * abs(tilt))


def test_segments_that_cross_meet_where_they_do():
    """However short the overlap is, seen along the first."""
    d, e = np.array([1.0, 0.0, 0.0]), np.array([1e-4, 1.0, 0.0])
    s, t = closest_parameters(np.array([-0.3, 0.2, 0.5]), d, e, 0.05)
    assert s == pytest.approx(0.3 + 0.2e-4, abs=1e-12)
    assert t == pytest.approx(0.2, abs=1e-12)


NONE = np.zeros((0, 0), bool)


def listed(x, *own, room=5000, joined=(), groups=0, collision_filter=NONE):
    """own: tail, head, radius, rod of capsules, which rods are closed; skin."""
    tail, head, radius, rod, closed, skin = own
    n = len(tail)
    capsules = changed(np.zeros(n, CAPSULE), tail=tail, head=head, radius=radius, rod=rod)
    rods = changed(np.zeros(len(closed), ROD), last=n - 1, closed=closed, group=groups)
    pairs, keys, apart = np.zeros(room, PAIR), np.array(joined, np.int64), np.array(collision_filter, bool)
    count = capsule_pairs(capsules, rods, keys, apart, x, (skin, 0.0, 0.0), runs_of(capsules), pairs)
    return count, [(pair["i"], pair["j"]) for pair in pairs[:count]]


@pytest.mark.parametrize("skin", [0.0, 0.05, 0.2])
def test_no_pair_is_missed(skin):
    """All capsules of different rods nearer than the skin are listed once, the lower number first, and no others."""
    n = 60
    x = RNG.uniform(size=(2 * n, 3))
    tail, head = np.arange(n), np.arange(n) + n
    x[head] = x[tail] + RNG.normal(0.0, 0.05, (n, 3))
    radius = RNG.uniform(0.01, 0.03, n)
    rod = np.arange(n)
    count, pairs = listed(x, tail, head, radius, rod, np.zeros(n, bool), skin)
    assert len(set(pairs)) == count == len(pairs)
    assert all(i < j for i, j in pairs)
    near = 0
    for i in range(n):
        for j in range(i + 1, n):
            gap = nearest(x[i], x[i + n] - x[i], x[j], x[j + n] - x[j])[2] - radius[i] - radius[j]
            if gap < skin:
                near += 1
                assert (i, j) in pairs
    assert 0 < near == count


@pytest.mark.parametrize("closed", [False, True])
def test_neighbours_along_a_rod_are_left_out(closed):
    """Edges no places of which are half a turn of the radius apart along the rod are not listed; all others are."""
    n, r = 40, 0.05
    around = 2.0 * np.pi * np.arange(n) / n
    x = 0.3 * np.stack([np.cos(around), np.sin(around), 0.0 * around], axis=1)
    m = n if closed else n - 1
    tail, head = np.arange(m), (np.arange(m) + 1) % n
    edge = np.linalg.norm(x[1] - x[0])
    _, pairs = listed(x, tail, head, np.full(m, r), np.zeros(m, np.int64), [closed], 10.0)
    found = set(pairs)
    for i in range(m):
        for j in range(i + 1, m):
            along = edge * (j - i + 1)
            if closed:
                along = min(along, edge * (n - j + i + 1))
            assert ((i, j) in found) == (along >= np.pi * r)


def places(x, i, j, closed, r, points=1000):
    """The least distance of places of edges i, j that are half a turn of r or more apart along the rod, or None, from a
    grid of n² of them, and how far off it may be.
    """
    n = len(x)
    ends = x[np.arange(n - 1 + closed)], x[(np.arange(n - 1 + closed) + 1) % n]
    length = np.linalg.norm(ends[1] - ends[0], axis=1)
    arc, s = np.cumsum(length) - length, np.linspace(0.0, 1.0, points)
    way = np.abs((arc[i] + s * length[i])[:, None] - (arc[j] + s * length[j])[None])
    way = np.minimum(way, length.sum() - way) if closed else way
    p, q = ((1.0 - s)[:, None] * ends[0][k] + s[:, None] * ends[1][k] for k in (i, j))
    distance = np.linalg.norm(p[:, None] - q[None], axis=2)
    apart = way >= np.pi * r
    return (distance[apart].min() if apart.any() else None), (length[i] + length[j]) / points


@pytest.mark.parametrize("closed", [False, True])
def test_places_that_can_touch_are_half_a_turn_apart_along_a_rod(closed):
    """The nearest of these, whatever is nearer, wherever the numbers of a ring begin."""
    n, r, seen = 14, 0.05, {-1: 0, 0: 0, 1: 0}
    for _ in range(20):
        x = np.cumsum(RNG.normal(size=(n, 3)) * RNG.uniform(0.3, 1.0) * r, axis=0)
        m = n if closed else n - 1
        capsules = changed(np.zeros(m, CAPSULE), tail=np.arange(m), head=(np.arange(m) + 1) % n, radius=r)
        rods = changed(np.zeros(1, ROD), last=n - 1, closed=closed)
        ways = np.zeros((m, 2))
        lay_ways(capsules, x, ways)
        for i, j in ((0, 2), (0, 3), (5, 2), (1, 4), (0, 11), (12, 1), (12, 2)):
            way, (s, t), edges = nearest_places(capsules, rods, i, j, x, 0.0)
            brute, off = places(x, i, j, closed, r)
            seen[np.sign(edges)] += 1
            assert are_near(capsules, rods, min(i, j), max(i, j), ways, 0.0) == (edges < 0)
            np.testing.assert_allclose(
                way, [*((1.0 - s) * x[i] + s * x[(i + 1) % n] - (1.0 - t) * x[j] - t * x[(j + 1) % n])]
            )
            if edges >= 0:
                assert brute is not None
                assert brute - off < np.linalg.norm(way) < brute + 1e-12
            else:
                assert brute is None
    assert min(seen.values()) > 5


@pytest.mark.parametrize("closed", [False, True])
def test_how_deep_a_rod_is_in_itself(closed):
    """By places of all pairs of edges that can touch."""
    n, r = 12, 0.05
    for _ in range(5):
        x = np.cumsum(RNG.normal(size=(n, 3)) * 0.7 * r, axis=0)
        m = n if closed else n - 1
        pairs = [(i, j) for i in range(m) for j in range(i + 2, m) if not (closed and i == 0 and j == m - 1)]
        found = [places(x, i, j, closed, r, 200) for i, j in pairs]
        depth = max(2.0 * r - brute for brute, _ in found if brute is not None)
        rod = Rod.from_material("rod", x, r, Material(1e6, 0.5, 1000.0), closed=closed)
        assert deepest_overlap((rod,), x) == pytest.approx(depth, abs=max(off for _, off in found))


def test_a_list_that_is_too_small_tells_what_it_needs():
    x = RNG.uniform(size=(40, 3)) * 0.01
    args = (x, np.arange(20), np.arange(20) + 20, np.full(20, 0.1), np.arange(20), np.zeros(20, bool), 0.1)
    count, _ = listed(*args)
    assert count == 190
    assert listed(*args, room=7)[0] == 190


def test_filtered_groups_are_left_out():
    x = RNG.uniform(size=(40, 3)) * 0.01
    args = (x, np.arange(20), np.arange(20) + 20, np.full(20, 0.1), np.arange(20), np.zeros(20, bool), 0.1)
    group = np.arange(20) % 2
    count, pairs = listed(*args, groups=group, collision_filter=[[False, True], [True, False]])
    assert count == 90
    assert all(group[i] == group[j] for i, j in pairs)


def test_what_a_body_holds_together_is_left_out():
    x = RNG.uniform(size=(40, 3)) * 0.01
    args = (x, np.arange(20), np.arange(20) + 20, np.full(20, 0.1), np.arange(20), np.zeros(20, bool), 0.1)
    held = {(0, 1), (3, 17), (18, 19)}
    count, pairs = listed(*args, joined=[20 * i + j for i, j in sorted(held)])
    assert count == 187
    assert not held & set(pairs)


def test_what_rounding_makes_of_a_face_that_is_an_edge_is_no_face():
    """A face (a, b, b) stands for an edge: e × e is 0, but not where products and differences are one operation."""
    for x, a, b in np.random.default_rng(5).normal(size=(200, 3, 3)).tolist():
        assert distance_to_face((*x,), (*a,), (*b,), (*b,)) == 0.0


def test_edges_close_by_no_more_than_is_said_and_by_nothing_where_they_turn_alike():
    """On straight ways of their ends, by brute force; a turn of both across parallel ones, and a drift, count for
    nothing.
    """
    rng, capsules = np.random.default_rng(5), np.zeros(2, CAPSULE)
    capsules["tail"], capsules["head"] = [0, 2], [1, 3]
    s = np.linspace(0.0, 1.0, 41)
    for case in range(300):
        x, turn = rng.normal(size=(4, 3)), rng.normal(size=3)
        if case % 3 == 0:
            x[3] = x[2] + rng.uniform(0.5, 2.0) * (x[1] - x[0])
            turn = np.cross(turn, x[1] - x[0])
        v = np.cross(turn, x) + rng.normal(size=3) + (case % 3) * 0.2 * rng.normal(size=(4, 3))
        one, two = x[1] - x[0], x[3] - x[2]
        a, b, distance = nearest(x[0], one, x[2], two)
        way = tuple(x[0] + a * one - x[2] - b * two)
        said = closing_along(x, v, way, distance, capsules[0], capsules[1])
        assert case % 3 > 0 or said < 1e-12
        for time in (0.1, 0.5, 1.0):
            y = x + time * v
            one, two = y[0] + s[:, None] * (y[1] - y[0]), y[2] + s[:, None] * (y[3] - y[2])
            least = np.linalg.norm(one[:, None] - two[None], axis=2).min()
            assert least >= distance - time * said - 1e-9
