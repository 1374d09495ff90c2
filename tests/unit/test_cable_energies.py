"""Energies of a cable: gradients and Hessians against differences, at quaternions of any norm."""

import numpy as np
import pytest
from differences import difference
from tendril.physics._jit import entry
from tendril.physics.cables.equations import derivatives, energy, joints_bear
from tendril.physics.cables.tables import HANDLE, JOINT, REACH, SEGMENT
from tendril.physics.elements.cable_coherence import coherence_derivatives, coherence_energy
from tendril.physics.elements.cable_length import length_derivatives, length_energy
from tendril.physics.elements.cable_quaternion_norm import norm_derivatives, norm_energy

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


JOINT_ROW = np.zeros(1, JOINT)
JOINT_ROW["after"], JOINT_ROW["length"], JOINT_ROW["stiffness"] = 1, 0.6, [2.0, 0.7, 1.3]
JOINT_ROW["rest"] = [0.4, -0.2, 0.6]
NO_SEGMENTS, NO_JOINTS, NO_FORCES = np.zeros(0, SEGMENT), np.zeros(0, JOINT), np.zeros((0, 3))
HANDLE_ROW = np.zeros(1, HANDLE)
HANDLE_ROW["share"], HANDLE_ROW["position"], HANDLE_ROW["stiffness"] = 0.3, [0.2, -0.1, 0.4], 2.0
HANDLE_ROW["force"] = FORCE
TURNS, POINTS = [3, 4, 5, 6, 10, 11, 12, 13], [0, 1, 2, 7, 8, 9]


def embedded(y, places=TURNS):
    """Unknowns of two segments, some of which are y."""
    whole = np.zeros(14)
    whole[places] = y
    return whole


def on_two_segments(joints, handles, places):
    """The energy of joints and handles, by the unknowns at some places, and its derivatives."""
    tables = NO_SEGMENTS, joints, handles, NO_FORCES

    def value(y, work):
        return energy(embedded(y, places), *tables, work)

    def slopes(y, work, g, h):
        gradient, band, dense = np.zeros(14), np.zeros((14, REACH + 1)), np.zeros((14, 25))
        derivatives(embedded(y, places), *tables, work, gradient, band)
        for row in range(14):
            dense[row, row : row + REACH + 1] = band[row]
        upper = dense[:, :14]
        g[:] = gradient[places]
        h[:] = (np.triu(upper) + np.triu(upper, 1).T)[np.ix_(places, places)]

    return value, slopes, len(places)


def of_strength(strength):
    """HANDLE_ROW with it."""
    handles = HANDLE_ROW.copy()
    handles["strength"] = strength
    return handles


ENERGIES = {
    "length": (length, length_slopes, 3),
    "coherence": (coherence, coherence_slopes, 7),
    "quaternion norm": (norm, norm_slopes, 4),
    "bending and torsion": on_two_segments(JOINT_ROW, HANDLE_ROW[:0], TURNS),
    "handle": on_two_segments(NO_JOINTS, of_strength(np.inf), POINTS),
    "handle that yields": on_two_segments(NO_JOINTS, of_strength(0.2), POINTS),
}


@pytest.mark.parametrize("name", ENERGIES)
def test_derivatives(name):
    energy, slopes, size = ENERGIES[name]
    rng, work = np.random.default_rng(size), np.empty((15, 10))

    def gradient(y):
        g, h = np.empty(size), np.empty((size, size))
        slopes(y, work, g, h)
        return g

    for _ in range(20):
        y = rng.normal(size=size)
        if size == 8 and y[:4] @ y[4:] < 0.0:
            y[4:] *= -1.0  # a joint's turn counts up to a whole one, at which it has a kink
        g, h = np.empty(size), np.empty((size, size))
        slopes(y, work, g, h)
        scale = 1.0 + abs(h).max()
        np.testing.assert_allclose(g, difference(lambda y: energy(y, work), y), atol=NEAR * scale)
        np.testing.assert_allclose(h, difference(gradient, y), atol=NEAR * scale)


def test_bending_and_torsion_of_a_turn():
    """κ = θ/l about the axis that segments turn about, up to a whole turn, and the moment B κ there."""
    joint = JOINT_ROW.copy()
    joint["rest"] = 0.0
    kappa, moment = np.empty((2, 1, 3))
    for axis in range(3):
        for turn in (0.1, 2.0, -5.0):
            q = np.array([0.5, 0.0, 0.0, 0.0, np.cos(0.5 * turn), 0.0, 0.0, 0.0])
            q[5 + axis] = np.sin(0.5 * turn)
            joints_bear(embedded(q), joint, HANDLE_ROW, np.empty((15, 10)), kappa, moment)
            np.testing.assert_allclose(kappa[0], turn / 0.6 * np.eye(3)[axis], atol=1e-13)
            np.testing.assert_allclose(moment[0], kappa[0] * joint["stiffness"][0], atol=1e-13)
