"""The hinge: strains by their definition, gradient and Hessian by differences, rigid motion that changes nothing."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tendril.physics.elements.curved_hinge import hessians_at, moments_at
from tendril.physics.elements.hinge import strain_gradients
from tendril.physics.elements.hinge_rows import ROW, lay_hinges
from tendril.physics.model import HINGE
from tendril.physics.rods.curvature import directions
from tendril.physics.rods.isotropic_force import isotropic_force
from tendril.physics.rods.quasistatic_frame import derivatives

STEP = 1e-5  # of an edge, or rad
# A hinge's two edge vectors and two angles (8,) from the coordinates of its three points, and the angles (11,).
FROM_NODES = np.zeros((8, 11))
FROM_NODES[:6, :9] = np.kron([[-1.0, 1.0, 0.0], [0.0, -1.0, 1.0]], np.eye(3))
FROM_NODES[6:, 9:] = np.eye(2)
RELATIVE = 1e-6

# Turning angle [°], twist [rad], |b|/|a|, ratio of the bending stiffnesses, size of the rest curvature, and, of a rod
# that is curved at rest, by how much [°] it was drawn to turn
HINGES = {
    "bent": (40.0, 0.3, 1.0, 1.0, 0.5),
    "twisted": (25.0, 2.0, 1.1, 2.0, 0.5),
    "unequal edges": (35.0, 0.4, 7.0, 1.5, 0.5),
    "anisotropic": (50.0, 0.5, 0.8, 40.0, 0.7),
    "nearly straight": (1e-4, 0.2, 1.3, 3.0, 0.0),
    "straight, curved at rest": (0.0, 0.5, 1.3, 3.0, 0.6),
    "sharply turned": (150.0, 0.3, 0.9, 2.0, 0.5),
    "curved": (24.0, 0.3, 1.1, 1.0, 0.42, 24.0),
    "curved, pulled straight": (1e-4, 0.2, 1.0, 1.0, 0.42, 24.0),
    "curved ribbon": (35.0, -0.4, 0.8, 40.0, 0.6, 20.0),
    "corner": (100.0, 1.2, 0.9, 2.0, 1.5, 80.0),
    "hardly curved": (50.0, 0.5, 1.2, 3.0, 1e-4, 1e-2),
    "curved, folded": (150.0, 0.4, 1.0, 2.0, 0.5, 24.0),
}
KINDS = pytest.mark.parametrize("kind", HINGES)


def transported(u, t0, t1):
    return u - (u @ t1) / (1.0 + t0 @ t1) * (t0 + t1)


def angle(u, w, t):
    return np.arctan2(np.cross(u, w) @ t, u @ w)


class Hinge:
    """A random hinge: edges (2, 3), first material axes (2, 3), stiffness and rest strains (5,)."""

    def __init__(self, kind, seed=0):
        rng = np.random.default_rng(seed)
        turning, twist, ratio, flat, curved, *drawn = HINGES[kind]
        self.bent = np.tan(0.5 * np.radians(drawn[0])) ** 2 if drawn else 0.0
        axes = Rotation.random(random_state=seed).as_matrix()
        a = rng.uniform(0.5, 2.0)
        phi = np.radians(turning)
        self.edges = np.array([a * axes[0], a * ratio * (np.cos(phi) * axes[0] + np.sin(phi) * axes[1])])
        t = self.tangents
        first = axes[1] * np.cos(seed) + axes[2] * np.sin(seed)
        second = transported(first, *t)
        self.m1 = np.array([first, np.cos(twist) * second + np.sin(twist) * np.cross(t[1], second)])
        self.turn = twist + 4.0 * np.pi  # angles may have gone round
        self.stiffness = np.concatenate([rng.uniform(1.0, 2.0, 4) * np.tile([1.0, flat], 2), rng.uniform(0.5, 2.0, 1)])
        self.rest = np.append(rng.normal(0.0, curved, 4), 4.0 * np.pi + rng.normal(0.0, 0.5))

    @property
    def tangents(self):
        return self.edges / np.linalg.norm(self.edges, axis=1)[:, None]

    def moved(self, way):
        """The hinge along `way` (8,), the frames carried straight there by parallel transport, then turned."""
        other = object.__new__(Hinge)
        other.stiffness, other.rest, other.bent = self.stiffness, self.rest, self.bent
        other.edges = self.edges + way[:6].reshape(2, 3)
        t0, t = self.tangents, other.tangents
        carried = np.array([transported(self.m1[j], t0[j], t[j]) for j in range(2)])
        c, s = np.cos(way[6:, None]), np.sin(way[6:, None])
        other.m1 = c * carried + s * np.cross(t, carried)
        before, after = (angle(transported(h.m1[0], *h.tangents), h.m1[1], h.tangents[1]) for h in (self, other))
        other.turn = self.turn + (after - before + np.pi) % (2.0 * np.pi) - np.pi
        return other

    def strain(self):
        """(ω^a, ω^b, m) by their definition."""
        t = self.tangents
        kb = 2.0 * np.cross(*t) / (1.0 + t[0] @ t[1])
        m2 = np.cross(t, self.m1)
        return np.array([kb @ m2[0], -kb @ self.m1[0], kb @ m2[1], -kb @ self.m1[1], self.turn])

    def energy(self):
        """Of the strains as they are, or, curved at rest, of how they differ in the mean of both frames."""
        y, rest = self.strain(), self.rest.copy()
        if not self.bent:
            return 0.5 * self.stiffness @ (y - rest) ** 2
        twist = y[4] - rest[4]
        for own, turn in ((slice(0, 2), -0.5 * twist), (slice(2, 4), 0.5 * twist)):
            rest[own] = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) @ rest[own]
        now = (y[:4] ** 2).sum() / 8.0
        h = 2.0 / (1.0 / now + 1.0 / self.bent)
        mu = 1.0 / np.sqrt(1.0 + h)
        strain = mu * y - rest / np.sqrt(1.0 + self.bent)
        strain[4] = mu * twist
        longest = 0.25 * np.pi**2  # (arc/chord)² where edges fold; ⅓ tan² is how it begins
        part = h / (3.0 * (longest - 1.0))
        return 0.5 * self.stiffness @ strain**2 * (1.0 + part) / (1.0 + longest * part)

    def row(self):
        """HINGE (1,)."""
        row = np.zeros(1, HINGE)
        row["bending"], row["twist_rate"] = self.stiffness[:4], self.stiffness[4]
        row["rest_curvature"], row["rest_twist"], row["bent"] = self.rest[:4], self.rest[4], self.bent
        row["rest_share"] = 1.0 / np.sqrt(1.0 + self.bent)
        return row

    def element(self):
        """Strains (5,), J (5, 8), gradient (8,), Hessian (8, 8) as the kernels have them."""
        strain, jacobian, moment, hessian = (np.zeros((1, *shape)) for shape in ((5,), (5, 8), (5,), (8, 8)))
        edges, m1, turn = self.edges[None], self.m1[None], np.array([self.turn])
        strain_gradients(edges, m1, turn, strain, jacobian)
        moments_at(self.row(), strain, moment)
        hessians_at(self.row(), edges, m1, turn, hessian)
        return strain[0], jacobian[0], moment[0] @ jacobian[0], hessian[0]

    def differences(self, value):
        """∂ value/∂ the eight coordinates, last axis, by fourth-order central differences."""
        columns = []
        for k in range(8):
            h = STEP * (np.linalg.norm(self.edges[k // 3]) if k < 6 else 1.0)
            at = [value(self.moved(j * h * np.eye(8)[k])) for j in (-2, -1, 1, 2)]
            columns.append((at[0] - 8.0 * at[1] + 8.0 * at[2] - at[3]) / (12.0 * h))
        return np.stack(columns, axis=-1)

    def scale(self):
        """What makes all coordinates angles (8,)."""
        return np.append(np.repeat(np.linalg.norm(self.edges, axis=1), 3), [1.0, 1.0])

    def loops(self, gradient):
        """How much the gradient's change differs from the Hessian because frames turn round loops."""
        skew = np.zeros((8, 8))
        for j in range(2):
            t, size = self.tangents[j], np.linalg.norm(self.edges[j])
            own = slice(3 * j, 3 * j + 3)
            skew[own, own] = 0.5 * gradient[6 + j] / size**2 * np.cross(np.eye(3), t)
        return skew


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=RELATIVE * np.abs(expected).max())


