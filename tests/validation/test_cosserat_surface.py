"""The Cosserat surface of Grégoire 2007, ch. 9, brought to rest by schemes/static: energies as printed, exact slopes.

Vertices L = 1 apart, each x with a director d; tangents are central differences, at the border with the vertex itself
for the one that is missing; curvatures b = x_,αβ·d where both neighbours are there.
"""

import numpy as np
import pytest
from sheet_system import SheetFactors, Unconstrained, pattern
from tendril.physics.schemes.static import Equilibrium

N, LOCAL = 10, 30  # vertices a side; unknowns of one with its neighbours, and of its director
CORNERS = ((0, 0), (0, 9), (9, 0), (9, 9))


class Jet:
    """Numbers (m,), their gradients (m, 30) and Hessians (m, 30, 30) by local unknowns."""

    def __init__(self, value, gradient, hessian):
        self.value, self.gradient, self.hessian = value, gradient, hessian

    def __add__(self, other):
        if not isinstance(other, Jet):
            return Jet(self.value + other, self.gradient, self.hessian)
        return Jet(self.value + other.value, self.gradient + other.gradient, self.hessian + other.hessian)

    def __mul__(self, other):
        if not isinstance(other, Jet):
            k = np.broadcast_to(other, self.value.shape)
            return Jet(k * self.value, k[:, None] * self.gradient, k[:, None, None] * self.hessian)
        a, b, mixed = self.value[:, None], other.value[:, None], self.gradient[:, :, None] * other.gradient[:, None, :]
        curve = self.hessian * b[..., None] + other.hessian * a[..., None] + mixed + np.swapaxes(mixed, 1, 2)
        return Jet(self.value * other.value, self.gradient * b + other.gradient * a, curve)

    def to(self, p):
        """Its power."""
        first, second = p * self.value ** (p - 1.0), p * (p - 1.0) * self.value ** (p - 2.0)
        square = self.gradient[:, :, None] * self.gradient[:, None, :] * second[:, None, None]
        return Jet(self.value**p, first[:, None] * self.gradient, first[:, None, None] * self.hessian + square)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def minus(a, b):
    return [p + q * -1.0 for p, q in zip(a, b, strict=True)]


class Surface(Unconstrained):
    """Unknowns y (600,), x and d of each vertex; held: vertices that stay."""

    def __init__(self, length=10.0, shear=1.0, curve=1.0, B=(0.0, 0.0, 0.0), mass=0.0, held=(), form="angle"):
        self.k, self.B, self.mass, self.form, self.softest = (length, shear, curve), B, mass, form, 1e-9
        i, j = np.indices((N, N))
        self.y = np.stack([i, j, 0 * i, 0 * i, 0 * i, 0 * i + 1.0], axis=2)
        around = np.array([(i + a, j + b) for a in (-1, 0, 1) for b in (-1, 0, 1)]).reshape(9, 2, -1)
        self.there = ((around >= 0) & (around < N)).all(axis=1)
        near = np.where(self.there, N * around[:, 0] + around[:, 1], np.arange(N * N))
        places = (6 * near.T[:, :, None] + np.arange(3)).reshape(N * N, -1)
        self.own = np.concatenate([places, 6 * np.arange(N * N)[:, None] + [3, 4, 5]], axis=1)
        fixed = np.zeros((N, N, 6), bool)
        fixed[(*np.reshape(held, (-1, 2)).T.astype(int), slice(3))] = True
        self.free = np.flatnonzero(~fixed.ravel())
        self.count = len(self.free)
        self.matrix, self.slot = pattern(self.own, np.where(fixed.ravel(), -1, np.cumsum(~fixed) - 1), self.count)

    def jets(self, y, local=LOCAL):
        """Energies of vertices; local: 0, without derivatives."""
        np.put(self.y, self.free, y)
        unit = np.broadcast_to(np.eye(LOCAL)[:, :local], (N * N, LOCAL, local))
        u = [Jet(self.y.ravel()[self.own[:, c]], unit[:, c], np.zeros((N * N, local, local))) for c in range(LOCAL)]
        x, d, (k, shear, curve), there = [u[3 * p : 3 * p + 3] for p in range(9)], u[27:], self.k, self.there
        edges = [(7, 4, 1.0, k, there[7]), (5, 4, 1.0, k, there[5])]  # to the next vertices
        diagonal = shear * (self.form == "diagonal")
        edges += [(p, q, np.sqrt(2.0), diagonal, there[8]) for p, q in ((8, 4), (7, 5))]
        E = x[4][2] * (9.81 * self.mass) + (dot(d, d) + -1.0).to(2.0) * (0.5 * k)
        for p, q, length, stiff, here in edges:
            e = minus(x[p], x[q])
            E = E + ((dot(e, e) + 1.0 * ~here).to(0.5) + -length).to(2.0) * (0.5 * stiff * here)
        e1, e2 = minus(x[7], x[1]), minus(x[5], x[3])
        a1, a2 = ([c * dot(e, e).to(-0.5) for c in e] for e in (e1, e2))
        angle = dot(e1, e2) * 0.25 if self.form == "simplified" else dot(a1, a2)
        E = E + angle.to(2.0) * (0.5 * shear - 0.5 * diagonal) + (dot(d, a1).to(2.0) + dot(d, a2).to(2.0)) * (0.5 * k)
        for (p, q, r), B in zip(((7, 4, 1), (5, 4, 3)), self.B[:2], strict=True):
            bend = dot(minus(minus(x[p], x[q]), minus(x[q], x[r])), d)
            E = E + (bend + -B).to(2.0) * (0.5 * curve * (there[p] & there[r]))
        twist = dot(minus(minus(x[8], x[6]), minus(x[2], x[0])), d) * 0.25
        return E + (twist + -self.B[2]).to(2.0) * (curve * there[[8, 6, 2, 0]].all(axis=0))

    def energy(self, y):
        return float(self.jets(y, 0).value.sum())

    def derivatives(self, y, gradient, band):
        E, kept, self.matrix.data[:] = self.jets(y), self.slot >= 0, 0.0
        gradient[:] = np.bincount(self.own.ravel(), E.gradient.ravel())[self.free]
        np.add.at(self.matrix.data, self.slot[kept], E.hessian.reshape(N * N, -1)[kept])
        return self.no_border(), None

    def factors(self, band, shift):
        return SheetFactors(self.matrix, shift)

    def longest(self, y, p):
        return 0.5 / max(0.5, np.abs(p).max())

    def rest(self):
        """x (10, 10, 3) and the energy at rest."""
        y = self.y.reshape(-1)[self.free]
        assert Equilibrium(self).settle(y, 1e-9)
        return self.y[..., :3], self.energy(y)


