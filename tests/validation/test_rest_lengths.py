"""Rods of another rest length than drawn begin where such a rod would hang, stand or lie, and at rest."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from meshes import sheet
from scipy.optimize import brentq
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.run.checkpoint import columns
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Collider, Floor, Pin, RigidBody, Rod, Scene, Weld
from tendril.physics.start import fit_lengths as fitting
from tendril.physics.start.fit_lengths import fit_lengths
from tendril.physics.validate import SimulationError

CABLE = Material(1e9, 0.45, 1500.0, bend_factor=0.02, internal_damping=0.01)
RUBBER = Material(1e7, 0.45, 1100.0)
WOOD = Material(1e9, 0.3, 700.0, internal_damping=0.01)


def cable(n, sag=0.1, **options):
    """A parabola between two points 2 m apart, in equal edges."""
    s = np.linspace(-1.0, 1.0, 2000)
    curve = np.stack([s, 0.0 * s, sag * (s * s - 1.0)], axis=1)
    arc = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(curve, axis=0), axis=1))])
    at = np.linspace(0.0, arc[-1], n)
    x = np.stack([np.interp(at, arc, curve[:, k]) for k in range(3)], axis=1)
    return Rod.from_material("Cable", x, 0.005, CABLE, **options)


def held(rod, *vertices, force=None, mode="POSITION", **options):
    pins = tuple(replace(Pin.fixed(rod, v, mode, f"Pin {v}", rod=0), max_force=force) for v in vertices)
    return Scene((rod,), 0.04, options.pop("frames", 1), pins=pins, **options)


def kinks(x):
    """Turning angles [rad] of a polyline."""
    edges = np.diff(x, axis=0)
    t = edges / np.linalg.norm(edges, axis=1)[:, None]
    return 2.0 * np.arcsin(np.clip(0.5 * np.linalg.norm(np.diff(t, axis=0), axis=1), 0.0, 1.0))


def frames(scene):
    return list(simulate(scene))


@pytest.mark.parametrize("force", [None, np.inf], ids=["yielding", "exact"])
@pytest.mark.parametrize("factor", [1.05, 1.2])
@pytest.mark.parametrize("n", [61, 120])
def test_a_longer_cable_hangs(n, factor, force):
    """No sharper than twice a catenary of its length, nearly as deep, and it does not spring: it hangs there."""
    rod = cable(n, rest_length_factor=factor)
    found = frames(held(rod, 0, n - 1, force=force, frames=6))
    length = factor * np.linalg.norm(rod.edges(), axis=1).sum()
    a = brentq(lambda a: 2.0 * a * np.sinh(1.0 / a) - length, 0.1, 10.0)
    sharpest = length / (n - 1) / a  # curvature 1/a at its lowest point
    start = found[0].x
    assert kinks(start).max() < 2.0 * sharpest
    assert -start[:, 2].min() == pytest.approx(a * (np.cosh(1.0 / a) - 1.0), rel=0.15)
    np.testing.assert_allclose(start[[0, -1]], rod.x[[0, -1]], atol=1e-4)
    speeds = [np.linalg.norm(two.x - one.x, axis=1).max() / 0.04 for one, two in pairwise(found)]
    assert max(speeds) < 0.15  # m/s


@pytest.mark.parametrize("n", [61, 120])
def test_a_shorter_cable_is_taut(n):
    rod = cable(n, rest_length_factor=0.9)
    (start,) = frames(held(rod, 0, n - 1))
    assert kinks(start.x).max() < 1e-3
    length = 0.9 * np.linalg.norm(rod.edges(), axis=1).sum()
    assert np.linalg.norm(start.x[-1] - start.x[0]) == pytest.approx(length, rel=1e-4)
    (start,) = frames(held(replace(rod, rest_length_factor=0.995), 0, n - 1))  # longer than the way, less slack
    np.testing.assert_allclose(start.x[[0, -1]], rod.x[[0, -1]], atol=1e-4)


def test_what_cannot_be_says_its_numbers():
    rod = cable(61, rest_length_factor=0.9)
    with pytest.raises(SimulationError) as caught:
        frames(held(rod, 0, 60, force=np.inf))
    assert str(caught.value) == (
        "'Cable' is to be 1.812 m long between 'Pin 0' and 'Pin 60', which are 2 m apart: raise its Rest Length, move "
        "them closer or give them a largest force."
    )


def ring(n, radius=0.005, upright=False, **options):
    a = 2.0 * np.pi * np.arange(n) / n
    x = 0.3 * np.stack([np.cos(a), np.sin(a), 0.0 * a], axis=1)
    x = x[:, [0, 2, 1]] + [0.0, 0.0, 0.3 + radius] if upright else x
    return Rod.from_material("Ring", x, radius, RUBBER, closed=True, **options)


@pytest.mark.parametrize("factor", [0.5, 0.8, 1.5, 3.0])
@pytest.mark.parametrize("n", [20, 60, 200])
def test_a_ring_stays_round(n, factor):
    (start,) = frames(Scene((ring(n, rest_length_factor=factor),), 0.04, 1))
    np.testing.assert_allclose(np.linalg.norm(start.x, axis=1), 0.3 * factor, rtol=1e-3)


def test_a_ring_on_the_floor_grows_upwards():
    (start,) = frames(Scene((ring(60, upright=True, rest_length_factor=1.5),), 0.04, 1, floor=Floor(0.0)))
    assert start.x[:, 2].min() == pytest.approx(0.005, abs=2.5e-4)
    assert np.ptp(start.x[:, 2]) == pytest.approx(0.9, rel=1e-2)


@pytest.mark.parametrize("ground", ["plane_pairs", "surface_pairs"])
def test_no_bit_of_the_way_begins_with_the_forces_of_the_one_before(ground, monkeypatch):
    """What presses on the ground in a prescribed motion is no load."""
    points, triangles = sheet(4, 4.0)
    under = {"floor": Floor(0.0)}
    if ground == "surface_pairs":
        under = {"colliders": (Collider("Table", triangles, np.zeros(1), points[None]),)}
    scene = Scene((ring(30, upright=True, rest_length_factor=1.5),), 0.04, 1, **under)
    left, steps = [], fitting.take_steps

    def watched(model, state, *rest):
        began = getattr(state, ground)["force"].any()
        done = steps(model, state, *rest)
        left.append((began, getattr(state, ground)["force"].any()))
        return done

    monkeypatch.setattr(fitting, "take_steps", watched)
    model, state, _ = assemble(scene)
    fit_lengths(scene, model, state)
    assert any(pressed for _, pressed in left)
    assert not any(began for began, _ in left)


@pytest.mark.parametrize("factor", [0.8, 3.0])
def test_a_straight_rod_stays_straight(factor):
    """Whatever its direction: rounding across it must not grow."""
    x = np.linspace([0.0, 0.0, 0.0], [0.3, 0.7, 0.55], 60)
    rod = Rod.from_material("Rod", x, 0.005, RUBBER, rest_length_factor=factor)
    (start,) = frames(held(rod, 0))
    np.testing.assert_allclose(start.x, factor * x, atol=1e-5)


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
@pytest.mark.parametrize("stretchable", [False, True])
def test_a_rod_so_short_that_its_edges_are_no_longer_than_thick_does_not_touch_itself(solver, stretchable):
    """Edges drawn 2.5 radii long, and 1.25 radii by nature: who is next to whom goes by those."""
    x = np.linspace([0.0, 0.0, 1.0], [1.0, 0.0, 1.0], 41)
    rod = Rod.from_material("Rope", x, 0.01, CABLE, rest_length_factor=0.5, stretchable=stretchable)
    assert not any(frame.contacts for frame in frames(held(rod, 0, frames=8, solver=solver)))
    (rests,) = frames(held(rod, 0, solver=solver, settle=True))  # for one that stretches rings, by up to .8 %
    assert np.linalg.norm(np.diff(rests.x, axis=0), axis=1).sum() == pytest.approx(0.5, rel=1e-3)


def test_a_straight_rod_between_two_pins_sags():
    x = np.linspace([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 60)
    rod = Rod.from_material("Rod", x, 0.005, CABLE, rest_length_factor=1.05)
    (start,) = frames(held(rod, 0, 59))
    np.testing.assert_allclose(start.x[[0, -1]], x[[0, -1]], atol=1e-4)
    assert -start.x[:, 2].min() == pytest.approx(np.sqrt(3.0 / 8.0 * 0.05 * 4.0), rel=0.1)  # of a shallow parabola
    np.testing.assert_allclose(start.x[:, 1], 0.0, atol=1e-6)


@pytest.mark.parametrize("aside", [1e-8, 1e-5, 4e-3])
def test_what_nobody_sees_of_a_straight_rod_does_not_choose_where_it_goes(aside):
    """Rounded, or drawn by hand: as an arc upwards within its own radius, it sags like one that is straight."""
    x = np.linspace([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 60)
    straight = Rod.from_material("Rod", x, 0.005, CABLE, rest_length_factor=1.2)
    (right,) = frames(held(straight, 0, 59))
    up = x + aside * np.sin(np.linspace(0.0, np.pi, 60))[:, None] * [0.0, 0.6, 0.8]
    (start,) = frames(held(replace(straight, x=up), 0, 59))
    np.testing.assert_allclose(start.x, right.x, atol=1e-3)


@pytest.mark.parametrize("aside", [0.0, 1e-5])
def test_a_straight_rod_that_lies_on_the_floor_gives_way_along_it(aside):
    x = np.linspace([-1.0, 0.0, 0.0052], [1.0, 0.0, 0.0052], 60)
    x[:, 2] += aside * np.sin(np.linspace(0.0, np.pi, 60))
    rod = Rod.from_material("Rod", x, 0.005, CABLE, rest_length_factor=1.1)
    (start,) = frames(replace(held(rod, 0, 59), floor=Floor(0.0)))
    assert np.abs(start.x[:, 1]).max() > 0.3
    assert start.x[:, 2].min() > 0.0049
    assert start.x[:, 2].max() < 0.02


def test_what_is_seen_of_an_arc_grows():
    x = np.linspace([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 60)
    x[:, 2] += 0.05 * np.sin(np.linspace(0.0, np.pi, 60))
    (start,) = frames(held(Rod.from_material("Rod", x, 0.005, CABLE, rest_length_factor=1.2), 0, 59))
    assert start.x[:, 2].max() > 0.4


def bough(start, end, name, radius=0.02, **options):
    s = np.linspace(0.0, 1.0, 15)[:, None]
    x = (1.0 - s) * start + s * np.asarray(end) + 0.05 * np.sin(np.pi * s) * [0.3, 0.5, 0.2]
    return Rod.from_material(name, x, radius, WOOD, **options)


def tree(factor, **options):
    """A trunk with two boughs."""
    rods = [
        bough([0, 0, 0], [0.1, 0, 1], "Trunk", rest_length_factor=factor, **options),
        bough([0.1, 0, 1], [-0.5, 0.2, 1.6], "Left", rest_length_factor=factor, **options),
        bough([0.1, 0, 1], [0.6, -0.3, 1.5], "Right", rest_length_factor=factor, **options),
    ]
    fork = RigidBody("Fork", np.array([0.1, 0.0, 1.0]), 0.0, np.zeros((3, 3)))
    welds = (Weld("a", 0, 0, 14), Weld("b", 0, 1, 0), Weld("c", 0, 2, 0))
    pins = (Pin.fixed(rods[0], 0, "TWIST", rod=0),)
    return Scene(tuple(rods), 0.04, 1, pins, (fork,), welds)


@pytest.mark.parametrize("factor", [0.8, 1.5])
def test_a_tree_is_scaled(factor):
    (start,) = frames(tree(factor))
    drawn = np.concatenate([rod.x for rod in tree(factor).rods])
    np.testing.assert_allclose(start.x, factor * drawn, atol=2e-3)
    np.testing.assert_allclose(start.bodies[0, :3], [factor * 0.1, 0.0, factor], atol=2e-3)


@pytest.mark.parametrize("factor", [0.8, 1.2])
def test_what_holds_its_drawn_shape_stands_still(factor):
    """Its rest shape is that under which it stands at its new lengths."""
    found = frames(replace(tree(factor, balanced=True), frame_count=6))
    for frame in found[1:]:
        np.testing.assert_allclose(frame.x, found[0].x, atol=1e-6)


def test_a_swing_hangs_lower():
    """Two ropes and a seat: all of it is drawn along."""
    s = np.linspace(0.0, 1.0, 30)[:, None]
    left = s * [0.0, 0.0, -1.0] + 0.02 * np.sin(np.pi * s) * [1.0, 0.0, 0.0]
    right = left * [-1.0, 1.0, 1.0] + [0.5, 0.0, 0.0]
    ropes = [
        Rod.from_material(n, x, 0.005, CABLE, rest_length_factor=1.2) for n, x in (("Left", left), ("Right", right))
    ]
    seat = RigidBody("Seat", np.array([0.25, 0.0, -1.02]), 1.0, 0.05 * np.eye(3))
    pins = tuple(
        Pin(f"Pin {r}", r, 0, "POSITION", np.zeros(1), rope.x[:1], max_force=None) for r, rope in enumerate(ropes)
    )
    (start,) = frames(Scene(tuple(ropes), 0.04, 1, pins, (seat,), (Weld("a", 0, 0, 29), Weld("b", 0, 1, 29))))
    np.testing.assert_allclose(start.bodies[0], [0.25, 0.0, -1.22, 1.0, 0.0, 0.0, 0.0], atol=2e-3)


def test_what_has_its_length_stays():
    """Beside one that grows, a rod is not moved by a bit."""
    still = replace(ring(60), name="Still", x=ring(60).x + [0.0, 0.0, 0.2])
    scene = Scene((ring(60, rest_length_factor=1.3), still), 0.04, 1)
    model, state, _ = assemble(scene)
    before = state.x.copy()
    fit_lengths(scene, model, state)
    own = slice(model.rods["first"][1], model.rods["last"][1] + 1)
    assert np.array_equal(state.x[own], before[own])
    alone = replace(scene, rods=(still,))
    model, state, _ = assemble(alone)
    before = [column.copy() for _, column in columns(state)]
    fit_lengths(alone, model, state)
    after = [column for _, column in columns(state)]
    assert all(np.array_equal(one, two, equal_nan=True) for one, two in zip(after, before, strict=True))


def test_a_knot_without_room_is_refused():
    """A trefoil needs a rope of 16.4 times its thickness."""
    a = 2.0 * np.pi * np.arange(120) / 120
    x = 0.1 * np.stack([np.sin(a) + 2.0 * np.sin(2.0 * a), np.cos(a) - 2.0 * np.cos(2.0 * a), -np.sin(3.0 * a)], axis=1)
    rod = Rod.from_material("Knot", x, 0.04, RUBBER, closed=True, rest_length_factor=0.35)
    assert np.linalg.norm(rod.edges(), axis=1).sum() * 0.35 < 16.4 * 0.08
    with pytest.raises(SimulationError, match="'Knot' .*Rest Length nearer to 1"):
        frames(Scene((rod,), 0.04, 1))


def test_no_notice_where_all_is_well():
    told = []
    list(simulate(held(cable(61, rest_length_factor=1.2), 0, 60), notices=told.append))
    assert told == []
