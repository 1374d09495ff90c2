"""Small vibrations: frequencies and their order, the largest stable step, and how internal damping makes them die."""

from dataclasses import replace

import numpy as np
import pytest
from convergence import orders
from solvers import go_on, relaxed, solved_by
from statics import Statics, held, straight_rod
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.energies import energies
from tendril.physics.diagnostics.momenta import angular_momentum
from tendril.physics.materials import Material
from tendril.physics.scene import QUALITIES, Rod
from tendril.physics.time_integration.advance import take_steps
from tendril.physics.time_integration.step_limit import stable_step
from tendril.physics.time_integration.symplectic_euler import DONE

SECOND = 1.9  # what counts as second order
CANTILEVER = np.array([3.5160, 22.0345, 61.6972])  # ω L² √(ρA/B)
STEP = 2e-3  # s, at most: nearly a thousand in the period of the slowest vibration
CHAIN = np.array([1.2024, 2.7600, 4.3269])  # ω √(L/g): half the zeros of J₀


def test_cantilever_frequencies(solver):
    bend, density, length = 0.7, 1.3, 1.2
    law = CANTILEVER / length**2 * np.sqrt(bend / density)
    errors = []
    for n in (20, 40, 80):
        scene = held(straight_rod(n, length, bend, line_density=density), "DIRECTION", solver=solver)
        squares = Statics(scene).squares()
        errors.append(np.sqrt(squares[:6:2]) / law - 1.0)
    assert np.all(np.abs(errors[2]) < (2e-4, 1e-3, 2e-3))
    assert np.all(orders(np.array(errors)) > SECOND)


def test_hanging_chain_frequencies(solver):
    length, g = 1.2, 9.81
    errors = []
    for n in (20, 40, 80):
        rod = straight_rod(n, length, 1e-9, line_density=1.3)
        squares = Statics(held(rod, "POSITION", gravity=(g, 0.0, 0.0), solver=solver)).squares()
        errors.append(np.sqrt(squares[:6:2] * length / g) / CHAIN - 1.0)
    assert np.all(np.abs(errors[2]) < (1e-4, 1e-3, 3e-3))
    assert np.all(orders(np.array(errors)) > SECOND)


def tip_motion(scene, push, duration):
    """Times [s] and sideways tip positions [m] after a push [m/s] in the shape of the lowest vibration."""
    model, state, work = assemble(scene)
    s = np.linspace(0.0, 1.0, len(scene.rods[0].x))
    state.v[model.rods["first"][0] : model.rods["last"][0] + 1, 1] = push * (2.0 * s**2 - 4.0 / 3.0 * s**3 + s**4 / 3.0)
    times, tips = [], []
    while state.clock["time"][0] < duration:
        go_on(scene, model, state, work, scene.max_step)
        times.append(state.clock["time"][0])
        tips.append(state.x[model.rods["last"][0], 1])
    return np.array(times), np.array(tips)


def crossings(t, y):
    """Times at which y passes zero."""
    k = np.flatnonzero(y[:-1] * y[1:] < 0.0)
    return t[k] - y[k] * (t[k + 1] - t[k]) / (y[k + 1] - y[k])


def test_the_motion_has_the_frequency(solver):
    t, tip = tip_motion(held(straight_rod(20), "DIRECTION", solver=solver, max_step=STEP), 1e-3, 8.0)
    period = 2.0 * np.diff(crossings(t, tip)).mean()
    assert period == pytest.approx(2.0 * np.pi / CANTILEVER[0], rel=0.003)


@pytest.mark.parametrize("relaxation", [0.01, 0.04])
def test_internal_damping(relaxation, solver):
    """A Kelvin–Voigt rod's vibration dies as exp(−ω²τt/2)."""
    rod = straight_rod(20, internal_damping=relaxation)
    t, tip = tip_motion(held(rod, "DIRECTION", solver=solver, max_step=STEP), 1e-3, 8.0)
    peaks = np.flatnonzero((np.abs(tip[1:-1]) > np.abs(tip[:-2])) & (np.abs(tip[1:-1]) > np.abs(tip[2:]))) + 1
    rate = -np.polyfit(t[peaks], np.log(np.abs(tip[peaks])), 1)[0]
    assert rate == pytest.approx(CANTILEVER[0] ** 2 * relaxation / 2.0, rel=0.03)


@pytest.mark.parametrize("closed", [False, True])
def test_internal_damping_leaves_rigid_motion_alone(closed):
    """A rod that turns and flies moves as it would without, whatever its shape."""
    around = 2.0 * np.pi * np.arange(24) / 24
    x = np.stack([np.cos(around), np.sin(around), 0.3 * np.sin(2.0 * around)], axis=1)
    v = np.array([1.0, 2.0, 3.0]) + np.cross([0.3, 0.5, -0.4], x)
    ends = []
    for damping in (0.0, 0.5):
        material = Material(1e7, 0.4, 1000.0, internal_damping=damping)
        rod = Rod.from_material("rod", x, 0.02, material, closed=closed, v=v)
        model, state, work = assemble(held(rod))
        assert take_steps(model, state, work, 1e-4, 1)[0] == DONE
        ends.append(state.v[:24].copy())
    np.testing.assert_allclose(ends[0], ends[1], rtol=0.0, atol=1e-11)


