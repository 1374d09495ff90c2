"""The linear complementarity problem of a definite matrix: what it says of its answer."""

import numpy as np
import pytest
from tendril.physics.linear.complementarity import complementary


def test_answer():
    """w and z are nothing or more, and one of each pair is nothing; as often as not either."""
    rng, pressed = np.random.default_rng(3), 0
    for n in (1, 2, 5, 30):
        for _ in range(20):
            a, b = rng.normal(size=(n, n)), rng.normal(size=n)
            m = a @ a.T + 0.1 * np.eye(n)
            z = complementary(m, b, 1e-12)
            w = b + m @ z
            assert z.min() >= 0.0
            assert w.min() > -1e-9
            assert abs(z * w).max() < 1e-9 * (1.0 + z.max())
            pressed += np.count_nonzero(z)
    assert 0.3 < pressed / (20 * 38) < 0.7


def test_alike():
    """Two contacts in one place share their force, where a little gives."""
    z = complementary(np.ones((2, 2)), np.array([-1.0, -1.0]), 1e-8)
    assert z.sum() == pytest.approx(1.0, rel=1e-6)


def test_not_definite():
    assert complementary(-np.eye(2), -np.ones(2), 1e-12) is None


def test_nothing():
    assert complementary(np.zeros((0, 0)), np.zeros(0), 1e-8).shape == (0,)
