"""Friction of cables at rest, on surfaces and on each other: the law of the capstan, what is dragged, what stays, what
is carried along.
"""

import sys
from dataclasses import replace

import numpy as np
import pytest
from statics import straight_rod
from tendril.physics import Collider, Floor, Frame, Handle, Material, Pin, Rod, Scene, settle_cable, settle_harness
from tendril.physics.cables import harness, units
from tendril.physics.cables.friction import Friction
from tendril.physics.cables.pairs import Pairs, Strand
from tendril.physics.cables.running import Running
from tendril.physics.cables.tables import STRIDE
from tendril.physics.run.led_cables import LedCables
from tendril.physics.run.simulate import events

GRAVITY = np.array([0.0, 0.0, -9.81])
SQUARE = np.array([[0, 1, 2], [0, 2, 3]])


def test_derivatives():
    """Of what holds and what slides, against central differences of the fourth order."""
    rng, count, shift = np.random.default_rng(3), 6, 1e-5
    rubs = Friction(np.zeros(count), 1.0)
    normal = rng.normal(size=(count, 3))
    rubs.begin(rng.normal(size=(count, 3)))
    rubs.renew(rubs.anchor, normal, rng.uniform(0.5, 2.0, count))
    x = rubs.anchor + np.array([0.3, 0.6, 0.9, 1.5, 4.0, 50.0])[:, None] * 1e-2 * rng.normal(size=(count, 3))

    d = np.cross(normal, [0.3, -0.5, 0.7])
    d *= 0.01 / np.linalg.norm(d, axis=1)[:, None]  # a radius of 1 gives by a hundredth
    np.testing.assert_allclose(np.linalg.norm(rubs.forces(rubs.anchor + 0.999 * d), axis=1), 0.999 * rubs.limit)
    np.testing.assert_allclose(np.linalg.norm(rubs.forces(rubs.anchor + 1.1 * d), axis=1), rubs.limit)

    def gradient(x):
        out = np.zeros(STRIDE * (count - 1) + 3)
        rubs.derivatives(x, out, np.zeros((len(out), 3)))
        return out[STRIDE * np.arange(count)[:, None] + np.arange(3)]

    def slope(function, i, c):
        one = np.zeros_like(x)
        one[i, c] = shift
        near, far = function(x + one) - function(x - one), function(x + 2.0 * one) - function(x - 2.0 * one)
        return (8.0 * near - far) / (12.0 * shift)

    found, band = gradient(x), np.zeros((STRIDE * count, 3))
    rubs.derivatives(x, np.zeros(len(band)), band)
    np.testing.assert_allclose(found, -rubs.forces(x), atol=1e-15)
    for i in range(count):
        np.testing.assert_allclose([slope(rubs.energy, i, c) for c in range(3)], found[i], atol=1e-9)
        for r in range(3):
            expected = [slope(gradient, i, c)[i, r] for c in range(r, 3)]
            np.testing.assert_allclose(band[STRIDE * i + r, : 3 - r], expected, atol=1e-6)


def post(sides, radius, friction):
    """A prism along y."""
    a = 2.0 * np.pi * np.arange(sides) / sides
    rings = [np.stack([radius * np.cos(a), np.full(sides, y), radius * np.sin(a)], axis=1) for y in (-0.3, 0.3)]
    k, after = np.arange(sides), (np.arange(sides) + 1) % sides
    one, other = np.stack([k, after, sides + k], axis=1), np.stack([after, sides + after, sides + k], axis=1)
    return Collider("post", np.concatenate([one, other]), np.zeros(1), np.concatenate(rings)[None], friction=friction)


