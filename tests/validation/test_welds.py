"""What joins rods to rigid bodies: it holds, hands on forces and torques exactly, and makes pendulums keep time."""

from dataclasses import replace

import numpy as np
import pytest
from jointed import JOINTED, alone, body, pose
from scipy.spatial.transform import Rotation
from scipy.special import ellipk
from solvers import go_on, solved_by
from statics import held, straight_rod
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.energies import energies
from tendril.physics.diagnostics.strains import strains
from tendril.physics.rigid_bodies.loads import frame_torque
from tendril.physics.rods.elastic_forces import elastic_forces
from tendril.physics.rods.isotropic_twist import lay_frames
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Pin, Weld
from tendril.physics.time_integration.advance import take_steps
from tendril.physics.time_integration.step_limit import stable_step
from tendril.physics.time_integration.symplectic_euler import DONE

G = 9.81
DOWN = np.array([0.0, 0.0, -G])
X = np.array([1.0, 0.0, 0.0])
STEP = 2e-3  # s, at most, where things swing


def seen(model, state, work):
    """(positions (N, 3), edges and first material axes (M, 3) of all frames) at their equilibrium."""
    assert elastic_forces(model, state, work.elastic) < 0
    for r in np.flatnonzero(~model.rods["general"]):
        lay_frames(model, r, state.x, state, work.elastic.e)
    c, s = np.cos(state.theta)[:, None], np.sin(state.theta)[:, None]
    return state.x.copy(), work.elastic.e.copy(), c * state.u + s * np.cross(state.t, state.u)


@pytest.mark.parametrize("kind", JOINTED)
def test_a_weld_holds(kind):
    """After every step of a wild ride, places to 1e-8 of the length and directions to 1e-8 rad; edges keep theirs."""
    scene = JOINTED[kind]()
    bodies = [replace(one, omega=np.array([15.0, -20.0, 10.0]) / (1 + k)) for k, one in enumerate(scene.bodies)]
    model, state, work = assemble(replace(scene, bodies=tuple(bodies), gravity=DOWN))
    rods = model.rods
    x0, e0, m0 = seen(model, state, work)
    centre, start = state.bodies["x"].copy(), pose(state.bodies["q"])
    length = min(np.linalg.norm(rod.edges(), axis=1).sum() for rod in scene.rods)
    turned, h = 0.0, 0.6 * stable_step(model, state)
    for _ in range(400):
        assert take_steps(model, state, work, h, 1)[0] == DONE
        assert np.abs(strains(model, state)).max() < 1e-8
        x, e, m1 = seen(model, state, work)
        for weld in scene.welds:
            b = weld.body
            turn = pose(state.bodies["q"])[b] * start[b].inv()
            node = rods["first"][weld.rod] + weld.vertex
            expected = state.bodies["x"][b] + turn.apply(x0[node] - centre[b])
            assert np.linalg.norm(x[node] - expected) < 1e-8 * length
            if weld.mode == "POSITION":
                continue
            at_start = weld.vertex == 0 and not rods["closed"][weld.rod]
            k = rods["frame"][weld.rod] + weld.vertex + (not at_start)
            np.testing.assert_allclose(turn.apply(e0[k]), e[k], rtol=0.0, atol=1e-8 * np.linalg.norm(e[k]))
            if weld.mode == "TWIST":
                np.testing.assert_allclose(turn.apply(m0[k]), m1[k], atol=1e-8)
        turned = max(turned, (pose(state.bodies["q"]) * start.inv()).magnitude().max())
    assert turned > 0.7


def put(model, state, b, shift, turn):
    """The state with body b shifted by (3,) [m] and turned by (3,) [rad], and what is welded to it."""
    moved = state._replace(x=state.x.copy(), ghosts=state.ghosts.copy(), clamp_frame=state.clamp_frame.copy())
    rotation = Rotation.from_rotvec(turn)
    for i, owner in zip(model.slaves["node"], model.slaves["body"], strict=True):
        if owner == b:
            moved.x[i] = state.bodies["x"][b] + shift + rotation.apply(state.x[i] - state.bodies["x"][b])
    for weld in model.welds[model.welds["body"] == b]:
        if weld["clamp"] >= 0:
            moved.clamp_frame[weld["clamp"]] = rotation.apply(state.clamp_frame[weld["clamp"]])
        if weld["ghost"] >= 0:
            moved.ghosts["edge"][weld["ghost"]] = rotation.apply(state.ghosts["edge"][weld["ghost"]])
    return moved