def hinges(kind):
    return [Hinge(kind, seed) for seed in range(10)]


@KINDS
def test_strains_and_their_gradients(kind):
    for hinge in hinges(kind):
        strain, jacobian, gradient, _ = hinge.element()
        np.testing.assert_allclose(strain, hinge.strain(), atol=1e-12)
        close(jacobian * hinge.scale(), hinge.differences(Hinge.strain) * hinge.scale())
        close(gradient * hinge.scale(), hinge.differences(Hinge.energy) * hinge.scale())


@KINDS
def test_hessian_is_the_gradients_derivative(kind):
    for hinge in hinges(kind):
        _, _, gradient, hessian = hinge.element()
        scale = np.outer(hinge.scale(), hinge.scale())
        change = hinge.differences(lambda other: other.element()[2])
        close(scale * (hessian + hinge.loops(gradient)), scale * change)
        close(scale * hessian, scale * 0.5 * (change + change.T))
        np.testing.assert_array_equal(hessian, hessian.T)


@KINDS
def test_rigid_motion_changes_nothing(kind):
    """Shifts and turns φ of its nodes, the frames turned along by φ·t: no work is done, and the forces turn along."""
    for hinge in hinges(kind):
        _, _, gradient, hessian = hinge.element()
        nodes = np.cumsum([[0.3, -0.2, 0.5], *hinge.edges], axis=0)
        force = (gradient @ FROM_NODES)[:9].reshape(3, 3)
        change = FROM_NODES.T @ (hessian + hinge.loops(gradient)) @ FROM_NODES
        size, none = np.abs(gradient * hinge.scale()).max(), np.zeros(2)
        largest = np.abs(hessian * np.outer(hinge.scale(), hinge.scale())).max()
        length = np.append(np.repeat(np.linalg.norm(hinge.edges, axis=1).min(), 9), [1.0, 1.0])
        for axis in np.eye(3):
            shift = np.append(np.tile(axis, 3), none)
            turn = np.append(np.cross(axis, nodes), hinge.tangents @ axis)
            assert abs(gradient @ FROM_NODES @ turn) < 1e-12 * size
            turned = np.append(np.cross(axis, force), none)
            assert np.abs((change @ turn - turned) * length).max() < 1e-12 * largest
            np.testing.assert_array_equal(FROM_NODES @ shift, 0.0)