@pytest.mark.parametrize(("friction", "cable"), [(0.1, 0.1), (0.3, 0.3), (0.5, 0.5), (0.2, 0.8)])
def test_capstan(friction, cable, monkeypatch):
    """Half around a post, weightless and supple, held by 1 N and pulled at, step by step: T₂/T₁ = exp(√(μ₁μ₂) π)."""
    monkeypatch.setattr(units, "units_of", lambda *_: units.Units(0.67, 1.0))
    n, radius, r, hang = 200, 0.05, 0.004, 0.25
    half = 0.5 * np.pi * (radius + r)
    s = np.linspace(-half - hang, half + hang, n + 1)
    a = np.clip(s / (radius + r), -0.5 * np.pi, 0.5 * np.pi)
    x = 1.0001 * (radius + r) * np.stack([np.sin(a), 0.0 * a, np.cos(a)], axis=1)
    x[:, 2] -= np.abs(s - a * (radius + r))
    rod = Rod.from_material("cable", x, r, Material(2e5, 0.4, 1100.0), shape_memory=0.0)
    rod = replace(rod, friction=cable)
    weight = Handle("weight", x[0] - [0.0, 0.0, 0.4], vertex=0, strength=1.0)
    end, around, found = Handle("hand", x[-1], vertex=n), [post(128, radius, friction)], None
    for step in range(6):
        hand = replace(end, position=x[-1] - [0.0, 0.0, 0.004 * step])
        found = settle_cable(rod, [weight, hand], gravity=np.zeros(3), colliders=around, start=found, rubs=True)
        pulls = np.linalg.norm(found.handle_force, axis=1)
        if step > 1:
            assert pulls[1] / pulls[0] == pytest.approx(np.exp(np.sqrt(friction * cable) * np.pi), rel=0.02)


def over_an_edge(n, friction, ways):
    """Along a table and down over its edge, weightless and supple, held by 1 N and pulled by such ways, step by step:
    what was found of each.
    """
    r, half = 0.004, 0.25
    bend = 0.25 * np.pi * r
    s = np.linspace(-half, half, n + 1)
    a = np.clip(0.25 * np.pi + s / r, 0.0, 0.5 * np.pi)
    x = 1.0001 * r * np.stack([np.sin(a), 0.0 * a, np.cos(a)], axis=1)
    x[:, 0] += np.minimum(s + bend, 0.0)
    x[:, 2] -= np.maximum(s - bend, 0.0)
    rod = Rod.from_material("cable", x, r, Material(2e5, 0.4, 1100.0), shape_memory=0.0)
    rod = replace(rod, friction=friction)
    i, j, k = np.indices((2, 2, 2)).reshape(3, -1)
    box = np.stack([i - 1.0, j - 0.5, k - 1.0], axis=1)
    faces = [
        [0, 1, 3],
        [0, 3, 2],
        [4, 6, 7],
        [4, 7, 5],
        [0, 4, 5],
        [0, 5, 1],
        [2, 3, 7],
        [2, 7, 6],
        [0, 2, 6],
        [0, 6, 4],
    ]
    table = Collider("table", np.array([*faces, [1, 5, 7], [1, 7, 3]]), np.zeros(1), box[None], friction=friction)
    weight = Handle("weight", x[-1] - [0.0, 0.0, 0.1], vertex=n, strength=1.0)
    hand, found = Handle("hand", x[0], vertex=0), [None]
    for way in ways:
        led = [weight, replace(hand, position=x[0] - [way, 0.0, 0.0])]
        found.append(settle_cable(rod, led, gravity=np.zeros(3), colliders=[table], start=found[-1], rubs=True))
    return found[1:]


@pytest.mark.parametrize("n", [60, 200])
@pytest.mark.parametrize("friction", [0.1, 0.3])
def test_sharp_edge(n, friction, monkeypatch):
    """T₂/T₁ of Coulomb's friction at one point, when pulled and when let back: corners hold no more and no less."""
    monkeypatch.setattr(units, "units_of", lambda *_: units.Units(0.5, 1.0))
    found = over_an_edge(n, friction, 0.004 * np.array([1, 2, 3, 4, 3, 2, 1]))
    x = friction * np.sin(0.25 * np.pi) / np.sqrt(1.0 - (friction * np.cos(0.25 * np.pi)) ** 2)
    law = (1.0 + x) / (1.0 - x)
    assert law == pytest.approx(np.exp(0.5 * np.pi * friction), rel=0.03)
    for cable, pull in zip(found, [law] * 4 + [1.0 / law] * 3, strict=True):
        weight, hand = np.linalg.norm(cable.handle_force, axis=1)
        assert hand / weight == pytest.approx(pull, rel=0.04)
        length = cable.state.system.segments["length"]
        assert np.ptp(length) < 0.1 * length.mean()  # it runs by as much as it was pulled, and its points stay