@pytest.mark.parametrize("kind", JOINTED)
def test_force_and_torque_are_the_gradient_by_the_pose(kind):
    """−∂E/∂(shift, turn) of each body by central differences: Σ f, and Σ p × f + Σ τ t (Bergou 2008, §8.2)."""
    model, state, work = assemble(JOINTED[kind]())
    rng, bodies = np.random.default_rng(2), model.bodies
    loose = model.nodes["w"] > 0.0
    state.x[loose] += rng.normal(0.0, 2e-3, (loose.sum(), 3))
    for b in range(len(bodies)):  # bent and twisted by what holds it
        state = put(model, state, b, rng.normal(0.0, 2e-3, 3), rng.normal(0.0, 0.1, 3))
    assert elastic_forces(model, state, work.elastic) < 0
    for b in range(len(bodies)):
        found = np.zeros(6)
        for i, owner in zip(model.slaves["node"], model.slaves["body"], strict=True):
            if owner == b:
                found += [*work.elastic.f[i], *np.cross(state.x[i] - state.bodies["x"][b], work.elastic.f[i])]
        for weld in model.welds[model.welds["body"] == b]:
            e = weld["frame"]
            if weld["clamp"] >= 0:
                found[3:] += frame_torque(model, weld["rod"], e, state, work.elastic) * state.t[e]
            if weld["ghost"] >= 0:
                found[3:] += np.cross(work.elastic.e[e], -work.elastic.g[e])
        expected = np.zeros(6)
        for k, delta in enumerate([1e-7] * 3 + [1e-5] * 3):
            step = delta * np.eye(6)[k]
            levels = [energies(model, put(model, state, b, s * step[:3], s * step[3:])).elastic.sum() for s in (1, -1)]
            expected[k] = (levels[1] - levels[0]) / (2.0 * delta)
        assert np.abs(expected[:3]).max() > 1e-2
        np.testing.assert_allclose(found[:3], expected[:3], rtol=0.0, atol=2e-6 * np.abs(expected[:3]).max())
        np.testing.assert_allclose(found[3:], expected[3:], rtol=0.0, atol=2e-6 * np.abs(expected[3:]).max())


BEND, TWIST, LENGTH, ANGLE = 0.7, 0.03, 1.2, 0.9
SECTIONS = {"round": BEND, "flat": (BEND, 0.5)}


def twisted(section, **options):
    """A straight rod along x, drawn with all its twist at one vertex and without any by nature."""
    drawn = np.zeros(26)
    drawn[9] = ANGLE
    rod = straight_rod(25, LENGTH, SECTIONS[section], TWIST, line_density=1e-3, **options)
    return replace(rod, twist=drawn, shape_memory=0.0)


@pytest.mark.parametrize("section", SECTIONS)
def test_torque_on_a_free_body(section):
    """A body at the end of a clamped, twisted rod begins to turn back at Cθ/(L I)."""
    rod, inertia = twisted(section), np.diag([2.0, 3.0, 3.5]) * 1e-3
    end = body("weight", [LENGTH + 0.1, 0.0, 0.0], 0.5, inertia)
    scene = alone([rod], [end], [Weld("weld", 0, 0, 25)], [Pin.fixed(rod, 0, "TWIST", rod=0)])
    model, state, work = assemble(scene)
    h = 1e-6
    assert take_steps(model, state, work, h, 1)[0] == DONE
    expected = TWIST * ANGLE / LENGTH
    np.testing.assert_allclose(state.bodies["l"][0] / h, -expected * X, rtol=0.0, atol=1e-8 * expected)
    turn = pose(state.bodies["q"])[0]
    spin = turn.apply(turn.inv().apply(state.bodies["l"][0]) / model.bodies["inertia"][0])
    assert -spin[0] / h == pytest.approx(expected / 2e-3, rel=1e-3)  # the last vertex weighs a little too


