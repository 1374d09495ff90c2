"""How a hinge's turning angle goes with its edges."""

import numpy as np
import pytest
from tendril.physics.rods.internal_damping import turning_gradient

DIFFERENCE = 1e-6


def angle(e):
    """By which the edges e (2, 3) turn [rad]."""
    return np.arctan2(np.linalg.norm(np.cross(e[0], e[1])), e[0] @ e[1])


@pytest.mark.parametrize("bend", [1e-3, 0.5, 3.0])
def test_it_is_the_derivative(bend):
    """Edges of different lengths that turn by little and by nearly half a turn."""
    rng = np.random.default_rng(0)
    turn = np.array([[np.cos(bend), np.sin(bend), 0.0], [-np.sin(bend), np.cos(bend), 0.0], [0.0, 0.0, 1.0]])
    axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    e, rate, found, expected = np.array([[0.3, 0.0, 0.0], 0.7 * turn[0]]) @ axes, np.zeros((2, 3)), *np.zeros((2, 2, 3))
    for i in range(2):
        for c in range(3):
            step = np.zeros((2, 3))
            step[i, c] = DIFFERENCE * bend
            expected[i, c] = (angle(e + step) - angle(e - step)) / (2.0 * DIFFERENCE * bend)
    turning_gradient(e, rate, 0, found[0], found[1])
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def test_a_straight_hinge_bends_the_way_it_moves():
    e, rate, found = np.array([[0.3, 0.0, 0.0], [0.7, 0.0, 0.0]]), np.zeros((2, 3)), np.zeros((2, 3))
    rate[1] = 0.2, 0.3, 0.4
    turning_gradient(e, rate, 0, found[0], found[1])
    np.testing.assert_allclose(found, [[0.0, -0.6 / 0.3, -0.8 / 0.3], [0.0, 0.6 / 0.7, 0.8 / 0.7]], rtol=1e-12)
    rate[1] = 0.2, 0.0, 0.0
    turning_gradient(e, rate, 0, found[0], found[1])
    assert not found.any()
