"""Waves and vibrations of Cosserat rods against closed forms, and what internal friction takes of them."""

import numpy as np
import pytest
from cosserat import ALONG_X, CosseratRod, Laws, along_x, frames_along, quaternions, round_laws, slaved
from scipy.spatial.transform import Rotation

LAWS = round_laws()
SPEED = np.sqrt(LAWS.twist / (LAWS.density * LAWS.gyration))  # of twist, √(G/ρ)
TURNS = 3.0
SHAFT = (2 * np.arange(1, 4) - 1) * np.pi / 2.0
BEAM = np.array([3.5160, 22.0345, 61.6972])
KINDS = ("torsion", "stretching", "bending")


def law(kind, laws):
    """The slowest three frequencies [rad/s] of a rod of 1 m clamped at one end."""
    if kind == "torsion":
        return SHAFT * SPEED
    shape, stiffness = (SHAFT, laws.stretch) if kind == "stretching" else (BEAM, laws.bend)
    return shape * np.sqrt(stiffness / laws.density)


def clamped(edges, laws=LAWS):
    rod = CosseratRod(along_x(edges), laws, walls=(ALONG_X, None))
    rod.hold(0)
    return rod


def modes(rod, kind):
    """(ω (k,) [rad/s], displacements (k, 3N + 3Q)) of one kind, the slowest first; of bending in one plane."""
    inverse = rod.inverse_masses()
    free = inverse > 0.0
    root = np.sqrt(inverse[free])
    square, vectors = np.linalg.eigh(root[:, None] * rod.hessian()[np.ix_(free, free)] * root)
    moved = np.zeros((len(square), len(inverse)))
    moved[:, free] = (root[:, None] * vectors).T
    x, turn = np.split(moved**2 / np.where(free, inverse, np.inf), [3 * len(rod.x)], axis=1)  # energy of each part
    shares = {
        "torsion": turn[:, 2::3].sum(axis=1),
        "stretching": x[:, ::3].sum(axis=1),
        "bending": x[:, 1::3].sum(axis=1) + x[:, 2::3].sum(axis=1),
    }
    own = shares[kind] > 0.9
    every = 2 if kind == "bending" else 1
    return np.sqrt(square[own])[::every], moved[own][::every]


@pytest.mark.parametrize("radius", [0.01, 0.004])
@pytest.mark.parametrize("kind", KINDS)
def test_frequencies_of_a_clamped_rod(kind, radius):
    """Of edges of as many radii, so that the same holds directors along them."""
    error = []
    for edges in (25, 50):
        laws = slaved(round_laws(radius * 50.0 / edges), 1.0 / edges)
        error.append(modes(clamped(edges, laws), kind)[0][:3] / law(kind, laws) - 1.0)
    assert np.abs(error[1]).max() < 0.01
    order = np.log2(np.divide(*error))
    assert order == pytest.approx(2.0, abs=0.15)


@pytest.mark.parametrize("mode", [1, 2, 3])
@pytest.mark.parametrize("radius", [0.0125, 0.005, 0.0025])
def test_what_masses_at_vertices_and_directors_take_of_a_frequency(radius, mode):
    """Of 40 edges of 2, 5 and 10 radii between two hinges: (kl)² (1/6 + b + 1/a)/2, see physics/directors."""
    edges = 40
    laws = slaved(round_laws(radius), 1.0 / edges)
    rod = CosseratRod(along_x(edges), laws)
    rod.hold(0, edges)
    a = rod.segments["parallel"][0] / (laws.bend * edges**2)
    b = edges**2 / (rod.mobility[0, 0] * rod.edge_mass[0])
    square = (np.pi * mode / edges) ** 2
    lost = 1.0 - modes(rod, "bending")[0][mode - 1] / (np.pi**2 * mode**2 * np.sqrt(laws.bend / laws.density))
    assert lost == pytest.approx(0.5 * square * (1.0 / 6.0 + b + 1.0 / a), rel=0.02 + 2.0 * square)
    least = {0.0125: 0.52, 0.005: 0.35, 0.0025: 0.25}[radius]  # .17 of which is of masses at vertices, as of any rod
    assert lost < 0.5 * square * least


def ring_errors(radius, edges=40):
    """Errors of the slowest frequencies with 2 and 3 waves around a free ring, R = 1 m, in its plane and out of it."""
    around = 2.0 * np.pi * np.arange(edges) / edges
    laws = slaved(round_laws(radius), 2.0 * np.sin(np.pi / edges))
    rod = CosseratRod(np.stack([np.cos(around), np.sin(around), 0.0 * around], axis=1), laws, closed=True)
    root = np.sqrt(rod.inverse_masses())
    square, vectors = np.linalg.eigh(root[:, None] * rod.hessian() * root)
    moved = (root[:, None] * vectors).T[:, : 3 * edges].reshape(len(square), edges, 3)
    energy = np.sum(rod.mass[:, None] * moved**2, axis=1)
    found = []
    for n in (2, 3):
        for own, more in ((energy[:, :2].sum(axis=1), 1.0), (energy[:, 2], laws.bend / laws.twist)):
            exact = n * (n**2 - 1) * np.sqrt(laws.bend / laws.density / (n**2 + more))
            each = np.sqrt(np.maximum(square[own > 0.5], 0.0))
            found.append(each[np.abs(each - exact).argmin()] / exact - 1.0)
    return np.array(found)


def test_frequencies_of_a_free_ring():
    """Love's, of 40 edges of 16 and 6 radii; with κ = 10 K/l² and I₁ = ml²/4 −1.4, −1.6, −4.2 and −4.4 %."""
    assert np.all(np.abs(ring_errors(0.01)) < [0.006, 0.005, 0.019, 0.017])
    assert np.all(np.abs(ring_errors(0.025)) < [0.01, 0.01, 0.027, 0.026])


