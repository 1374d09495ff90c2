"""What a step must keep: lengths after every one of them, momenta, energy; and the fall of a free rod."""

from dataclasses import replace

import numpy as np
import pytest
from statics import held, straight_rod
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.energies import energies
from tendril.physics.diagnostics.momenta import angular_momentum, linear_momentum
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.diagnostics.strains import strains
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Rod, Scene
from tendril.physics.time_integration.advance import advance, take_steps
from tendril.physics.time_integration.step_limit import stable_step
from tendril.physics.time_integration.symplectic_euler import DONE

LENGTHS = 1e-8  # relative
RUBBER = Material(5e6, 0.45, 1100.0, friction=0.3)


def bent(closed=False, tapered=False, aspect=1.0, **options):
    """A free rod of 30 vertices and uneven edges, bent in space and thrown with a spin that bends it more."""
    s = np.linspace(0.0, 1.0, 30, endpoint=not closed) ** (1.0 if closed else 1.2)
    around = 2.0 * np.pi * s
    x = 0.2 * np.stack([np.cos(around), np.sin(around), 0.4 * np.sin(2.0 * around)], axis=1)
    if not closed:
        x = 0.4 * np.stack([s, 0.3 * np.sin(4.0 * s), 0.2 * np.cos(3.0 * s)], axis=1)
    radius = np.linspace(0.006, 0.003, 30) if tapered else 0.005
    v = np.stack([np.sin(around), 2.0 * np.cos(2.0 * around), 1.5 * np.sin(3.0 * around)], axis=1)
    return Rod.from_material("rod", x, radius, RUBBER, closed=closed, aspect=aspect, v=v, **options)


KINDS = {
    "open": {},
    "closed": {"closed": True},
    "tapered": {"tapered": True},
    "flat": {"aspect": 0.5},
    "closed flat": {"closed": True, "aspect": 0.5},
    "straight at rest": {"shape_memory": 0.0},
}


@pytest.mark.parametrize("kind", KINDS)
def test_lengths_after_every_step(kind):
    scene = held(bent(**KINDS[kind]), gravity=(0.0, 0.0, -9.81))
    model, state, work = assemble(scene)
    h = 0.6 * stable_step(model, state)
    worst = 0.0
    for _ in range(400):
        assert take_steps(model, state, work, h, 1)[0] == DONE
        worst = max(worst, np.abs(strains(model, state)).max())
    assert 0.0 < worst < LENGTHS


@pytest.mark.parametrize("mode", ["POSITION", "DIRECTION", "TWIST"])
def test_lengths_of_a_held_rod(mode):
    model, state, work = assemble(held(bent(), mode, mode, gravity=(0.0, 0.0, -9.81)))
    h = 0.6 * stable_step(model, state)
    for _ in range(400):
        assert take_steps(model, state, work, h, 1)[0] == DONE
        assert np.abs(strains(model, state)).max() < LENGTHS


def test_lengths_in_contact():
    """A coil that drops on itself and on the floor keeps its lengths at every step, and does not cross itself."""
    around = np.linspace(0.0, 5.0 * np.pi, 90)
    x = np.stack([0.06 * np.cos(around), 0.06 * np.sin(around), 0.012 + 0.003 * around], axis=1)
    rod = Rod.from_material("coil", x, 0.004, RUBBER)
    model, state, work = assemble(Scene((rod,), 0.04, 1, floor=Floor(0.0)))
    touched = 0
    for _ in range(1500):
        status, *_ = advance(model, state, work, 1e-4, 0.6, np.inf)
        assert status == DONE
        assert np.abs(strains(model, state)).max() < LENGTHS
        touched += state.pairs["force"][:, 0].max() > 0.0 and state.plane_pairs["force"].max() > 0.0
    assert touched > 100
    assert deepest_overlap([rod], state.x) < 0.05 * 0.004
    assert state.x[:, 2].min() > 0.95 * 0.004


@pytest.mark.parametrize("kind", KINDS)
def test_free_fall(kind):
    """After k steps of h: v = v₀ − g h k and x = x₀ + v₀ h k − g h² k(k + 1)/2, to round-off."""
    rod = replace(bent(**KINDS[kind]), shape_memory=1.0, v=np.tile([0.5, -0.3, 2.0], (30, 1)))
    model, state, work = assemble(held(rod, gravity=(0.0, 0.0, -9.81)))
    h, count = 1e-4, 1000
    assert take_steps(model, state, work, h, count)[0] == DONE
    v, g = np.array([0.5, -0.3, 2.0]), np.array([0.0, 0.0, -9.81])
    np.testing.assert_allclose(state.x[:30], rod.x + h * count * v + g * h**2 * count * (count + 1) / 2.0, atol=1e-11)
    np.testing.assert_allclose(state.v[:30], np.tile(v + g * h * count, (30, 1)), atol=1e-9)