@KINDS
def test_at_rest_only_rigid_motion_is_free(kind):
    """The eight coordinates less three turns, and two lengths: three are left, of which each has to do work."""
    for hinge in hinges(kind):
        hinge.rest = hinge.strain()
        hinge.bent = (hinge.rest[:4] ** 2).sum() / 8.0 if hinge.bent else 0.0
        _, _, gradient, hessian = hinge.element()
        scaled = hessian * np.outer(hinge.scale(), hinge.scale())
        levels = np.linalg.eigvalsh(scaled)
        np.testing.assert_allclose(gradient, 0.0, atol=1e-11)
        assert np.abs(levels[:5]).max() < 1e-10 * levels[-1]
        assert levels[5] > 1e-4 * levels[-1]


@pytest.mark.parametrize("seed", range(5))
def test_a_straight_hinge_has_the_beams_stiffness(seed):
    """∂²E = (B^a + B^b)/l |Δt|² of the tangents' change across, and 2β/l of the twist: what bounds the step."""
    hinge = Hinge("straight, curved at rest", seed)
    hinge.rest = hinge.strain()
    hinge.stiffness[:] = np.repeat(hinge.stiffness[[0, 2, 4]], [2, 2, 1])
    t, size = hinge.tangents[0], np.linalg.norm(hinge.edges, axis=1)
    across = (np.eye(3) - np.outer(t, t)) @ np.hstack([-np.eye(3) / size[0], np.eye(3) / size[1]])
    expected = np.zeros((8, 8))
    expected[:6, :6] = (hinge.stiffness[0] + hinge.stiffness[2]) * across.T @ across
    expected[6:, 6:] = hinge.stiffness[4] * np.array([[1.0, -1.0], [-1.0, 1.0]])
    np.testing.assert_allclose(hinge.element()[3], expected, atol=1e-12 * np.abs(expected).max())


