"""Energies of a cable: gradients and Hessians against differences, at quaternions of any norm."""

import numpy as np
import pytest
from tendril.physics._jit import entry
from tendril.physics.elements.cable_bending_torsion import bending_derivatives, bending_energy, curvature
from tendril.physics.elements.cable_coherence import coherence_derivatives, coherence_energy
from tendril.physics.elements.cable_length import length_derivatives, length_energy
from tendril.physics.elements.cable_quaternion_norm import norm_derivatives, norm_energy

SHIFT = 1e-4  # central differences of fourth order: error 1e-16, rounding 1e-12
NEAR = 1e-8
FORCE = np.array([0.3, -0.5, 0.9])


@entry
def length(y: np.ndarray, work: np.ndarray) -> float:
    return length_energy(y, 0.8, 3.0, 0.7)


@entry
def length_slopes(y: np.ndarray, work: np.ndarray, g: np.ndarray, h: np.ndarray) -> None:
    length_derivatives(y, 0.8, 3.0, 0.7, g, h)


@entry
def coherence(y: np.ndarray, work: np.ndarray) -> float:
    return coherence_energy(y[:3], y[3:], 2.0, FORCE, work[0, :3])


@entry
def coherence_slopes(y: np.ndarray, work: np.ndarray, g: np.ndarray, h: np.ndarray) -> None:
    coherence_derivatives(y[:3], y[3:], 2.0, FORCE, work[0, :3], g, h)


@entry
def norm(y: np.ndarray, work: np.ndarray) -> float:
    return norm_energy(y, 3.0, -0.4)


@entry
def norm_slopes(y: np.ndarray, work: np.ndarray, g: np.ndarray, h: np.ndarray) -> None:
    norm_derivatives(y, 3.0, -0.4, g, h)


STIFFNESS, REST = np.array([2.0, 0.7, 1.3]), np.array([0.4, -0.2, 0.6])


@entry
def bending(y: np.ndarray, work: np.ndarray) -> float:
    return bending_energy(y[:4], y[4:], 0.6, STIFFNESS, REST, work[3, :3])


@entry
def bending_slopes(y: np.ndarray, work: np.ndarray, g: np.ndarray, h: np.ndarray) -> None:
    bending_derivatives(y[:4], y[4:], 0.6, STIFFNESS, REST, work, g, h)


@entry
def joint_curvature(a: np.ndarray, b: np.ndarray, l: float, out: np.ndarray) -> None:
    curvature(a, b, l, out)


ENERGIES = {
    "length": (length, length_slopes, 3),
    "coherence": (coherence, coherence_slopes, 7),
    "quaternion norm": (norm, norm_slopes, 4),
    "bending and torsion": (bending, bending_slopes, 8),
}


def difference(function, y):
    """∂function/∂y."""
    return np.stack(
        [
            (8.0 * (function(y + e) - function(y - e)) - function(y + 2.0 * e) + function(y - 2.0 * e)) / (12.0 * SHIFT)
            for e in SHIFT * np.eye(len(y))
        ],
        axis=-1,
    )


@pytest.mark.parametrize("name", ENERGIES)
def test_derivatives(name):
    energy, slopes, size = ENERGIES[name]
    rng, work = np.random.default_rng(size), np.empty((4, 8))

    def gradient(y):
        g, h = np.empty(size), np.empty((size, size))
        slopes(y, work, g, h)
        return g

    for _ in range(20):
        y = rng.normal(size=size)
        g, h = np.empty(size), np.empty((size, size))
        slopes(y, work, g, h)
        scale = 1.0 + abs(h).max()
        np.testing.assert_allclose(g, difference(lambda y: energy(y, work), y), atol=NEAR * scale)
        np.testing.assert_allclose(h, difference(gradient, y), atol=NEAR * scale)


def test_a_polygon_on_a_circle():
    """|κ| = 1/R, about the axis the segments turn about; torsion about the third."""
    turn, radius = 0.7, 1.7
    kappa, straight = np.empty(3), np.array([1.0, 0.0, 0.0, 0.0])
    for axis in range(3):
        q = np.zeros(4)
        q[0], q[1 + axis] = np.cos(0.5 * turn), np.sin(0.5 * turn)
        joint_curvature(straight, q, 2.0 * radius * np.sin(0.5 * turn), kappa)
        np.testing.assert_allclose(kappa, np.eye(3)[axis] / radius, atol=1e-14)
