"""Strands that go with guides: as drawn at rest, rigid with a rigid motion, as long as drawn, as those beside them."""

import numpy as np
import pytest
from tendril.bridge.guided_hair import GuidedHair, ways
from tendril.bridge.motion import Motion
from tendril.bridge.strands import arc_lengths, between, edge_axes, rows_of
from tendril.bridge.units import Units

RNG = np.random.default_rng(4)


def groom(strands=60, far=0.0):
    """(x, starts, closed) of curly strands of 5 to 12 points that stand on a plane, `far` from the origin."""
    counts = RNG.integers(5, 13, strands)
    starts = np.concatenate([[0], np.cumsum(counts)])
    x = np.cumsum(RNG.normal(size=(starts[-1], 3)) * 0.003 + (0.0, 0.0, 0.01), axis=0)
    root = np.column_stack([RNG.uniform(0.0, 0.1, (strands, 2)), np.zeros(strands)]) + far
    return x + np.repeat(root - x[starts[:-1]], counts, axis=0), starts, np.zeros(strands, bool)


def guided(x, starts, closed, guides):
    """(GuidedHair, vertices of its guides, and m₁ of their edges, as drawn)."""
    rows, begin = rows_of(starts, guides)
    return GuidedHair(x, starts, closed, guides), x[rows], edge_axes(x[rows], begin, closed[guides])


def turn():
    q = np.linalg.qr(RNG.normal(size=(3, 3)))[0]
    return q * np.linalg.det(q)


def test_it_is_as_drawn_at_rest_and_goes_rigidly_with_guides_that_do():
    x, starts, closed = groom(far=100.0)
    closed[[0, 7]] = True
    guides = np.flatnonzero(closed | (np.arange(len(closed)) % 5 == 0))
    hair, own, m1 = guided(x, starts, closed, guides)
    assert hair.carry(own, m1) == pytest.approx(x, abs=1e-10)
    rotation, shift = turn(), np.array([1.0, -2.0, 3.0])
    moved = hair.carry(own @ rotation.T + shift, m1 @ rotation.T)
    assert moved == pytest.approx(x @ rotation.T + shift, abs=1e-9)


def test_pieces_are_as_long_as_drawn_and_roots_where_they_are_led():
    x, starts, closed = groom()
    guides, others = np.arange(0, 60, 4), np.setdiff1d(np.arange(60), np.arange(0, 60, 4))
    gone = RNG.normal(size=(len(others), 3))
    hair, own, m1 = guided(x, starts, closed, guides)
    bent = own + 0.3 * own[:, 2:] ** 2 * (10.0, 5.0, -5.0)
    moved = hair.carry(bent, RNG.normal(size=m1.shape), gone)
    assert moved[starts[others]] == pytest.approx(x[starts[others]] + gone, abs=1e-9)
    assert moved[rows_of(starts, guides)[0]] == pytest.approx(bent, abs=0.0)
    along = rows_of(starts, others)[0]
    pieces, drawn = (np.linalg.norm(np.diff(each[along], axis=0), axis=1) for each in (moved, x))
    within = np.diff(np.repeat(others, np.diff(starts)[others])) == 0
    assert pieces[within] == pytest.approx(drawn[within], rel=1e-9)


def straight(*places, lean=None):
    """(x, starts, closed) of strands of 6 points, 0.1 long, that leave such places upwards, or as each leans."""
    s, leans = np.linspace(0.0, 0.1, 6)[:, None], lean or [(0.0, 0.0, 1.0)] * len(places)
    x = np.concatenate([np.array(place) + s * np.array(own) for place, own in zip(places, leans, strict=True)])
    return x, 6 * np.arange(len(places) + 1), np.zeros(len(places), bool)


def test_what_is_groomed_beside_a_guide_turns_with_its_material():
    x, starts, closed = straight((0, 0, 0), (0.01, 0, 0))
    hair, own, m1 = guided(x, starts, closed, np.array([0]))
    twisted = np.cross((0.0, 0.0, 1.0), m1)  # a quarter of a turn
    assert hair.carry(own, twisted)[6:] == pytest.approx(own + (0.0, 0.01, 0.0), abs=1e-12)


def test_it_goes_with_the_nearest_in_the_mean_of_those_beside_it():
    """Two guides at the same distance: it goes half as far as one of them. A fifth one and all beyond have no say."""
    places = [(-0.01, 0, 0), (0.01, 0, 0), (0, 0.3, 0), (0, -0.3, 0), (0.3, 0.3, 0), (1.0, 0, 0), (0, 0, 0)]
    hair, own, m1 = guided(*straight(*places), np.arange(6))
    went = own.copy()
    went[6:12] += (0.0, 0.0, 1.0)
    assert hair.carry(went, m1)[36:, 2] - own[:6, 2] == pytest.approx(0.5, abs=5e-3)
    went = own.copy()
    went[24:] += (0.0, 0.0, 1.0)
    assert hair.carry(went, m1)[36:] == pytest.approx(own[:6] + (0.01, 0.0, 0.0), abs=1e-12)


