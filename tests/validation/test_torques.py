"""Torques from outside on edges of rods: what they do, bend and twist, and the angular momentum that they give."""

from dataclasses import replace

import numpy as np
import pytest
from solvers import go_on
from statics import held, straight_rod
from tendril.physics.arithmetic.quaternions import turned
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.energies import energies
from tendril.physics.diagnostics.momenta import angular_momentum
from tendril.physics.materials import Material
from tendril.physics.rods.elastic_forces import elastic_forces
from tendril.physics.rods.material_axes import material_axes
from tendril.physics.run.felt_loads import FeltLoads
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Load, Pin, RigidBody, Rod, Scene, Weld

NOTHING, LENGTH = np.zeros(3), 0.5
WEAK = Material(1e7, 0.3, 1000.0)
SECTIONS = {"round": 1.0, "flat": 0.8}


def torque(vector, *nodes, times=(0.0,), shares=(1.0,)):
    """A Load of these shares of a torque, one behind the other."""
    vectors = np.outer(shares, vector)
    return Load("Motor", np.array(times), np.zeros(vectors.shape), torque=vectors, nodes=np.array(nodes))


def strip(n, x=None, **options):
    """A rod of n edges along x, m₁ along z."""
    x = np.linspace(NOTHING, [LENGTH, 0.0, 0.0], n + 1) if x is None else x
    options = {"m1": np.array([0.0, 0.0, 1.0]), "drag_coefficient": 0.0, "internal_damping": 0.0, **options}
    return Rod.from_material("strip", x, 0.005, WEAK, **options)


def at_rest(rod, solver):
    """(vertices, first material axes) of the rod where it has settled, clamped at its first end."""
    wall = (Pin.fixed(rod, 0, "TWIST", rod=0),)
    scene = Scene((rod,), 1 / 24, 1, pins=wall, gravity=NOTHING, solver=solver, settle=True, contact=False)
    frame = next(iter(simulate(scene)))
    return frame.x, frame.m1


def directions(x):
    e = np.diff(x, axis=0)
    return e / np.linalg.norm(e, axis=1)[:, None]


def frames(model, state, cosserat=False):
    """Material frames (m, 3, 3) of the edges of the only rod, axes in columns."""
    if cosserat:
        q = state.q[1 : len(state.x)]
        return np.stack([turned(q, np.tile(axis, (len(q), 1))) for axis in np.eye(3)], axis=2)
    m1, x = material_axes(model, state), state.x
    t = directions(np.vstack([x, x[:1]]) if model.rods["closed"][0] else x)
    return np.stack([t, m1, np.cross(t, m1)], axis=2)


def turns(before, now):
    """Small turns (m, 3) [rad] of frames (m, 3, 3) in space."""
    turn = now @ np.swapaxes(before, 1, 2)
    return 0.5 * np.stack(
        [turn[:, 2, 1] - turn[:, 1, 2], turn[:, 0, 2] - turn[:, 2, 0], turn[:, 1, 0] - turn[:, 0, 1]], 1
    )


def crooked(closed, n=12):
    """A rod of n edges of no plane."""
    rng, s = np.random.default_rng(3), np.linspace(0.0, 2.0 * np.pi, n + 1)
    if not closed:
        x = np.stack([s / 6.0, 0.2 * np.sin(2.0 * s), 0.15 * np.cos(3.0 * s)], axis=1)
        return x + 0.005 * rng.normal(size=x.shape)
    s = s[:-1]
    return np.stack([np.cos(s), np.sin(s), 0.3 * np.sin(2.0 * s)], axis=1) + 0.02 * rng.normal(size=(n, 3))


