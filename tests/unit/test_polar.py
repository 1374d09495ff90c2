"""Rotations nearest to matrices, of many at once: those that singular values tell, also of what is flat or mirrored."""

import numpy as np
import pytest
from tendril.bridge.polar import AT_ONCE, nearest_rotations
from tendril.bridge.units import nearest_rotation

RNG = np.random.default_rng(8)


@pytest.mark.parametrize("stretch", [0.1, 1.0, 30.0])
def test_they_are_those_of_singular_values(stretch):
    matrices = np.eye(3) + stretch * RNG.normal(size=(2, AT_ONCE, 3, 3))
    matrices *= 10.0 ** RNG.uniform(-8.0, 8.0, (2, AT_ONCE, 1, 1))
    assert nearest_rotations(matrices) == pytest.approx(nearest_rotation(matrices), abs=1e-9)


def test_flat_and_mirrored_ones_and_none_have_theirs_too():
    matrices = nearest_rotation(RNG.normal(size=(4, 3, 3))) @ np.array(
        [np.diag(own) for own in ((1.0, 1.0, 1e-12), (1.0, 2.0, -1.0), (3.0, 1e-4, 1e-4), (1.0, 1.0, 1.0))]
    )
    found = nearest_rotations(matrices)
    assert found == pytest.approx(nearest_rotation(matrices), abs=1e-9)
    assert np.linalg.det(found) == pytest.approx(1.0)
    assert nearest_rotations(np.zeros((0, 3, 3))).shape == (0, 3, 3)
