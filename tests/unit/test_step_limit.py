"""The largest step, from the state: each thing that stiffens a rod shortens it, by how much the formula says."""

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.model import CAPSULES
from tendril.physics.scene import Floor, RigidBody, Rod, Scene, Weld
from tendril.physics.time_integration.step_limit import (
    fastest_approach,
    fastest_turn,
    motion_step,
    stable_step,
    swinging,
)

RUBBER = Material(1e6, 0.45, 1000.0)
N, LENGTH, RADIUS = 20, 0.4, 0.005


def started(v=None, **options):
    x = np.linspace([0.0, 0.0, 0.1], [LENGTH, 0.0, 0.1], N + 1)
    rod = Rod.from_material("rod", x, RADIUS, RUBBER, v=v)
    model, state, _ = assemble(Scene((rod,), 0.04, 2, **options))
    return model, state


def square(model, state):
    return (2.0 / stable_step(model, state)) ** 2


def test_straight():
    model, state = started()
    assert stable_step(model, state) == pytest.approx(0.5 * (LENGTH / N) ** 2 * 2.0 / RADIUS * np.sqrt(1e-3), rel=0.01)


def test_tension():
    """ω² grows by 4T/lm, T the multiplier times the edge's length."""
    model, state = started()
    before, edge = square(model, state), LENGTH / N
    state.tension[3] = -70.0
    assert square(model, state) - before == pytest.approx(4.0 * 70.0 * edge / edge / model.nodes["mass"][:21].min())


@pytest.mark.parametrize("angle", [0.3, 1.2])
def test_turning(angle):
    """sec⁴ + 2 tan² sec² of half the largest turning angle."""
    model, state = started()
    before = square(model, state)
    state.rods["cos_largest_turn"][0] = np.cos(angle)
    sec2, tan2 = 1.0 / np.cos(0.5 * angle) ** 2, np.tan(0.5 * angle) ** 2
    assert square(model, state) / before == pytest.approx(sec2**2 + 2.0 * tan2 * sec2)


def test_torque_and_contact():
    """ω² grows by τl/B of itself, and by N/rm."""
    model, state = started()
    before = square(model, state)
    state.rods["torque"][0] = 0.01
    twisted = square(model, state)
    edge, bend = LENGTH / N, 1e6 * np.pi / 4.0 * RADIUS**4
    assert twisted / before == pytest.approx(1.0 + 0.01 * edge / bend)
    state.rods["pressed"][0] = 5.0 / RADIUS
    assert square(model, state) - twisted == pytest.approx(5.0 / RADIUS / model.nodes["mass"][:21].min())


@pytest.mark.parametrize("along", range(3))
@pytest.mark.parametrize("arm", [0.002, 0.03, 0.3])
def test_a_body_on_two_taut_threads(along, arm):
    """Turned by φ about an axis across them it takes their ends arm·φ aside, and each, of a pull T and an edge l, turns
    it back by T (arm φ + arm² φ/l): ω² = 2 T (arm/I)(1 + arm/l), the most about the axis of the least I. So a step is
    at most 2/ω; where the arm is short, no vertex of theirs asks for less.
    """
    inertia, pull, edge = np.array([2e-9, 3e-9, 5e-9]), 1e4, LENGTH / N
    x = (arm + edge * np.arange(N + 1)[:, None]) * np.eye(3)[along]
    rods = tuple(Rod.from_material(f"thread {side}", side * x, RADIUS, RUBBER) for side in (1, -1))
    body = RigidBody("weight", np.zeros(3), 0.2, np.diag(inertia))
    welds = tuple(Weld("ring", 0, r, 0, "POSITION") for r in range(2))
    model, state, _ = assemble(Scene(rods, 0.04, 2, bodies=(body,), welds=welds))
    state.tension[model.rods["first"]] = -pull / edge
    around = np.delete(inertia, along).min() + 2.0 * rods[0].mass[0] * arm**2
    expected = 2.0 * pull * arm * (1.0 + arm / edge) / around
    assert swinging(model, state, 0) == pytest.approx(expected, rel=1e-9)
    assert square(model, state) >= expected * (1.0 - 1e-9)
    if arm < 0.2 * edge:
        assert square(model, state) == pytest.approx(expected, rel=1e-9)


def test_no_edge_turns_too_far():
    """v/l is the rate of an edge, of which a step may use a quarter of a radian."""
    v = np.zeros((N + 1, 3))
    v[7, 1] = 3.0
    model, state = started(v, contact=False)
    assert fastest_turn(state.v, model.edges["length"]) == pytest.approx(3.0 / (LENGTH / N))
    assert motion_step(model, state) == pytest.approx(0.25 * (LENGTH / N) / 3.0)


def test_nothing_passes_through():
    """Rods that fly as a whole may take any step; against a floor, half a radius, or part of the way to it."""
    v = np.tile([0.0, 0.0, -4.0], (N + 1, 1))
    model, state = started(v)
    assert fastest_approach(state.v, model.nodes) < 1e-12
    assert motion_step(model, state) > 1e3
    near, far = (motion_step(*started(v, floor=Floor(height))) for height in (0.1 - RADIUS, -5.0))
    assert near == pytest.approx(0.5 * RADIUS / 4.0)
    assert near < far < 5.1 / 4.0


THIN = RADIUS / 50.0


def thin_across_thick(gap, v):
    """A thin rod across a thick one, nearest at a gap [m], listed, its velocity relative to the thick one v (3,)."""
    x = np.linspace([0.0, 0.0, 0.0], [LENGTH, 0.0, 0.0], 5)
    y = np.array([0.5 * LENGTH, 0.0, RADIUS + THIN + gap])
    y = y + np.linspace([0.0, -0.5 * LENGTH, 0.0], [0.0, 0.5 * LENGTH, 0.0], 4)
    thick = Rod.from_material("thick", x, RADIUS, RUBBER, v=np.tile([0.1, 0.0, 0.0], (5, 1)))
    thin = Rod.from_material("thin", y, THIN, RUBBER, v=np.tile([0.1, 0.0, 0.0] + np.asarray(v), (4, 1)))
    model, state, _ = assemble(Scene((thick, thin), 0.04, 2))
    state.listings["count"][CAPSULES] = 1
    state.pairs["i"][0], state.pairs["j"][0] = 1, 5
    return motion_step(model, state)


def test_a_pair_is_limited_by_its_thinner_one():
    """Half its radius, or a quarter of the gap; the thick one alone would allow far more."""
    assert thin_across_thick(0.0, (0.0, 0.0, -0.3)) == pytest.approx(0.5 * THIN / 0.3)
    assert thin_across_thick(8.0 * THIN, (0.0, 0.0, -0.3)) == pytest.approx(2.0 * THIN / 0.3)
    assert thin_across_thick(0.0, (0.0, 0.0, 0.0)) > 1e3