def test_a_straight_rod_falls_straight(solver):
    """Frames of a bake: ½gt² up to the step of the scheme, and no edge leaves the line."""
    h = 1e-3
    scene = Scene((straight_rod(20, bend=1e-3),), 0.02, 11, air_density=0.0, contact=False, max_step=h, solver=solver)
    for frame in simulate(scene):
        t = 0.02 * frame.index
        assert frame.x[:, 2].mean() == pytest.approx(-0.5 * 9.81 * t**2, abs=0.51 * 9.81 * h * t)
        assert np.ptp(frame.x[:, 2]) < 1e-9
        assert np.abs(frame.x[:, 1]).max() < 1e-9


@pytest.mark.parametrize("kind", KINDS)
def test_momenta(kind):
    model, state, work = assemble(held(bent(**KINDS[kind])))
    p, L = linear_momentum(model, state), angular_momentum(model, state)
    h = 0.4 * stable_step(model, state)
    assert take_steps(model, state, work, h, 3000)[0] == DONE
    size = np.abs(model.nodes["mass"]) @ np.linalg.norm(state.v, axis=1)
    np.testing.assert_allclose(linear_momentum(model, state), p, atol=1e-10 * size)
    np.testing.assert_allclose(angular_momentum(model, state), L, atol=1e-10 * size * 0.4)


def test_internal_damping_keeps_momenta_and_takes_energy():
    for closed in (False, True):
        model, state, work = assemble(held(bent(closed=closed, internal_damping=0.02)))
        p, L, E = linear_momentum(model, state), angular_momentum(model, state), energies(model, state).total
        h = 0.4 * stable_step(model, state)
        assert take_steps(model, state, work, h, 3000)[0] == DONE
        size = np.abs(model.nodes["mass"]) @ np.linalg.norm(state.v, axis=1)
        np.testing.assert_allclose(linear_momentum(model, state), p, atol=1e-10 * size)
        np.testing.assert_allclose(angular_momentum(model, state), L, atol=1e-10 * size)
        assert energies(model, state).total < 0.8 * E


@pytest.mark.parametrize("kind", ["open", "closed flat"])
def test_ten_thousand_steps(kind):
    """A free, undamped rod: angular momentum to 1e-9, no drift of energy."""
    rod = bent(**KINDS[kind])
    model, state, work = assemble(held(replace(rod, v=0.3 * rod.v)))
    h = 0.3 * stable_step(model, state)
    take_steps(model, state, work, h, 1)
    L, levels = angular_momentum(model, state), []
    for _ in range(1000):
        assert take_steps(model, state, work, h, 10)[0] == DONE
        levels.append(energies(model, state).total)
    np.testing.assert_allclose(angular_momentum(model, state), L, rtol=0.0, atol=1e-9 * np.linalg.norm(L))
    mean = np.mean(levels)
    early, late = np.mean(levels[:250]), np.mean(levels[750:])
    assert np.ptp(levels) < 0.1 * mean
    assert abs(late - early) < 2e-3 * mean


def test_order_in_time():
    """A swinging, bending rod after 0.2 s: halve the step and its distance from the limit at least halves."""
    x = np.linspace([0.0, 0.0, 0.0], [0.3, 0.1, 0.0], 16)
    rod = Rod.from_material("rod", x, 0.004, RUBBER)
    ends = []
    for steps in (1000, 2000, 4000):
        model, state, work = assemble(held(rod, "DIRECTION", gravity=(0.0, 0.0, -9.81)))
        assert take_steps(model, state, work, 0.2 / steps, steps)[0] == DONE
        ends.append(state.x[model.rods["last"][0]].copy())
    first, second = np.linalg.norm(ends[1] - ends[0]), np.linalg.norm(ends[2] - ends[1])
    assert first < 1e-2
    assert np.log2(first / second) > 0.95


def test_colliding_rods_keep_their_momenta():
    """Without friction a collision acts along the line of the nearest points."""
    x = np.linspace([-0.2, 0.0, 0.0], [0.2, 0.0, 0.0], 15)
    smooth = Material(5e6, 0.45, 1100.0, friction=0.0)
    across = np.stack([0.03 + 0.0 * x[:, 0], x[:, 0] + 0.02, 0.03 + 0.0 * x[:, 0]], axis=1)
    rods = (
        Rod.from_material("still", x, 0.005, smooth),
        Rod.from_material("thrown", across, 0.005, smooth, v=np.tile([0.0, 0.0, -2.0], (15, 1))),
    )
    model, state, work = assemble(Scene(rods, 0.04, 1, gravity=np.zeros(3), air_density=0.0))
    p, L = linear_momentum(model, state), angular_momentum(model, state)
    hit = 0
    for _ in range(100):
        assert advance(model, state, work, 5e-4, 0.6, np.inf)[0] == DONE
        hit += state.pairs["force"].max() > 0.0
    assert hit > 2
    assert np.abs(state.v[:15, 2]).max() > 0.05
    np.testing.assert_allclose(linear_momentum(model, state), p, atol=1e-10 * np.abs(p).max())
    np.testing.assert_allclose(angular_momentum(model, state), L, atol=1e-10 * np.abs(p).max())
