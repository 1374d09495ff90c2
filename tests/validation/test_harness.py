"""Cables and the rigid parts that go with them, at rest together, against single cables and statics."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq
from statics import straight_rod
from tendril.physics import Floor, Handle, Material, Part, Rod, SceneError, settle_cable, settle_harness
from tendril.physics.arithmetic.quaternions import conjugate, exponential, product, turned
from tendril.physics.cables import equilibrium
from tendril.physics.cables.band import BandFactors
from tendril.physics.cables.frames import frames_along
from tendril.physics.cables.harness_system import HarnessSystem
from tendril.physics.cables.parts import PART, carried_form
from tendril.physics.cables.prediction import predict
from tendril.physics.cables.system import STIFFNESS, Mount
from tendril.physics.cables.units import Units, cable_system
from tendril.physics.linear import border

GRAVITY = np.array([0.0, 0.0, -8.0])
WEIGHTLESS = np.zeros(3)


def end(rod, name, vertex, oriented=True, **options):
    """A handle as the rod is drawn."""
    return replace(Handle.drawn(rod, name, vertex=vertex, oriented=oriented), **options)


def moved(rod, by):
    """The rod beside itself."""
    return replace(rod, x=rod.x + by)


def anyhow(strength):
    """(Cables with parts, free or led, at quaternions of any norm; unknowns). Arc lengths slide beside half joints that
    a part has.
    """
    rng = np.random.default_rng(5)
    one, two = straight_rod(4, bend=(1.0, 0.6)), straight_rod(5, bend=(2.0, 0.4), twist=0.3)
    middle = replace(Handle.drawn(two, "middle", edge=3, oriented=True), part="box")
    ring = Handle.drawn(two, "ring", vertex=2, slides=True)
    clip, pin = Handle.drawn(one, "clip", vertex=2, slides=True), Handle.drawn(one, "pin", vertex=1)
    handles = [end(one, "wall", 0), end(one, "plug", -1, part="box"), pin, clip], [ring, middle]
    units = Units(1.3, 50.0)
    systems = [cable_system(r, h, GRAVITY, None, units)[0] for r, h in zip((one, two), handles, strict=True)]
    turn = exponential(rng.normal(size=3))
    mounts = [Mount(k, 1, k, rng.normal(size=3), product(turn, handles[k][1].orientation)) for k in (0, 1)]
    mounts.append(Mount(0, 2, 1, rng.normal(size=3), None))
    parts = np.zeros(2, PART)
    parts["norm"], parts["swelling"] = STIFFNESS, 0.4
    parts["weight"], place = rng.normal(size=(2, 2, 3))
    parts["form"] = [carried_form(*own) for own in zip(parts["weight"], place, strict=True)]
    if strength is not None:
        parts["stiffness"] = parts["turn_stiffness"] = STIFFNESS
        parts["strength"] = parts["turn_strength"] = strength
        parts["position"], parts["turn"] = rng.normal(size=(2, 3)), rng.normal(size=(2, 4))
        parts["force"], parts["torque"] = rng.normal(size=(2, 3)), rng.normal(size=(2, 4))
    whole = HarnessSystem(systems, mounts, parts)
    y = np.concatenate([0.3 * rng.normal(size=whole.banded), [0.58, 0.37], rng.normal(size=14)])
    for k, system in enumerate(systems):
        own = y[whole.bands[k]][:-3].reshape(-1, 7)
        own[:, 3:] += np.array([1.0, 0.3, -0.2, 0.1])
        own[:, :3] += np.arange(len(own))[:, None]
        system.segments["tension"] = rng.normal(size=len(own))
        system.segments["shear"] = rng.normal(size=(len(own), 3))
        system.handles["force"] = rng.normal(size=(len(handles[k]), 3))
        system.handles["torque"][1] = rng.normal(size=4) * (system.handles["turn_stiffness"][1] > 0.0)
    return whole, y


@pytest.mark.parametrize("strength", [None, np.inf, 0.2])
def test_derivatives(strength):
    """The gradient and Hessian, band and border."""
    whole, y = anyhow(strength)

    def gradient(y):
        g, band = np.zeros(whole.count), np.zeros((whole.banded, 11))
        edge, _ = whole.derivatives(y, g, band)
        return g, band, edge

    def difference(function, step):
        shifts = step * np.eye(whole.count)
        return np.stack([(function(y + e) - function(y - e)) / (2.0 * step) for e in shifts], axis=-1)

    g, band, edge = gradient(y)
    scale = abs(g).max()
    np.testing.assert_allclose(g, difference(whole.energy, 1e-6), atol=1e-6 * scale)
    dense = np.zeros((whole.count, whole.count))
    for row in range(whole.banded):
        columns = slice(row, min(row + 11, whole.banded))
        dense[row, columns] = band[row, : columns.stop - row]
    dense = np.triu(dense) + np.triu(dense, 1).T
    for (rows, b), columns in zip(edge.blocks, whole.bands, strict=True):
        dense[whole.banded + rows, columns] = b
    np.add.at(dense, tuple(whole.banded + edge.at), edge.values)
    dense[: whole.banded, whole.banded :] = dense[whole.banded :, : whole.banded].T
    expected = difference(lambda y: gradient(y)[0], 1e-6)
    np.testing.assert_allclose(dense, expected, atol=1e-6 * abs(dense).max())


@pytest.mark.parametrize("strength", [None, np.inf])
def test_what_springs_hold_after_a_step(strength):
    """What they hold, and what that changes by, as differences have it; along a segment coherence holds twice what the
    norm does, which together pull at its quaternion as they would each by itself.
    """
    whole, y = anyhow(strength)
    p, kept = np.random.default_rng(6).normal(size=len(y)), whole.integral_forces()

    def held(take):
        whole.put_back(kept)
        take()
        parts, (segments, handles) = whole.parts, zip(*((s.segments, s.handles) for s in whole.systems), strict=True)
        return [
            *(np.concatenate([s[name].ravel() for s in segments]) for name in ("tension", "shear", "swelling")),
            *(np.concatenate([s[name].ravel() for s in (*handles, parts)]) for name in ("force", "torque")),
            parts["swelling"].copy(),
        ]

    step = 1e-6
    here = held(lambda: whole.update_multipliers(y, 1.0))
    sides = [held(lambda side=side: whole.update_multipliers(y + side * step * p, 1.0)) for side in (1.0, -1.0)]
    expected = [a + (b - c) / (2.0 * step) for a, b, c in zip(here, *sides, strict=True)]
    found = held(lambda: whole.take_up(y, p))
    points = [
        system.points(own) for system in whole.systems for own in [whole.of_cable(y + p, whole.systems.index(system))]
    ]
    u = np.concatenate([np.diff(x, axis=0) for x in points])
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    (across, along), (own, twice) = (
        (s.reshape(-1, 3), np.sum(s.reshape(-1, 3) * u, axis=1)) for s in (expected[1], found[1])
    )
    np.testing.assert_allclose(own - twice[:, None] * u, across - along[:, None] * u, atol=1e-4)
    np.testing.assert_allclose(twice, 2.0 * found[2], atol=1e-9)
    np.testing.assert_allclose(2.0 * twice + found[2], 2.0 * along + expected[2], atol=1e-4)
    for k in (0, 3, 4, 5):
        np.testing.assert_allclose(found[k], expected[k], atol=1e-4)


def chain(count):
    """(cables, parts): so many cables of eight edges that parts join, the first one's end drawn nearer."""
    rods = [moved(straight_rod(8), [float(k), 0.0, 0.0]) for k in range(count)]
    parts = [Part(f"{k}", rods[k].x[0], mass=0.01) for k in range(1, count)]
    cables = [
        (rod, [end(rod, "in", 0, part=f"{k}" if k else None), end(rod, "out", -1, part=f"{k + 1}" if rest else None)])
        for k, (rod, rest) in enumerate(zip(rods, range(count - 1, -1, -1), strict=True))
    ]
    cables[0][1][0] = replace(cables[0][1][0], position=np.array([0.1, 0.0, 0.05]))
    return cables, parts


