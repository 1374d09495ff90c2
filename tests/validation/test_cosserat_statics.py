"""Cosserat rods at rest: where they stop being stable, and the shapes they take, against closed forms."""

import numpy as np
import pytest
from convergence import orders
from cosserat import ALONG_X, CosseratRod, Laws, along_x, frames_along, quaternions
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation
from test_localised_helix import PHI, TURNS, WIDTH, B, C, L, even
from test_localised_helix import M as TORQUE
from test_localised_helix import start as start_scene

SECOND = 1.9  # what counts as second order
STIFF = 1e4  # stretching against bending over the length's square: 1e4 times
TIP = np.array([15.6854, 47.1522, 53.4718])  # m, of Bathe's bend: the smooth rod's equations, by shooting


def threshold(lowest, law):
    """Relative distance of the zero of lowest(load) from the law."""
    return brentq(lowest, 0.8 * law, 1.2 * law, xtol=1e-6 * law) / law - 1.0


def squares(rod, stiffness, held=()):
    """ω² [1/s²] of the vibrations with this stiffness, of what is neither led nor held."""
    free = rod.inverse_masses() > 0.0
    free[list(held)] = False
    root = np.sqrt(rod.inverse_masses()[free])
    return np.sort(np.linalg.eigvals(root[:, None] * stiffness[np.ix_(free, free)] * root).real)


def cross_matrix(v):
    return np.cross(np.eye(3), v)


def greenhill(n, torque, bend=0.7, twist=0.5, length=1.2):
    """Lowest ω² of a rod pinned at both ends under a torque along x, which stays along x while these ends tilt."""
    rod = CosseratRod(along_x(n, length), Laws(bend, twist, STIFF, 1.0, 1e-4))
    turned = np.outer(torque / twist * length / n * np.arange(n), [0.0, 0.0, 1.0])
    rod.q = quaternions(frames_along(rod.x) * Rotation.from_rotvec(turned))
    rod.potential()
    np.testing.assert_allclose(rod.torque[[0, -1], 2], [torque, -torque], rtol=1e-9)
    stiffness, first = rod.hessian(), 3 * len(rod.x)
    for e in (0, n - 1):  # the turn of a torque that stays, and half of it, for turns about own axes do not commute
        own = slice(first + 3 * e, first + 3 * e + 3)
        stiffness[own, own] += 0.5 * cross_matrix(rod.torque[e])
    return squares(rod, stiffness, held=[0, 1, 2, 3 * n + 1, 3 * n + 2, first + 2])[0]


def test_greenhill():
    """M = 2πB/L."""
    law = 2.0 * np.pi * 0.7 / 1.2
    errors = np.array([threshold(lambda torque, n=n: greenhill(n, torque), law) for n in (20, 40)])
    assert abs(errors[1]) < 0.005
    assert np.all(orders(errors) > SECOND)


def ring(n, twist, turns):
    """A round ring of length 2π, straight at rest, whose directors turn so many times on the way round."""
    around = 2.0 * np.pi * np.arange(n) / n
    x = np.pi / n / np.sin(np.pi / n) * np.stack([np.cos(around), np.sin(around), 0.0 * around], axis=1)
    frames = frames_along(x, True) * Rotation.from_rotvec(np.outer(turns * around, [0.0, 0.0, 1.0]))
    rod = CosseratRod(x, Laws(1.0, twist, STIFF, 1.0, 1e-4), closed=True, frames=frames, straight=True)
    rod.relax()
    return rod


def slowest(n, twist, turns):
    """ω² of the slowest two vibrations of a ring, which are alike, besides its six rigid motions and its spin."""
    rod = ring(n, twist, turns)
    found = squares(rod, rod.hessian())
    return 0.5 * found[np.argsort(np.abs(found))[:9]].sum()


@pytest.mark.parametrize("turns", [1, 2])
def test_michell(turns):
    """A ring closed with 2π·turns of twist writhes from C/B = √3/turns on."""
    law = np.sqrt(3.0) / turns
    errors = np.array([threshold(lambda c, n=n: slowest(n, c, turns), law) for n in (20, 40)])
    assert abs(errors[1]) < 0.01
    assert np.all(orders(errors) > SECOND)


