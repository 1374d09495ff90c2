"""A straight rod twisted by 27 turns and shortened buckles into a localised helix (Bergou 2008, fig. 7).

The angle φ between tangent and axis obeys (cos φ − cos φ₀)/(1 − cos φ₀) = tanh²(s/s*), and the end torque is M. In a
long rod the helix may be anywhere, and s counts from there. Where edges are not even, it walks to the finer ones.
"""

import numpy as np
import pytest
from scipy.optimize import fsolve, minimize_scalar
from solvers import relaxed, solved_by
from statics import held
from tendril.physics.rods.frames import bishop, signed_angle
from tendril.physics.scene import Rod

L, B, C, TURNS, SHORTENING = 9.29, 1.345, 0.789, 27.0, 0.3
PHI, M, WIDTH = 0.91855, 14.252, 0.38165  # φ₀ [rad], torque [N m], s* [m] of the infinite rod


def cos_phi(s, stretch=1.0):
    return np.cos(PHI) + (1.0 - np.cos(PHI)) * np.tanh(stretch * s / WIDTH) ** 2


def even(n):
    """(n,) lengths [m]."""
    return np.full(n, L / n)


def uneven(n):
    """One half twice as fine as the other."""
    fine = 2 * n // 3
    return 0.5 * L * np.concatenate([np.full(fine, 1.0 / fine), np.full(n - fine, 1.0 / (n - fine))])


def middles(length):
    """(n,) of edges [m], from the rod's."""
    return np.cumsum(length) - 0.5 * length - 0.5 * L


def theory(length, stretch, wind):
    """The infinite rod's centreline on edges (n,), ψ' = M/B(1 + cos φ); the factors, near 1, fit its ends to them."""
    fine = np.linspace(-L / 2.0, L / 2.0, 20001)
    rate = wind * M / (B * (1.0 + cos_phi(fine, stretch)))
    psi = np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]) * np.diff(fine))])
    s = middles(length)
    psi = np.interp(s, fine, psi - psi[10000])
    cos = cos_phi(s, stretch)
    sin = np.sqrt(1.0 - cos**2)
    t = np.stack([sin * np.cos(psi), sin * np.sin(psi), cos], axis=1)
    return np.vstack([np.zeros(3), np.cumsum(t * length[:, None], axis=0)])


def start(length):
    """The theory's centreline with its ends on the axis, shortened and turned against each other as prescribed."""

    def miss(factors):
        tip = theory(length, *factors)[-1]
        return tip[2] - (L - SHORTENING), tip[0]

    x, n = theory(length, *fsolve(miss, [1.0, 1.0])), len(length)
    axis = np.array([0.0, 0.0, 1.0])
    t = np.diff(x, axis=0)
    t = np.vstack([axis, t / np.linalg.norm(t, axis=1)[:, None], axis])
    u = np.zeros_like(t)
    u[0, 0] = 1.0
    bishop(t, u)
    total = 2.0 * np.pi * TURNS - signed_angle(u[0], u[-1], axis)
    total -= 2.0 * np.pi * round((total - M * L / C) / (2.0 * np.pi))
    cells = 0.5 * (length[1:] + length[:-1])
    twist = np.concatenate([[0.0], total * cells / cells.sum(), [0.0]])
    mass = np.concatenate([[0.5 * length[0]], cells, [0.5 * length[-1]]])
    rod = Rod(
        "helix", x, np.full(n + 1, 0.01), mass, np.full((n, 2), B), np.full(n + 1, C), np.ones(n), twist=twist,
        shape_memory=0.0,
    )  # fmt: skip
    return held(rod, "TWIST", "TWIST")


def settled(length, solver):
    """((n,) left side of the law of the relaxed rod, end torque [N m])."""
    model, state = relaxed(solved_by(solver, start(length)), rate=3.0, duration=10.0)
    x = state.x[model.rods["first"][0] : model.rods["last"][0] + 1]
    return (np.diff(x[:, 2]) / length - np.cos(PHI)) / (1.0 - np.cos(PHI)), state.rods["torque"][0]


def off(side, length, centre=0.0):
    """Mean distance of the two sides of the law along the rod, with the helix there [m]."""
    return float(np.abs(side - np.tanh((middles(length) - centre) / WIDTH) ** 2) @ length / L)


def envelope(n, solver):
    """(mean distance of the two sides of the law, end torque [N m]) of the relaxed rod of n even edges."""
    side, torque = settled(even(n), solver)
    return off(side, even(n)), torque


@pytest.mark.parametrize(("n", "worst"), [(40, 0.085), (80, 0.04)])
def test_envelope(n, worst, solver):
    assert envelope(n, solver)[0] <= worst


def test_envelope_converges(solver):
    (coarse, _), (fine, torque) = envelope(180, solver), envelope(360, solver)
    assert coarse <= 0.0115
    assert np.log2(coarse / fine) > 1.75
    assert torque == pytest.approx(M, rel=5e-4)


@pytest.mark.slow
def test_envelope_of_uneven_edges_converges(solver):
    """Where the helix is by itself: by the least distance."""
    errors = []
    for n in (180, 360):
        length = uneven(n)
        side, torque = settled(length, solver)
        at = middles(length)[side.argmin()]
        errors.append(minimize_scalar(lambda c: off(side, length, c), bounds=(at - WIDTH, at + WIDTH)).fun)  # noqa: B023
    assert errors[0] <= 0.0115
    assert np.log2(errors[0] / errors[1]) > 1.75
    assert torque == pytest.approx(M, rel=5e-4)
