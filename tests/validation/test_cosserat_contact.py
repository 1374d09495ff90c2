"""Cosserat rods on floors, meshes and rigid bodies: friction holds them by Coulomb's law, and turns their directors."""

import numpy as np
import pytest
from solids import brick
from solvers import persist
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.scene import Collider, Floor, Rod, Scene

G, R, N, LENGTH, MU = 9.81, 0.005, 12, 0.15, 0.4
CORD = Material(5e6, 0.3, 700.0, friction=MU)
UP = np.array([0.0, 0.0, 1.0])
ON = ("floor", "mesh", "body")
SOLVER = "EXPLICIT"  # or the other one: see _solver


@pytest.fixture(autouse=True, params=["EXPLICIT", "IMPLICIT"])
def _solver(request, monkeypatch):
    """Either takes the steps."""
    monkeypatch.setitem(globals(), "SOLVER", request.param)


def cord(speed=0.0):
    """A rod on the plane z = 0 along x, thrown along y."""
    x = np.linspace(0.0, LENGTH, N + 1)[:, None] * [1.0, 0.0, 0.0] + [0.0, 0.0, R]
    v = np.tile([0.0, speed, 0.0], (N + 1, 1))
    return Rod.from_material("cord", x, R, CORD, model="cosserat", m1=UP, v=v)


def after(rod, on, pull, duration):
    """(Model, State) of a rod that has lain on something under gravity, at the slope `pull` along x and y, for so long
    [s].
    """
    gravity = G * np.array([*pull, -1.0]) / np.sqrt(1.0 + np.dot(pull, pull))
    held = {}
    if on == "floor":
        held = {"floor": Floor(0.0, MU)}
    elif on == "mesh":
        corners = np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]])
        held = {
            "colliders": (Collider("mesh", np.array([[0, 1, 2], [0, 2, 3]]), np.zeros(1), corners[None], friction=MU),)
        }
    else:  # a block far heavier than it, on a floor that holds it
        held = {"bodies": (brick((0.0, 0.0, -0.05), (1.0, 1.0, 0.1), friction=MU),), "floor": Floor(-0.1, 9.0)}
    scene = Scene((rod,), 0.04, 1, gravity=gravity, air_density=0.0, solver=SOLVER, **held)
    model, state, work = assemble(scene)
    state, _, failed = persist(scene, model, state, work, duration)
    assert failed is None
    return model, state


def directors(model, state):
    """(how far [rad] the directors of edges have turned about x; their spin about the edge [rad/s])."""
    own = slice(model.rods["segment"][0] + 1, model.rods["segment"][0] + 1 + N)
    w, x, y, z = state.q[own].T
    np.testing.assert_allclose(w * w + x * x + y * y + z * z, 1.0, atol=1e-12)
    first = np.stack([1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)])
    return np.arctan2(-first[1], first[2]), state.omega[own, 2]


@pytest.mark.parametrize("on", ON)
@pytest.mark.parametrize("slope", [0.9, 1.2])
def test_sticks_along_a_slope_up_to_its_friction(slope, on):
    """It lies along the slope tan α = .9 μ, and slides down that of 1.2 μ with g (sin α − μ cos α)."""
    duration = 0.1
    _, state = after(cord(), on, (slope * MU, 0.0), duration)
    pull = max(0.0, slope - 1.0) * MU * G / np.hypot(1.0, slope * MU)
    np.testing.assert_allclose(state.v[:, 0].mean(), pull * duration, rtol=1e-2, atol=1e-4)
    assert np.abs(state.v[:, 1:]).max() < 1e-3


@pytest.mark.parametrize("on", ON)
@pytest.mark.parametrize("slope", [1.0, 4.0])
def test_rolls_down_a_slope(slope, on):
    """With 2/3 g sin α where tan α < 3 μ, and beyond it slides with g (sin α − μ cos α), turned by μ g cos α 2/r."""
    duration = 0.1
    model, state = after(cord(), on, (0.0, slope * MU), duration)
    sine, cosine = slope * MU / np.hypot(1.0, slope * MU), 1.0 / np.hypot(1.0, slope * MU)
    pull = G * max(2.0 / 3.0 * sine, sine - MU * cosine)
    spin = G * min(2.0 / 3.0 * sine, 2.0 * MU * cosine) / R
    angle, omega = directors(model, state)
    np.testing.assert_allclose(state.v[:, 1], pull * duration, rtol=1e-2)
    np.testing.assert_allclose(-omega, spin * duration, rtol=1e-2)
    turn = 0.5 * spin * duration**2
    np.testing.assert_allclose(np.exp(-1j * angle), np.exp(1j * turn), atol=1e-2 * turn)


@pytest.mark.parametrize("on", ON)
def test_slides_until_it_rolls(on):
    """What is thrown at v rolls at 2/3 v, whatever the friction."""
    model, state = after(cord(0.1), on, (0.0, 0.0), 0.05)
    np.testing.assert_allclose(state.v[:, 1], 2.0 / 3.0 * 0.1, rtol=2e-3)
    np.testing.assert_allclose(-R * directors(model, state)[1], 2.0 / 3.0 * 0.1, rtol=2e-3)