@pytest.mark.parametrize("count", [3, 9])
def test_effort_is_linear_in_parts(count, monkeypatch):
    """A chain of cables that parts join: for each factorisation each cable solves for the seven unknowns of the two
    parts at its ends, and no others, and once for each step; what is left of parts is a block for each, and one for
    each two that a cable joins, in either triangular factor.
    """
    solve, solved, init, left = BandFactors.solve, [], border.Sparse.__init__, []

    def counted(factors, b):
        solved.append(len(b))
        solve(factors, b)

    def counted_too(factors, *s):
        init(factors, *s)
        left.append(factors.found.nnz)

    monkeypatch.setattr(BandFactors, "solve", counted)
    monkeypatch.setattr(border.Sparse, "__init__", counted_too)
    monkeypatch.setattr(border, "FEW", 0)
    cables, parts = chain(count)
    effort = settle_harness(cables, parts, gravity=0.1 * GRAVITY).effort
    assert sum(solved) <= 14 * (count - 1) * effort.factors + count * (effort.steps + effort.saddles)
    assert max(left) <= 2 * (28 * (count - 1) + 49 * (count - 2))


@pytest.mark.parametrize("askew", [False, True])
def test_two_cables_in_one(askew):
    """Halves of a cantilever that a part joins hang as the whole does, wherever the part has its origin."""
    whole = straight_rod(40)
    a = straight_rod(20, length=0.5)
    b = moved(a, [0.5, 0.0, 0.0])
    turn = exponential(np.array([0.4, -0.7, 0.2])) if askew else np.array([1.0, 0.0, 0.0, 0.0])
    sleeve = Part("sleeve", np.array([0.6, 0.2, -0.1]) if askew else b.x[0], turn)
    found = settle_harness(
        [(a, [end(a, "wall", 0), end(a, "in", -1, part="sleeve")]), (b, [end(b, "out", 0, part="sleeve")])],
        [sleeve],
        gravity=GRAVITY,
    )
    expected = settle_cable(whole, [end(whole, "wall", 0)], gravity=GRAVITY)
    points = np.concatenate([cable.points for cable in found.cables])
    np.testing.assert_allclose(np.delete(points, 20, axis=0), expected.points, atol=1e-8)
    back = turned(conjugate(found.orientation[0]), found.cables[0].points[-1] - found.position[0])
    np.testing.assert_allclose(back, turned(conjugate(turn), b.x[0] - sleeve.position), atol=1e-8)


