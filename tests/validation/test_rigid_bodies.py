"""Rigid bodies and the rods between them: Euler's equations, momenta, energy, whichever way they lie."""

from dataclasses import replace

import numpy as np
import pytest
from jointed import JOINTED, UNEVEN, alone, body, dumbbell, pose, spins
from scipy.integrate import solve_ivp
from solvers import exact_steps, solved_by
from statics import straight_rod
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.energies import energies
from tendril.physics.diagnostics.momenta import angular_momentum, linear_momentum
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Pin, RigidBody, Rod, Scene, Weld
from tendril.physics.time_integration.advance import take_steps
from tendril.physics.time_integration.step_limit import stable_step
from tendril.physics.time_integration.symplectic_euler import DONE


def tumbling(inertia, omega, solver):
    """(scene, (model, state, work)) of a body by itself; the rod is elsewhere."""
    scene = alone([straight_rod(3)], [body("top", [0.0, 5.0, 0.0], 0.7, inertia, omega=np.array(omega))], [])
    scene = solved_by(solver, scene)
    return scene, assemble(scene)


@pytest.mark.parametrize("ratio", [0.5, 1.6])
def test_precession_of_a_symmetric_top(ratio, solver):
    """Its axis goes round the angular momentum at |L|/I₁, steadily and at a constant angle; second order."""
    moments = np.array([1.0, 1.0, ratio]) * 1e-3
    omega, errors = np.array([2.0, 0.0, 5.0]), []
    rate = np.linalg.norm(moments * omega) / moments[0]
    duration = 2.0 * np.pi / rate
    for steps in (100, 200, 400):
        scene, (model, state, work) = tumbling(np.diag(moments), omega, solver)
        start = pose(state.bodies["q"])[0]
        exact_steps(scene, model, state, work, duration / steps, steps)
        axis = (pose(state.bodies["q"])[0] * start.inv()).apply([0.0, 0.0, 1.0])
        errors.append(np.linalg.norm(axis - [0.0, 0.0, 1.0]))
    assert errors[2] < 1e-3
    assert np.all(np.log2(np.array(errors[:-1]) / errors[1:]) > 1.9)


@pytest.mark.parametrize("density", [100.0, 8000.0])
def test_a_top_on_a_post(density, solver):
    """Slow precession W of a top that leans by α on a ball joint, spun at s: A W² cos α − C s W + m g h = 0, A about
    the tip. The post's own vertex there, up to 2.5 times as heavy, does not turn with it.
    """
    m, h, r, s, tilt = 0.1, 0.04, 0.03, 150.0, np.radians(20.0)
    about_tip, own, weight = m * (h**2 + 0.25 * r**2), 0.5 * m * r**2, m * 9.81 * h
    root = np.sqrt((own * s) ** 2 - 4.0 * about_tip * np.cos(tilt) * weight)
    slow = (own * s - root) / (2.0 * about_tip * np.cos(tilt))
    up, axis = np.array([0.0, 0.0, 1.0]), np.array([np.sin(tilt), 0.0, np.cos(tilt)])
    omega = s * axis + slow * (up - np.cos(tilt) * axis)
    inertia = 0.25 * m * r**2 * (np.eye(3) + np.outer(axis, axis))
    top = RigidBody("top", h * axis, m, inertia, v=np.cross(omega, h * axis), omega=omega)
    x = np.linspace([0.0, 0.0, -0.3], [0.0, 0.0, 0.0], 7)
    post = Rod.from_material("post", x, 0.02, Material(2e11, 0.3, density))
    pins, welds = (Pin.fixed(post, 0, "TWIST", rod=0),), (Weld("tip", 0, 0, 6, "POSITION"),)
    scene = Scene((post,), 1.0 / 60.0, 61, pins, (top,), welds, air_density=0.0, solver=solver, max_step=1e-3)
    place = np.array([item.bodies[0, :3] for item in simulate(scene)])
    turned = np.unwrap(np.arctan2(place[:, 1], place[:, 0]))
    assert turned[-1] == pytest.approx(slow, rel=2e-3)
    np.testing.assert_allclose(np.arccos(place[:, 2] / h), tilt, atol=1e-3)