def test_derivatives_where_it_runs(monkeypatch):
    """Of a cable that rubs and runs through two points at corners, against central differences."""
    monkeypatch.setattr(units, "units_of", lambda *_: units.Units(0.5, 1.0))
    rest, rng, at = over_an_edge(20, 0.3, [0.0])[0].state, np.random.default_rng(5), np.array([7, 10])
    own, anchors, free = rest.system, np.array([0, 7, 10, 20]), np.array([False, True, True, False])
    running = Running(own.segments, own.joints, own.handles, own.weight, own.loads, anchors, free)
    running.contacts = own.contacts
    running.stay(rest.y, at, 3.0)
    own.contacts.friction.limit = rng.uniform(0.5, 2.0, 21)
    y = np.concatenate([rest.y, running.arc[at] + [0.01, -0.02]])
    y[:-2] += 1e-3 * rng.normal(size=len(rest.y))
    monkeypatch.setattr(own.contacts, "follow", lambda *_: None)
    gradient, band = np.empty(len(y)), np.empty((running.banded, running.half_bandwidth + 1))

    def slopes(y):
        border = running.bordered(y, gradient, band)
        running.add_contacts(y, gradient, band)
        return gradient.copy(), border.copy()

    slope, border = slopes(y)
    hessian = np.zeros((len(y), len(y)))
    for k in range(band.shape[1]):
        j = np.arange(running.banded - k)
        hessian[j, j + k] = hessian[j + k, j] = band[j, k]
    hessian[-2:], hessian[:, -2:] = border, border.T
    for i in range(len(y)):
        one = np.zeros(len(y))
        one[i] = 1e-7
        expected = (running.energy(y + one) - running.energy(y - one)) / 2e-7
        np.testing.assert_allclose(slope[i], expected, rtol=1e-5, atol=1e-7 * np.abs(slope).max())
        expected = (slopes(y + one)[0] - slopes(y - one)[0]) / 2e-7
        np.testing.assert_allclose(hessian[:, i], expected, atol=1e-6 * np.abs(hessian).max())


@pytest.mark.parametrize(("pieces", "mesh"), [(20, False), (20, True), (160, False), (160, True), (1000, False)])
def test_dragged_along_a_desk(pieces, mesh):
    """A straight cable that is drawn by its end feels μ of its weight; and rests where it is let be."""
    rod = straight_rod(pieces, bend=1e-3, radius=5e-3)
    rod = replace(rod, friction=0.4, x=rod.x + [0.0, 0.0, 5e-3])
    corners = np.array([[-3.0, -3.0, 0.0], [3.0, -3.0, 0.0], [3.0, 3.0, 0.0], [-3.0, 3.0, 0.0]])
    desk = Collider("desk", SQUARE, np.zeros(1), corners[None], friction=0.4) if mesh else Floor(0.0, friction=0.4)
    hand, found = Handle("hand", rod.x[-1], vertex=pieces), None
    for step in range(4):
        led = replace(hand, position=rod.x[-1] + [0.01 * step, 0.0, 0.0])
        found = settle_cable(rod, [led], gravity=GRAVITY, colliders=[desk], start=found, rubs=True)
    half = 0.5 / pieces  # of the weight, that the hand bears itself
    weight = 9.81 * rod.mass.sum()
    assert found.handle_force[0, 0] == pytest.approx(0.4 * weight * (1.0 - half), rel=1e-3)
    again = settle_cable(rod, [led], gravity=GRAVITY, colliders=[desk], start=found, rubs=True)
    np.testing.assert_allclose(again.points, found.points, atol=1e-2 * 5e-3)


@pytest.mark.parametrize(("friction", "most"), [(0.0, 6), (0.5, 9)])
def test_effort(friction, most):
    """Factorisations for a move of the hand, by which what lies on a floor slides by more than a radius: from where it
    rested all forces are found at once, friction of what presses among them. 8 and 90 from rest to rest. At rest it is
    μ of what presses, to 3e-4 of the weight.
    """
    rod = replace(straight_rod(120, bend=5e-2, twist=5e-2, radius=6e-3), friction=friction)
    wall, hand = (Handle.drawn(rod, name, vertex=v, oriented=True) for name, v in (("wall", 0), ("hand", -1)))
    floor, found, effort = Floor(-0.06, friction=friction), None, []
    for step in range(8):
        led = replace(hand, position=np.array([0.93 + 0.003 * step, 0.1 + 0.004 * step, 0.01]))
        found = settle_cable(rod, [wall, led], gravity=GRAVITY, colliders=[floor], start=found, rubs=True)
        effort.append(found.effort.factors)
        own, y = found.state.system.contacts, found.state.y
        limit = friction * np.linalg.norm(own.at_points(y, own.pushes(y)), axis=1)
        np.testing.assert_allclose(own.friction.limit[own.friction.which], limit[own.friction.which], atol=3e-4)
    assert max(effort[2:]) <= most
    for _ in range(3):  # where nothing moves
        found = settle_cable(rod, [wall, led], gravity=GRAVITY, colliders=[floor], start=found, rubs=True)
        assert found.effort.factors <= 20


