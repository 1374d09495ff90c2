"""The instruments, on cases that can be told by hand."""

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.energies import energies
from tendril.physics.diagnostics.knots import closing_points, knot_determinant
from tendril.physics.diagnostics.momenta import angular_momentum, linear_momentum
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.diagnostics.strains import strains
from tendril.physics.materials import Material
from tendril.physics.scene import Rod, Scene

STEEL = Material(2e11, 0.3, 7800.0)


def rod(x, radius=0.01, **options):
    return Rod.from_material("rod", np.asarray(x, float), radius, STEEL, **options)


def state_of(*rods, gravity=(0.0, 0.0, 0.0)):
    model, state, _ = assemble(Scene(rods, 0.04, 1, gravity=np.array(gravity), contact=False))
    return model, state


def circle(n, r=1.0):
    around = 2.0 * np.pi * np.arange(n) / n
    return r * np.stack([np.cos(around), np.sin(around), 0.0 * around], axis=1)


def test_bending_energy_of_a_ring():
    """½ Bκ² · 2πR = πB/R for a round section; second order."""
    bend, errors = STEEL.young * np.pi * 0.01**4 / 4.0, []
    for n in (50, 100):
        found = energies(*state_of(rod(circle(n, 0.5), closed=True, shape_memory=0.0)))
        errors.append(found.elastic[0] / (np.pi * bend / 0.5) - 1.0)
    assert abs(errors[1]) < 2e-3
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.05)


def test_twisting_energy_of_a_ring():
    """½ C θ²/L with one turn."""
    n = 60
    plain = energies(*state_of(rod(circle(n), closed=True, shape_memory=0.0)))
    turned = energies(*state_of(rod(circle(n), closed=True, shape_memory=0.0, twist=np.full(n, 2.0 * np.pi / n))))
    stiffness = STEEL.shear * np.pi * 0.01**4 / 2.0
    length = 2.0 * n * np.sin(np.pi / n)
    assert plain.twisting[0] == pytest.approx(0.0, abs=1e-20)
    assert turned.twisting[0] == pytest.approx(0.5 * stiffness * (2.0 * np.pi) ** 2 / length)
    assert turned.bending[0] == pytest.approx(plain.bending[0])


def test_stretching_energy():
    """½ EA ε² L of a rod drawn 1 % too long."""
    x = np.linspace([0.0, 0.0, 0.0], [1.01, 0.0, 0.0], 8)
    stretched = rod(x, stretchable=True, rest_x=x / 1.01)
    model, state = state_of(stretched)
    assert energies(model, state).stretching[0] == pytest.approx(0.5 * 2e11 * np.pi * 1e-4 * 1e-4)
    np.testing.assert_allclose(strains(model, state), 0.01, atol=1e-12)


def test_motion_and_weight():
    """Of two rods, one flying, one spinning: m v, I ω, ½ m v² + ½ I ω², −m g·x."""
    x = np.linspace([-0.5, 0.0, 2.0], [0.5, 0.0, 2.0], 101)
    flying = rod(x, v=np.tile([1.0, 2.0, 3.0], (101, 1)))
    spinning = rod(x, v=np.cross([0.0, 0.0, 4.0], x))
    model, state = state_of(flying, spinning, gravity=(0.0, 0.0, -9.81))
    mass = 7800.0 * np.pi * 1e-4
    inertia = mass / 12.0
    found = energies(model, state)
    np.testing.assert_allclose(found.kinetic, [0.5 * mass * 14.0, 0.5 * inertia * 16.0], rtol=1e-3)
    np.testing.assert_allclose(found.potential, mass * 9.81 * 2.0)
    np.testing.assert_allclose(linear_momentum(model, state), mass * np.array([1.0, 2.0, 3.0]), atol=1e-12)
    expected = mass * np.cross([0.0, 0.0, 2.0], [1.0, 2.0, 3.0]) + [0.0, 0.0, 4.0 * inertia]
    np.testing.assert_allclose(angular_momentum(model, state), expected, rtol=1e-3)
    assert found.total == pytest.approx(found.elastic.sum() + found.kinetic.sum() + found.potential.sum())


