"""Pins lead vertices, directions and frames along trajectories, and yield when they ask for too much."""

from dataclasses import replace

import numpy as np
import pytest
from statics import held, straight_rod
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.strains import strains
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Pin, RigidBody, Rod, Scene, Weld
from tendril.physics.validate import SimulationError

CORD = Material(5e6, 0.4, 1200.0, internal_damping=0.01)

STIFF = replace(CORD, young=1e8)


def cord(n=20, length=0.4, **options):
    x = np.zeros((n + 1, 3))
    x[:, 0] = np.linspace(0.0, length, n + 1)
    return Rod.from_material("cord", x, 0.005, CORD, m1=np.array([0.0, 0.0, 1.0]), **options)


def led(rod, vertex, times, position, mode="POSITION", **options):
    vertex %= len(rod.x)
    return Pin(
        "hand", 0, vertex, mode, np.asarray(times, float), rod.x[vertex] + np.asarray(position, float), **options
    )


def about_z(angles):
    half = 0.5 * np.asarray(angles, float)
    return np.stack([np.cos(half), 0.0 * half, 0.0 * half, np.sin(half)], axis=1)


def frames(scene):
    return list(simulate(scene))


def test_exact_pins_are_where_they_should_be(solver):
    """At every frame, also between the samples, where a quadratic motion is met exactly."""
    t = np.linspace(0.0, 0.4, 5)
    rod = cord()
    pin = led(rod, 7, t, np.stack([0.3 * t**2, 0.1 * t, -0.2 * t**2], axis=1))
    for frame in frames(Scene((rod,), 0.025, 17, pins=(pin,), contact=False, solver=solver)):
        s = 0.025 * frame.index
        if 0.1 <= s <= 0.3:  # where the slopes of the spline have samples on both sides
            np.testing.assert_allclose(frame.x[7] - rod.x[7], [0.3 * s**2, 0.1 * s, -0.2 * s**2], atol=1e-12)
    np.testing.assert_allclose(frame.x[7] - rod.x[7], [0.3 * 0.16, 0.04, -0.2 * 0.16], atol=1e-12)


def test_a_pin_draws_as_hard_as_it_may(solver):
    """A bar of steel bent by 20 kN, of the 1 MN that the pin may use: it is where it should be."""
    rod = replace(Rod.from_material("bar", cord().x, 0.02, replace(STIFF, young=2e11)), internal_damping=0.02)
    smooth = np.linspace(0.0, 1.0, 13) ** 2 * (3.0 - 2.0 * np.linspace(0.0, 1.0, 13))
    pin = led(rod, -1, np.linspace(0.0, 0.2, 13), np.outer(smooth, (0.0, 0.0, 0.015)), max_force=1e6)
    scene = Scene((rod,), 0.04, 9, pins=(Pin.fixed(rod, 0, "TWIST"), pin), contact=False, solver=solver)
    assert frames(scene)[-1].x[-1, 2] == pytest.approx(0.015, rel=0.02)


@pytest.mark.parametrize("mode", ["DIRECTION", "TWIST"])
@pytest.mark.parametrize("vertex", [0, 8, -1])
def test_a_clamp_carries_the_rod(mode, vertex, solver):
    """Slowly moved and turned by half a turn in a vacuum, the rod follows as a rigid body."""
    rod = Rod.from_material("rod", cord(length=0.1).x, 0.005, STIFF, m1=np.array([0.0, 0.0, 1.0]))
    s = np.linspace(0.0, 1.0, 13)
    smooth = s**2 * (3.0 - 2.0 * s)
    position = np.stack([0.0 * s, 0.1 * smooth, 0.2 * smooth], axis=1)
    pin = led(rod, vertex, 1.5 * s, position, mode, rotation=about_z(np.pi * smooth))
    scene = Scene((rod,), 0.1, 18, pins=(pin,), gravity=np.zeros(3), air_density=0.0, contact=False, solver=solver)
    last = frames(scene)[-1]
    centre = rod.x[vertex]
    turned = (rod.x - centre) * [-1.0, -1.0, 1.0] + centre + position[-1]
    np.testing.assert_allclose(last.x, turned, atol=1e-4)
    np.testing.assert_allclose(last.m1[:, 2], 1.0, atol=1e-4)


