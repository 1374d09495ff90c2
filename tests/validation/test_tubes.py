"""Tubes: mass, deflection, frequencies and largest step of a hollow cantilever, and how a hollow log rolls."""

import numpy as np
import pytest
from solvers import go_on, solved_by
from statics import Statics, held
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.scene import Floor, Rod, Scene
from tendril.physics.time_integration.step_limit import stable_step

YOUNG, DENSITY = 3e9, 1200.0
PLASTIC = Material(YOUNG, 0.4, DENSITY, friction=0.4)
LENGTH, RADIUS, INNER = 1.2, 0.01, 0.009
CANTILEVER = np.array([3.5160, 22.0345, 61.6972])  # ω L² √(ρA/B)
AREA = np.pi * (RADIUS**2 - INNER**2)
BEND = YOUNG * np.pi * (RADIUS**4 - INNER**4) / 4.0


def tube(n, inner_radius=INNER, **options):
    x = np.linspace([0.0, 0.0, RADIUS], [LENGTH, 0.0, RADIUS], n + 1)
    return Rod.from_material("tube", x, RADIUS, PLASTIC, inner_radius=inner_radius, **options)


def test_mass():
    assert tube(12).mass.sum() == pytest.approx(DENSITY * AREA * LENGTH)


def test_deflection(solver):
    """δ = FL³/3EI under a load at the tip, I = π(r⁴ − a⁴)/4."""
    load = np.zeros((101, 3))
    load[-1, 2] = -1e-3
    drop = -Statics(held(tube(100), "DIRECTION", solver=solver), load).settle()[-1, 2] + RADIUS
    assert drop == pytest.approx(1e-3 * LENGTH**3 / (3.0 * BEND), rel=1e-3)


def test_frequencies(solver):
    squares = Statics(held(tube(80), "DIRECTION", solver=solver)).squares()
    law = CANTILEVER / LENGTH**2 * np.sqrt(BEND / (DENSITY * AREA))
    np.testing.assert_allclose(np.sqrt(squares[:6:2]), law, rtol=2e-3)


def test_largest_step():
    """l²/2 √(ρA/EI), which is smaller by √(r²/(r² + a²)) than that of the solid rod."""
    steps = [stable_step(*assemble(held(tube(40, inner)))[:2]) for inner in (INNER, 0.0)]
    assert 0.7 < steps[0] / (0.5 * (LENGTH / 40) ** 2 * np.sqrt(DENSITY * AREA / BEND)) < 1.001
    assert steps[0] / steps[1] == pytest.approx(RADIUS / np.hypot(RADIUS, INNER))


@pytest.mark.parametrize("aspect", [1.0, 0.6])
def test_rolls_slower_than_a_solid_one(aspect, solver):
    """A tube rolls down with g sin α/(1 + k²/r²), k² = (1 + aspect²)(r² + a²)/4 that of its section, not with the
    ⅔ g sin α of a solid log. What touches is round whatever the aspect.
    """
    alpha, duration = np.arctan(0.4), 0.2
    gravity = 9.81 * np.array([0.0, np.sin(alpha), -np.cos(alpha)])
    log = tube(20, aspect=aspect, rolls=True, m1=np.array([0.0, 0.0, 1.0]))
    scene = Scene((log,), 0.04, 1, gravity=gravity, floor=Floor(0.0, 0.4), air_density=0.0, max_step=1e-3)
    scene = solved_by(solver, scene)
    model, state, work = assemble(scene)
    go_on(scene, model, state, work, duration)
    inertia = (1.0 + aspect**2) * (RADIUS**2 + INNER**2) / 4.0
    pull = 9.81 * np.sin(alpha) / (1.0 + inertia / RADIUS**2)
    np.testing.assert_allclose(state.v[:, 1], pull * duration, rtol=5e-3)
