"""Vectors turned by unit quaternions."""

import numpy as np
from tendril.physics.rotations import multiply, rotate, turn_back


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
    both, one, other = np.zeros(4), np.zeros(3), np.zeros(3)
    multiply(p, q, both)
    rotate(both, a, one)
    rotate(q, a, other)
    rotate(p, other, other)
    np.testing.assert_allclose(one, other, atol=1e-14)