@pytest.mark.parametrize("section", SECTIONS)
def test_torque_on_what_holds_fast_and_on_what_is_led(section, solver):
    """Between two clamps, or a clamp and a body that an animation turns, the torque is Cθ/L."""
    model, state, work = assemble(held(twisted(section), "TWIST", "TWIST"))
    assert elastic_forces(model, state, work.elastic) < 0
    assert state.rods["torque"][0] == pytest.approx(TWIST * ANGLE / LENGTH, rel=1e-9)
    rod = straight_rod(25, LENGTH, SECTIONS[section], TWIST, line_density=1e-3)
    half = 0.5 * np.array([0.0, ANGLE, ANGLE])
    place = np.array([LENGTH + 0.2, 0.0, 0.0])
    led = body(
        "motor", place, times=np.array([0.0, 0.2, 0.3]), track=np.tile(place, (3, 1)),
        turn=np.stack([np.cos(half), np.sin(half), 0.0 * half, 0.0 * half], axis=1),
    )  # fmt: skip
    scene = alone([rod], [led], [Weld("weld", 0, 0, 25)], [Pin.fixed(rod, 0, "TWIST", rod=0)], frame_count=18)
    last = list(simulate(solved_by(solver, scene)))[-1]
    assert last.state["rods.torque"][0] == pytest.approx(TWIST * ANGLE / LENGTH, rel=1e-6)
    np.testing.assert_allclose(last.bodies[0, 3:], led.turn[-1], atol=1e-12)
    np.testing.assert_allclose(last.x, rod.x, atol=1e-9)


def test_a_rod_goes_where_its_led_body_goes(solver):
    """Its end, its tangent and its material frame, at every frame."""
    rod = straight_rod(12, 0.6, 1e-3, 1e-3, line_density=0.05)
    s = np.linspace(0.0, 1.0, 21)
    axis = np.array([1.0, 2.0, 2.0]) / 3.0
    turn = Rotation.from_rotvec(0.5 * np.pi * s[:, None] * axis)
    track = np.array([-0.1, 0.02, 0.03]) + np.outer(s, [0.1, -0.2, 0.15])
    led = body("hand", track[0], times=0.02 * np.arange(21), track=track, turn=np.roll(turn.as_quat(), 1, axis=1))
    scene = replace(alone([rod], [led], [Weld("weld", 0, 0, 0)], frame_count=21), gravity=DOWN)
    frames = list(simulate(solved_by(solver, scene)))
    first = frames[0].m1[0]
    for k, frame in enumerate(frames):
        np.testing.assert_allclose(frame.bodies[0, :3], track[k], atol=1e-12)
        np.testing.assert_allclose(frame.x[0], track[k] + turn[k].apply(rod.x[0] - track[0]), atol=1e-8 * 0.6)
        assert frame.m1[0] @ turn[k].apply(first) > 0.9  # the edge behind it bends


def half_periods(times, values):
    k = np.flatnonzero(values[:-1] * values[1:] < 0.0)
    return np.diff(times[k] - values[k] * (times[k + 1] - times[k]) / (values[k + 1] - values[k]))


def swing(scene, duration, look):
    """(times, look(state)) every few steps."""
    (model, state, work), found = assemble(scene), []
    while state.clock["time"][0] < duration:
        go_on(scene, model, state, work, 2.0 * scene.max_step)
        found.append((state.clock["time"][0], look(state)))
    return np.array(found).T


@pytest.mark.parametrize("amplitude", [0.05, 1.0])
def test_a_lamp_on_a_cable(amplitude, solver):
    """A heavy body held at its centre by a light cable: 4 √(L/g) K(sin ½φ), which is 2π √(L/g) for small φ."""
    length = 0.8
    rod = straight_rod(8, length, 1e-8, line_density=1e-3)
    down = np.array([np.sin(amplitude), 0.0, -np.cos(amplitude)])
    rod = replace(rod, x=np.linspace(0.0, length, 9)[:, None] * down, m1=None)
    lamp = body("lamp", rod.x[-1], 2.0, 1e-2 * np.eye(3))
    scene = alone([rod], [lamp], [Weld("weld", 0, 0, 8, "POSITION")], [Pin.fixed(rod, 0, rod=0)], gravity=DOWN)
    times, x = swing(solved_by(solver, scene, max_step=STEP), 4.5, lambda state: state.bodies["x"][0, 0])
    period = 4.0 * np.sqrt(length / G) * ellipk(np.sin(0.5 * amplitude) ** 2)
    assert 2.0 * half_periods(times, x).mean() == pytest.approx(period, rel=1e-3)