def test_derivatives():
    s, rng = Surface(B=(0.5, -0.5, 0.4), mass=0.1), np.random.default_rng(0)
    y, p, g, h = s.y.reshape(-1) + 0.1 * rng.normal(size=600), rng.normal(size=600), np.zeros(600), 1e-3
    s.derivatives(y, g, None)
    a, b, c, d = (s.energy(y + k * h * p) for k in (-2, -1, 1, 2))
    assert (8.0 * (c - b) - (d - a)) / (12.0 * h) == pytest.approx(g @ p, rel=1e-6)
    assert (16.0 * (b + c) - 30.0 * s.energy(y) - a - d) / (12.0 * h * h) == pytest.approx(p @ s.matrix @ p, rel=1e-6)


@pytest.mark.parametrize("B", [(0.5, 0.0, 0.0), (0.0, -0.5, 0.0), (1.0, 0.0, 0.0), (1.5, 0.0, 0.0)])
def test_a_cylinder_of_the_curvature_at_rest(B):
    """B₁₁ = 1 and 1.5 roll it up by 1.4 and 2.1 turns, where the thesis sticks."""
    x, energy = Surface(B=B).rest()
    lines = x if B[1] == 0.0 else x.swapaxes(0, 1)
    chord, edge = np.linalg.norm(lines[2:] - lines[:-2], axis=2), np.linalg.norm(np.diff(lines, axis=0), axis=2)[1:]
    assert energy < 1e-20
    assert edge / (2.0 * np.sqrt(1.0 - (0.5 * chord / edge) ** 2)) == pytest.approx(1.0 / abs(B[0] + B[1]), rel=1e-9)


def test_twist_has_no_shape_of_its_own():
    """B₁₂ = .4: energy is left, and the net's two directions are alike."""
    x, energy = Surface(B=(0.0, 0.0, 0.4)).rest()
    one, other = (a.reshape(-1, 3) - a.mean(axis=(0, 1)) for a in (x, x.swapaxes(0, 1)))
    assert energy > 1.0
    assert one @ one.T == pytest.approx(other @ other.T, abs=1e-6)


def test_runs_of_the_thesis():
    """k_length 10, held at corners: a heavy net is stretched, shear keeps angles, bending makes it smooth."""
    runs = [(0.1, 1, 0.1), (0.01, 1, 0.0), (0.01, 1, 0.1), (0.01, 1, 1.0), (0.01, 1, 10.0), (0.01, 10, 0.1)]
    found = [Surface(mass=m, shear=s, curve=c, held=CORNERS).rest()[0] for m, s, c in runs]
    assert np.linalg.norm(np.diff(found[0], axis=0), axis=2).max() > 2.0 > 1.2 > np.diff(found[1], axis=0).max()
    drops = [-x[..., 2].min() for x in found]
    assert drops[1] > drops[2] > drops[3] > 1.5 * drops[4]
    assert drops[2] > 1.3 * drops[5]
    others = [Surface(mass=0.01, curve=0.1, held=CORNERS, form=f).rest()[0] for f in ("simplified", "diagonal")]
    assert [-x[..., 2].min() for x in others] == pytest.approx([drops[2]] * 2, rel=0.1)
