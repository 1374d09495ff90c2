"""Contact springs: their law, and that they press as it says at rest, keep momenta, never pull, and throw nothing."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from scipy.special import lambertw
from tendril.physics.assemble import assemble
from tendril.physics.contact.contact_springs import squeeze
from tendril.physics.contact.inequality_constraints import RECOVERY_SPEED
from tendril.physics.diagnostics.energies import energies
from tendril.physics.diagnostics.momenta import angular_momentum, linear_momentum
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.materials import Material
from tendril.physics.model import CAPSULES
from tendril.physics.scene import Floor, Pin, Rod, Scene
from tendril.physics.time_integration.advance import advance, take_steps
from tendril.physics.time_integration.step_limit import stable_step
from tendril.physics.time_integration.symplectic_euler import DONE

R = 0.005  # m
EDGE = 4.0 * R
RUBBER = Material(5e6, 0.45, 1000.0)
LIMP = Material(2e4, 0.45, 1000.0)
GRAVITY = np.array([0.0, 0.0, -9.81])
RELATIVE = 1e-9


def rod(name, middle, along, edges, radius=R, material=RUBBER, **options):
    s = np.arange(edges + 1)[:, None] - 0.5 * edges
    return Rod.from_material(name, middle + EDGE * s * np.asarray(along, float), radius, material, **options)


def scene_of(*rods, gravity=(0.0, 0.0, 0.0), **options):
    options = {"air_density": 0.0, "treatment": "SPRINGS"} | options
    return Scene(rods, 0.04, 1, gravity=np.asarray(gravity, float), **options)


def crossing(gap, speed, material=RUBBER, **options):
    """Two rods across each other, the upper one falling at the lower one with this speed [m/s]."""
    lower = rod("lower", np.zeros(3), (1.0, 0.0, 0.0), 5, material=material)
    middle = np.array([0.3 * EDGE, 0.1 * EDGE, 2.0 * R + gap])
    upper = rod("upper", middle, (0.0, 1.0, 0.0), 5, material=material, v=np.tile([0.0, 0.0, -speed], (6, 1)))
    return scene_of(lower, upper, **options)


def rising(state):
    """Speed [m/s] at which the second of two equal rods leaves the first, upwards."""
    half = len(state.v) // 2
    return state.v[half:, 2].mean() - state.v[:half, 2].mean()


@pytest.mark.parametrize("t", [1e-6, 0.1, 3.0, 40.0, 400.0, 1e5])
@pytest.mark.parametrize("q", [1e-12, 1e-3, 1.0, 1e4])
def test_equation_against_lambert(q, t):
    """z = (t + q)/p − W((q/p) exp((t + q)/p)), where that is no overflow; its equation itself everywhere."""
    p = 1.25
    z = squeeze(p, q, t)
    assert z > 0.0
    assert p * z + q * np.expm1(z) == pytest.approx(t, rel=1e-9)
    if (t + q) / p < 500.0 and q < 1.0:
        s = (t + q) / p
        assert z == pytest.approx(s - lambertw(q / p * np.exp(s)).real, rel=1e-6, abs=1e-12 * s)


def force(overlap, compliance):
    """N [N] of the law; overlap [m]; compliance: mean of r³/B of the two, where each gives half the way."""
    k, a = 10.0 / compliance, R / 400.0
    return k * a * np.expm1(overlap / a)


def r3_over_b(rod, radius):
    return radius**3 / rod.bend_stiffness[0, 0]


@pytest.mark.parametrize("h", [2e-5, 1e-4, 2e-4])
@pytest.mark.parametrize("gravity", [9.81, 981.0])
def test_what_lies_sinks_in_as_the_law_says(gravity, h):
    """The same whatever the steps: a floor gives way by nothing, so it counts as half the compliance of two."""
    lying = rod("lying", np.array([0.0, 0.0, R]), (1.0, 0.0, 0.0), 6)
    scene = scene_of(lying, gravity=(0.0, 0.0, -gravity), floor=Floor(0.0))
    model, state, work = assemble(scene)
    state.fields["brake"][:, 0] = 100.0
    assert take_steps(model, state, work, h, round(0.4 / h))[0] == DONE
    expected = force(R - state.x[:, 2], 0.5 * r3_over_b(lying, R))
    pressed = state.plane_pairs["force"][np.argsort(state.plane_pairs["i"]), 0]
    np.testing.assert_allclose(pressed, expected, rtol=1e-5)
    assert pressed.sum() == pytest.approx(model.nodes["mass"].sum() * gravity, rel=1e-5)


@pytest.mark.parametrize(("thick", "stiff"), [(1.0, 1.0), (2.0, 1.0), (1.0, 30.0)])
def test_each_of_two_gives_half(thick, stiff):
    """A rod lies across two that are held: 1/k = (1/k₁ + 1/k₂)/2."""
    hard = Material(stiff * 5e6, 0.45, 1000.0)
    bars = [rod(f"bar {k}", np.array([k * EDGE, 0.0, 0.0]), (0.0, 1.0, 0.0), 3, thick * R, hard) for k in (-1, 1)]
    lying = rod("lying", np.array([0.0, 0.0, (1.0 + thick) * R]), (1.0, 0.0, 0.0), 5)
    pins = tuple(Pin.fixed(bar, i, rod=1 + k) for k, bar in enumerate(bars) for i in range(4))
    scene = scene_of(lying, *bars, gravity=GRAVITY, pins=pins)
    model, state, work = assemble(scene)
    state.fields["brake"][:, 0] = 100.0
    for _ in range(8):
        assert advance(model, state, work, 0.05, 0.6, inf)[0] == DONE
    pressed = state.pairs["force"][: state.listings[CAPSULES]["count"], 0]
    assert pressed.sum() == pytest.approx(lying.mass.sum() * 9.81, rel=1e-4)
    compliance = 0.5 * (r3_over_b(lying, R) + r3_over_b(bars[0], thick * R))
    assert pressed.max() == pytest.approx(force(deepest_overlap(scene.rods, state.x), compliance), rel=1e-4)


@pytest.mark.parametrize("speed", [0.02, 0.5, 3.0])
def test_momenta_are_kept(speed):
    """Without friction: what its moments turn, rods' frames, is not counted."""
    model, state, work = assemble(crossing(0.02 * R, speed, replace(RUBBER, friction=0.0)))
    linear, angular = linear_momentum(model, state), angular_momentum(model, state)
    touched = False
    for _ in range(40):
        assert advance(model, state, work, 0.02 * R / speed, 0.6, inf)[0] == DONE
        touched = touched or state.pairs["force"][: state.listings[CAPSULES]["count"], 0].max() > 0.0
    assert touched
    scale = np.linalg.norm(linear)
    np.testing.assert_allclose(linear_momentum(model, state), linear, atol=RELATIVE * scale)
    np.testing.assert_allclose(angular_momentum(model, state), angular, atol=RELATIVE * scale * EDGE)