def test_euler_s_equations(solver):
    """A body that tumbles about its middle axis, against an integration of I ω̇ + ω × Iω = 0; second order."""
    moments, omega = np.array([1.0, 2.0, 2.7]) * 1e-3, np.array([0.05, 6.0, 0.1])

    def rates(_, y):
        w, q = y[:3], y[3:]
        spun = np.array([-q[1:] @ w, *(q[0] * w + np.cross(q[1:], w))])
        return np.concatenate([-np.cross(w, moments * w) / moments, 0.5 * spun])

    exact = solve_ivp(rates, (0.0, 2.0), np.concatenate([omega, [1.0, 0.0, 0.0, 0.0]]), rtol=1e-12, atol=1e-12).y[
        3:, -1
    ]
    errors = []
    for steps in (500, 1000, 2000):
        scene, (model, state, work) = tumbling(np.diag(moments), omega, solver)
        start = pose(state.bodies["q"])[0]
        exact_steps(scene, model, state, work, 2.0 / steps, steps)
        errors.append((pose(state.bodies["q"])[0] * start.inv() * pose(exact).inv()).magnitude())
    assert pose(exact).magnitude() > 0.5  # it has turned
    assert errors[2] < 2e-3
    assert np.all(np.log2(np.array(errors[:-1]) / errors[1:]) > 1.9)


def test_a_tumbling_body_keeps_its_energy(solver):
    scene, (model, state, work) = tumbling(UNEVEN, [3.0, -5.0, 2.0], solver)
    start, momentum, levels = energies(model, state).total, state.bodies["l"].copy(), []
    for _ in range(200):
        exact_steps(scene, model, state, work, 0.005, 50)
        levels.append(energies(model, state).total / start - 1.0)
    np.testing.assert_array_equal(state.bodies["l"], momentum)
    assert np.abs(levels).max() < 1e-3
    assert abs(np.mean(levels[:50]) - np.mean(levels[150:])) < 1e-4
    assert np.ptp(spins(model, state)) > 1.0


@pytest.mark.parametrize("kind", JOINTED)
def test_ten_thousand_steps(kind):
    """Momenta to round-off, energy without drift."""
    model, state, work = assemble(JOINTED[kind]())
    h = 0.3 * stable_step(model, state)
    assert take_steps(model, state, work, h, 1)[0] == DONE
    p, L, levels = linear_momentum(model, state), angular_momentum(model, state), []
    first = state.bodies["x"].copy(), pose(state.bodies["q"])
    for _ in range(500):
        assert take_steps(model, state, work, h, 20)[0] == DONE
        levels.append(energies(model, state).total)
    assert (pose(state.bodies["q"]) * first[1].inv()).magnitude().max() > 0.5
    assert np.abs(state.bodies["x"] - first[0]).max() > 0.02
    np.testing.assert_allclose(linear_momentum(model, state), p, rtol=0.0, atol=1e-11 * np.linalg.norm(p))
    np.testing.assert_allclose(angular_momentum(model, state), L, rtol=0.0, atol=1e-10 * np.linalg.norm(L))
    mean = np.mean(levels)
    assert np.ptp(levels) < 0.05 * mean
    assert abs(np.mean(levels[:125]) - np.mean(levels[375:])) < 2e-3 * mean


@pytest.mark.parametrize("relaxation", [0.02, 5.0])
@pytest.mark.parametrize("kind", JOINTED)
def test_internal_damping_keeps_momenta_and_takes_energy(kind, relaxation):
    """Also what ghost edges take of it goes to the bodies that carry them; with any viscosity."""
    scene = JOINTED[kind]()
    rods = tuple(replace(rod, internal_damping=relaxation) for rod in scene.rods)
    model, state, work = assemble(replace(scene, rods=rods))
    h, levels = 0.4 * stable_step(model, state), []
    p, L = linear_momentum(model, state), angular_momentum(model, state)
    for _ in range(40):
        levels.append(energies(model, state).total)
        assert take_steps(model, state, work, h, 50)[0] == DONE
    np.testing.assert_allclose(linear_momentum(model, state), p, rtol=0.0, atol=1e-10 * np.linalg.norm(p))
    np.testing.assert_allclose(angular_momentum(model, state), L, rtol=0.0, atol=1e-10 * np.linalg.norm(L))
    assert levels[-1] < 0.99 * levels[0]
    assert np.diff(levels).max() < 1e-3 * levels[0]