def test_weights_do_not_leap_where_guides_change():
    """Along a row of guides that all go otherwise: strands ten times as near to each other go as much more alike."""
    places = [(0.01 * k, 0.0, 0.0) for k in range(20)] + [(0.05 + 1e-5 * k, 0.002, 0.0) for k in range(9000)]
    hair, own, m1 = guided(*straight(*places), np.arange(20))
    went = own + np.repeat(RNG.normal(size=(20, 1)), 6, axis=0) * (0.0, 0.0, 1.0)
    height = hair.carry(went, m1).reshape(-1, 6, 3)[20:, 0, 2]
    assert np.abs(np.diff(height)).max() < 0.15 * np.abs(np.diff(height[::10])).max()


def test_a_parting_stays_one():
    """Hair left of it falls left: it goes with guides that do, though one that falls right is nearer by its root."""
    left, right = (-0.9, 0.0, 0.3), (0.9, 0.0, 0.3)
    places = [(0.001, 0, 0), (0.001, 0.01, 0), (-0.004, 0, 0), (-0.004, 0.01, 0), (-0.001, 0, 0)]
    hair, own, m1 = guided(*straight(*places, lean=[right, right, left, left, left]), np.arange(4))
    went = own.copy()
    went[:12] += (0.0, 0.0, 1.0)
    assert hair.carry(went, m1)[24, 2] < 0.1


def test_strands_in_one_place_go_together():
    x, starts, closed = straight((0, 0, 0), (0, 0, 0), (0.02, 0, 0), (0, 0, 0))
    hair, own, m1 = guided(x, starts, closed, np.array([0, 2]))
    went = own + np.repeat([[1.0], [0.0]], 6, axis=0)
    for strand in (6, 18):
        assert hair.carry(went, m1)[strand : strand + 6] == pytest.approx(x[:6] + 1.0, abs=1e-9)
    hair, own, m1 = guided(x, starts, closed, np.array([0]))
    assert hair.carry(own + 1.0, m1) == pytest.approx(x + 1.0, abs=1e-9)


def test_many_are_bound_in_portions(monkeypatch):
    x, starts, closed = groom(300)
    hair, own, m1 = guided(x, starts, closed, np.arange(0, 300, 7))
    bent = own + 0.3 * own[:, 2:] ** 2
    once = hair.carry(bent, m1)
    monkeypatch.setattr("tendril.bridge.guided_hair.PAIRS", 500)
    monkeypatch.setattr("tendril.bridge.guided_hair.AT_ONCE", 100)
    hair, own, m1 = guided(x, starts, closed, np.arange(0, 300, 7))
    assert hair.carry(bent, m1) == pytest.approx(once, abs=1e-14)


def test_a_job_keeps_it_in_metres():
    x, starts, closed = groom(6)
    centimetres, bodies = Units(0.01, 24.0, 1), np.zeros((2, 3, 7))
    kept = {"x": x, "starts": starts, "closed": closed, "guides": np.array([0, 3])}
    hair, root = GuidedHair.of({"strands": kept}, centimetres), x[starts[[1, 2, 4, 5]]]
    assert hair.counts == np.diff(starts).tolist()
    assert hair.roots({"strands": kept}, centimetres, 0, bodies) is None
    kept["roots"] = np.arange(4.0)[:, None, None] * np.ones((4, 3), "f4")
    gone = hair.roots({"strands": kept}, centimetres, 1, bodies)
    assert gone[:, 0] == pytest.approx(np.array([[100.0] * 3, [200.0] * 3]))
    _, own, m1 = guided(x, starts, closed, np.array([0, 3]))
    assert hair.carry(100.0 * own, m1, gone[0])[starts[1]] == pytest.approx(100.0 * (x[starts[1]] + 1.0))
    kept["body"], kept["centre"] = 2, np.array([1.0, 0.0, 0.0])
    bodies[:, 2] = (1.0, 2.0, 0.0, np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))  # a quarter of a turn about z
    gone = hair.roots({"strands": kept}, centimetres, 0, bodies)
    there = np.column_stack([1.0 - root[:, 1], 1.0 + root[:, 0], root[:, 2]])
    assert gone[1] == pytest.approx(100.0 * (there - root))
    assert GuidedHair.of({}, centimetres) is None


def test_ways_are_those_of_motions_that_stand_or_go():
    still = Motion(np.zeros(1), np.ones((1, 3)), None, None)
    going = Motion(np.arange(3.0), np.arange(9.0).reshape(3, 3), None, None)
    assert ways([still, going], 3)[:, 0] == pytest.approx(0.0)
    assert ways([still, going], 3)[:, 1, 0] == pytest.approx([0.0, 3.0, 6.0])


def test_places_along_curves_are_found_in_each():
    x, starts, _ = groom(20)
    at, curve = arc_lengths(x, starts), RNG.integers(0, 20, 50)
    arc = RNG.uniform(-0.1, 1.0, 50) * at[starts[curve + 1] - 1]
    low, share = between(at, starts, curve, arc)
    assert ((low >= starts[curve]) & (low + 1 < starts[curve + 1])).all()
    found = at[low] + share * (at[low + 1] - at[low])
    assert found == pytest.approx(np.maximum(arc, 0.0), abs=1e-12)