def around_a_cable(friction, other, pulls):
    """A supple, weightless cable half around another one that is held straight: held by 1 N at one end, and at the
    other led by a way or, where that is negative, pulled by so much, step by step. Yields what is found.
    """
    n, wide, r, hang = 100, 0.02, 0.004, 0.06
    half = 0.5 * np.pi * (wide + r)
    s = np.linspace(-half - hang, half + hang, n + 1)
    a = np.clip(s / (wide + r), -0.5 * np.pi, 0.5 * np.pi)
    x = 1.0001 * (wide + r) * np.stack([np.sin(a), 0.0 * a, np.cos(a)], axis=1)
    x[:, 2] -= np.abs(s - a * (wide + r))
    rod = Rod.from_material("cable", x, r, Material(1e4, 0.4, 1100.0), shape_memory=0.0)
    post = Rod.from_material("post", np.linspace([0, -0.151, 0], [0, 0.149, 0], 41), wide, Material(1e9, 0.4, 1100.0))
    rod, post = replace(rod, friction=friction), replace(post, friction=other)
    held = [Handle.drawn(post, f"{v}", vertex=v, oriented=True) for v in range(0, 41, 10)]
    weight, found = Handle("weight", x[0] - [0.0, 0.0, 0.4], vertex=0, strength=1.0), None
    for pull in pulls:
        hand = Handle("hand", x[-1] - [0.0, 0.0, max(pull, 0.0)], vertex=n)
        if pull < 0.0:
            hand = replace(hand, position=x[-1] - [0.0, 0.0, 0.01], strength=-pull)
        cables = [(rod, [weight, hand]), (post, held)]
        found = settle_harness(cables, gravity=np.zeros(3), collision_filter=(), start=found, rubs=True)
        yield found


@pytest.mark.parametrize(("friction", "other"), [(0.1, 0.1), (0.3, 0.3), (0.5, 0.5), (0.2, 0.8)])
def test_capstan_around_a_cable(friction, other, monkeypatch):
    """T₂/T₁ = exp(√(μ₁μ₂) π), and what one cable bears the other does; a move takes few factorisations."""
    for module in (units, harness):
        monkeypatch.setattr(module, "units_of", lambda *_: units.Units(0.2, 1.0))
    for step, found in enumerate(around_a_cable(friction, other, [0.0, 0.002, 0.004])):
        pulls = np.linalg.norm(found.cables[0].handle_force, axis=1)
        total = sum(cable.contact_force.sum(axis=0) for cable in found.cables)
        np.testing.assert_allclose(total, 0.0, atol=1e-12)
        if step:
            assert pulls[1] / pulls[0] == pytest.approx(np.exp(np.sqrt(friction * other) * np.pi), rel=0.01)
        if step > 1:
            assert found.effort.factors < 40


@pytest.mark.parametrize(("share", "slides"), [(0.5, False), (0.9, False), (1.2, True)])
def test_what_is_wound_around_a_cable_holds(share, slides, monkeypatch):
    """Up to the law of the capstan, beyond which it runs off."""
    for module in (units, harness):
        monkeypatch.setattr(module, "units_of", lambda *_: units.Units(0.2, 1.0))
    pulled = [0.0, -share * np.exp(0.3 * np.pi)]
    first, *_, last = (found.cables[0].points[-1] for found in around_a_cable(0.3, 0.3, pulled))
    way = np.linalg.norm(last - first)
    assert way > 0.009 if slides else way < 0.05 * 0.004