@pytest.mark.parametrize("quality", QUALITIES)
@pytest.mark.parametrize(
    "axis", np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.96, 0.28]]), ids=["in", "along", "across"]
)
def test_internal_damping_leaves_what_tumbles_alone(axis, quality):
    """A stiff bow that turns by a fifth of a radian in a step of Preview goes on as one without damping."""
    angle = np.linspace(-1.0, 1.0, 25)
    x = 0.09 * np.stack([np.sin(angle), np.cos(angle) - 0.84, 0.1 * angle], axis=1)
    turning = []
    for damping in (0.0, 0.02):
        material = Material(1.7e10, 0.4, 700.0, internal_damping=damping)
        bow = Rod.from_material("bow", x, 0.0035, material, v=np.cross(10.0 * axis, x - x.mean(axis=0)))
        scene = solved_by("IMPLICIT", held(bow), quality=quality, air_density=0.0)
        model, state, work = assemble(scene)
        go_on(scene, model, state, work, 0.4)
        turning.append([energies(model, state).kinetic, *angular_momentum(model, state)])
    size = np.linalg.norm(turning[0][1:])
    np.testing.assert_allclose(turning[1][0], turning[0][0], rtol=0.01)
    np.testing.assert_allclose(turning[1][1:], turning[0][1:], rtol=0.0, atol=0.01 * size)


@pytest.mark.parametrize("quality", QUALITIES)
@pytest.mark.parametrize("relaxation", [1e-4, 0.02, 1.0])
@pytest.mark.parametrize("aspect", [1.0, 0.3])
def test_steps_of_what_is_damped_add_no_energy(aspect, relaxation, quality):
    """Damping takes from velocities before forces act: less than the largest undamped step is stable."""
    x = np.linspace([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], 31)
    noise = 1e-3 * np.random.default_rng(0).normal(size=x.shape)
    rubber = Material(5e7, 0.4, 1000.0, internal_damping=relaxation)
    rod = Rod.from_material("rod", x, 0.005, rubber, aspect=aspect, v=noise)
    scene = solved_by("EXPLICIT", held(rod), quality=quality, air_density=0.0)
    model, state, work = assemble(scene)
    start = energies(model, state).total
    for _ in range(10):
        go_on(scene, model, state, work, 0.02)
        assert energies(model, state).total < start


SHAPES = {"straight": 0.0, "arc": 2.0}


@pytest.mark.parametrize("modes", [(), ("DIRECTION",)], ids=["free", "clamped"])
@pytest.mark.parametrize("shape", SHAPES)
def test_blow_up_step(modes, shape):
    """The largest stable step is l²/2 √(ρA/B), within 2 %; the solver stays below it."""
    n, bend, density = 40, 0.7, 1.3
    rod = straight_rod(n, 1.0, bend, line_density=density)
    if SHAPES[shape]:
        around = SHAPES[shape] * rod.x[:, 0]
        x = np.stack([np.sin(around), 1.0 - np.cos(around), 0.0 * around], axis=1)
        x *= 1.0 / n / np.linalg.norm(x[1] - x[0])
        rod = replace(rod, x=x)
    scene = held(rod, *modes)
    limit = 0.5 / n**2 * np.sqrt(density / bend)

    def growth(step):
        model, state, work = assemble(scene)
        state.v[:] = 1e-9 * np.random.default_rng(1).normal(size=state.v.shape) * (model.nodes["w"][:, None] > 0.0)
        start = np.abs(state.v).max()
        status, _ = take_steps(model, state, work, step, 1500)
        return np.abs(state.v).max() / start if status == DONE else np.inf

    assert growth(0.98 * limit) < 100.0
    assert growth(1.02 * limit) == np.inf
    model, state, _ = assemble(scene)
    assert 0.7 * limit < stable_step(model, state) < 1.001 * limit
    assert max(QUALITIES.values()) <= 0.8


def test_stretching_frequency(solver):
    """A stretchable rod held at one end vibrates along itself at ω = π/2L √(EA/ρA)."""
    n, stiffness = 40, 50.0
    rod = straight_rod(n, bend=1e-4, line_density=1.3, stretchable=True)
    rod = replace(rod, stretch_stiffness=np.full(n, stiffness))
    scene = held(rod, "POSITION", solver=solver, max_step=STEP)
    model, state, work = assemble(scene)
    state.v[: n + 1, 0] = 1e-3 * np.sin(0.5 * np.pi * rod.x[:, 0])
    t, tips = STEP * np.arange(1, 2001), []
    for _ in t:
        go_on(scene, model, state, work, STEP)
        tips.append(state.x[n, 0] - 1.0)
    period = 2.0 * np.diff(crossings(t, np.array(tips))).mean()
    assert period == pytest.approx(4.0 * np.sqrt(1.3 / stiffness), rel=1e-3)


def test_stretched_by_its_own_weight(solver):
    """δ = wL²/2EA, and EA is E times the section's area."""
    material = Material(2e5, 0.4, 1000.0)
    x = np.zeros((21, 3))
    x[:, 2] = -np.linspace(0.0, 1.0, 21)
    rod = Rod.from_material("rubber", x, 0.01, material, stretchable=True)
    scene = held(rod, "POSITION", gravity=(0.0, 0.0, -9.81), solver=solver)
    _, state = relaxed(scene, rate=20.0, duration=4.0)
    assert -1.0 - state.x[20, 2] == pytest.approx(1000.0 * 9.81 / (2.0 * 2e5), rel=1e-6)