def test_connector_hangs_from_a_free_end():
    """A heavy connector at a cantilever's end: its force and moment balance its weight there, and one of
    no size is a load at the tip.
    """
    rod, mass, centre = straight_rod(40), 0.3, np.array([0.02, 0.05, -0.01])
    handles = [end(rod, "wall", 0), end(rod, "pins", -1, part="plug")]
    plug = Part("plug", rod.x[-1], mass=mass, centre=centre)
    found = settle_harness([(rod, handles)], [plug], gravity=GRAVITY)
    cable = found.cables[0]
    np.testing.assert_allclose(cable.handle_force[1], mass * GRAVITY, atol=1e-7)
    arm = found.position[0] + turned(found.orientation[0], centre) - cable.points[-1]
    np.testing.assert_allclose(cable.handle_torque[1], np.cross(arm, mass * GRAVITY), atol=1e-7)
    load = np.zeros((41, 3))
    load[-1] = mass * GRAVITY
    expected = settle_cable(rod, handles[:1], gravity=GRAVITY, loads=load).points
    bare = settle_harness([(rod, handles)], [replace(plug, centre=np.zeros(3))], gravity=GRAVITY)
    np.testing.assert_allclose(bare.cables[0].points, expected, atol=1e-8)


def test_ramification():
    """Three cables from walls to a box that hangs on them: forces and moments balance, it keeps how they lie to each
    other; led on by a moved wall it goes along; held and turned it takes the cables with it.
    """
    rods, walls, plugs = [], [], []
    for k in range(3):
        rod = straight_rod(30, bend=0.05 * (k + 1), twist=0.04)
        turn = exponential(np.array([0.0, 0.0, 2.0 * np.pi * k / 3.0]))
        rods.append(replace(rod, x=turned(turn, rod.x[::-1].copy()), m1=np.array([0.0, 0.0, 1.0])))
        walls.append(replace(end(rods[k], f"wall {k}", 0), position=0.8 * rods[k].x[0]))
        plugs.append(end(rods[k], f"plug {k}", -1, part="box"))
    box = Part("box", np.zeros(3), mass=0.2, centre=np.array([0.0, 0.03, -0.05]))

    def settled(box, start=None):
        return settle_harness(
            [(r, [w, p]) for r, w, p in zip(rods, walls, plugs, strict=True)], [box], gravity=GRAVITY, start=start
        )

    def balanced(found):
        force, torque, arms = 0.2 * GRAVITY, 0.0, []
        for cable in found.cables:
            force = force - cable.handle_force[1]
            arms.append(cable.points[-1] - found.position[0])
            torque = torque - cable.handle_torque[1] - np.cross(arms[-1], cable.handle_force[1])
        weigh = np.cross(turned(found.orientation[0], box.centre), 0.2 * GRAVITY)
        np.testing.assert_allclose(force, 0.0, atol=1e-6)
        np.testing.assert_allclose(torque + weigh, 0.0, atol=1e-6)
        np.testing.assert_allclose(arms, 0.0, atol=1e-8)

    first = settled(box)
    balanced(first)
    assert first.position[0, 2] < -0.1
    walls[0] = replace(walls[0], position=walls[0].position + [0.1, 0.05, 0.1])
    second = settled(box, first)
    balanced(second)
    assert np.linalg.norm(second.position - first.position) > 0.03
    turn = product(exponential(np.array([0.3, 0.0, 0.5])), second.orientation[0])
    third = settled(replace(box, position=second.position[0] + [0.0, 0.0, 0.04], orientation=turn, held=True), second)
    np.testing.assert_allclose(third.position[0], second.position[0] + [0.0, 0.0, 0.04])
    for cable in third.cables:
        np.testing.assert_allclose(cable.points[-1], third.position[0], atol=1e-8)
    fourth = settled(box, third)  # let go of
    balanced(fourth)
    np.testing.assert_allclose(fourth.position, second.position, atol=1e-5)