@pytest.mark.parametrize("bend", [0.7, (0.7, 0.3)], ids=SECTIONS)
@pytest.mark.parametrize(
    ("closed", "modes"),
    [(False, ("TWIST",)), (False, ("TWIST", "TWIST")), (False, ("DIRECTION",)), (False, ()), (True, ())],
    ids=["clamped", "between clamps", "held in direction", "free", "closed"],
)
def test_forces_do_what_torques_do(bend, closed, modes):
    """f·δx = −δE + Σ τ·δψ in all small motions, each frame at equilibrium: τ as it acts where none is held."""
    x, rod = crooked(closed), straight_rod(12, 1.0, bend, twist=0.5)
    rod = replace(rod, x=x, m1=None, shape_memory=0.0, loads=(torque([0.3, -0.5, 0.4], 3, 8),))
    if closed:
        alike = {name: getattr(rod, name)[1:] for name in ("radius", "twist_stiffness")}
        rod = replace(rod, closed=True, mass=np.full(12, rod.mass[1]), **alike)
    scene = held(rod, *modes)
    model, state, work = assemble(scene)
    FeltLoads(scene, model).feel(state, 0.0)
    assert elastic_forces(model, state, work.elastic) < 0
    f, drawn = work.elastic.f.copy(), state.x.copy()
    count = rod.edge_count
    t = frames(model, state)[:, :, 0]
    acts = state.fields["torque"][:count] - np.sum(t * state.fields["torque"][:count], axis=1)[:, None] * t
    acts += state.torque[1 : count + 1, None] * t
    way = np.random.default_rng(5).normal(size=x.shape)
    way[model.pins["node"]] = 0.0
    stored, seen, small = [], [], 1e-5
    for side in (-small, small):
        state.x[:] = drawn + side * way
        assert elastic_forces(model, state, work.elastic) < 0
        stored.append(energies(model, state).elastic.sum())
        seen.append(frames(model, state))
    done = np.sum(acts * turns(*seen))
    assert abs(done) > 1e-7
    scale = 2.0 * small * np.linalg.norm(f) * np.linalg.norm(way)
    assert 2.0 * small * np.vdot(f, way) == pytest.approx(stored[0] - stored[1] + done, abs=1e-6 * scale)


@pytest.mark.parametrize("aspect", SECTIONS.values(), ids=SECTIONS)
@pytest.mark.parametrize("model", ["kirchhoff", "cosserat"])
@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
def test_an_end_moment_bends_a_cantilever_to_an_arc(solver, model, aspect):
    """Of the curvature M/B everywhere: here a quarter of a circle."""
    error = []
    for n in (50, 100):
        rod = strip(n, model=model, aspect=aspect)
        moment = 0.5 * np.pi * rod.bend_stiffness[0, 0] / LENGTH
        x, _ = at_rest(replace(rod, loads=(torque([0.0, -moment, 0.0], n),)), solver)
        t, radius = directions(x), LENGTH / (0.5 * np.pi)
        bent = np.diff(np.arctan2(t[:, 2], t[:, 0])) / (LENGTH / n)
        error.append(np.abs(bent * radius - 1.0).max())
        np.testing.assert_allclose(x[-1], [radius, 0.0, radius], atol=1e-3 * radius)
    assert error[1] < 1e-4
    assert error[1] < 0.3 * error[0] or error[1] < 1e-5


@pytest.mark.parametrize("aspect", SECTIONS.values(), ids=SECTIONS)
@pytest.mark.parametrize("model", ["kirchhoff", "cosserat"])
@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
def test_an_end_torque_twists_a_straight_rod(solver, model, aspect):
    """By T/C a metre, from the clamp to the middle of the last edge."""
    n, wound = 40, 2.0
    rod = strip(n, model=model, aspect=aspect)
    x, m1 = at_rest(replace(rod, loads=(torque([wound * rod.twist_stiffness[0] / LENGTH, 0.0, 0.0], n),)), solver)
    np.testing.assert_allclose(x, rod.x, atol=1e-9)
    expected = wound * (np.arange(n) + 0.5) / n
    exact = 5e-3 if (solver, model) == ("IMPLICIT", "cosserat") else 1e-8  # *Settle* sees how far vertices move
    np.testing.assert_allclose(np.unwrap(np.arctan2(-m1[:, 1], m1[:, 2])), expected, rtol=exact)


def test_a_torque_of_any_axis_bends_to_a_helix():
    """The moment is the same all along, M; so is its part along the rod, where the section is round, and the curvature
    |M × t|/B.
    """
    n = 60
    rod = strip(n)
    moment = np.array([0.8 * rod.twist_stiffness[0], -1.5 * rod.bend_stiffness[0, 0], 0.0]) / LENGTH
    x, _ = at_rest(replace(rod, loads=(torque(moment, n),)), "IMPLICIT")
    t = directions(x)
    np.testing.assert_allclose(t @ moment, moment[0], rtol=2e-3)
    bent = 2.0 * np.tan(0.5 * np.arcsin(np.linalg.norm(np.cross(t[:-1], t[1:]), axis=1))) / (LENGTH / n)
    np.testing.assert_allclose(bent, -moment[1] / rod.bend_stiffness[0, 0], rtol=2e-3)
    assert np.abs(x[:, 1]).max() > 0.05


