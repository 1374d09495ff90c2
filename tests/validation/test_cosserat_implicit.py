"""Cosserat rods by implicit steps, many times as long as explicit ones may be."""

from dataclasses import replace

import numpy as np
import pytest
from cosserat import along_x
from tendril.physics.assemble import assemble
from tendril.physics.cost import linear_step
from tendril.physics.diagnostics.energies import energies
from tendril.physics.diagnostics.momenta import angular_momentum, linear_momentum
from tendril.physics.materials import Material
from tendril.physics.model import FREE
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import THIRD_DIFFERENCE, Floor, Pin, Rod, Scene
from tendril.physics.time_integration.advance import advance
from tendril.physics.time_integration.implicit_steps import implicit_steps
from tendril.physics.time_integration.symplectic_euler import DONE

RUBBER = Material(1e7, 0.5, 1000.0, drag_coefficient=0.0)
RADIUS, UP = 0.01, np.array([0.0, 0.0, 1.0])
BEAM = 3.5160  # of a cantilever's slowest vibration
STEEL = Material(2e11, 0.3, 7800.0, drag_coefficient=0.0)


def rod(edges=50, material=RUBBER, x=None, radius=RADIUS, **options):
    x = along_x(edges) if x is None else x
    return Rod.from_material("rod", x, radius, material, model="cosserat", **{"m1": UP, **options})


def scene_of(own, *pins, **options):
    """In a vacuum, without contact, by implicit steps."""
    given = {"contact": False, "air_density": 0.0, "gravity": np.zeros(3), "solver": "IMPLICIT", **options}
    return Scene((own,), 1.0 / 24.0, given.pop("frame_count", 2), pins=pins, **given)


def clamped(own):
    return Pin.fixed(own, 0, "TWIST")


def go(run, duration, h, third=0.0):
    found = implicit_steps(*run, duration, h, third)
    assert found[0] == DONE
    return found


def law(own, kind):
    """The slowest vibration [rad/s] of a rod of 1 m clamped at one end."""
    if kind == "bending":
        return BEAM * np.sqrt(own.bend_stiffness[0, 0] / own.mass.sum())
    return 0.5 * np.pi * np.sqrt(own.twist_stiffness[0] / (own.mass.sum() * own.gyration[0]))


def hand(own, span=0.3):
    """A pin that leads a rod's end along, across and about it, smoothly."""
    s = np.linspace(0.0, 1.0, 601)
    a = s**4 * (35.0 - 84.0 * s + 70.0 * s**2 - 20.0 * s**3)
    axis = np.array([2.0, 0.5, 0.7])
    half = 0.5 * np.linalg.norm(axis)
    turn = np.column_stack([np.cos(half * a), np.outer(np.sin(half * a) / (2.0 * half), axis)])
    place = own.x[0] + np.outer(a, [0.1, 0.1, -0.05])
    return Pin("hand", 0, 0, "TWIST", span * s, place, turn)


@pytest.mark.parametrize("third", [0.0, THIRD_DIFFERENCE])
def test_steps_are_of_second_order(third):
    """Newton's method to the end: what it leaves to the next step by itself is 1e-5 of the length here."""
    own = rod(8, material=replace(RUBBER, young=1e6), internal_damping=2e-3)
    scene = scene_of(own, hand(own))
    runs = []
    for steps in (160, 320, 640, 2560):
        model, state, _ = run = assemble(scene)
        model.world["last_turn"] = 1e-9
        go(run, 0.3, 0.3 / steps, third)
        runs.append((state.x, state.v, state.q, *state.omega[1:-1].T))
    error = np.array([[np.abs(one - last).max() for one, last in zip(run, runs[-1], strict=True)] for run in runs[:-1]])
    assert np.all(error[-1] < 5e-3 * np.array([np.abs(last).max() for last in runs[-1]]))
    np.testing.assert_allclose(np.log2(error[1] / error[2]), 2.0, atol=0.35)