def test_three_equal_cables_meet_at_equal_angles():
    """Weightless and equally slack, from walls all around, also after one of these was led away and back: 120°."""
    half = brentq(lambda a: np.sin(a) / a - 0.9, 1e-3, 3.0)
    t, cables = np.linspace(-half, half, 25), []
    arc = np.stack([0.45 + 0.5 * np.sin(t) / half, 0.0 * t, 0.5 * (np.cos(t) - np.cos(half)) / half], axis=1)
    for k in range(3):
        turn = exponential(np.array([0.0, 0.0, 2.0 * np.pi * k / 3.0]))
        rod = replace(straight_rod(24, bend=0.05, twist=0.04), x=turned(turn, arc), shape_memory=0.0)
        rod = replace(rod, m1=turned(turn, np.array([0.0, 1.0, 0.0])))
        cables.append((rod, [end(rod, "in", 0, part="hub"), end(rod, "wall", -1)]))
    hub, found = Part("hub", np.zeros(3)), None
    for way in ([0.0, 0.0, 0.0], [0.03, 0.02, 0.05], [0.0, 0.0, 0.0]):
        (rod, (inner, wall)), *others = cables
        led = [(rod, [inner, replace(wall, position=wall.position + way)]), *others]
        found = settle_harness(led, [hub], gravity=WEIGHTLESS, start=found)
        ways = np.array([(cable.points[1] - cable.points[0])[:2] for cable in found.cables])
        angles = np.diff(np.unwrap(np.arctan2(*ways.T[::-1])))
        assert found.effort.arrived
        assert (np.abs(angles - 2.0 * np.pi / 3.0).max() < 1e-9) == (way[0] == 0.0)