@pytest.mark.parametrize("height", [0.015, 0.02, 0.03])
def test_overlap_of_crossed_rods(height):
    low = np.linspace([-0.3, 0.0, 0.0], [0.33, 0.0, 0.0], 12)
    high = np.linspace([0.01, -0.3, height], [0.01, 0.34, height], 15)
    rods = [rod(low), rod(high)]
    assert deepest_overlap(rods, np.vstack([low, high])) == pytest.approx(0.02 - height, abs=1e-12)


def test_overlap_of_a_rod_with_itself():
    """A hairpin whose legs are 0.015 apart overlaps by 0.005; a ring that is only bent does not."""
    bow = np.linspace(0.0, np.pi, 9)[1:-1]
    legs = np.linspace(0.3, 0.0, 13)
    x = np.vstack([
        np.stack([legs, 0.0 * legs + 0.0075, 0.0 * legs], axis=1),
        np.stack([-0.0075 * np.sin(bow), 0.0075 * np.cos(bow), 0.0 * bow], axis=1),
        np.stack([legs[::-1], 0.0 * legs - 0.0075, 0.0 * legs], axis=1),
    ])  # fmt: skip
    assert deepest_overlap([rod(x)], x) == pytest.approx(0.005, abs=1e-12)
    ring = circle(40, 0.03)
    assert deepest_overlap([rod(ring, closed=True)], ring) < 0.0
    tight = circle(40, 0.0095)  # its far side is on top of it
    assert deepest_overlap([rod(tight, closed=True)], tight) < 0.005


def torus(p, q, n=150):
    s = 2.0 * np.pi * np.arange(n) / n
    r = 2.0 + np.cos(q * s)
    return np.stack([r * np.cos(p * s), r * np.sin(p * s), np.sin(q * s)], axis=1)


def figure_eight(n=150):
    s = 2.0 * np.pi * np.arange(n) / n
    r = 2.0 + np.cos(2.0 * s)
    return np.stack([r * np.cos(3.0 * s), r * np.sin(3.0 * s), np.sin(4.0 * s)], axis=1)


KNOTS = {
    "unknot": (torus(1, 3), 1),
    "trefoil": (torus(2, 3), 3),
    "figure eight": (figure_eight(), 5),
    "cinquefoil": (torus(2, 5), 5),
    "seven one": (torus(2, 7), 7),
    "eight nineteen": (torus(3, 4), 3),
    "ten one hundred twenty-four": (torus(3, 5), 1),
}


@pytest.mark.parametrize("name", KNOTS)
def test_knot_determinant(name):
    """Rolfsen's table, seen from several sides, and of the mirror image."""
    x, determinant = KNOTS[name]
    rng = np.random.default_rng(3)
    for _ in range(5):
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        assert knot_determinant(x @ turn) == determinant


def test_a_tangle_of_an_unknot():
    """Crossings alone make no knot: a curve that only winds up and down."""
    s = 2.0 * np.pi * np.arange(200) / 200
    x = np.stack([np.cos(5.0 * s), np.sin(3.0 * s), np.cos(s)], axis=1)
    assert knot_determinant(x) == 1


def test_knot_in_an_open_rod():
    """Shastri's polynomial trefoil, whose ends go to infinity, and a straight rod."""
    t = np.linspace(-2.2, 2.2, 90)
    x = np.stack([t**3 - 3.0 * t, t**4 - 4.0 * t**2, t**5 - 10.0 * t], axis=1) * [1.0, 1.0, 0.2]
    assert knot_determinant(np.vstack([x, closing_points(x)])) == 3
    straight = np.linspace([0.0, 0.0, 0.0], [1.0, 0.1, 0.2], 10)
    assert knot_determinant(np.vstack([straight, closing_points(straight)])) == 1
