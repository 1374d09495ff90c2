"""Bend–Twist: a naturally curved rod that hangs from a clamp leaves its plane, and comes back to it as it gets heavier
(Romero, Ly, Rasheed, Charrondière, Lazarus, Neukirch & Bertails-Descoubes 2021, *Physical validation of simulators in
computer graphics*).

In its plane the tangent turns by φ(s) from straight up, B φ'' = −w (L − s) sin φ, φ(0) = π, φ'(L) = κ̄. Turned out of it
by a, and about itself by θ, it has to second order the energy

    ½ ∫ B (a'² − φ'² a² + κ̄ φ' (a² + θ²) + 2 κ̄ a' θ) + C (θ' − φ' a)² − w (L − s) cos φ a² ds

more: it leaves the plane where the least of that, over polynomials with a(0) = θ(0) = 0, is negative.
"""

import numpy as np
import pytest
from numpy.polynomial import Legendre
from scipy.interpolate import CubicSpline
from scipy.linalg import eigh
from scipy.optimize import brentq, minimize
from statics import Statics, held, straight_rod

POLYNOMIALS = 20
PARTS = 300  # of the curve in its plane
SECOND = 1.95  # what counts as second order
CURVED, TWIST = 8.0, 0.8  # κ̄ L, C/B


def hanging(weight):
    """φ(s) in its plane, a CubicSpline, L = B = 1: where it has the least energy as it gets as heavy as that."""
    s = np.linspace(0.0, 1.0, PARTS + 1)
    moment = (1.0 - s[1:]) / PARTS
    moment[-1] = 0.25 / PARTS**2
    beside = np.diag(np.r_[np.full(PARTS - 1, 2.0), 1.0]) - np.eye(PARTS, k=1) - np.eye(PARTS, k=-1)
    phi = np.pi + CURVED * s[1:]
    for now in np.geomspace(0.1 * weight, weight, 6):

        def energy(phi, now=now):
            turns = np.diff(phi, prepend=np.pi) - CURVED / PARTS
            bent, load = np.diff(turns, append=0.0), now * moment
            return 0.5 * PARTS * turns @ turns + load @ np.cos(phi), -PARTS * bent - load * np.sin(phi)

        def hessian(phi, now=now):
            return PARTS * beside - np.diag(now * moment * np.cos(phi))

        phi = minimize(energy, phi, jac=True, hess=hessian, method="trust-ncg", options={"gtol": 1e-9}).x
    return CubicSpline(s, np.r_[np.pi, phi])


def stiffness(weight):
    """The least energy beside the plane, over ½ ∫ a² + θ² ds."""
    hangs = hanging(weight)
    s, part = np.polynomial.legendre.leggauss(200)
    s, part = 0.5 * (s + 1.0), 0.5 * part
    phi, curved = hangs(s), hangs(s, 1)
    each = [Legendre.basis(j, [0.0, 1.0]) * Legendre([0.5, 0.5], [0.0, 1.0]) for j in range(POLYNOMIALS)]  # times s
    value, slope = (np.array([p(s) for p in family]) for family in (each, [p.deriv() for p in each]))
    none = np.zeros_like(value)
    a, da, t, dt = (np.vstack(pair) for pair in ((value, none), (slope, none), (none, value), (none, slope)))
    bent = CURVED * curved
    turn, leant = dt - curved * a, bent - curved**2 - weight * (1.0 - s) * np.cos(phi)
    energy = (part * da) @ da.T + (part * leant * a) @ a.T + (part * bent * t) @ t.T + TWIST * (part * turn) @ turn.T
    mixed = (part * CURVED * da) @ t.T
    return eigh(energy + mixed + mixed.T, (part * a) @ a.T + (part * t) @ t.T, eigvals_only=True)[0]


def slowest(weight, n, drawn, solver):
    """The lowest ω² of n edges, which moves out of the plane, drawn as φ(s) is."""
    turn = CURVED / n
    around, r = turn * np.arange(n + 1), 0.5 / n / np.sin(0.5 * turn)
    rest = r * np.stack([np.sin(around), 1.0 - np.cos(around), 0.0 * around], axis=1)
    rod = straight_rod(n, twist=TWIST, rest_x=rest, rest_m1=np.array([0.0, 0.0, 1.0]))
    phi = drawn((np.arange(n) + 0.5) / n)
    edges = np.stack([-np.sin(phi), np.cos(phi), 0.0 * phi], axis=1) / n
    rod.x[0], rod.x[1:] = 0.0, np.cumsum(edges, axis=0)
    hangs = Statics(held(rod, "TWIST", gravity=(0.0, -weight, 0.0), solver=solver))
    hangs.free[1:, 2] = False  # in its plane
    hangs.settle(1e-8)
    hangs.free[1:, 2] = True
    return hangs.squares()[0]


@pytest.mark.parametrize(
    ("lighter", "heavier", "n"), [(20.0, 30.0, 80), (84.0, 96.0, 40)], ids=["leaves its plane", "comes back"]
)
def test_bend_twist(lighter, heavier, n, solver):
    """At these weights, w L³/B; of second order."""
    law = brentq(stiffness, lighter, heavier, xtol=1e-4)
    drawn = hanging(law)
    found = [brentq(slowest, lighter, heavier, (edges, drawn, solver), xtol=1e-4) for edges in (n // 2, n)]
    errors = np.abs(np.array(found) / law - 1.0)
    assert errors[1] < 1e-2
    assert np.log2(errors[0] / errors[1]) > SECOND