def test_triangle_of_forces():
    """Three limp strings from one knot, over frictionless rings, with weights at their ends: angles at the knot are
    those of forces in balance, and each string's tension is its weight.
    """
    weights, cables, parts = np.array([0.3, 0.4, 0.45]), [], [Part("knot", np.zeros(3))]
    s = np.linspace(0.0, 1.0, 41)[:, None]
    for k, mass in enumerate(weights):
        out = turned(exponential(np.array([0.0, 0.0, 2.0 * np.pi * k / 3.0])), np.array([1.0, 0.0, 0.0]))
        x = np.minimum(s, 0.5) * out + np.maximum(s - 0.5, 0.0) * np.array([0.0, 0.0, -1.0])
        rod = replace(straight_rod(40, bend=1e-5, twist=1e-5, line_density=1e-7), x=x, m1=None, shape_memory=0.0)
        ring = Handle.drawn(rod, "ring", vertex=20, slides=True)
        ends = end(rod, "in", 0, False, part="knot"), end(rod, "out", -1, False, part=f"weight {k}")
        parts.append(Part(f"weight {k}", x[-1], mass=mass))
        cables.append((rod, [ends[0], ring, ends[1]]))
    found = settle_harness(cables, parts, gravity=GRAVITY)
    assert found.effort.arrived
    ways = np.array([cable.points[3] - cable.points[0] for cable in found.cables])
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        a, b, c = weights[[i, j, k]]
        expected = np.arccos((c * c - a * a - b * b) / (2.0 * a * b))
        assert np.degrees(np.arccos(ways[i] @ ways[j])) == pytest.approx(np.degrees(expected), abs=1e-2)
    for cable, mass in zip(found.cables, weights, strict=True):
        np.testing.assert_allclose(cable.tension, 8.0 * mass, rtol=1e-4)


@pytest.mark.parametrize("tautness", [(0.05, 0.05, 0.05), (0.05, 0.06, 0.07)])
def test_cables_that_find_their_own_length_meet_where_their_tensions_balance(tautness):
    """Weightless, each bears T = B/λ² all along, and all meet by the triangle of these forces: equal ones at 120°, in
    Fermat's point. Led on they go where they would go at once.
    """
    ends, hub = np.array([[0.6, 0.0, 0.0], [-0.3, 0.5, 0.0], [-0.4, -0.35, 0.2]]), Part("hub", np.zeros(3))

    def settled(by, start=None):
        cables = []
        for far, own in zip(ends, tautness, strict=True):
            rod = replace(straight_rod(12, bend=0.05, twist=0.04), x=np.linspace(0.0, 1.0, 13)[:, None] * far, m1=None)
            rod = replace(rod, tautness=own, shape_memory=0.0)
            place = far + by * (far[0] > 0.0)
            inner, outer = end(rod, "in", 0, False, part="hub"), end(rod, "wall", -1, False, position=place)
            cables.append((rod, [inner, outer]))
        found = settle_harness(cables, [hub], gravity=WEIGHTLESS, start=start)
        assert found.effort.arrived
        return found

    found = settled(np.array([0.1, 0.2, -0.1]), settled(np.zeros(3)))
    again = settled(np.array([0.1, 0.2, -0.1]))
    np.testing.assert_allclose(found.position, again.position, atol=1e-8)
    pull = 0.05 / np.square(tautness)
    for cable, tension in zip(found.cables, pull, strict=True):
        np.testing.assert_allclose(cable.tension, tension, rtol=1e-8)
    ways = np.array([cable.points[-1] - cable.points[0] for cable in found.cables])
    np.testing.assert_allclose(pull @ (ways / np.linalg.norm(ways, axis=1)[:, None]), 0.0, atol=1e-7 * pull.max())
    for cable, way in zip(found.cables, ways, strict=True):  # straight, as long as the way
        assert np.linalg.norm(np.diff(cable.points, axis=0), axis=1).sum() == pytest.approx(np.linalg.norm(way))


