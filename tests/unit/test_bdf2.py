"""The derivative that an implicit step takes of the past is exact for what its order says, whatever the past."""

import numpy as np
import pytest
from tendril.physics.scene import THIRD_DIFFERENCE
from tendril.physics.time_integration.bdf2 import weights


@pytest.mark.parametrize(
    ("past", "ratio", "third", "order"),
    [
        (0, 1.0, THIRD_DIFFERENCE, 1),
        (1, 1.0, THIRD_DIFFERENCE, 2),
        (2, 1.0, 0.0, 2),
        (2, 0.5, THIRD_DIFFERENCE, 2),
        (2, 1.2, THIRD_DIFFERENCE, 2),
        (2, 2.0, THIRD_DIFFERENCE, 1),
        (2, 1.0, 0.3, 2),
        (2, 1.0, THIRD_DIFFERENCE, 2),
        (2, 1.0, 1.0, 3),
    ],
)
def test_derivatives_of_powers(past, ratio, third, order):
    h, step = 0.1, 0.1 / ratio
    now, before, earlier, s = weights(step, h, past, third)
    times = np.array([0.0, -h, -h - step, -h - 2.0 * step])
    found = [(times[0] ** k - np.array([now, -before, earlier]) @ times[1:] ** k) / s for k in range(5)]
    right = np.isclose(found, [0.0, 1.0, 0.0, 0.0, 0.0], rtol=0.0, atol=1e-12)
    assert np.argmin(right) == order + 1
    assert (earlier > 0.0) == (past == 2 and ratio == 1.0 and third > 0.0)