def test_twist_follows(solver):
    """A clamp that turns about the rod's axis takes the frame along, and only TWIST does."""
    rod = cord()
    angles = np.linspace(0.0, 0.5 * np.pi, 5)
    half = 0.5 * angles
    rotation = np.stack([np.cos(half), np.sin(half), 0.0 * half, 0.0 * half], axis=1)
    for mode, expected in (("TWIST", [0.0, -1.0, 0.0]), ("DIRECTION", [0.0, 0.0, 1.0])):
        pin = led(rod, 0, np.linspace(0.0, 0.2, 5), np.zeros((5, 3)), mode, rotation=rotation)
        last = frames(Scene((rod,), 0.1, 4, pins=(pin,), gravity=np.zeros(3), contact=False, solver=solver))[-1]
        np.testing.assert_allclose(last.m1, np.tile(expected, (20, 1)), atol=1e-9)


def test_yields_with_a_notice(solver):
    """Asked for 5 cm more than there is, the rod goes straight, the pin lags by 5 cm, and a Notice says so once."""
    rod = cord()
    hand = led(rod, -1, [0.0, 0.5, 1.0], [[0.0, 0.0, 0.0], [0.05, 0.0, 0.0], [0.05, 0.0, 0.0]], max_force=None)
    scene = Scene((rod,), 0.1, 11, pins=(Pin.fixed(rod, 0), hand), contact=False, solver=solver)
    told = []
    *_, last = simulate(scene, notices=told.append)
    assert [notice.object for notice in told] == ["hand"]
    assert "'hand'" in told[0].text
    assert "'cord'" in told[0].text
    assert 1 <= told[0].frame <= 5
    model, _, _ = assemble(scene)
    assert last.x[-1, 0] == pytest.approx(0.4, abs=1e-4)
    assert last.state["holds.shortfall"][1] == pytest.approx(0.05, abs=1e-4)
    state = assemble(scene)[1]._replace(x=last.state["x"])
    assert np.abs(strains(model, state)).max() < 1e-8


def test_a_pin_holds_what_hangs_on_its_rod(solver):
    """A ton on a thin cord, drawn aside: nothing gives way unasked."""
    rod = cord()
    ton = RigidBody("ton", rod.x[-1], 1000.0, 10.0 * np.eye(3))
    hook = led(rod, 0, [0.0], [[0.0, 0.0, 0.0]], max_force=None)
    scene = Scene(
        (rod,), 0.1, 9, pins=(hook,), bodies=(ton,), welds=(Weld("tie", 0, 0, len(rod.x) - 1, "POSITION"),),
        contact=False, solver=solver,
    )  # fmt: skip
    told = []
    items = list(simulate(scene, notices=told.append))
    assert told == []
    assert max(np.linalg.norm(frame.x[0] - rod.x[0]) for frame in items) < 0.02 * rod.radius[0]


def test_no_notice_within_reach(solver):
    rod = cord()
    hand = led(rod, -1, [0.0, 0.5], [[0.0, 0.0, 0.0], [-0.05, 0.0, 0.02]], max_force=None)
    scene = Scene((rod,), 0.1, 9, pins=(Pin.fixed(rod, 0), hand), contact=False, solver=solver)
    told = []
    items = list(simulate(scene, notices=told.append))
    assert told == []
    np.testing.assert_allclose(items[-1].x[-1], rod.x[-1] + [-0.05, 0.0, 0.02], atol=2e-4)


def test_exact_pins_that_ask_too_much_stop_the_bake(solver):
    rod = cord()
    hand = led(rod, -1, [0.0, 0.5], [[0.0, 0.0, 0.0], [0.05, 0.0, 0.0]])
    scene = Scene((rod,), 0.1, 9, pins=(Pin.fixed(rod, 0), hand), contact=False, solver=solver)
    done = []
    with pytest.raises(SimulationError, match="'cord'.*more length") as caught:
        done.extend(simulate(scene))
    assert caught.value.object == "cord"
    assert len(done) >= 1
    assert np.all(np.isfinite(done[-1].x))


def test_influence_lets_go(solver):
    """With influence 0 the rod falls freely; at 1 it is held again, from wherever it is, by a pin of finite force."""
    rod = straight_rod(10, 0.4, 1e-3, line_density=0.1, radius=0.005)
    times = np.array([0.0, 0.1, 0.1001, 0.2])
    pin = Pin("hand", 0, 5, "POSITION", times, np.tile(rod.x[5], (4, 1)), influence=np.array([1.0, 1.0, 0.0, 0.0]))
    scene = held(rod, gravity=(0.0, 0.0, -9.81), frame_duration=0.05, frame_count=5, max_step=1e-4, solver=solver)
    done = frames(replace(scene, pins=(pin,)))
    assert done[2].x[5, 2] == pytest.approx(0.0, abs=1e-12)
    assert np.mean(done[4].x[:, 2] - done[2].x[:, 2]) < -0.5 * 9.81 * 0.099**2


