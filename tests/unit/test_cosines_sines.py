"""Many angles at once, against numpy's."""

import numpy as np
import pytest
from tendril.physics.arithmetic.cosines_sines import cosines_sines


@pytest.mark.parametrize("count", [1, 7, 20, 275])
@pytest.mark.parametrize("largest", [1e-9, 0.5 * np.pi, 10.0, 1e3])
def test_as_right_as_the_angles_themselves(count, largest):
    angle = np.random.default_rng(count).uniform(-largest, largest, count)
    cosine, sine = np.zeros((2, count))
    cosines_sines(angle, 1.0, cosine, sine)
    rounding = np.spacing(np.maximum(np.abs(angle), 2.0))
    assert np.all(np.abs(cosine - np.cos(angle)) < rounding)
    assert np.all(np.abs(sine - np.sin(angle)) < rounding)


def test_quarter_turns():
    angle = 0.25 * np.pi * np.arange(-20, 21)
    cosine, sine = np.zeros((2, len(angle)))
    cosines_sines(angle, 1.0, cosine, sine)
    np.testing.assert_allclose(cosine, np.cos(angle), atol=2e-15)
    np.testing.assert_allclose(sine, np.sin(angle), atol=2e-15)