def test_halves_that_stretch_hang_as_the_whole_does():
    """Where a weightless part joins them."""
    hold = {"bend": 1e-4, "twist": 1e-4, "line_density": 0.1, "shape_memory": 0.0, "stretchable": True}
    whole = replace(straight_rod(40, **hold), stretch_stiffness=np.full(40, 5.0))
    a, sleeve = (
        replace(straight_rod(20, length=0.5, **hold), stretch_stiffness=np.full(20, 5.0)),
        Part("sleeve", whole.x[20]),
    )
    b, far = moved(a, [0.5, 0.0, 0.0]), np.array([1.2, 0.0, 0.1])
    ends = end(a, "left", 0, False), end(b, "right", -1, False, position=far)
    joined = end(a, "in", -1, part="sleeve"), end(b, "out", 0, part="sleeve")
    found = settle_harness([(a, [ends[0], joined[0]]), (b, [joined[1], ends[1]])], [sleeve], gravity=GRAVITY)
    expected = settle_cable(whole, [ends[0], end(whole, "right", -1, False, position=far)], gravity=GRAVITY)
    for cable, at in zip(found.cables, (slice(0, 21), slice(20, 41)), strict=True):
        np.testing.assert_allclose(cable.points, expected.points[at], atol=1e-8)


def test_what_finds_its_own_length_is_held_by_more_than_parts():
    """For else no place is that from which what is added comes; and what would run away is told."""
    rod, plug = straight_rod(10, tautness=0.1), Part("plug", np.array([0.5, 0.0, 0.0]))
    ends = end(rod, "one", 0, part="plug"), end(rod, "other", -1, part="plug")
    other = straight_rod(10)
    with pytest.raises(SceneError, match="finds its own length, but hangs on parts alone"):
        settle_harness([(rod, ends), (other, [end(other, "wall", 0)])], [plug], gravity=GRAVITY)
    heavy, lamp = straight_rod(10, bend=1e-3, tautness=0.1), Part("lamp", np.array([1.0, 0.0, 0.0]), mass=1.0)
    handles = end(heavy, "wall", 0, False), end(heavy, "lamp", -1, False, part="lamp")
    with pytest.raises(SceneError, match="would become longer and longer"):
        settle_harness([(heavy, handles)], [lamp], gravity=GRAVITY)


def test_parts_far_from_where_they_were_drawn_go_at_once():
    """Over a floor far below, a harness led on takes what it takes without one."""
    cables, parts = chain(3)
    effort = []
    for floor in ([], [Floor(-2.0)]):
        found = settle_harness(cables, parts, gravity=GRAVITY, colliders=floor)
        (rod, (first, last)), *others = cables
        led = [(rod, [replace(first, position=first.position + [0.0, 0.0, 0.002]), last]), *others]
        effort.append(settle_harness(led, parts, gravity=GRAVITY, colliders=floor, start=found).effort.factors)
    assert max(effort) <= 8


def test_what_hangs_on_light_chains_may_be_heavy():
    """A ring of 16 kg on twelve slack chains of .3 kg/m, whose crown is carried and tilted: what chains resist is small
    beside the ring's weight, and large beside what keeps unknowns that are free.
    """
    angle = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
    out, chains = np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1), []
    for k, way in enumerate(out):
        x = np.linspace(0.42 * way, 0.14 * way + [0.0, 0.0, 0.75], 64)
        rod = Rod.from_material(f"chain {k}", x, 0.004, Material(2.07e11, 0.292, 5850.0))
        limp = {name: 1.5e-7 * getattr(rod, name) for name in ("bend_stiffness", "twist_stiffness")}
        rod = replace(rod, rest_length_factor=1.04, **limp)
        chains.append((rod, [end(rod, "ring", 0, False, part="ring"), end(rod, "crown", -1, False)]))
    ring = [Part("ring", np.zeros(3), mass=16.0)]
    found = settle_harness(chains, ring, gravity=GRAVITY)
    turn = exponential(np.array([0.0, 5e-3, 0.0]))
    led = [
        (rod, [low, replace(high, position=turned(turn, high.position) + [2e-3, 0.0, 0.0])])
        for rod, (low, high) in chains
    ]
    found = settle_harness(led, ring, gravity=GRAVITY, start=found)
    assert found.effort.arrived
    assert found.effort.factors < 120, found.effort


