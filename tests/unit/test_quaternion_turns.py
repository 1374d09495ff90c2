"""Turns of unit quaternions against scipy."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tendril.physics.quaternion_turns import exponential, product, spin_of, turn_between, turned_by

TURNS = [
    np.zeros(3),
    np.array([1e-9, 0.0, 0.0]),
    *np.random.default_rng(0).normal(size=(6, 3)) * np.repeat([1e-3, 0.1], 3)[:, None],
]


def rotation(q):
    return Rotation.from_quat(np.roll(q, -1))


@pytest.mark.parametrize("psi", [*TURNS, np.array([0.0, 3.0, 0.5])])
def test_a_turn_there_and_back(psi):
    p = (0.5, -0.5, 0.5, 0.5)
    q = product(p, exponential(tuple(psi)))
    turned = rotation(p) * Rotation.from_rotvec(psi)
    np.testing.assert_allclose(rotation(q).as_matrix(), turned.as_matrix(), atol=1e-15)
    np.testing.assert_allclose(turn_between(p, q), psi, atol=2e-15)
    np.testing.assert_allclose(turn_between(p, tuple(-np.array(q))), psi, atol=2e-15)
    np.testing.assert_allclose(turned_by(q, (1.0, 2.0, 3.0)), turned.apply([1.0, 2.0, 3.0]), atol=1e-14)


@pytest.mark.parametrize("psi", [*TURNS, np.array([0.0, 2.0, 1.5])])
def test_spin_is_how_fast_it_turns(psi):
    rate, h = np.array([0.3, -1.0, 0.7]), 1e-5
    before, after = (Rotation.from_rotvec(psi + k * h * rate) for k in (-1.0, 1.0))
    turned = Rotation.from_rotvec(psi)
    measured = (turned.inv() * after).as_rotvec() - (turned.inv() * before).as_rotvec()
    np.testing.assert_allclose(spin_of(tuple(psi), tuple(rate)), measured / (2.0 * h), rtol=1e-8)