@KINDS
def test_angle_derivatives_are_the_elements(kind):
    """As the frames at equilibrium have them, from the curvature in the Bishop frame of the edge before."""
    for hinge in hinges(kind):
        strain, _, gradient, hessian = hinge.element()
        found, diagonal, beside = np.zeros((3, 2))
        k = np.array([[-strain[1], strain[0]]])  # of the axes themselves
        turned = np.array([0.0, strain[4]])
        rows = np.zeros(1, ROW)
        lay_hinges(hinge.row(), k, rows)
        derivatives(turned, rows, np.zeros(2), found, diagonal, beside)
        size = np.abs(hessian[6:, 6:]).max()
        np.testing.assert_allclose(found, gradient[6:], rtol=0.0, atol=1e-12 * size)
        np.testing.assert_allclose(diagonal, np.diag(hessian)[6:], rtol=0.0, atol=1e-12 * size)
        assert beside[0] == pytest.approx(hessian[6, 7], abs=1e-12 * size)


@pytest.mark.parametrize("seed", range(5))
def test_isotropic_force_is_the_elements(seed):
    """The one-pass kernel of a straight, isotropic rod that is twisted by a torque and by loads on its frames."""
    rng = np.random.default_rng(seed)
    edges = rng.normal(size=(8, 3)) + [1.5, 0.0, 0.0]
    alpha, cell, torque, load = rng.uniform(0.5, 2.0, 8), rng.uniform(0.5, 2.0, 7), rng.normal(), rng.normal(size=8)
    gradient, expected = np.zeros_like(edges), np.zeros_like(edges)
    bend = 4.0 * (alpha[:-1] + alpha[1:]) / cell
    for i in range(7):
        hinge = Hinge("bent", seed)
        hinge.edges = edges[i : i + 2]
        t = hinge.tangents
        hinge.m1 = np.cross(t, rng.normal(size=3))
        hinge.m1 /= np.linalg.norm(hinge.m1, axis=1)[:, None]
        hinge.stiffness = np.append(np.repeat(alpha[i : i + 2], 2) / cell[i], 1.0)
        hinge.rest = np.array([0.0, 0.0, 0.0, 0.0, hinge.turn - torque + load[: i + 1].sum()])
        expected[i : i + 2] += hinge.element()[2][:6].reshape(2, 3)
    t, inverse_length, chi = np.zeros((8, 3)), np.zeros(8), np.zeros(7)
    directions(edges, t, inverse_length, chi)
    isotropic_force(t, inverse_length, chi, bend, torque, load, gradient)
    np.testing.assert_allclose(gradient, expected, atol=1e-12 * np.abs(expected).max())


@pytest.mark.parametrize("rest", [5.0, 45.0, 90.0, 135.0])
def test_a_corner_comes_back_however_far_it_is_bent(rest):
    """From next to a fold on either side its moment drives it to its rest angle [°], and to no other."""
    row = np.zeros(1, HINGE)
    bar = 2.0 * np.tan(np.radians(0.5 * rest))
    row["bending"], row["rest_curvature"] = (1.0, 0.0, 1.0, 0.0), (bar, 0.0, bar, 0.0)
    row["bent"] = 0.25 * bar**2
    row["rest_share"] = 1.0 / np.sqrt(1.0 + row["bent"])
    angle = np.linspace(-179.0, 179.0, 3001)
    strain, moment = np.zeros((len(angle), 5)), np.zeros((len(angle), 5))
    strain[:, 0] = strain[:, 2] = 2.0 * np.tan(np.radians(0.5 * angle))
    moments_at(np.repeat(row, len(angle)), strain, moment)
    np.testing.assert_array_equal(np.sign(moment[:, 0] + moment[:, 2]), np.sign(angle - rest))