def test_order_in_time():
    """Two bodies and a rod after 0.1 s: halve the step and the distance from the limit at least halves."""
    ends = []
    for steps in (1000, 2000, 4000):
        model, state, work = assemble(dumbbell())
        assert take_steps(model, state, work, 0.1 / steps, steps)[0] == DONE
        ends.append(np.concatenate([state.bodies["x"].ravel(), pose(state.bodies["q"]).as_matrix().ravel()]))
    first, second = np.linalg.norm(ends[1] - ends[0]), np.linalg.norm(ends[2] - ends[1])
    assert first < 1e-2
    assert np.log2(first / second) > 0.95


def frames(scene):
    return list(simulate(scene))


@pytest.mark.parametrize("kind", JOINTED)
def test_turned_and_shifted(kind):
    q = np.array([0.5, 0.1, -0.7, 0.5])
    turn, shift = pose(q / np.linalg.norm(q)), np.array([0.3, -0.2, 0.5])
    R = turn.as_matrix()
    scene = replace(JOINTED[kind](), gravity=np.array([0.0, 0.0, -9.81]), max_step=2e-4)
    rods = tuple(replace(rod, x=turn.apply(rod.x) + shift, m1=None) for rod in scene.rods)
    bodies = tuple(
        replace(
            one, position=R @ one.position + shift, inertia=R @ one.inertia @ R.T,
            v=None if one.v is None else R @ one.v, omega=None if one.omega is None else R @ one.omega,
        )
        for one in scene.bodies
    )  # fmt: skip
    here = frames(scene)
    model, state, _ = assemble(scene)
    for k, e in enumerate(model.rods["frame"] + 1):  # the frame that was chosen here, there
        m1 = np.cos(state.theta[e]) * state.u[e] + np.sin(state.theta[e]) * np.cross(state.t[e], state.u[e])
        rods = (*rods[:k], replace(rods[k], m1=R @ m1), *rods[k + 1 :])
    there = frames(replace(scene, rods=rods, bodies=bodies, gravity=R @ scene.gravity))
    assert np.abs(here[-1].x - here[0].x).max() > 0.01
    for a, b in zip(here, there, strict=True):
        np.testing.assert_allclose(b.x, turn.apply(a.x) + shift, rtol=0.0, atol=1e-8)
        np.testing.assert_allclose(b.bodies[:, :3], turn.apply(a.bodies[:, :3]) + shift, rtol=0.0, atol=1e-8)
        same = pose(b.bodies[:, 3:]) * (turn * pose(a.bodies[:, 3:]) * turn.inv()).inv()
        assert same.magnitude().max() < 1e-7


@pytest.mark.parametrize("kind", ["loop", "bead"])
def test_in_another_order(kind):
    """Bodies, rods and welds numbered the other way round."""
    scene = replace(JOINTED[kind](), gravity=np.array([0.0, 0.0, -9.81]), max_step=2e-4)
    rods, bodies = len(scene.rods), len(scene.bodies)
    welds = tuple(replace(weld, rod=rods - 1 - weld.rod, body=bodies - 1 - weld.body) for weld in scene.welds[::-1])
    other = replace(scene, rods=scene.rods[::-1], bodies=scene.bodies[::-1], welds=welds)
    count = len(scene.rods[0].x)
    for a, b in zip(frames(scene), frames(other), strict=True):
        np.testing.assert_allclose(np.roll(b.x, count, axis=0), a.x, rtol=0.0, atol=1e-8)
        np.testing.assert_allclose(b.bodies[::-1], a.bodies, rtol=0.0, atol=1e-7)
