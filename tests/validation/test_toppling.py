"""Which rods stay where they rest in equilibrium: closed forms of buckling under the own weight, and the motion."""

from dataclasses import replace

import numpy as np
import pytest
from statics import straight_rod
from tendril.physics.assemble import assemble
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Pin, RigidBody, Scene, Weld
from tendril.physics.start import toppling as rests
from tendril.physics.start.rest_in_equilibrium import rest_in_equilibrium
from tendril.physics.start.toppling import toppling

G = 9.81
UP, ALONG = [1, 2, 0], [0, 1, 2]


@pytest.fixture
def strict(monkeypatch):
    """However slowly it topples."""
    monkeypatch.setattr(rests, "UNNOTICED", 1e-3)


def scene_of(weight, n=30, axes=UP, bend=0.7, twist=0.3, length=1.2, mode="TWIST", **options):
    """A straight rod that weighs so much per length, held at one end."""
    rod = straight_rod(n, length, bend, twist, line_density=weight / G, balanced=True)
    rod = replace(rod, x=rod.x[:, axes].copy(), m1=None)
    return Scene((rod,), 0.04, 2, (Pin.fixed(rod, 0, mode),), contact=False, air_density=0.0, **options)


def topples(scene):
    model, state, _ = assemble(scene)
    return toppling(scene, rest_in_equilibrium(scene, model, state), state) >= 0


def threshold(low, high, build):
    assert not topples(build(low))
    assert topples(build(high))
    for _ in range(16):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if topples(build(middle)) else (middle, high)
    return low


def test_a_column_under_its_own_weight(strict):
    """Greenhill 1881: wL³ = 7.8373 B; second order."""
    found = []
    for n in (10, 20, 40):
        found.append(threshold(6.0, 9.0, lambda k, n=n: scene_of(k * 0.7 / 1.2**3, n)) / 7.8373 - 1.0)
    assert abs(found[2]) < 5e-3
    assert abs(found[1]) < 0.4 * abs(found[0])


def test_a_level_rod_rolls_over(strict):
    """Timoshenko & Gere, § 6.3: a cantilever straight under its weight does at wL³ = 12.85 √(BC)."""
    found = []
    for n in (10, 20, 40):
        found.append(threshold(8.0, 18.0, lambda k, n=n: scene_of(k * np.sqrt(0.21) / 1.2**3, n, ALONG)) / 12.85 - 1.0)
    assert abs(found[2]) < 2e-3
    assert abs(found[1]) < 0.4 * abs(found[0])


def test_what_hangs_stays():
    scene = scene_of(100.0, mode="POSITION", gravity=np.array([0.0, 0.0, G]))
    assert not topples(scene)


@pytest.mark.parametrize(("weight", "falls"), [(0.5, False), (1.4, True)])
def test_a_weight_on_a_column(weight, falls):
    """Euler: a body at the top of a light column, π²B/4L² = 1 N."""
    scene = scene_of(1e-4, bend=4.0 * 1.2**2 / np.pi**2)
    top = RigidBody("apple", scene.rods[0].x[-1], weight / G, 1e-6 * np.eye(3))
    assert topples(replace(scene, bodies=(top,), welds=(Weld("stem", 0, 0, 30),))) == falls


def test_a_weight_above_the_top_of_a_column_falls_sooner(strict):
    """Not at P = π²B/4L² but where k L tan(k L) = L/a, k² = P/B, its centre a above the top."""
    above, bend, length = 0.3, 0.7, 1.2
    exact = 0.0
    for k in np.linspace(0.01, 0.5 * np.pi / length, 20001):
        if k * np.tan(k * length) * above > 1.0:
            exact = bend * k * k
            break

    def build(load):
        scene = scene_of(1e-5)
        top = RigidBody("sign", scene.rods[0].x[-1] + [0.0, 0.0, above], load / G, 1e-6 * np.eye(3))
        return replace(scene, bodies=(top,), welds=(Weld("pole", 0, 0, 30),))

    assert exact < 0.8 * bend * (0.5 * np.pi / length) ** 2
    assert threshold(0.5 * exact, 1.5 * exact, build) == pytest.approx(exact, rel=1e-2)


def test_the_soft_one_is_named():
    """A stem that carries a soft one, which carries a stiff one."""
    stem, soft, stiff = (scene_of(1.0, 10, bend=bend).rods[0] for bend in (50.0, 0.8, 50.0))
    rods = [replace(rod, x=rod.x + [0.0, 0.0, 1.2 * k], name=f"rod {k}") for k, rod in enumerate((stem, soft, stiff))]
    bodies = tuple(RigidBody(f"knot {k}", rods[k].x[-1], 0.0, np.zeros((3, 3))) for k in range(2))
    welds = tuple(Weld("weld", k // 2, (k + 1) // 2, (10, 0)[k % 2]) for k in range(4))
    pins = (Pin.fixed(rods[0], 0, "TWIST", rod=0),)
    scene = Scene(tuple(rods), 0.04, 2, pins, bodies, welds, contact=False)
    model, state, _ = assemble(scene)
    assert toppling(scene, rest_in_equilibrium(scene, model, state), state) == 1


@pytest.mark.parametrize(("stiffness", "falls"), [(1.2, False), (0.8, True)])
def test_the_artist_is_told_what_then_happens(stiffness, falls, solver):
    """A column nudged at its tip: a sentence at frame 0 and a fall, or neither."""
    scene = scene_of(2.0, bend=stiffness * 2.0 * 1.2**3 / 7.8373, solver=solver)
    rod = scene.rods[0]
    v = np.zeros_like(rod.x)
    v[1:, 0] = 1e-3 * np.linspace(0.0, 1.0, 31)[1:] ** 2
    notices = []
    items = list(simulate(replace(scene, rods=(replace(rod, v=v),), frame_count=126), notices=notices.append))
    assert len(notices) == falls
    if falls:
        assert "'rod' holds its drawn shape only until something touches it" in notices[0].text
    assert (np.abs(items[-1].x - rod.x).max() > 0.05) == falls
