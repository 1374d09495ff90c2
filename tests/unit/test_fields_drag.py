"""Drag in moving air, kernel by kernel; along a flight it is tests/validation/test_air.py and test_wind.py."""

import numpy as np
import pytest
from tendril.physics.forces.drag import SKIN_FRICTION, body_drag, drag
from tendril.physics.model import BODY, BODY_STATE, FIELD_EFFECT, NODE, changed

RHO, CD, RADIUS, LENGTH, DENSITY = 1.2, 1.1, 0.01, 0.5, 60.0


def rod(n):
    """(x, mass, area) of a straight rod along x."""
    x = np.zeros((n + 1, 3))
    x[:, 0] = np.linspace(0.0, LENGTH, n + 1)
    share = np.full(n + 1, LENGTH / n)
    share[[0, -1]] *= 0.5
    return x, share * DENSITY * np.pi * RADIUS**2, CD * 2.0 * RADIUS * share


def blown(n, v, air, *, leaf=0.0, brake=(0.0, 0.0), closed=False, h=1e-3, steps=1):
    """Velocities (n, 3) after some steps."""
    x, mass, area = rod(n)
    v = np.tile(np.asarray(v, dtype=float), (len(x), 1))
    for _ in range(steps):
        drag(x, v, 1.0 / mass, sized(area, leaf * area, mass), effects(air, brake, len(x)), closed, RHO, h)
    return v


def sized(area, leaf_area, mass):
    return changed(np.zeros(len(area), NODE), drag_area=area, leaf_area=leaf_area, mass=mass)


def effects(air, brake, n):
    return changed(np.zeros(n, FIELD_EFFECT), air=air, brake=brake)


def test_only_the_velocity_against_the_air_counts():
    u, wind = np.array([3.0, 4.0, -5.0]), np.array([10.0, -2.0, 1.0])
    still, moving = blown(6, u, np.zeros(3), leaf=0.7), blown(6, u + wind, wind, leaf=0.7)
    np.testing.assert_allclose(moving, still + wind, rtol=1e-13)


def test_air_at_rest_with_a_thing_leaves_it():
    wind = np.array([10.0, -2.0, 1.0])
    np.testing.assert_allclose(blown(6, wind, wind, leaf=1.0), np.tile(wind, (7, 1)), rtol=1e-15)


@pytest.mark.parametrize(
    ("direction", "leaf", "factor"),
    [((0, 1, 0), 0.0, 1.0), ((1, 0, 0), 0.0, np.pi * SKIN_FRICTION), ((0, 0.6, 0.8), 2.5, 3.5)],
)
def test_force_per_area(direction, leaf, factor):
    """½ ρ C_D A U² of what stands still, to first order in the step."""
    wind, h = 8.0 * np.array(direction), 1e-7
    _, mass, area = rod(6)
    force = mass[:, None] * blown(6, np.zeros(3), wind, leaf=leaf, h=h) / h
    np.testing.assert_allclose(force, factor * 0.5 * RHO * area[:, None] * 8.0 * wind, rtol=1e-3, atol=1e-12)


def test_drift_does_not_depend_on_the_number_of_points():
    few, many = (blown(n, np.zeros(3), np.array([1.0, 9.0, 2.0]), leaf=0.3, steps=200)[1] for n in (20, 80))
    np.testing.assert_allclose(few, many, rtol=1e-12)
    assert 1.0 < few[1] < 9.0


def test_no_step_is_too_long():
    """In a gale and a step of a minute it takes the air's velocity and never more."""
    wind = np.array([0.0, 50.0, 0.0])
    v = blown(6, np.zeros(3), wind, leaf=1.0, h=60.0, steps=20)
    assert np.all(v[:, 1] <= 50.0)
    assert np.all(v[:, 1] > 49.0)


def test_drag_field():
    """dv/dt = −(c₁ + c₂ v) v: v = c₁ v₀ e^(−c₁t)/(c₁ + c₂ v₀ (1 − e^(−c₁t)))."""
    a, b, v0, t = 0.8, 0.3, 7.0, 0.5
    x, mass, area = rod(6)
    v, n = np.tile([0.0, v0, 0.0], (7, 1)), 2000
    for _ in range(n):
        drag(x, v, 1.0 / mass, sized(area, area, mass), effects(0.0, (a, b), 7), False, 0.0, t / n)
    expected = a * v0 * np.exp(-a * t) / (a + b * v0 * (1.0 - np.exp(-a * t)))
    np.testing.assert_allclose(v[:, 1], expected, rtol=1e-3)


def test_what_is_held_stays():
    x, mass, area = rod(3)
    w, v = np.array([0.0, 1.0, 1.0, 1.0]) / mass, np.zeros((4, 3))
    drag(x, v, w, sized(area, area, mass), effects((0.0, 9.0, 0.0), 0.0, 4), False, RHO, 1e-3)
    assert not v[0].any()
    assert np.all(v[1:, 1] > 0.0)


def test_bodies():
    """dv/dt = ½ρA (U − v)²/m: U − v = U/(1 + ½ρA U t/m)."""
    area, mass, speed, t, n = np.array([0.02, 0.5]), np.array([0.1, 3.0]), 6.0, 2.0, 4000
    now, wind = np.zeros(2, BODY_STATE), (0.0, 0.0, speed)
    bodies = changed(np.zeros(2, BODY), w=1.0 / mass, drag_area=area)
    v = now["v"]
    for _ in range(n):
        body_drag(bodies, now, effects(wind, 0.0, 2), RHO, t / n)
    np.testing.assert_allclose(v[:, 2], speed - speed / (1.0 + 0.5 * RHO * area * speed * t / mass), rtol=1e-3)
    before = v.copy()
    brake = effects(wind, [[1.0, 0.0], [0.0, 1.0]], 2)
    body_drag(changed(bodies, drag_area=0.0), now, brake, RHO, 0.1)
    np.testing.assert_allclose(v[:, 2], before[:, 2] / (1.0 + 0.1 * np.array([1.0, before[1, 2]])), rtol=1e-14)