def test_parts_go_with_what_leads_them():
    """All pins led by the same way lead all parts by it, and nothing is left to do."""
    cables, parts = chain(3)
    found = settle_harness(cables, parts, gravity=GRAVITY)
    way = np.array([0.3, -0.2, 0.5])
    led = [(rod, [h if h.part else replace(h, position=h.position + way) for h in handles]) for rod, handles in cables]
    after = settle_harness(led, parts, gravity=GRAVITY, start=found)
    np.testing.assert_allclose(after.position, found.position + way, atol=1e-7)
    assert after.effort.factors <= 2


@pytest.mark.parametrize("chord", [0.9, 0.5, 0.2, 0.02])
def test_what_becomes_too_long_for_its_way_bows(chord):
    """A straight cable keeps its length, but for what chords of an arc of at most a whole turn are shorter."""
    rod = straight_rod(40)
    handles = Handle.drawn(rod, "a", vertex=0), Handle.drawn(rod, "b", vertex=-1)
    system, units = cable_system(rod, handles, GRAVITY, None)
    y = system.unknowns(rod.x / units.length, frames_along(rod.x, rod.m1, rod.twist)[1:-1])
    predict(system, handles, y, np.array([[0.0, 0.0, 0.0], [chord - 1.0, 0.0, 0.0]]), np.zeros((2, 3)))
    x = system.points(y)
    np.testing.assert_allclose(
        np.linalg.norm(np.diff(x, axis=0), axis=1), 1.0 / 40, rtol=(np.pi / 40) ** 2 / 6.0 + 1e-9
    )
    assert np.linalg.norm(x[-1] - x[0]) == pytest.approx(chord)
    assert x[20, 2] < -0.1 * (1.0 - chord)


def test_light_branches_swing_as_far_as_heavy_ones():
    """A branch like another but so much lighter and softer, beside which it makes no difference, comes to rest in as
    few steps.
    """
    steps = []
    for share in (1.0, 1e-2, 1e-4):
        heavy, light = straight_rod(20, bend=1e-2), straight_rod(20, bend=1e-2 * share)
        twist = share * light.twist_stiffness
        light = replace(light, x=light.x + heavy.x[-1], mass=share * light.mass, twist_stiffness=twist)
        cables = [
            (heavy, [end(heavy, "wall", 0), end(heavy, "a", -1, part="node")]),
            (light, [end(light, "b", 0, oriented=False, part="node")]),
        ]
        found = settle_harness(cables, [Part("node", heavy.x[-1])], gravity=GRAVITY)
        assert found.effort.arrived
        np.testing.assert_allclose(found.cables[1].points[-1] - found.cables[1].points[0], [0.0, 0.0, -1.0], atol=1e-3)
        steps.append(found.effort.steps)
    assert max(steps) <= 2 * steps[0]