@pytest.mark.parametrize("force", [0.5, 2.0])
def test_largest_force(force, solver):
    """A pin holds a rod that weighs less than its largest force, and lets a heavier one sink."""
    rod = straight_rod(10, 0.4, 1e-3, line_density=0.1 / 0.4 / 9.81 * 10.0, radius=0.005)  # 1 N
    pin = replace(Pin.fixed(rod, 5, name="hand", rod=0), max_force=force)
    scene = held(rod, gravity=(0.0, 0.0, -9.81), frame_duration=0.05, frame_count=20, solver=solver)
    done = frames(replace(scene, pins=(pin,)))
    sunk = -done[-1].x[5, 2]
    assert (sunk < 1e-4) if force > 1.0 else (sunk > 0.1)


def test_a_thread_is_drawn_beyond_its_length_calmly():
    """However fine it is: what the pin lacks is less than an edge, and none of its force goes into waves."""
    x = np.linspace([0.0, 0.0, 0.0], [0.5, 0.0, 0.0], 1001)
    rod = Rod.from_material("thread", x, 1e-4, Material(1.2e8, 0.35, 455.0, internal_damping=0.006))
    hand = replace(led(rod, -1, [0.0, 0.2], [[0.0, 0.0, 0.0], [0.02, 0.0, 0.0]]), max_force=None, mode="TWIST")
    scene = held(rod, gravity=(0.0, 0.0, -9.81), frame_duration=0.04, frame_count=5, solver="IMPLICIT")
    done = frames(replace(scene, pins=(Pin.fixed(rod, 0, "TWIST", rod=0), hand), contact=False))
    assert max(np.abs(frame.state["v"][:, 1:]).max() for frame in done[1:]) < 0.05
    assert max(np.abs(frame.x[:, 1]).max() for frame in done) < 1e-6


@pytest.mark.parametrize("mode", ["DIRECTION", "TWIST"])
@pytest.mark.parametrize("vertex", [0, -1])
@pytest.mark.parametrize(("n", "aspect"), [(13, 1.0), (27, 1.0), (27, 0.9)])
def test_a_clamp_that_yields_bears_moments_with_its_direction(n, aspect, vertex, mode, solver):
    """A shelf that it alone holds needs the rod's weight of it, however fine: not its moment over an edge's length."""
    x = np.linspace([0.0, 0.0, 0.0], [0.3, 0.0, 0.0], n + 1)
    rod = Rod.from_material("shelf", x, 0.005, replace(CORD, young=5e7, internal_damping=0.05), aspect=aspect)
    weight = 9.81 * rod.mass.sum()
    for force, sinks in ((0.8, True), (1.5, False)):
        pin = replace(Pin.fixed(rod, vertex, mode, rod=0), max_force=force * weight)
        last = frames(Scene((rod,), 0.02, 12, pins=(pin,), contact=False, solver=solver))[-1].x
        assert (last[vertex, 2] < -0.01) == sinks
        assert (last[vertex, 2] > -1e-4) != sinks
        assert last[-1 - vertex, 2] < last[vertex, 2] - 0.03


@pytest.mark.parametrize("quality", ["PREVIEW", "GOOD"])
def test_a_light_thread_follows_a_hand_that_is_far_stronger_than_it_is_heavy(quality):
    """Half a newton cracks a cotton thread of 30 mg to and fro, at up to 15 g. In a long step the pin's stiffness alone
    would set it as much against that as 30 g.
    """
    x = np.linspace((0.0, 0.0, 0.0), (0.0, 0.0, -0.6), 61)
    cotton = Material(1e8, 0.4, 1500.0, bend_factor=0.01, internal_damping=0.01)
    thread = Rod.from_material("thread", x, 1e-4, cotton)
    t = np.linspace(0.0, 1.0, 49)
    way = np.outer(0.15 * (1.0 - np.cos(10.0 * np.pi * t)), (1.0, 0.0, 0.0))
    pin = Pin("hand", 0, 0, "POSITION", t, way, max_force=0.5)
    last = frames(Scene((thread,), 1.0 / 24.0, 25, pins=(pin,), contact=False, solver="IMPLICIT", quality=quality))
    assert max(np.linalg.norm(frame.x[0] - way[2 * frame.index]) for frame in last) < 1e-3