def test_a_compound_pendulum(solver):
    """A body welded to a stiff, light rod that swings about its other end: 2π √(I/(M g d))."""
    length, mass, arm = 0.5, 0.8, 0.1
    rod = straight_rod(5, length, 40.0, 40.0, line_density=0.02)
    rod = replace(rod, x=rod.x[:, [1, 2, 0]] * -1.0, m1=None)
    bob = body("bob", [0.0, 0.0, -length - arm], mass, np.diag([0.02, 0.015, 0.01]), v=np.array([0.05, 0.0, 0.0]))
    scene = alone([rod], [bob], [Weld("weld", 0, 0, 5)], [Pin.fixed(rod, 0, rod=0)], gravity=DOWN)
    omega = np.array([0.0, -0.05 / (length + arm), 0.0])
    scene = replace(
        scene,
        rods=(replace(rod, v=np.cross(omega, rod.x)),),
        bodies=(replace(bob, v=np.cross(omega, bob.position), omega=omega),),
    )
    times, x = swing(solved_by(solver, scene, max_step=STEP), 3.6, lambda state: state.bodies["x"][0, 0])
    inertia = 0.015 + mass * (length + arm) ** 2 + rod.mass @ rod.x[:, 2] ** 2
    moment = mass * (length + arm) - rod.mass @ rod.x[:, 2]
    period = 2.0 * np.pi * np.sqrt(inertia / (G * moment))
    assert np.abs(x).max() < 0.02
    assert 2.0 * half_periods(times, x).mean() == pytest.approx(period, rel=1e-3)


@pytest.mark.parametrize("section", SECTIONS)
def test_a_torsional_pendulum(section, solver):
    """A body on a clamped wire turns to and fro at ω = √(C/(L I))."""
    rod = straight_rod(10, LENGTH, SECTIONS[section], TWIST, line_density=1e-3)
    weight = body("disc", [LENGTH, 0.0, 0.0], 0.5, np.diag([2.0, 1.5, 1.5]) * 1e-3, omega=3.0 * X)
    scene = alone([rod], [weight], [Weld("weld", 0, 0, 10)], [Pin.fixed(rod, 0, "TWIST", rod=0)])
    times, momentum = swing(solved_by(solver, scene, max_step=STEP), 6.0, lambda state: state.bodies["l"][0, 0])
    assert half_periods(times, momentum).mean() == pytest.approx(np.pi * np.sqrt(LENGTH * 2e-3 / TWIST), rel=2e-3)


def test_two_discs_on_a_wire(solver):
    """A torque transducer: unequal bodies turn against each other at ω² = (C/L)(1/I₁ + 1/I₂), momentum zero."""
    rod = straight_rod(10, LENGTH, BEND, TWIST, line_density=1e-4)
    discs = [
        body("one", [0.0, 0.0, 0.0], 0.5, np.diag([2.0, 1.5, 1.5]) * 1e-3, omega=2.0 * X),
        body("two", [LENGTH, 0.0, 0.0], 0.3, np.diag([0.8, 0.6, 0.6]) * 1e-3, omega=-5.0 * X),
    ]
    scene = alone([rod], discs, [Weld("a", 0, 0, 0), Weld("b", 1, 0, 10)])
    times, l = swing(solved_by(solver, scene, max_step=STEP), 3.0, lambda state: state.bodies["l"][0, 0])
    rate = np.sqrt(TWIST / LENGTH * (1.0 / 2e-3 + 1.0 / 0.8e-3))
    assert np.abs(l).max() == pytest.approx(2.0 * 2e-3, rel=1e-2)
    assert half_periods(times, l).mean() == pytest.approx(np.pi / rate, rel=2e-3)