def perversion(n, tension, twist, kappa):
    """Lowest ω² of a naturally circular rod of length 1 pulled straight between walls, of which one slides."""
    pulled = 1.0 + tension / STIFF / 100.0
    rod = CosseratRod(along_x(n), Laws(1.0, twist, 100.0 * STIFF, 1.0, 1e-4), walls=(ALONG_X, ALONG_X))
    rod.joints["rest"][:, 0] = kappa
    rod.x *= pulled
    rod.hold(0)
    return squares(rod, rod.hessian(), held=[3 * n + 1, 3 * n + 2])[0]


@pytest.mark.parametrize("twist", [0.8, 1.5])
def test_perversion(twist):
    """T = B²κ²/C − 4π²B/L²."""
    kappa = 6.0 * np.pi
    law = kappa**2 / twist - 4.0 * np.pi**2
    errors = np.array([threshold(lambda t, n=n: perversion(n, t, twist, kappa), law) for n in (50, 100)])
    assert abs(errors[1]) < 0.01
    assert np.all(orders(errors) > SECOND)


def bathes_bend(n, force=600.0):
    """Tip [m] of an eighth of a circle of radius 100 m, of a section of 1 m², pulled across its plane."""
    around = np.linspace(0.0, 0.25 * np.pi, n + 1)
    x = 100.0 * np.stack([1.0 - np.cos(around), np.sin(around), 0.0 * around], axis=1)
    wall = Rotation.from_matrix([[0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]])  # d₃ along y, d₁ down
    stiffness = 1e7 / 12.0
    laws = Laws(stiffness, stiffness, 1e7, 1.0, 1.0 / 6.0)
    rod = CosseratRod(x, laws, walls=(wall, None), frames=frames_along(x, m1=(0.0, 0.0, -1.0)))
    rod.hold(0)
    load = np.zeros_like(x)
    for part in (0.1, 0.3, 0.6, 1.0):
        load[-1, 2] = part * force
        rod.relax(load)
    return rod.x[-1]


def test_bathes_bend():
    errors = np.array([np.linalg.norm(bathes_bend(n) - TIP) for n in (10, 20, 40)])
    assert errors[2] < 0.001 * np.linalg.norm(TIP)
    assert np.all(orders(errors) > SECOND)


def helix(n):
    """A straight rod wound by 27 turns between walls that come nearer, at rest: Bergou's figure 7."""
    x = start_scene(even(n)).rods[0].x
    beyond = np.vstack([x[0] - [0.0, 0.0, 1.0], x, x[-1] + [0.0, 0.0, 1.0]])
    along = frames_along(beyond, m1=(1.0, 0.0, 0.0))
    last = along.as_matrix()[-1]
    total = 2.0 * np.pi * TURNS - np.arctan2(last[1, 0], last[0, 0])
    total -= 2.0 * np.pi * round((total - TORQUE * L / C) / (2.0 * np.pi))
    twist = np.concatenate([[0.0], total * (np.arange(n) + 0.5) / n, [total]])
    frames = along * Rotation.from_rotvec(np.outer(twist, [0.0, 0.0, 1.0]))
    laws = Laws(B, C, 10.0 * STIFF, 1.0, 1e-4)
    rod = CosseratRod(x, laws, frames=frames[1:-1], walls=(frames[0], frames[-1]), straight=True)
    q = quaternions(frames)
    rod.q, rod.joints["sign"] = np.vstack([q[1:-1], q[:1], q[-1:]]), 1.0
    rod.hold(0, n)
    rod.relax()
    return rod


@pytest.mark.parametrize("n", [80, 100])
def test_localised_helix(n):
    """Mean distance of the two sides of the law over all edges, and the torque on the walls."""
    rod = helix(n)
    s = L * (np.arange(n) + 0.5) / n - L / 2.0
    cos = np.diff(rod.x[:, 2]) * n / L
    error = np.mean(np.abs((cos - np.cos(PHI)) / (1.0 - np.cos(PHI)) - np.tanh(s / WIDTH) ** 2))
    assert error < 0.004
    np.testing.assert_allclose(rod.torque[n:, 2], [TORQUE, -TORQUE], rtol=0.002)
