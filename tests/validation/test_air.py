"""Air drag: F = ½ρ C_D 2r v² per length across the rod, ½ρ C_F 2πr v² along it with C_F = C_D/100."""

from dataclasses import replace

import numpy as np
import pytest
from solvers import go_on
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.scene import Rod, Scene
from tendril.physics.time_integration.advance import take_steps
from tendril.physics.time_integration.symplectic_euler import DONE

FOAM = Material(1e6, 0.3, 50.0, drag_coefficient=1.1)
RHO, RADIUS, LENGTH = 1.2, 0.01, 0.4
MASS = 50.0 * np.pi * RADIUS**2  # per length


def thrown(v, n=20, place=(0.0, 0.0, 0.0)):
    """A straight rod along x that flies at v (3,) [m/s]."""
    x = np.zeros((n + 1, 3))
    x[:, 0] = np.linspace(0.0, LENGTH, n + 1)
    return Rod.from_material("rod", x + np.array(place), RADIUS, FOAM, v=np.tile(np.asarray(v, float), (n + 1, 1)))


def fly(rod, solver, duration, gravity=(0.0, 0.0, 0.0)):
    """(x, v) of a rod after `duration` [s] in steps of 0.1 ms at most."""
    air = {"air_density": RHO, "gravity": np.array(gravity)}
    scene = Scene((rod,), 0.04, 1, contact=False, solver=solver, max_step=1e-4, **air)
    model, state, work = assemble(scene)
    go_on(scene, model, state, work, duration)
    return state.x[: len(rod.x)].copy(), state.v[: len(rod.x)].copy()


def slowed(speed, coefficient, duration):
    """Speed under m dv/dt = −k v² per length."""
    return speed / (1.0 + coefficient / MASS * speed * duration)


ACROSS = 0.5 * RHO * 1.1 * 2.0 * RADIUS
ALONG = 0.5 * RHO * 1.1 / 100.0 * 2.0 * np.pi * RADIUS


def test_across(solver):
    _, v = fly(thrown((0.0, 6.0, 8.0)), solver, 0.2)
    np.testing.assert_allclose(v[10], np.array([0.0, 0.6, 0.8]) * slowed(10.0, ACROSS, 0.2), rtol=1e-3, atol=1e-9)


def test_along(solver):
    _, v = fly(thrown((10.0, 0.0, 0.0)), solver, 0.2)
    assert 10.0 - v[10, 0] == pytest.approx(10.0 - slowed(10.0, ALONG, 0.2), rel=1e-3)


def test_each_direction_for_itself(solver):
    """The cross-flow principle: the two parts of an oblique flight are slowed as if alone."""
    _, v = fly(thrown((7.0, 7.0, 0.0)), solver, 0.1)
    assert v[10, 1] == pytest.approx(slowed(7.0, ACROSS, 0.1), rel=1e-3)
    assert 7.0 - v[10, 0] == pytest.approx(7.0 - slowed(7.0, ALONG, 0.1), rel=1e-2)


def test_falling(solver):
    """v = v_t tanh(gt/v_t) with v_t = √(mg/k)."""
    terminal = np.sqrt(MASS * 9.81 / ACROSS)
    _, v = fly(thrown((0.0, 0.0, 0.0)), solver, 0.6, gravity=(0.0, 0.0, -9.81))
    assert 0.6 * 9.81 / terminal > 1.0
    np.testing.assert_allclose(v[:, 2], -terminal * np.tanh(9.81 * 0.6 / terminal), rtol=2e-3)


@pytest.mark.parametrize("n", [10, 80])
def test_does_not_depend_on_the_number_of_points(n, solver):
    """Neither does the drag of a taut rod, nor that of one that bends in the wind it makes."""
    gravity = (0.0, 0.0, -9.81)
    x, _ = fly(thrown((0.0, 5.0, 0.0), n), solver, 0.2, gravity)
    reference, _ = fly(thrown((0.0, 5.0, 0.0), 40), solver, 0.2, gravity)
    np.testing.assert_allclose(x[[0, n // 2, n]], reference[[0, 20, 40]], atol=1e-3)


@pytest.mark.parametrize("closed", [False, True])
def test_another_rod_far_away_changes_nothing(closed):
    around = 2.0 * np.pi * np.arange(20) / 20
    ring = 0.2 * np.stack([np.cos(around), np.sin(around), 0.3 * np.cos(2.0 * around)], axis=1)
    v = np.tile([3.0, 4.0, 5.0], (20, 1))
    rod = Rod.from_material("rod", ring, RADIUS, FOAM, closed=closed, v=v)
    far = thrown((1.0, 2.0, 3.0), place=(9.0, 7.0, 5.0))
    ends = []
    for rods in ((rod,), (far, rod), (rod, far)):
        model, state, work = assemble(Scene(rods, 0.04, 1, gravity=np.zeros(3), contact=False))
        assert take_steps(model, state, work, 1e-4, 300)[0] == DONE
        r = 0 if rods[0] is rod else 1
        ends.append(state.x[model.rods["first"][r] : model.rods["last"][r] + 1].copy())
    np.testing.assert_allclose(ends[1], ends[0], rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(ends[2], ends[0], rtol=0.0, atol=1e-12)


def test_no_step_is_too_long_for_it(solver):
    """A feather thrown at 100 m/s comes to a stop, it is not thrown back."""
    rod = thrown((0.0, 100.0, 0.0))
    rods = (replace(rod, drag_coefficient=50.0),)
    scene = Scene(rods, 0.04, 1, gravity=np.zeros(3), contact=False, solver=solver)
    model, state, work = assemble(scene)
    for _ in range(20):
        go_on(scene, model, state, work, 0.04)
        assert state.v[:, 1].min() > -1e-6
    assert state.v[:, 1].max() < 1.0