def test_within_its_effort_the_best_shape_is_kept_and_told(monkeypatch):
    """Where no tolerance is small enough."""
    monkeypatch.setattr(equilibrium, "WORK", 2e4)
    monkeypatch.setattr(equilibrium, "FEWEST", 20)
    cables, parts = chain(3)
    found = settle_harness(cables, parts, gravity=GRAVITY, tolerance=1e-300)
    assert not found.effort.arrived
    assert all("not quite at rest" in cable.warning for cable in found.cables)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda h, p: ([h[0], replace(h[1], part="lamp")], [p]), "goes with 'lamp', which is no part"),
        (lambda h, p: ([h[1]], [p]), "held by nothing"),
        (lambda h, p: (h, [p, p]), "Two parts are called 'plug'"),
        (lambda h, p: (h, [replace(p, mass=-1.0)]), "mass of -1 kg"),
        (lambda h, p: (h, [replace(p, strength=0.0)]), "strength of 0 N"),
        (lambda h, p: (h, [replace(p, orientation=np.zeros(4))]), "has no place"),
        (lambda h, p: ([h[0], replace(h[1], strength=1.0)], [p]), "let it not slide"),
        (lambda h, p: (h, [replace(p, orientation=np.full(4, np.nan))]), "'plug' has no place"),
        (lambda h, p: (h, [replace(p, position=("a", 0.0, 0.0))]), "'plug' has no place"),
        (lambda h, p: (h, [replace(p, centre=np.zeros(2))]), "'plug' has its centre of mass at"),
        (lambda h, p: (h, [p, replace(p, name="lost")]), "'lost' goes with no handle"),
        (lambda h, p: (h, [replace(p, forces=((np.zeros(3), np.zeros(2)),))]), "'plug' is pushed by array"),
        (lambda h, p: (h, [replace(p, mass="heavy")]), "'plug' has a mass of 'heavy'"),
        (lambda h, p: (h, [replace(p, mass=np.nan)]), "'plug' has a mass of nan kg"),
        (lambda h, p: (h, [replace(p, strength="strong")]), "'plug' has a strength of 'strong'"),
    ],
)
def test_refused(change, words):
    rod = straight_rod(10)
    handles, parts = change([end(rod, "wall", 0), end(rod, "pins", -1, part="plug")], Part("plug", rod.x[-1]))
    with pytest.raises(SceneError, match=words):
        settle_harness([(rod, handles)], parts)
    with pytest.raises(SceneError, match="gravity has to be three finite numbers, not 'down'"):
        settle_harness([(rod, [end(rod, "wall", 0)])], gravity="down")


@pytest.mark.parametrize("oriented", [False, True])
def test_taut_cables_limit_the_part_that_is_dragged(oriented):
    """A box on two cables is led beyond their length by a hand of limited strength: it stays behind, turned as it is
    led, and all that strength and its weight are what the cables bear; led back it is there.
    """
    rods = [replace(straight_rod(40, bend=0.01, twist=0.01), name=name) for name in ("a", "b")]
    rods[1] = moved(rods[1], [0.0, 0.1, 0.0])
    cables = [
        (rod, [end(rod, f"wall {rod.name}", 0, oriented), end(rod, f"plug {rod.name}", -1, oriented, part="box")])
        for rod in rods
    ]
    middle, strength = np.array([1.0, 0.05, 0.0]), 300.0
    box = Part("box", middle, held=True, strength=strength, mass=0.5)
    near = [0.8, 0.05, 0.0] - middle
    cable_ends = [(rod, [wall, replace(plug, position=plug.position + near)]) for rod, (wall, plug) in cables]
    here = settle_harness(cable_ends, [replace(box, position=middle + near)], gravity=GRAVITY)
    np.testing.assert_allclose(here.position[0], middle + near, atol=1e-8)
    assert here.missing[0] == 0.0
    assert all(cable.missing_length == 0.0 for cable in here.cables)
    wish, turn = np.array([1.4, 0.05, 0.3]), exponential(np.array([0.2, 0.0, 0.0]))
    there = settle_harness(cable_ends, [replace(box, position=wish, orientation=turn)], gravity=GRAVITY, start=here)
    for rod, cable in zip(rods, there.cables, strict=True):
        assert np.linalg.norm(cable.points[-1] - rod.x[0]) < 1.0 + 1e-9
    assert np.linalg.norm(there.cables[0].points[-1] - rods[0].x[0]) > 0.99
    np.testing.assert_allclose(abs(there.orientation[0] @ turn), 1.0, atol=1e-9)
    off = wish - there.position[0]
    assert there.missing[0] == pytest.approx(np.linalg.norm(off))
    lacks = [cable.missing_length for cable in there.cables]
    assert lacks == pytest.approx([there.missing[0]] * 2) or sorted(lacks) == pytest.approx([0.0, there.missing[0]])
    assert "too short for 'plug" in there.cables[int(np.argmax(lacks))].warning
    borne = sum(cable.handle_force[1] for cable in there.cables)
    np.testing.assert_allclose(borne, strength * off / np.linalg.norm(off) + 0.5 * GRAVITY, atol=1e-5 * strength)
    back = settle_harness(cable_ends, [replace(box, position=middle + near)], gravity=GRAVITY, start=there)
    np.testing.assert_allclose(back.position[0], middle + near, atol=1e-8)