def test_they_never_pull():
    """Rods that leave each other out of an overlap are not held back."""
    model, state, work = assemble(crossing(-0.01 * R, -0.05))
    before = linear_momentum(model, state)[2] / model.nodes["mass"][:6].sum()
    for _ in range(60):
        assert take_steps(model, state, work, 2e-5, 1)[0] == DONE
        assert state.pairs["force"][: state.listings[CAPSULES]["count"], 0].min() >= 0.0
        assert rising(state) > before * (1.0 - RELATIVE)
    assert state.pairs["force"][: state.listings[CAPSULES]["count"], 0].max() == 0.0


@pytest.mark.parametrize("speed", [0.1, 0.5])
@pytest.mark.parametrize("h", [1e-5, 1e-4, 1e-3])
def test_what_is_thrown_gains_no_energy(h, speed):
    """Kinetic and elastic: what contact has taken it gives back at most. What the steps themselves err by without any
    contact, limp rods at a fifth of the stable step, is less than that.
    """
    model, state, work = assemble(crossing(0.05 * R, speed, LIMP))
    assert h < 0.2 * stable_step(model, state)
    begin = energies(model, state).total
    most, touched = 0.0, False
    for _ in range(round(min(0.01, 1.2 * R / speed) / h)):
        assert take_steps(model, state, work, h, 1)[0] == DONE
        touched = touched or state.pairs["force"][: state.listings[CAPSULES]["count"], 0].max() > 0.0
        most = max(most, energies(model, state).total)
    assert touched
    assert most <= begin * (1.0 + 1e-3)