@pytest.mark.parametrize("aspect", SECTIONS.values(), ids=SECTIONS)
@pytest.mark.parametrize(
    ("solver", "model", "tolerance"),
    [("EXPLICIT", "kirchhoff", 5e-3), ("EXPLICIT", "cosserat", 1e-9), ("IMPLICIT", "kirchhoff", 1e-3),
     ("IMPLICIT", "cosserat", 1e-3)],
)  # fmt: skip
def test_a_free_rod_gets_the_angular_momentum(solver, model, tolerance, aspect):
    """τ t, and no momentum: of rods whose spin has inertia."""
    s, vector = np.linspace(0.0, 1.0, 25), np.array([2e-4, -1e-3, 5e-4])
    rod = strip(24, np.stack([0.5 * s, 0.05 * np.sin(3.0 * s), 0.04 * s * s], axis=1),
                model=model, aspect=aspect, rolls=True, m1=None)  # fmt: skip
    scene = Scene((replace(rod, loads=(torque(vector, 24),)),), 1 / 960, 61, gravity=NOTHING, solver=solver,
                  contact=False, air_density=0.0, max_step=1 / 960)  # fmt: skip
    model, state, work = assemble(scene)
    FeltLoads(scene, model).feel(state, 0.0)
    before = angular_momentum(model, state)
    go_on(scene, model, state, work, 60 / 960)
    given = (angular_momentum(model, state) - before) * 16.0
    np.testing.assert_allclose(given, vector, atol=tolerance * np.linalg.norm(vector))
    assert np.abs(model.nodes["mass"] @ state.v).max() < 1e-12


@pytest.mark.parametrize("aspect", SECTIONS.values(), ids=SECTIONS)
@pytest.mark.parametrize("model", ["kirchhoff", "cosserat"])
@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
def test_what_a_torque_does_is_the_change_of_energy(solver, model, aspect):
    """∫ τ·ω dt while it rises, on a cantilever that it bends out of its plane and twists; nothing counts as won."""
    n, count, dt = 20, 240, 1 / 960
    s = np.linspace(0.0, 1.0, n + 1)
    x = np.stack([0.5 * s, 0.05 * np.sin(3.0 * s), 0.04 * s * s], axis=1)
    rod = strip(n, x, model=model, aspect=aspect, m1=None)
    vector = np.array([0.3, -1.0, 0.5]) * rod.bend_stiffness[0, 0] / LENGTH
    share = np.sin(0.5 * np.pi * np.arange(count + 1) / count) ** 2
    rod = replace(rod, loads=(torque(vector, n, times=dt * np.arange(count + 1), shares=share),))
    wall = (Pin.fixed(rod, 0, "TWIST", rod=0),)
    scene = Scene((rod,), dt, count + 1, pins=wall, gravity=NOTHING, solver=solver, contact=False, air_density=0.0,
                  max_step=dt / 8, quality="FINE")  # fmt: skip
    own, state, work = assemble(scene)
    felt, done, gained = FeltLoads(scene, own), 0.0, 0.0
    for k in range(count):
        state.fields["torque"] = 0.0
        felt.feel(state, (k + 0.5) * dt)
        assert elastic_forces(own, state, work.elastic) < 0
        before, old = energies(own, state).total, frames(own, state, model == "cosserat")
        go_on(scene, own, state, work, dt)
        assert elastic_forces(own, state, work.elastic) < 0
        gained += energies(own, state).total - before
        done += np.sum(state.fields["torque"][:n] * turns(old, frames(own, state, model == "cosserat")))
    assert gained == pytest.approx(done, rel=1e-3)
    assert done > 5e-4
    assert state.clock["won"][0] == 0.0


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
def test_a_torque_on_a_rod_turns_the_body_that_it_is_welded_to(solver):
    """About the rod, which is light, as a shaft."""
    inertia, vector = 0.01, np.array([0.002, 0.0, 0.0])
    rod = replace(strip(6, np.linspace([0.1, 0, 0], [0.4, 0, 0], 7)), loads=(torque(vector, 6),))
    body = RigidBody("Rotor", NOTHING, 1.0, inertia * np.eye(3))
    weld = Weld("Shaft", 0, 0, 0, "TWIST")
    scene = Scene((rod,), 1 / 24, 13, bodies=(body,), welds=(weld,), gravity=NOTHING, solver=solver, contact=False,
                  air_density=0.0)  # fmt: skip
    last = list(simulate(scene))[-1]
    angle = 2.0 * np.arctan2(last.bodies[0, 4], last.bodies[0, 3])
    assert angle == pytest.approx(0.5 * vector[0] / inertia * 0.5**2, rel=0.02)