@pytest.mark.parametrize("kind", ["bending", "torsion"])
def test_vibrates_as_the_law_says_at_long_steps(kind):
    own = rod()
    omega, run = law(own, kind), assemble(scene_of(own, clamped(own)))
    state, s = run[1], own.x[:, 0]
    if kind == "bending":  # Rayleigh's shape, of its own
        state.v[:, 2] = 1e-3 * omega * (s**2 * (6.0 - 4.0 * s + s**2)) / 3.0
    else:
        state.omega[1:-1, 2] = 1e-2 * omega * np.sin(0.5 * np.pi * (0.5 * (s[1:] + s[:-1])))
    h = 2.0 * np.pi / omega / 64.0
    assert h > (20.0 if kind == "bending" else 2.0) * linear_step(own)
    told = []
    for _ in range(64 * 4):
        go(run, h, h, THIRD_DIFFERENCE)
        told.append(state.v[-1, 2] if kind == "bending" else state.omega[-2, 2])
    told = np.array(told)
    falls = np.flatnonzero((told[:-1] > 0.0) & (told[1:] <= 0.0))
    at = falls + told[falls] / (told[falls] - told[falls + 1])
    period = np.diff(at).mean() / 64.0
    assert period == pytest.approx(1.0 + (2.0 * np.pi / 64.0) ** 2 / 3.0, abs=0.01)


def bow(edges=30):
    around = np.linspace(0.0, 3.0, edges + 1)
    return 0.2 * np.stack([np.cos(around), np.sin(around), 0.3 * np.sin(around)], axis=1)


def thrown(**options):
    """A bent rod that flies, turns and spins, and is shaken."""
    x, rng = bow(), np.random.default_rng(0)
    v = np.cross([1.0, 2.0, 5.0], x - x.mean(axis=0)) + [1.0, 0.0, 0.0] + rng.normal(0.0, 0.1, x.shape)
    return rod(x=x, material=replace(RUBBER, young=1e8), radius=0.003, v=v, **options)


def test_momentum_is_kept_and_energy_never_grows():
    own = thrown()
    run = assemble(scene_of(own))
    model, state, _ = run
    h = 1.0 / 240.0
    assert h > 50.0 * linear_step(own)
    momentum, told = linear_momentum(model, state), [energies(model, state).total]
    for _ in range(240):
        go(run, h, h)
        told.append(energies(model, state).total)
    np.testing.assert_allclose(linear_momentum(model, state), momentum, rtol=0.0, atol=1e-9 * np.linalg.norm(momentum))
    assert np.all(np.array(told)[1:] < told[0])
    assert np.max(np.diff(told)) < 1e-3 * told[0]


def test_angular_momentum_goes_with_the_square_of_the_step():
    lost = []
    for h in (1.0 / 240.0, 1.0 / 480.0):
        own = thrown(internal_damping=1e-3)
        own = replace(own, v=np.cross([0.0, 0.0, 5.0], own.x))
        run = assemble(scene_of(own))
        before = angular_momentum(*run[:2])
        go(run, 0.5, h)
        lost.append(np.linalg.norm(angular_momentum(*run[:2]) - before) / np.linalg.norm(before))
    assert lost[1] < 1e-3
    assert np.log2(lost[0] / lost[1]) > 1.7


def test_a_thread_that_spins_spins_on():
    """Below the spin at which friction makes a shaft whirl, that of its slowest vibration."""
    own = rod(20, replace(RUBBER, young=1e9), internal_damping=0.1)
    run = assemble(scene_of(own))
    run[1].omega[1:-1, 2] = 60.0
    go(run, 1.0, 1.0 / 240.0)
    np.testing.assert_allclose(run[1].omega[1:-1, 2], 60.0, rtol=1e-9)


@pytest.mark.parametrize("edges", [20, 100])
@pytest.mark.parametrize("material", [replace(RUBBER, young=1e6), RUBBER, STEEL], ids=["soft", "rubber", "steel"])
@pytest.mark.parametrize("seed", range(3))
def test_no_throw_or_whip_gains_energy(material, edges, seed):
    """Bent to three quarters of a turn, and let go, its clamp too."""
    rng = np.random.default_rng(seed)
    around = np.linspace(0.0, 1.5 * np.pi, edges + 1)
    x = np.stack([np.sin(around), np.zeros(edges + 1), 1.0 - np.cos(around)], axis=1) / (1.5 * np.pi)
    own = rod(edges, material, x, radius=rng.uniform(0.002, 0.01), rest_x=along_x(edges), shape_memory=0.0)
    pins = (clamped(own),) if seed % 2 else ()
    run = assemble(scene_of(own, *pins, gravity=np.array([0.0, 0.0, -9.81])))
    told = [energies(*run[:2]).total]
    for _ in range(24):
        go(run, 1.0 / 24.0, 1.0 / 240.0)
        told.append(energies(*run[:2]).total)
    scale = energies(*run[:2]).kinetic.sum() + abs(told[0])
    assert max(told) < told[0] + 0.02 * scale


