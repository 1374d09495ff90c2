"""A clamped rod under loads: closed forms, elliptic integrals, and the order of the error."""

from dataclasses import replace

import numpy as np
import pytest
from convergence import order
from scipy.integrate import quad
from solvers import go_on, relaxed
from statics import Statics, held, straight_rod
from tendril.physics.assemble import assemble
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Pin

SECOND = 1.85  # what counts as second order
DOWN = np.array([0.0, 0.0, -1.0])

# a = PL²/B: drop/L, reach/L, tip angle [°] (Bisshopp & Drucker 1945)
DEAD_LOAD = {
    0.25: (0.08275, 0.99588, 7.12),
    1.0: (0.30172, 0.94357, 26.43),
    3.0: (0.60325, 0.74558, 56.50),
    10.0: (0.81061, 0.44500, 81.95),
}
# Γ = wL³/B: drop/reach of the tip under its own weight
OWN_WEIGHT = {0.5: 0.06244, 2.0: 0.24667, 5.0: 0.58572, 10.0: 1.0668, 20.0: 1.8639}


def tip_load(n, force):
    load = np.zeros((n + 1, 3))
    load[-1] = force * DOWN
    return load


def steps_of(load):
    """Fractions of a large load that Newton's method takes one after the other."""
    return np.linspace(0.0, 1.0, 2 + int(load))[1:]


def test_small_tip_load(solver):
    """δ = FL³/3B."""
    force, bend = 1e-4, 0.7
    drops = [
        -Statics(held(straight_rod(n, 1.2, bend), "DIRECTION", solver=solver), tip_load(n, force)).settle()[-1, 2]
        for n in (25, 50, 100)
    ]
    assert drops[2] == pytest.approx(force * 1.2**3 / (3.0 * bend), rel=1e-4)
    assert order(drops) > SECOND


def test_small_own_weight(solver):
    """δ = wL⁴/8B."""
    bend, density, g = 0.7, 1.3, 1e-4
    drops = []
    for n in (25, 50, 100):
        rod = straight_rod(n, 1.2, bend, line_density=density)
        drops.append(-Statics(held(rod, "DIRECTION", gravity=g * DOWN, solver=solver)).settle()[-1, 2])
    assert drops[2] == pytest.approx(density * g * 1.2**4 / (8.0 * bend), rel=1.5e-4)
    assert order(drops) > SECOND


def test_each_axis_has_its_stiffness(solver):
    """A section bends by its first stiffness towards m₁, by its second towards m₂."""
    scene, force = held(straight_rod(50, bend=(3.0, 0.5)), "TWIST", solver=solver), 1e-4
    assert -Statics(scene, tip_load(50, force)).settle()[-1, 2] == pytest.approx(force / 9.0, rel=1e-3)
    aside = np.roll(tip_load(50, force), 2, axis=1)
    assert -Statics(scene, aside).settle()[-1, 1] == pytest.approx(force / 1.5, rel=1e-3)


def test_tapered(solver):
    """δ = F∫s²/B ds with the stiffness Er⁴π/4 of a cone: FL³/3B₀ · r₀/r₁."""
    force, drops = 1e-4, []
    for n in (25, 50, 100):
        radius = np.linspace(1.0, 0.5, n + 1)
        bend = (0.5 * (radius[1:] + radius[:-1])) ** 4
        scene = held(straight_rod(n, bend=bend[:, None]), "DIRECTION", solver=solver)
        drops.append(-Statics(scene, tip_load(n, force)).settle()[-1, 2])
    smooth = force * quad(lambda s: (1.0 - s) ** 2 / (1.0 - 0.5 * s) ** 4, 0.0, 1.0)[0]
    assert smooth == pytest.approx(force / 3.0 * 2.0)
    assert drops[2] == pytest.approx(smooth, rel=1e-3)
    assert order(drops) > SECOND