@pytest.mark.parametrize("along", [0, 1])
def test_crossed_cables(along):
    """Two that are pressed on each other slide, along either of them, where one is pulled by μN, and hold before."""
    r, mu = 5e-3, 0.3
    one = replace(straight_rod(80, bend=1e-2, twist=1e-2, radius=r, line_density=1e-9), friction=mu)
    turn = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    other = replace(one, name="other", x=(one.x - 0.5 * one.x[-1]) @ turn + [0.5, 0.0, 2.2 * r], m1=one.m1 @ turn)
    found, pulls = None, []
    for way in (0.0, 0.0, 5e-4, 3e-3, 4e-3, 5e-3):
        cables = []
        for rod, shift, tension, go in ((one, 0.0, 5.0, 0.0), (other, -0.011, 8.0, way)):
            (a, b), by = rod.x[[0, -1]], np.array([0.0, 0.0, shift]) + go * np.eye(3)[along]
            ends = [Handle("a", a + by, vertex=0), Handle("b", b + by + 0.5 * (b - a), vertex=80, strength=tension)]
            cables.append((rod, ends))
        found = settle_harness(cables, gravity=np.zeros(3), collision_filter=(), start=found, rubs=True)
        pulls.append(found.cables[1].handle_force.sum(axis=0))
    pulls = np.array(pulls)
    assert abs(pulls[2, along]) < 0.8 * mu * abs(pulls[2, 2])
    np.testing.assert_allclose(pulls[3:, along], mu * np.abs(pulls[3:, 2]), rtol=0.02)


@pytest.mark.parametrize(("friction", "stays"), [(0.5, True), (0.0, False)])
def test_a_cable_lies_across_another(friction, stays):
    """On a slope of .1, held lower and lower by one end, the other in the air: it stays, or slides off sideways."""
    r, slope = 5e-3, 0.1
    t, up = np.array([1.0, 0.0, -slope]) / np.hypot(1.0, slope), np.array([slope, 0.0, 1.0]) / np.hypot(1.0, slope)
    below = straight_rod(60, bend=1e-2, twist=1e-2, radius=r)
    below = replace(below, friction=friction, x=np.linspace(0.0, 1.0, 61)[:, None] * t, m1=up)
    x = 0.5 * t + 2.0 * r * up + np.linspace(-0.2, 0.2, 41)[:, None] * [0.0, 1.0, 0.0]
    laid = replace(Rod.from_material("laid", x, r, Material(1e7, 0.4, 1100.0)), friction=friction)
    tight, end = [Handle.drawn(below, f"{v}", vertex=v) for v in (0, -1)], Handle.drawn(laid, "end", vertex=0)
    found = None
    for low in (0.05, 0.06, 0.07) if stays else (0.05,):
        cables = [(below, tight), (laid, [replace(end, position=end.position - [0.0, 0.0, low])])]
        found = settle_harness(cables, gravity=GRAVITY, collision_filter=(), start=found, rubs=True)
        way = found.cables[1].points[20] - x[20]
        assert (np.hypot(way[0], way[2]) < r) == stays


def test_derivatives_between_cables():
    """Of a pair that presses and slides, against central differences."""
    rng, r = np.random.default_rng(2), 0.01
    strands, y = [], np.empty(0)
    for shift, way in ((0.0, [1.0, 0.2, 0.0]), (0.019, [0.1, 1.0, 0.1])):
        x = np.linspace(-0.1, 0.1, 3)[:, None] * way + [0.01, 0.013, shift]
        strands.append(Strand(np.full(3, r), np.linspace(0.0, 0.2, 3), x, friction=0.4))
        y = np.concatenate([y, x.ravel()])
    pairs = Pairs(strands, 3 * np.arange(6), np.zeros((0, 0), bool), True)
    pairs.begin(y, True)
    pairs.renew(y)
    pairs.look(y)
    y = y + 1e-3 * rng.normal(size=len(y))
    pairs.listed = y[pairs.at]
    assert np.count_nonzero(pairs.rows["limit"])
    for far in (1e-3, 1.0):  # holds, and slides
        pairs.began = y[pairs.at] - far * 1e-3 * rng.normal(size=(6, 3))

        def slope(y):
            gradient = np.zeros(len(y))
            rows, sign = pairs.derivatives(y, gradient)
            return gradient, (rows * sign[:, None]).T @ rows

        found, hessian = slope(y)
        for i in range(len(y)):
            one = np.zeros(len(y))
            one[i] = 1e-8
            assert found[i] == pytest.approx((pairs.energy(y + one) - pairs.energy(y - one)) / 2e-8, rel=1e-5, abs=1e-5)
            expected = (slope(y + one)[0] - slope(y - one)[0]) / 2e-8
            np.testing.assert_allclose(hessian[i], expected, atol=1e-5 * np.abs(hessian).max())


