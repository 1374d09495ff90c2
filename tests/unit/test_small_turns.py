"""Little turns by series, against sine, cosine and arctangent."""

import numpy as np
import pytest
from tendril.physics.small_turns import LITTLE, cos_sin, turn_between, turn_from, turned

T, U = (0.6, 0.0, 0.8), (0.0, 1.0, 0.0)
V = np.cross(T, U)


@pytest.mark.parametrize("angle", [0.0, 1e-9, -1e-3, 0.999 * LITTLE, -0.999 * LITTLE, 1.001 * LITTLE, 2.0, -3.0])
def test_turns_are_right_to_rounding(angle):
    np.testing.assert_allclose(cos_sin(angle), (np.cos(angle), np.sin(angle)), rtol=1e-15)
    there = np.cos(angle) * np.array(U) + np.sin(angle) * V
    np.testing.assert_allclose(turned(T, U, angle), there, rtol=1e-15, atol=1e-16)
    assert turn_from(U, there, np.array(T)) == pytest.approx(angle, rel=1e-15, abs=1e-24)
    axis = np.array(turn_between(tuple(2.0 * np.array(U)), tuple(3.0 * there)))
    np.testing.assert_allclose(axis, angle * np.array(T), rtol=1e-15, atol=1e-24)