def wound(edges, turns):
    """A rod clamped at x = 0, straight, its other end turned."""
    rod = clamped(edges)
    angle = 2.0 * np.pi * turns * (np.arange(edges) + 0.5) / edges
    frames = frames_along(rod.x) * Rotation.from_rotvec(np.outer(angle, [0.0, 0.0, 1.0]))
    rod.q[:edges] = quaternions(frames)
    rod.q[:edges] *= np.sign(rod.q[0] @ rod.q[edges])
    return rod


def test_a_wound_rod_let_go_untwists_as_a_wave():
    edges, last = 100, 99.5 / 100.0
    rod = wound(edges, TURNS)
    h, t, turned = 0.5 * rod.step(), 0.0, last
    while t < (2.0 - 4.0 / edges) / SPEED:  # from where the corner of the wave, a few edges wide, is back
        rod.advance(1, h)
        t += h
        turned += h * rod.spin[edges - 1, 2] / (2.0 * np.pi * TURNS)
        assert turned == pytest.approx(min(last, 1.0 - SPEED * t), abs=0.01)
    assert np.abs(rod.x[:, 1:]).max() < 1e-12


def test_a_thread_that_spins_spins_on():
    rod = CosseratRod(along_x(20), round_laws(viscosity=0.1, pull=10.0))
    rod.spin[:, 2] = 50.0
    rod.advance(10_000, rod.step())
    np.testing.assert_allclose(rod.spin[:, 2], 50.0, rtol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_friction_damps_as_its_law_says(kind):
    ratio = 0.05  # of critical damping: energy goes as e^(−2ζωt), ζ = τω/2
    rate, way = (found[0] for found in modes(clamped(25), kind))
    tau = 2.0 * ratio / rate
    rod = clamped(25, round_laws(**({"pull": tau * LAWS.stretch} if kind == "stretching" else {"viscosity": tau})))
    way *= 1e-4 / np.abs(way).max()
    rod.x += way[: 3 * len(rod.x)].reshape(-1, 3)
    rod.turn(way[3 * len(rod.x) :].reshape(-1, 3))
    h, before = rod.step(), rod.energy()
    steps = round(8.0 * np.pi / rate / h)
    rod.advance(steps, h)
    assert -np.log(rod.energy() / before) / (steps * h) == pytest.approx(2.0 * ratio * rate, rel=0.005)


def arc(closed):
    """A naturally bent rod or ring in a plane, with much friction."""
    around = np.linspace(0.0, 2.0 * np.pi, 30, endpoint=False) if closed else np.linspace(0.0, 3.0, 31)
    x = 0.2 * np.stack([np.cos(around), np.sin(around), 0.0 * around], axis=1)
    rod = CosseratRod(x, Laws([1e-2, 2e-2], 1.5e-2, 1e3, 0.1, 1e-4, viscosity=0.05, pull=30.0), closed=closed)
    rod.x -= rod.mass @ rod.x / rod.mass.sum()
    return rod


def spun(closed):
    rod, way = arc(closed), np.array([0.0, 0.0, 3.0])
    rod.v = np.cross(way, rod.x) + [1.0, 2.0, 3.0]
    rod.spin = rod.directors.inv().apply(np.tile(way, (rod.edges, 1)))
    return rod


@pytest.mark.parametrize("closed", [False, True], ids=["open", "ring"])
def test_friction_leaves_rigid_motion_alone(closed):
    rod = spun(closed)
    assert rod.lost() < 1e-20 * rod.kinetic() / rod.step()


@pytest.mark.parametrize("closed", [False, True], ids=["open", "ring"])
def test_a_bent_rod_that_flies_and_spins_loses_nothing_once_it_has_its_shape(closed):
    rod = spun(closed)
    h = rod.step()
    rod.advance(20_000, h)  # what its weight in the whirl has bent and stretched it by shakes, and comes to rest
    before, angular = rod.energy(), rod.angular_momentum()
    rod.advance(10_000, h)
    assert rod.energy() == pytest.approx(before, rel=1e-9)
    np.testing.assert_allclose(rod.angular_momentum(), angular, rtol=0.0, atol=1e-9 * np.linalg.norm(angular))


def test_friction_bears_nothing_in_a_whirl():
    """A straight rod whirls about its middle: edges bear what the masses beyond them are held by, T = Ω² Σ m x, and
    friction of lengths none of it, nor does it slow the whirl.
    """
    rod = CosseratRod(along_x(20) - [0.5, 0.0, 0.0], Laws(1e-2, 1e-2, 1e3, 0.1, 1e-4, pull=10.0))
    way = np.array([0.0, 0.0, 10.0])
    rod.v, rod.spin = np.cross(way, rod.x), rod.directors.inv().apply(np.tile(way, (rod.edges, 1)))
    h = 0.5 * rod.step()
    rod.advance(4.0 / h, h)
    before = rod.energy()
    rod.advance(1.0 / h, h)
    assert rod.energy() == pytest.approx(before, rel=1e-9)
    away = np.linalg.norm(rod.x, axis=1)
    speed = np.linalg.norm(rod.v, axis=1)[[0, -1]].mean() / away[[0, -1]].mean()
    pull = 1e3 * (np.linalg.norm(np.diff(rod.x, axis=0), axis=1) / 0.05 - 1.0)
    beyond = np.cumsum((rod.mass * away * np.sign(np.arange(21) - 10))[::-1])[::-1][1:]
    np.testing.assert_allclose(pull, speed**2 * beyond, rtol=1e-3)