def test_a_harness_runs_over_an_edge_and_rubs(monkeypatch):
    """As its cable does by itself: see test_sharp_edge. A weight that hangs from it pulls as a hand."""
    for module in (units, harness):
        monkeypatch.setattr(module, "units_of", lambda *_: units.Units(0.5, 1.0))
    whole = [None]

    def together(rod, handles, **options):
        whole[0] = settle_harness([(rod, handles)], **(options | {"start": whole[0]}))
        return whole[0].cables[0]

    ways = 0.004 * np.arange(1, 5)
    alone = over_an_edge(60, 0.3, ways)
    monkeypatch.setattr(sys.modules[__name__], "settle_cable", together)
    for one, other in zip(over_an_edge(60, 0.3, ways), alone, strict=True):
        np.testing.assert_allclose(one.handle_force, other.handle_force, rtol=1e-5, atol=1e-6)
        assert np.ptp(one.state.system.segments["length"]) > 0.0


def test_length_that_is_found_is_no_way_that_it_slid():
    """A cable on a floor that becomes longer as its end is led aside rests where it does when it is settled again."""
    rod = straight_rod(60, bend=5e-3, twist=5e-3, radius=6e-3, line_density=0.2)
    rod = replace(rod, x=rod.x + [0.0, 0.0, 0.02], friction=0.5, tautness=0.3)
    wall, hand = (Handle.drawn(rod, name, vertex=v, oriented=True) for name, v in (("wall", 0), ("hand", -1)))
    floor, found = [Floor(0.01, friction=0.5)], None
    for y in (0.0, 0.01, 0.02, 0.03, 0.03):
        before, led = found, replace(hand, position=hand.position + [0.0, y, 0.0])
        found = settle_cable(rod, [wall, led], gravity=GRAVITY, colliders=floor, start=before, rubs=True)
    np.testing.assert_allclose(found.points, before.points, atol=1e-3 * 6e-3)


def test_what_is_drawn_on_a_desk_stays_there_and_goes_with_it():
    """A wave that a cable would straighten out of, which takes a third of its friction."""
    n, r = 80, 4e-3
    s = np.linspace(0.0, 1.0, n + 1)
    x = np.stack([s, 0.05 * np.sin(6.0 * np.pi * s), np.full(n + 1, r)], axis=1)
    rod = Rod.from_material("cable", x, r, Material(1e5, 0.4, 1100.0), shape_memory=0.0)
    corners = np.array([[-1.0, -1.0, 0.0], [2.0, -1.0, 0.0], [2.0, 1.0, 0.0], [-1.0, 1.0, 0.0]])
    times, way = np.array([0.0, 1.0]), np.array([0.02, 0.01, 0.0])
    hand = Handle("hand", x[0], vertex=0)

    def on(friction, time, at, start=None):
        desk = Collider("desk", SQUARE, times, np.stack([corners, corners + way]), friction=friction)
        own = replace(rod, friction=friction)
        led = replace(hand, position=x[0] + at)
        return settle_cable(own, [led], gravity=GRAVITY, colliders=[desk], time=time, start=start, rubs=True)

    rough = on(0.6, 0.0, 0.0)
    assert np.abs(rough.points - x).max() < 0.02 * r
    smooth = on(0.0, 0.0, 0.0)
    assert np.abs(smooth.points - x).max() > 3.0 * r
    carried = on(0.6, 1.0, way, rough)
    np.testing.assert_allclose(carried.points, rough.points + way, atol=0.05 * r)


def drawn_along():
    """A cable on a floor, by a pin at its end."""
    n, frames = 30, 9
    x = np.stack([np.linspace(0.0, 0.6, n + 1), np.zeros(n + 1), np.full(n + 1, 4e-3)], axis=1)
    rod = Rod.from_material("cable", x, 4e-3, Material(1e6, 0.4, 1100.0), model="cable", shape_memory=0.0, friction=0.5)
    times = np.arange(frames) / 24.0
    way = x[-1] + np.stack([0.0 * times, 0.05 * np.sin(20.0 * times), 0.0 * times], axis=1)
    return Scene((rod,), 1.0 / 24.0, frames, (Pin("hand", 0, n, "POSITION", times, way),), floor=Floor(0.0, 0.5))


def baked(scene, state=None):
    """Its frames."""
    return [event for event in events(scene, state) if isinstance(event, Frame)]