@pytest.mark.parametrize("a", DEAD_LOAD)
def test_dead_load(a, solver):
    tips = []
    for n in (25, 50, 100):
        rod = Statics(held(straight_rod(n), "DIRECTION", solver=solver))
        for part in steps_of(a):
            rod.load = tip_load(n, part * a)
            x = rod.settle()
        tips.append([-x[-1, 2], x[-1, 0], np.degrees(np.arcsin((x[-2, 2] - x[-1, 2]) * n))])
    drop, reach, angle = DEAD_LOAD[a]
    assert tips[2][:2] == pytest.approx((drop, reach), rel=1e-3)
    assert tips[2][2] == pytest.approx(angle, rel=1e-3, abs=0.005)
    assert order([drop for drop, _, _ in tips]) > SECOND


@pytest.mark.parametrize("gamma", [*list(OWN_WEIGHT)[:-1], pytest.param(20.0, marks=pytest.mark.slow)])
def test_own_weight(gamma, solver):
    tips = []
    for n in (25, 50, 100):
        rod = Statics(held(straight_rod(n), "DIRECTION", solver=solver))
        for part in steps_of(gamma):
            rod.load = part * gamma * rod.mass[:, None] * DOWN
            x = rod.settle()
        tips.append(x[-1])
    drop_over_reach = -tips[2][2] / tips[2][0]
    assert drop_over_reach == pytest.approx(OWN_WEIGHT[gamma], rel=1e-3)
    assert order([tip[2] for tip in tips]) > SECOND


def test_settle_finds_the_heavy_cantilever():
    """What an artist gets from Settle: drop over reach within .1 % at 100 edges."""
    scene = held(straight_rod(100, radius=2e-3, bend=1.0), "DIRECTION", gravity=5.0 * DOWN, settle=True)
    frame = next(simulate(scene))
    assert -frame.x[-1, 2] / frame.x[-1, 0] == pytest.approx(OWN_WEIGHT[5.0], rel=1e-3)


def test_equilibrium_does_not_depend_on_the_step(solver):
    scene = held(straight_rod(20, bend=(1.0, 1.5)), "TWIST", gravity=5.0 * DOWN, solver=solver)
    tips = []
    for quality in ("PREVIEW", "FINE"):
        model, state = relaxed(replace(scene, quality=quality), rate=7.0, duration=16.0)
        tips.append(state.x[model.rods["last"][0]].copy())
    np.testing.assert_allclose(tips[0], tips[1], rtol=0.0, atol=1e-9)
    np.testing.assert_allclose(tips[0], Statics(scene).settle()[-1], rtol=0.0, atol=1e-9)


def test_a_yielding_pin_pulls_with_its_largest_force(solver):
    """A pin that is led far away is a dead load: Bisshopp & Drucker's tip at a = 3."""
    rod = straight_rod(20)
    away = np.array([rod.x[-1], rod.x[-1] + 1e6 * DOWN])
    pull = Pin("pull", 0, 20, "POSITION", np.array([0.0, 1e-6]), away, max_force=3.0)
    scene = held(rod, "DIRECTION", solver=solver)
    model, state = relaxed(replace(scene, pins=(*scene.pins, pull)), rate=4.0, duration=40.0)
    x = state.x[model.rods["last"][0]]
    still = Statics(scene, tip_load(20, 3.0)).settle()[-1]
    np.testing.assert_allclose(x, still, rtol=0.0, atol=1e-6)


def test_released(solver):
    """L = 1 m, r = 10 mm, E = 100 MPa, ρ = 1000 kg/m³: lowest tip z = −0.7210 m at 0.51 s (a peer, extrapolated)."""
    area = np.pi * 0.01**2
    lowest = []
    for n in (25, 50, 100):
        rod = straight_rod(n, bend=1e8 * area * 0.01**2 / 4.0, line_density=1000.0 * area, radius=0.01)
        scene = held(rod, "DIRECTION", gravity=9.81 * DOWN, solver=solver)
        (model, state, work), tip = assemble(scene), []
        for _ in range(600):
            go_on(scene, model, state, work, 1e-3)
            tip.append(state.x[model.rods["last"][0], 2])
        lowest.append(min(tip))
    assert 1e-3 * (1 + np.argmin(tip)) == pytest.approx(0.51, abs=0.005)
    smooth = lowest[2] + (lowest[2] - lowest[1]) / 3.0
    assert lowest[2] == pytest.approx(-0.7210, rel=1e-3)
    assert smooth == pytest.approx(-0.7210, rel=5e-4)
