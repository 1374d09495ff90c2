"""Rigid parts of harnesses that touch walls, each other and cables, against statics and against what holes let through.

The plug and the plate: a prism of twelve sides, and a plate with a hole of twelve sides, a hundredth wider or narrower.
"""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from statics import straight_rod
from tendril.physics import Collider, Floor, Handle, Part, SceneError, settle_harness
from tendril.physics.arithmetic.quaternions import exponential, turned
from tendril.physics.cables.feature_gaps import feature_gaps
from tendril.physics.scene import Shape

DOWN = np.array([0.0, 0.0, -9.81])
CORNERS = np.array([[i, j, k] for i in (-0.5, 0.5) for j in (-0.5, 0.5) for k in (-0.5, 0.5)])
SIDES = np.array(
    [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
     [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
)  # fmt: skip
MASS, SIDED, PULL = 0.1, 12, 20.0


def box(*size):
    return Shape(CORNERS * size, SIDES)


def hung(a, b, dip, name="rod", n=16, bend=0.01, radius=4e-3, density=0.2):
    """A cable of n edges from a to b that hangs lower by about so much."""
    t = np.linspace(0.0, 1.0, n + 1)[:, None]
    x = (1.0 - t) * a + t * b
    x[:, 2] -= dip * np.sin(np.pi * t[:, 0]) ** 2
    return replace(straight_rod(n, bend=bend, twist=bend, radius=radius, line_density=density), x=x, name=name)


def ends(rod, part):
    """Its first end held, its last end on a part."""
    return rod, [
        Handle.drawn(rod, f"{rod.name} wall", vertex=0),
        replace(Handle.drawn(rod, f"{rod.name} plug", vertex=-1, oriented=True), part=part),
    ]


def wall(y, times=(0.0,), reach=1.0):
    """A wall across y, where it is at each time."""
    corners = np.array([[0.3, 0, -reach], [reach, 0, -reach], [reach, 0, reach], [0.3, 0, reach]])
    points = np.stack([corners + [0.0, at, 0.0] for at in np.atleast_1d(y)])
    return Collider("wall", np.array([[0, 1, 2], [0, 2, 3]]), np.array(times), points)


def out_of_balance(found, parts):
    """What is left (p, 3) [N] of all that acts on parts."""
    total = found.hand_force + found.contact_force + [part.mass * DOWN for part in parts]
    for cable in found.cables:
        for handle, force in zip(cable.state.handles, cable.handle_force, strict=True):
            if handle.part is not None:
                total[[part.name for part in parts].index(handle.part)] -= force
    return total


def out_of_moments(found, part):
    """What is left (3,) [N m] of all that turns the only part, which nothing leads, about where it is."""
    total = found.contact_torque[0].copy()
    for force, arm in ((part.mass * DOWN, part.centre), *part.forces):
        total += np.cross(turned(found.orientation[0], arm), force)
    for cable in found.cables:
        for handle, force, torque in zip(cable.state.handles, cable.handle_force, cable.handle_torque, strict=True):
            if handle.part is not None:
                total -= torque + np.cross(handle.position - found.position[0], force)
    return total


def deepest(found):
    """The least gap over what parts are rounded by, of all that is near where they rest."""
    shapes = found.state.shapes
    x = shapes.places.x.copy()
    rows = shapes.those_at(x, shapes.skin)
    gaps = np.empty(len(rows))
    feature_gaps(x, rows, gaps, np.empty((len(rows), 3, 4)), np.empty((len(rows), 3)))
    return gaps.min(initial=np.inf) / shapes.rounding


def whats_touching(found):
    """Names of what presses on each other."""
    shapes = found.state.shapes
    points = shapes.rows["point"][shapes.rows["force"] > 0.0][:, [0, 2]]
    of = np.searchsorted(shapes.places.first, points, "right") - 1
    return {frozenset(shapes.places.things[k].name for k in pair) for pair in of}


def crowd():
    """(cables, parts, colliders): a box that is led and one that hangs, each on a cable, and a cable beside them."""
    one, two = hung([0, 0, 0.5], [0.3, 0, 0.3], 0.1, "one"), hung([0, 0.3, 0.5], [0.3, 0.3, 0.3], 0.1, "two")
    beside = hung([0.42, -0.3, 0.5], [0.42, 0.6, 0.5], 0.2, "beside")
    held = [Handle.drawn(beside, f"held {vertex}", vertex=vertex) for vertex in (0, -1)]
    parts = [
        Part("led", one.x[-1] + [0.05, 0, 0], held=True, strength=8.0, mass=0.2, shape=box(0.1, 0.09, 0.08)),
        Part("hangs", two.x[-1] + [0.04, 0, 0], mass=0.2, shape=box(0.08, 0.07, 0.1)),
    ]
    return [ends(one, "led"), ends(two, "hangs"), (beside, held)], parts, [wall(0.7), Floor(0.15)]


def test_derivatives():
    """The gradient of the contacts' energy, and their Hessian in band and border, of all kinds of things that touch."""
    cables, parts, colliders = crowd()
    cables[2][0].x[:] += [0.0, 0.0, -0.02]
    found = settle_harness(cables, parts, gravity=DOWN, colliders=colliders)
    shapes, rng = found.state.shapes, np.random.default_rng(3)
    sizes = np.cumsum([0, *(len(cable.state.y) for cable in found.cables)])
    bands = [slice(*pair) for pair in pairwise(sizes)]
    poses = np.hstack([found.position / found.cables[0].state.units.length, found.orientation]).ravel()
    y = np.concatenate([*(cable.state.y for cable in found.cables), poses])
    y[-14:] += 1e-2 * rng.normal(size=14)
    x = shapes.places.find(y).copy()
    near = shapes.those_at(x, 0.3)
    shapes.rows, shapes.listed = near[rng.permutation(len(near))[:80]], x
    of = np.searchsorted(shapes.places.first, shapes.rows["point"][:, [0, 2]], "right") - 1
    kinds = {"".join(sorted("wwpp"[k] if k < 4 else "c" for k in pair)) for pair in of}
    assert kinds == {"pw", "pp", "cp"}  # parts with walls, each other and cables
    assert set(shapes.rows["edges"]) == {False, True}
    shapes.rows["force"], shapes.rows["stiffness"] = 50.0 * rng.random(80), 1.0  # so that all press

    def gradient(y):
        g, band = np.zeros(len(y)), np.zeros((sizes[-1], 11))
        blocks = [(np.zeros(0, int), np.zeros((0, band.stop - band.start))) for band in bands]
        return g, band, *shapes.derivatives(y, g, band, blocks, bands)

    def difference(function):
        step = 1e-6 * np.eye(len(y))
        return np.stack([(function(y + e) - function(y - e)) / 2e-6 for e in step], axis=-1)

    g, band, blocks, values, at = gradient(y)
    np.testing.assert_allclose(g, difference(shapes.energy), atol=1e-6 * abs(g).max())
    dense = np.zeros((len(y), len(y)))
    for row in range(sizes[-1]):
        columns = slice(row, min(row + 11, sizes[-1]))
        dense[row, columns] = band[row, : columns.stop - row]
    dense = np.triu(dense) + np.triu(dense, 1).T
    for (rows, b), columns in zip(blocks, bands, strict=True):
        dense[sizes[-1] + rows, columns] = b
        dense[columns, sizes[-1] + rows] = b.T
    np.add.at(dense, tuple(sizes[-1] + at), values)
    expected = difference(lambda y: gradient(y)[0])
    np.testing.assert_allclose(dense, expected, atol=1e-5 * abs(expected).max())
    assert np.abs(dense[sizes[-1] :, : sizes[-1]]).max() > 0.0


@pytest.mark.parametrize("thickness", [0.0, 0.03])
def test_box_is_pressed_against_a_wall(thickness):
    """A hand of 10 N: with the wall, its cable and its weight it balances; the wall is smooth, and thin or thick."""
    rod = hung([0, 0, 0.1], [0.4, 0, 0], 0.1)
    part = Part("box", rod.x[-1] + [0.05, 0, 0], held=True, strength=10.0, mass=MASS, shape=box(0.1, 0.08, 0.06))
    place, colliders = np.asarray(part.position), [replace(wall(0.1), thickness=thickness)]
    found = settle_harness([ends(rod, "box")], [part], gravity=DOWN, colliders=colliders)
    assert not found.contact_force.any()
    for goal in ([0.0, 0.1, 0.0], [-0.05, 0.3, 0.05], [-0.1, 0.2, 0.1]):
        led = replace(part, position=place + goal)
        found = settle_harness([ends(rod, "box")], [led], gravity=DOWN, colliders=colliders, start=found)
        np.testing.assert_allclose(out_of_balance(found, [part]), 0.0, atol=1e-6)
        np.testing.assert_allclose(np.linalg.norm(found.hand_force), 10.0, rtol=1e-9)
        np.testing.assert_allclose(found.contact_force[0] * [1, 0, 1], 0.0, atol=1e-6)
        assert found.contact_force[0, 1] < -1.0
        np.testing.assert_allclose(found.position[0, 1], 0.06 - thickness, atol=1e-9)  # half of the box before it
        assert deepest(found) > -1e-6
    back = settle_harness([ends(rod, "box")], [part], gravity=DOWN, colliders=colliders, start=found)
    np.testing.assert_allclose(back.position, [place], atol=1e-8)
    assert not back.contact_force.any()


def test_box_that_is_pushed_lies_on_a_floor():
    """With its middle beside that of its mass: all moments balance, those of the floor among them."""
    rod, push = hung([0, 0, 0.5], [0.3, 0, 0.3], 0.1), (np.array([0, 0.5, 0]), np.array([0.03, 0, 0.02]))
    part = Part(
        "box", rod.x[-1] + [0.05, 0, 0], mass=0.2, centre=np.array([0.01, 0.02, 0]), shape=box(0.1, 0.08, 0.06),
        forces=(push,),
    )  # fmt: skip
    found = settle_harness([ends(rod, "box")], [part], gravity=DOWN, colliders=[Floor(0.1)])
    assert found.contact_force[0, 2] > 1.0
    assert np.linalg.norm(found.contact_torque) > 0.05
    np.testing.assert_allclose(out_of_balance(found, [part]) + push[0], 0.0, atol=1e-6)
    np.testing.assert_allclose(out_of_moments(found, part), 0.0, atol=1e-8)


def prism(radius, length):
    """Of SIDED sides along x."""
    angle = 2.0 * np.pi * np.arange(SIDED) / SIDED
    ring = radius * np.stack([np.zeros(SIDED), np.cos(angle), np.sin(angle)], axis=1)
    half = np.array([0.5 * length, 0.0, 0.0])
    i, j, n = np.arange(SIDED), (np.arange(SIDED) + 1) % SIDED, SIDED
    faces = [[i, n + j, n + i], [i, j, n + j], [np.full(n, 2 * n), j, i], [np.full(n, 2 * n + 1), n + i, n + j]]
    return Shape(np.concatenate([ring - half, ring + half, [-half, half]]), np.concatenate(faces, axis=1).T)


def plate(hole, place, turned, thick=0.01, wide=0.06):
    """With a hole of SIDED sides, turned by so many of them, across x from a place on."""
    angle = 2.0 * np.pi * (np.arange(SIDED) + turned) / SIDED
    ring = np.stack([np.zeros(SIDED), np.cos(angle), np.sin(angle)], axis=1)
    back = np.array([thick, 0.0, 0.0])
    points = place + np.concatenate([ring * hole, ring * wide, ring * hole + back, ring * wide + back])
    i, j, n = np.arange(SIDED), (np.arange(SIDED) + 1) % SIDED, SIDED
    faces = []
    for p, q in ((0, n), (n, 3 * n), (3 * n, 2 * n), (2 * n, 0)):
        faces += [[p + i, p + j, q + j], [p + i, q + j, q + i]]
    return Collider("plate", np.concatenate(faces, axis=1).T, np.zeros(1), points[None])


def threaded(play, way, turns=None, off=0.0, turned=0.0):
    """What a plug comes to that is drawn along x by so much, one after the other, through a hole so much wider."""
    rod = hung(np.zeros(3), np.array([0.2, 0, 0]), 0.14, n=24, bend=0.002, radius=2e-3, density=0.1)
    place = rod.x[-1] + [0.02, 0, 0]
    plug = Part("plug", place, held=True, strength=PULL, mass=0.02, shape=prism(0.01, 0.04))
    hole, found, each = plate(0.01 * (1.0 + play), np.array([0.25, off, 0.0]), turned), None, []
    for x, turn in zip(way, turns or [0.0] * len(way), strict=True):
        led = replace(plug, position=place + [x, 0, 0], orientation=exponential(np.array([0.0, turn, 0.0])))
        found = settle_harness([ends(rod, "plug")], [led], gravity=DOWN, colliders=[hole], start=found)
        assert found.effort.arrived
        np.testing.assert_allclose(out_of_balance(found, [plug]), 0.0, atol=1e-6)
        assert deepest(found) > -1e-6
        each.append(found)
    return each


@pytest.mark.parametrize("off", [0.0, 2e-4])
def test_plug_goes_through_a_hole_just_larger(off):
    """And back; beside the middle by more than the play it is pressed to the middle, as far as it has to."""
    way = 0.0, 0.02, 0.04, 0.08, 0.04, -0.02
    each = threaded(0.01, way, off=off)
    x = [found.position[0, 0] - 0.22 for found in each]
    np.testing.assert_allclose(x, way, atol=2e-5)
    inside = each[2].position[0, 1] - off
    assert abs(inside) <= 1e-4 * (1.0 + 1e-3)  # 1 % of the radius
    assert bool(each[2].contact_force[0, 1] > 1.0) == (off > 0.0)


@pytest.mark.parametrize("turned", [0.0, 0.37])
def test_plug_stops_before_a_hole_just_smaller(turned):
    """Whatever way it is led by, at the front of the plate; also where it wedges, all its sides along the hole's."""
    each = threaded(-0.01, (0.0, 0.1), turned=turned)
    np.testing.assert_allclose(each[1].position[0, 0] + 0.02, 0.25, atol=1e-3)
    np.testing.assert_allclose(np.linalg.norm(each[1].hand_force), PULL, rtol=1e-9)
    assert each[1].contact_force[0, 0] < -0.8 * PULL


def test_plug_turns_in_its_hole_as_far_as_it_has_play():
    """A hand that would turn it by .3 turns it by about the play over half of what is in the hole; outside by all."""
    each = threaded(0.01, (0.0, 0.04, 0.04, 0.08), (0.0, 0.0, 0.3, 0.3))
    turn = [2.0 * float(np.arcsin(np.linalg.norm(found.orientation[0, 1:]))) for found in each]
    assert 0.005 < turn[2] < 0.04
    np.testing.assert_allclose(turn[3], 0.3, atol=1e-6)


def test_wall_pushes_what_is_led_and_lets_it_back():
    """A wall that moves, over several times what the box is rounded by."""
    rod = hung([0, 0, 0.1], [0.4, 0, 0], 0.1)
    part = Part("box", rod.x[-1] + [0.05, 0, 0], held=True, strength=10.0, mass=MASS, shape=box(0.1, 0.08, 0.06))
    moves, found = wall([0.1, 0.05, -0.1, 0.1], (0.0, 1.0, 2.0, 3.0)), None
    expected = (0.0, 0.0, -0.14, 0.0)
    for time, y in enumerate(expected):
        found = settle_harness(
            [ends(rod, "box")], [part], gravity=DOWN, colliders=[moves], time=float(time), start=found
        )
        np.testing.assert_allclose(found.position[0, 1], y, atol=1e-8)
        assert found.cables[0].missing_length == 0.0, "what a wall keeps behind lacks no cable"
        np.testing.assert_allclose(out_of_balance(found, [part]), 0.0, atol=1e-6)


@pytest.mark.parametrize("far", [0.0, 0.05])
def test_what_is_led_turns_with_as_much_as_at_its_longest_arm(far):
    """A ball of 2 cm about its origin is all radius; beside it that is added."""
    ball = Shape(np.array([[0.0, far, 0.0]]), np.zeros((1, 3), np.int64), 0.02)
    assert Part("ball", np.zeros(3), held=True, strength=50.0, shape=ball).turn_strength == pytest.approx(
        50.0 * (far + 0.02)
    )


def test_parts_press_on_cables_as_cables_press_on_them():
    """A box led under a cable lifts it; what the cable bears is what presses on the box."""
    cables, parts, colliders = crowd()
    found = settle_harness(cables, parts, gravity=DOWN, colliders=colliders)
    led = replace(parts[0], position=np.array([0.66, -0.18, 0.39]))
    found = settle_harness(cables, [led, parts[1]], gravity=DOWN, colliders=colliders, start=found)
    assert frozenset({"led", "beside"}) in whats_touching(found)
    beside = found.cables[2]
    np.testing.assert_allclose(beside.contact_force.sum(axis=0), -found.contact_force[0], atol=1e-9)
    weight = cables[2][0].mass.sum() * DOWN
    held = beside.handle_force.sum(axis=0) + beside.contact_force.sum(axis=0) + weight
    np.testing.assert_allclose(held, 0.0, atol=1e-6)
    assert beside.contacts > 0


def test_groups_pass_through_each_other():
    """A part of a group that the wall's does not touch goes through it."""
    rod = hung([0, 0, 0.1], [0.4, 0, 0], 0.1)
    rod = replace(rod, group=1)
    part = Part("box", rod.x[-1] + [0.05, 0, 0], held=True, strength=10.0, shape=box(0.1, 0.08, 0.06), group=1)
    led = replace(part, position=part.position + [-0.1, 0.1, 0.0])
    collider = replace(wall(0.05), group=2)
    first = settle_harness([ends(rod, "box")], [part], colliders=[collider], collision_filter=[(1, 2)])
    found = settle_harness([ends(rod, "box")], [led], colliders=[collider], collision_filter=[(1, 2)], start=first)
    np.testing.assert_allclose(found.position[0], led.position, atol=1e-8)


def drags(seed):
    """(parts, what a crowd has come to) where it is drawn, and at each of eight places that one part is led to."""
    cables, parts, colliders = crowd()
    rng, found = np.random.default_rng(seed), None
    for k in range(9):
        led = parts[0]
        if k:
            goal = np.array([rng.uniform(0.1, 0.75), rng.uniform(-0.2, 0.5), rng.uniform(0.1, 0.5)])
            led = replace(led, position=goal, orientation=exponential(0.5 * rng.normal(size=3)))
        found = settle_harness(
            cables, [led, parts[1]], gravity=DOWN, colliders=colliders, start=found, collision_filter=()
        )
        yield parts, found


@pytest.mark.parametrize("seed", [pytest.param(k, marks=() if k in (0, 1, 9) else pytest.mark.slow) for k in range(25)])
def test_random_drags(seed):
    """Eight each, 200 in all, with turns: all balances, and nothing overlaps."""
    for parts, found in drags(seed):
        assert found.effort.arrived
        np.testing.assert_allclose(out_of_balance(found, parts), 0.0, atol=1e-6 * parts[0].strength)
        assert deepest(found) > -1e-6


def test_drags_take_few_factorisations():
    """1360 of all nine; 2730 where cables do not follow parts to the first order, 3300 before steps went far."""
    assert sum(found.effort.factors for _, found in drags(2)) < 1800


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"position": np.array([0.45, 0.08, 0.0])}, "'box' is drawn through 'wall', which it touches: draw it beside"),
        ({"strength": np.inf}, "'box' touches things, and is led by whatever it takes: give it a finite strength"),
        ({"shape": Shape(CORNERS, np.zeros((0, 3), int))}, "'box': the triangles of its shape have the shape"),
        ({"shape": Shape(np.full((8, 3), np.nan), SIDES)}, "'box': the place of its shape's point 0 is not a number"),
    ],
)
def test_refused(change, sentence):
    """Each in one sentence."""
    rod = hung([0, 0, 0.1], [0.4, 0, 0], 0.1)
    part = Part("box", rod.x[-1] + [0.05, 0, 0], held=True, strength=10.0, mass=MASS, shape=box(0.1, 0.08, 0.06))
    with pytest.raises(SceneError, match=sentence):
        settle_harness([ends(rod, "box")], [replace(part, **change)], gravity=DOWN, colliders=[wall(0.1)])