@pytest.mark.parametrize("depth", [0.1, 0.5, 1.0, 1.9])
@pytest.mark.parametrize("material", [RUBBER, LIMP])
def test_what_is_drawn_deep_leaves_slowly(material, depth):
    scene = crossing(-depth * R, 0.0, material)
    model, state, work = assemble(scene)
    deep = [depth]
    for _ in range(160):
        assert advance(model, state, work, 1e-3, 0.6, inf)[0] == DONE
        deep.append(deepest_overlap(scene.rods, state.x) / R)
    left = -np.diff(deep) / 1e-3
    assert left[:3].max() < 1.15 * RECOVERY_SPEED
    assert left.max() < 2.5 * RECOVERY_SPEED  # what it has bent swings on, ahead of it
    assert deep[-1] < 1e-3


def test_what_strikes_leaves_no_faster_than_it_may():
    model, state, work = assemble(crossing(0.1 * R, 5.0))
    for _ in range(50):
        assert advance(model, state, work, 2e-5, 0.6, inf)[0] == DONE
        assert rising(state) < RECOVERY_SPEED * R


def test_a_rope_dropped_on_its_end_stops():
    """All of its mass is behind one vertex: a push by that vertex's own mobility would be a tenth of what it takes."""
    v = np.tile([0.0, 0.0, -0.5], (21, 1))
    rope = rod("rope", np.array([0.0, 0.0, 10.05 * EDGE]), (0.0, 0.0, 1.0), 20, v=v)
    model, state, work = assemble(scene_of(rope, floor=Floor(-R), contact=False))
    for _ in range(20):
        assert advance(model, state, work, 2e-4, 0.6, inf)[0] == DONE
        assert state.x[0, 2] > -0.02 * R
    assert -0.05 < state.v[0, 2] < 1.25 * RECOVERY_SPEED * R


@pytest.mark.parametrize("slope", [0.2, 0.28, 0.35, 0.6])
def test_friction_holds_below_and_slides_above(slope):
    """On a floor under a sloping pull with μ = 0.3: at rest, or g (s − μ c)."""
    mu, pull = 0.3, 9.81 * np.array([np.sin(np.arctan(slope)), 0.0, -np.cos(np.arctan(slope))])
    lying = rod("lying", np.array([0.0, 0.0, R]), (1.0, 0.0, 0.0), 6, material=replace(RUBBER, friction=mu))
    model, state, work = assemble(scene_of(lying, gravity=pull, floor=Floor(0.0, mu)))
    assert advance(model, state, work, 0.2, 0.6, inf)[0] == DONE
    before = state.v[:, 0].mean()
    assert advance(model, state, work, 0.1, 0.6, inf)[0] == DONE
    expected = max(0.0, pull[0] + mu * pull[2])
    assert (state.v[:, 0].mean() - before) / 0.1 == pytest.approx(expected, rel=2e-3, abs=1e-4)
    assert slope > mu or np.abs(state.v[:, 0]).max() < 1e-5


def test_steps_are_short_enough_for_their_stiffness():
    """ω² grows by dN/dy over m, (N/r)/m four hundred times."""
    model, state, _ = assemble(crossing(R, 0.0))
    before = (2.0 / stable_step(model, state)) ** 2
    state.rods["pressed"][0] = 5.0 / R
    rise = (2.0 / stable_step(model, state)) ** 2 - before
    assert rise == pytest.approx(400.0 * 5.0 / R / model.rods["lightest"][0])


def test_a_hard_pull_sinks_in_by_less_than_promised():
    """Crossing ropes drawn through each other with a thousand times what bends one around the other, B/2r²."""
    scene = crossing(0.0, 0.0)
    lower, upper = scene.rods
    pins = []
    for k, (own, side) in enumerate(((lower, 1.0), (upper, -1.0))):
        for end in (0, 5):
            path = own.x[end] + side * np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 8.0 * EDGE]])
            most = 500.0 * own.bend_stiffness[0, 0] / R**2
            pins.append(Pin(f"{k} {end}", k, end, "POSITION", np.array([0.0, 0.5]), path, max_force=most))
    scene = replace(scene, pins=tuple(pins), air_density=10.0)
    model, state, work = assemble(scene)
    strongest = 0.0
    for _ in range(10):
        assert advance(model, state, work, 0.05, 0.6, inf)[0] == DONE
        strongest = max(strongest, state.pairs["force"][: state.listings[CAPSULES]["count"], 0].max())
        assert deepest_overlap((lower, upper), state.x, relative=True) < 0.03
    assert strongest > most