def test_a_bake_that_goes_on_from_a_checkpoint_rubs_as_before():
    """To the byte."""
    given = drawn_along()
    whole = baked(given)
    again = baked(given, whole[4].state)
    for one, other in zip(whole[5:], again, strict=True):
        assert one.x.tobytes() == other.x.tobytes()
    smooth = baked(replace(given, floor=Floor(0.0, 0.0)))
    assert abs(whole[-1].x[0, 1]) < 0.05 * abs(smooth[-1].x[0, 1])


def test_led_by_hand_it_rubs_as_in_a_bake():
    """And lies where it did when it is settled again."""
    given = drawn_along()
    led = LedCables(replace(given, frame_count=1))
    nothing = np.zeros((0, 13)), np.zeros((0, 8)), np.zeros((0, 4))
    for frame, place in zip(baked(given), given.pins[0].position, strict=True):
        pin = np.array([[*place, 1.0, 0.0, 0.0, 0.0]])
        found = led.settle(pin, *nothing)
        np.testing.assert_allclose(found.x, frame.x, atol=1e-9)
    drawn = replace(given, rods=(replace(given.rods[0], x=found.x),), frame_count=1)
    again = LedCables(drawn).settle(pin, *nothing)
    np.testing.assert_allclose(again.x, found.x, atol=0.05 * 4e-3)


def test_what_lies_still_stays_where_it_is():
    """In a scene far from the origin, where nothing moves, frame by frame."""
    n, r = 40, 4e-3
    s = np.linspace(0.0, 0.6, n + 1)
    x = np.stack([3.0 + s, 2.0 + 0.03 * np.sin(5.0 * np.pi * s), np.full(n + 1, r)], axis=1)
    rod = Rod.from_material("cable", x, r, Material(1e5, 0.4, 1100.0), model="cable", shape_memory=0.0, friction=0.6)
    given = Scene((rod,), 1.0 / 24.0, 6, (Pin.fixed(rod, 0, "POSITION"),), floor=Floor(0.0, 0.6))
    for frame in (event for event in events(given) if isinstance(event, Frame)):
        np.testing.assert_allclose(frame.x, x, atol=0.03 * r)


def test_cables_of_a_scene_rub_on_each_other():
    """One that is led along another stays there, until it is pulled by μ of what they press with; to the byte from a
    checkpoint.
    """
    n, frames, mu = 30, 9, 0.4
    x = np.stack([np.linspace(0.0, 1.0, n + 1), np.zeros(n + 1), np.zeros(n + 1)], axis=1)
    hose = Rod.from_material("low", x, 6e-3, Material(1e6, 0.4, 1100.0), model="cable", shape_memory=0.0)
    above = x[:, [1, 0, 2]] + [0.4, -0.5, 0.02]
    rods = tuple(replace(hose, name=name, x=at, m1=m) for name, at, m in (("low", x, hose.m1), ("up", above, hose.m1)))
    times, pins = np.arange(frames) / 24.0, []
    low = np.minimum(np.arange(frames), 3)[:, None] * [0.0, 0.0, -0.05]
    aside = np.maximum(np.arange(frames) - 3, 0)[:, None] * [0.01, 0.0, 0.0]
    for k, end, way in ((0, 0, [0, 0, 0]), (0, n, [-0.02, 0, 0]), (1, 0, [0, 0.005, 0]), (1, n, [0, -0.005, 0])):
        path = rods[k].x[end] + way * np.minimum(np.arange(frames), 1)[:, None] + k * (low + aside)
        pins.append(Pin(f"{k} {end}", k, end, "POSITION", times, path))

    def rubs(friction):
        own = tuple(replace(rod, friction=friction) for rod in rods)
        return Scene(own, 1.0 / 24.0, frames, tuple(pins))

    whole = baked(rubs(mu))
    for one, other in zip(whole[6:], baked(rubs(mu), whole[5].state), strict=True):
        assert one.x.tobytes() == other.x.tobytes()
    for frame in whole[2:]:
        press, *along = frame.state["pairs.force"].T
        assert len(press)
        assert (np.linalg.norm(along, axis=0) <= (1.0 + 1e-5) * mu * press).all()
    assert np.linalg.norm(along, axis=0).sum() == pytest.approx(mu * press.sum(), rel=1e-3)  # at last it slides
    smooth, middle = baked(rubs(0.0)), n + 1 + n // 2
    ways = [abs(one[6].x[middle, 0] - one[3].x[middle, 0]) for one in (whole, smooth)]
    assert ways[0] < 0.01 * 6e-3
    assert ways[1] > 6e-3
