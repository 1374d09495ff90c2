"""Turns in kernels, against scipy, and little ones by series against sine, cosine and arctangent."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tendril.physics.arithmetic.turns import (
    LITTLE,
    angle_about,
    cos_sin,
    exponential,
    logarithm,
    product,
    rotate,
    shortest_turn,
    spin_of,
    turn_back,
    turn_between,
    turn_in_space,
    turned,
    turned_about,
)

T, U = (0.6, 0.0, 0.8), (0.0, 1.0, 0.0)
V = np.cross(T, U)
TURNS = [
    np.zeros(3),
    np.array([1e-9, 0.0, 0.0]),
    *np.random.default_rng(0).normal(size=(6, 3)) * np.repeat([1e-3, 0.1], 3)[:, None],
]


@pytest.mark.parametrize("angle", [0.0, 1e-9, -1e-3, 0.999 * LITTLE, -0.999 * LITTLE, 1.001 * LITTLE, 2.0, -3.0])
def test_turns_are_right_to_rounding(angle):
    np.testing.assert_allclose(cos_sin(angle), (np.cos(angle), np.sin(angle)), rtol=1e-15)
    there = np.cos(angle) * np.array(U) + np.sin(angle) * V
    np.testing.assert_allclose(turned_about(T, U, angle), there, rtol=1e-15, atol=1e-16)
    assert angle_about(U, there, np.array(T)) == pytest.approx(angle, rel=1e-15, abs=1e-24)
    axis = np.array(shortest_turn(tuple(2.0 * np.array(U)), tuple(3.0 * there)))
    np.testing.assert_allclose(axis, angle * np.array(T), rtol=1e-15, atol=1e-24)


def rotation(q):
    return Rotation.from_quat(np.roll(q, -1))


@pytest.mark.parametrize("psi", [*TURNS, np.array([0.0, 3.0, 0.5])])
def test_a_turn_there_and_back(psi):
    p = (0.5, -0.5, 0.5, 0.5)
    q = product(p, exponential(tuple(psi)))
    after = rotation(p) * Rotation.from_rotvec(psi)
    np.testing.assert_allclose(rotation(q).as_matrix(), after.as_matrix(), atol=1e-15)
    np.testing.assert_allclose(turn_between(p, q), psi, atol=2e-15)
    np.testing.assert_allclose(turn_between(p, tuple(-np.array(q))), psi, atol=2e-15)
    np.testing.assert_allclose(logarithm(exponential(tuple(psi))), psi, atol=2e-15)
    there = turn_in_space(np.array(p), np.array(q))
    np.testing.assert_allclose(product(exponential(there), p), q, atol=1e-15)
    np.testing.assert_allclose(turned(q, (1.0, 2.0, 3.0)), after.apply([1.0, 2.0, 3.0]), atol=1e-14)


@pytest.mark.parametrize("psi", [*TURNS, np.array([0.0, 2.0, 1.5])])
def test_spin_is_how_fast_it_turns(psi):
    rate, h = np.array([0.3, -1.0, 0.7]), 1e-5
    before, after = (Rotation.from_rotvec(psi + k * h * rate) for k in (-1.0, 1.0))
    turned = Rotation.from_rotvec(psi)
    measured = (turned.inv() * after).as_rotvec() - (turned.inv() * before).as_rotvec()
    np.testing.assert_allclose(spin_of(tuple(psi), tuple(rate)), measured / (2.0 * h), rtol=1e-8)
    in_space = (after * turned.inv()).as_rotvec() - (before * turned.inv()).as_rotvec()
    np.testing.assert_allclose(spin_of(tuple(-psi), tuple(rate)), in_space / (2.0 * h), rtol=1e-8)


def test_a_turn_keeps_cross_products_and_has_a_known_quarter():
    q = np.array([0.5, 0.1, -0.7, 0.5])
    q /= np.linalg.norm(q)
    a, b, out = np.array([1.0, 2.0, 3.0]), np.array([-1.0, 0.5, 0.2]), np.zeros((3, 3))
    rotate(q, a, out[0])
    rotate(q, b, out[1])
    rotate(q, np.cross(a, b), out[2])
    np.testing.assert_allclose(np.cross(out[0], out[1]), out[2], atol=1e-12)
    quarter = np.array([np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)])
    rotate(quarter, np.array([1.0, 0.0, 0.0]), out[0])
    np.testing.assert_allclose(out[0], [0.0, 1.0, 0.0], atol=1e-15)


def test_turns_back():
    q, a = np.array([0.5, 0.1, -0.7, 0.5]), np.array([1.0, 2.0, 3.0])
    q /= np.linalg.norm(q)
    turned, back = np.zeros(3), np.zeros(3)
    rotate(q, a, turned)
    turn_back(q, turned, back)
    np.testing.assert_allclose(back, a, atol=1e-14)


def test_a_product_turns_first_by_the_right_then_by_the_left():
    p, q, a = np.array([0.1, -0.3, 0.5, 0.8]), np.array([0.5, 0.1, -0.7, 0.5]), np.array([1.0, 2.0, 3.0])
    p, q = p / np.linalg.norm(p), q / np.linalg.norm(q)
    one, other = np.zeros(3), np.zeros(3)
    rotate(np.array(product(tuple(p), tuple(q))), a, one)
    rotate(q, a, other)
    rotate(p, other, other)
    np.testing.assert_allclose(one, other, atol=1e-14)
