"""The implicit step: its matrices against differences, its order, its equilibria, and the explicit step's motion."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from bands import dense
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.energies import energies
from tendril.physics.implicit import frames, newton, rod_equations, straight_rod
from tendril.physics.materials import Material
from tendril.physics.model import copied
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import THIRD_DIFFERENCE, Pin, Rod, Scene
from tendril.physics.time_integration import bdf2
from tendril.physics.time_integration.advance import advance
from tendril.physics.time_integration.implicit_steps import implicit_steps
from tendril.physics.time_integration.symplectic_euler import DONE, keep, take_back

N = 24


def rod(kind, n=N, **options):
    """A rod of a kind: one edge at least of each bends or twists as nothing else here does."""
    a = np.linspace(0.0, 1.0, n + 1)
    line = np.stack([0.5 * a, 0.0 * a, 0.0 * a], axis=1)
    arc = 0.2 * np.stack([np.cos(4.0 * a), np.sin(4.0 * a), a], axis=1)
    sagging = np.stack([0.4 * a, 0.0 * a, 0.1 * np.sin(np.pi * a)], axis=1)
    soft = Material(2e6, 0.4, 1000.0)
    made = {
        "straight": (line, {}),
        "damped": (line, {"internal_damping": 0.02}),
        "curved": (arc, {"aspect": 0.5}),
        "curved and damped": (arc, {"aspect": 0.5, "internal_damping": 0.02}),
        "stretched": (line, {"stretchable": True}),
        "twisted": (sagging, {"twist": np.r_[0.0, np.full(n - 1, 0.1), 0.0], "shape_memory": 0.0}),
    }
    x, own = made[kind]
    own = {"internal_damping": 0.0, "drag_coefficient": 0.0} | own | options
    return Rod.from_material(kind, x, 0.004, soft, **own)


MODES = (0.0, THIRD_DIFFERENCE)
KINDS = ("straight", "damped", "curved", "curved and damped", "stretched", "twisted")


def test_a_model_of_explicit_steps_is_refused():
    model, state, work = assemble(replace(held(rod("straight")), solver="EXPLICIT"))
    with pytest.raises(ValueError, match="explicit steps"):
        implicit_steps(model, state, work, 0.1, 0.01)


def held(one, **options):
    """Clamped at its start, and where it is twisted at its end."""
    ends = (0, len(one.x) - 1) if one.name == "twisted" else (0,)
    pins = tuple(Pin.fixed(one, end, "TWIST", rod=0) for end in ends)
    return Scene((one,), 1.0 / 24.0, 13, pins=pins, contact=False, solver="IMPLICIT", **options)


def total(model, state):
    """All energy [J]."""
    return energies(model, state).total


def after(scene, duration, h, third=0.0):
    """(Model, State) after so much time in implicit steps of h."""
    model, state, work = assemble(scene)
    assert implicit_steps(model, state, work, duration, h, third)[0] == DONE
    return model, state


@pytest.mark.parametrize("kind", KINDS)
def test_the_matrix_is_the_derivative_of_the_residual(kind):
    """In a motion under way; of the frames' part, which differences spoil by an antisymmetric term, the symmetric one
    (see elements/hinge)."""
    scene, h = held(rod(kind)), 1.0 / 240.0
    model, state, work = assemble(scene)
    assert implicit_steps(model, state, work, 0.1, h)[0] == DONE
    work.old.x[:] = state.x
    assert bdf2.attempt(model, state, work, h, bdf2.look_back(model, state, h, 0.0, False), True)[0] == DONE
    own, s = work.implicit, 2.0 * h / 3.0
    straight = kind in ("straight", "damped")
    equations = straight_rod if straight else rod_equations
    block = int(model.chain_system.chains[0]["size"])
    count, unit = block * (N + 1), 1e-7
    free = np.arange(4 * block, count - 4 * block)  # neither end

    def residual():
        equations.assemble(model, state, own, 0, s, False)
        return -own.unknown[:count].copy()

    residual()
    matrix = dense(own.matrix[:count], block)
    found = np.zeros((count, count))
    for j in free:
        change = np.zeros_like(own.unknown)
        sides = []
        for side in (1.0, -2.0, 1.0):
            change[j] = side * unit
            own.unknown[:] = change
            newton.move(model, state, own, 0, 1.0)
            if not straight:
                own.unknown[:] = change
                frames.carry(model, state, own, 0, 1.0)
            sides.append(residual())
        found[:, j] = (sides[0] - sides[1]) / (2.0 * unit)
    inner = np.ix_(free, free)
    size = np.abs(matrix[inner]).max()
    difference = found[inner] - matrix[inner]
    np.testing.assert_allclose(0.5 * (difference + difference.T), 0.0, atol=2e-6 * size)


@pytest.mark.parametrize("third", MODES)
@pytest.mark.parametrize("kind", KINDS)
def test_second_order_in_positions_velocities_and_tensions(kind, third):
    """Of few edges, so that the steps resolve all their motion."""
    scene, duration = held(rod(kind, 6)), 0.2
    states = [after(scene, duration, duration / steps, third)[1] for steps in (400, 800, 1600, 3200)]
    for name in ("x", "v", "tension"):
        values = [getattr(state, name) for state in states]
        if np.abs(values[-1]).max() == 0.0:
            continue
        errors = [np.linalg.norm(one - next_one) for one, next_one in pairwise(values)]
        assert np.log2(errors[1] / errors[2]) > 1.9, (name, errors)


@pytest.mark.parametrize("kind", KINDS)
def test_the_explicit_step_moves_rods_alike(kind):
    scene, duration = held(rod(kind), air_density=0.0), 0.2
    _, state = after(scene, duration, 1.0 / 1920.0)
    model, other, work = assemble(scene)
    assert advance(model, other, work, duration, 0.05, np.inf)[0] == DONE
    moved = np.abs(other.x - scene.rods[0].x).max()
    assert moved > 0.015
    assert np.abs(state.x - other.x).max() < 0.02 * moved


@pytest.mark.parametrize("kind", ["straight", "curved", "stretched"])
def test_wind_and_pins_that_yield_act_alike(kind):
    one = rod(kind, drag_coefficient=1.2)
    times = np.linspace(0.0, 0.5, 26)
    way = one.x[0] + np.outer(0.05 * (1.0 - np.cos(4.0 * np.pi * times)), (0.0, 1.0, 0.0))
    pin = Pin("hand", 0, 0, "POSITION", times, way, max_force=None)
    scene = Scene((one,), 1.0 / 24.0, 7, pins=(pin,), contact=False, air_density=20.0)
    ends = []
    for solver in ("IMPLICIT", "EXPLICIT"):
        frames = list(simulate(replace(scene, solver=solver, quality="FINE")))
        ends.append(frames[-1].x)
    moved = np.abs(ends[1] - one.x).max()
    assert moved > 0.1
    assert np.abs(ends[0] - ends[1]).max() < 0.02 * moved


@pytest.mark.parametrize("kind", ["straight", "curved", "stretched", "twisted"])
def test_equilibria_do_not_hang_on_the_step(kind):
    """It comes to rest in syrup."""
    scene, ends = held(rod(kind)), []
    for h in (1.0 / 60.0, 1.0 / 240.0, 1.0 / 1000.0):
        model, state, work = assemble(scene)
        state.fields["brake"][:, 0] = 20.0  # 1/s
        assert implicit_steps(model, state, work, 40.0, h)[0] == DONE
        assert np.abs(state.v).max() < 1e-9
        ends.append(state.x)
    for end in ends[1:]:
        assert np.abs(end - ends[0]).max() < 1e-9 * 0.5


@pytest.mark.parametrize(("modulus", "radius", "n"), [(1e4, 0.002, 40), (2e11, 0.001, 400), (2e11, 0.05, 10)])
@pytest.mark.parametrize("aspect", [1.0, 0.5])
@pytest.mark.parametrize("third", MODES)
def test_lengths_are_kept_and_no_energy_comes_from_nowhere(modulus, radius, n, aspect, third):
    """Bent to three quarters of a circle and let go, it falls: stiff, soft, fine and thick."""
    a = np.linspace(0.0, 1.5 * np.pi, n + 1)
    x = np.stack([np.sin(a), 0.0 * a, 1.0 - np.cos(a)], axis=1) / (1.5 * np.pi)
    one = Rod.from_material("rod", x, radius, Material(modulus, 0.3, 1000.0), aspect=aspect, shape_memory=0.0)
    pins = (Pin.fixed(one, 0, "TWIST", rod=0),)
    scene = Scene((one,), 1.0 / 24.0, 2, pins=pins, contact=False, air_density=0.0, solver="IMPLICIT")
    model, state, work = assemble(scene)
    start = total(model, state)
    bent = start - total(model, replace_positions(state, x))
    length = np.linalg.norm(np.diff(x, axis=0), axis=1)
    for _ in range(24):
        assert implicit_steps(model, state, work, 1.0 / 24.0, 1.0 / 240.0, third)[0] == DONE
        now = np.linalg.norm(np.diff(state.x, axis=0), axis=1)
        assert np.abs(now / length - 1.0).max() < 1e-6
        assert total(model, state) < start + 0.01 * (abs(start) + abs(bent))


def replace_positions(state, x):
    return state._replace(x=x.copy(), v=np.zeros_like(x))


@pytest.mark.parametrize(("third", "least", "most"), [(0.0, 1e-3, 5e-3), (THIRD_DIFFERENCE, 1e-4, 1e-3)])
def test_a_pendulum_loses_little(third, least, most):
    """A stiff rod that swings by 60°, at 100 steps a period: less than .5 % of its energy in each, or .1 %, after the
    first, to which a step of first order belongs."""
    n = 10
    down = np.array([np.sin(np.pi / 3.0), 0.0, -np.cos(np.pi / 3.0)])
    x = np.outer(np.linspace(0.0, 1.0, n + 1), down)
    one = Rod.from_material("rod", x, 0.02, Material(1e11, 0.3, 1000.0, internal_damping=0.0))
    pins = (Pin.fixed(one, 0, "POSITION", rod=0),)
    scene = Scene((one,), 1.0, 2, pins=pins, contact=False, air_density=0.0, solver="IMPLICIT")
    model, state, work = assemble(scene)
    mass, arm = model.nodes["mass"], np.linspace(0.0, 1.0, n + 1)
    lowest = -9.81 * (mass @ arm)
    period = 2.0 * np.pi * np.sqrt((mass @ arm**2) / (9.81 * (mass @ arm))) * 1.0732  # elliptic integral of 60°
    left = []
    for _ in range(4):
        assert implicit_steps(model, state, work, period, period / 100.0, third)[0] == DONE
        left.append(total(model, state) - lowest)
    lost = 1.0 - np.divide(left[1:], left[:-1])
    assert np.all((lost > least) & (lost < most)), lost


@pytest.mark.parametrize("keep_swing", [False, True])
def test_a_resumed_bake_gives_the_same_bytes(keep_swing):
    scene = held(rod("curved and damped"), keep_swing=keep_swing)
    frames = list(simulate(scene))
    again = list(simulate(scene, frames[6].state))
    for one, other in zip(frames[7:], again, strict=True):
        np.testing.assert_array_equal(one.x, other.x)
        np.testing.assert_array_equal(one.m1, other.m1)


def test_a_step_that_one_rod_cannot_take_leaves_the_frames_of_others():
    one = rod("curved")
    wild = replace(rod("curved"), name="wild", x=one.x + 1.0)
    pins = (Pin.fixed(one, 0, "TWIST", rod=0), Pin.fixed(wild, 0, "TWIST", rod=1))
    scene = Scene((one, wild), 1.0 / 24.0, 2, pins=pins, contact=False, solver="IMPLICIT")
    model, state, work = assemble(scene)
    assert implicit_steps(model, state, work, 0.1, 1.0 / 240.0)[0] == DONE
    state.v[N + 1 :] = 100.0 * np.random.default_rng(1).normal(size=(N + 1, 3))
    before = copied(state)
    keep(state, work.old)
    h = 1.0 / 240.0
    assert bdf2.attempt(model, state, work, h, bdf2.look_back(model, state, h, 0.0, False), False)[0] != DONE
    take_back(state, work.old)
    for name in ("x", "v", "t", "u", "theta", "tension"):
        np.testing.assert_array_equal(getattr(state, name), getattr(before, name))