def test_hangs_as_explicit_steps_leave_it():
    """Equilibria depend on no step."""
    found = []
    for h in (1.0 / 60.0, 1.0 / 240.0):
        own = rod(20, replace(RUBBER, young=1e8), internal_damping=0.2)
        run = assemble(scene_of(own, clamped(own), gravity=np.array([0.0, 0.0, -9.81])))
        go(run, 8.0, h)
        found.append(run[1].x.copy())
    np.testing.assert_allclose(found[0], found[1], atol=1e-7)
    explicit = assemble(replace(scene_of(own, clamped(own), gravity=np.array([0.0, 0.0, -9.81])), solver="EXPLICIT"))
    explicit[1].x[:], explicit[1].q[:] = run[1].x, run[1].q
    assert advance(*explicit, 0.05, 0.5, 1.0)[0] == DONE
    np.testing.assert_allclose(explicit[1].x, found[1], atol=1e-6)


def swung(solver, **options):
    own = rod(24, replace(RUBBER, drag_coefficient=1.1), internal_damping=1e-2)
    given = {"gravity": np.array([0.0, 0.0, -9.81]), "air_density": 1.2, "frame_count": 13, **options}
    return scene_of(own, hand(own), solver=solver, **given)


def test_a_swing_is_that_of_explicit_steps():
    implicit, explicit = (list(simulate(swung(solver))) for solver in ("IMPLICIT", "EXPLICIT"))
    for one, other in zip(implicit, explicit, strict=True):
        np.testing.assert_allclose(one.x, other.x, atol=0.01)
        np.testing.assert_allclose(one.m1, other.m1, atol=0.05)


def test_takes_explicit_steps_from_where_it_comes_to_touch():
    """It falls on a floor, and lies there as it does by explicit steps."""
    floor = {"contact": True, "floor": Floor(-0.1), "frame_count": 25}
    own = rod(10, internal_damping=1e-2)
    scene = scene_of(own, gravity=np.array([0.0, 0.0, -9.81]), **floor)
    implicit, explicit = (list(simulate(replace(scene, solver=solver)))[-1].x for solver in ("IMPLICIT", "EXPLICIT"))
    np.testing.assert_allclose(implicit, explicit, atol=1e-3)
    assert implicit[:, 2].min() > -0.1 + 0.95 * RADIUS


def test_goes_on_from_a_checkpoint_to_the_same_bytes():
    frames = list(simulate(swung("IMPLICIT")))
    resumed = list(simulate(swung("IMPLICIT"), frames[6].state))
    assert [frame.x.tobytes() + frame.m1.tobytes() for frame in resumed] == [
        frame.x.tobytes() + frame.m1.tobytes() for frame in frames[7:]
    ]


@pytest.mark.parametrize("young", [1e7, 1e9])
def test_what_a_pin_within_has_turned_spins_on_as_it_lets_go(young):
    """A pin at the middle of a free rod turns it about its axis, faster and faster, then evenly, and lets go. (Where
    the segment that it led looked back on what it was before, it left with 1.4 times its spin.)
    """
    own, t = rod(10, replace(RUBBER, young=young)), np.linspace(0.0, 0.6, 61)
    speed, begun, free, h = 3.0, 0.2, 0.4, 1.0 / 2400.0
    angle = speed * np.where(t < begun, 0.5 * t * t / begun, t - 0.5 * begun)
    turn = np.column_stack([np.cos(0.5 * angle), np.sin(0.5 * angle), 0.0 * t, 0.0 * t])
    pin = Pin("hand", 0, 5, "TWIST", t, np.tile(own.x[5], (61, 1)), turn, np.where(t < free - 1e-9, 1.0, 0.0), None)
    _, state, _ = run = assemble(scene_of(own, pin, frame_count=20))
    go(run, 0.4 - 2.0 * h, h)
    before, largest = abs(state.omega[1:-1, 2]).max(), 0.0
    for _ in range(20):
        go(run, h, h)
        largest = max(largest, abs(state.omega[1:-1, 2]).max())
    assert state.holds["state"][0] == FREE
    assert speed < 1.01 * before
    assert largest < 1.02 * before
