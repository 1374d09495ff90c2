"""Coulomb's cone: what friction holds is the force nearest to what is asked of it that is no larger than μ N."""

import numpy as np
import pytest
from tendril.physics.contact.friction_cone import clipped


@pytest.mark.parametrize("most", [0.0, 0.3, 1.0, 5.0, np.inf])
def test_no_force_in_the_cone_is_nearer(most):
    rng = np.random.default_rng(0)
    for asked in (np.zeros(3), *rng.normal(size=(20, 3))):
        held, part = clipped(tuple(asked), most)
        assert np.linalg.norm(held) <= most * (1.0 + 1e-15)
        assert (part == 1.0) == (np.linalg.norm(asked) < most or (0.0 < most == np.linalg.norm(asked)))
        np.testing.assert_allclose(held, part * asked, rtol=1e-15)
        others = rng.normal(size=(200, 3))
        others *= np.minimum(1.0, min(most, 10.0) / np.linalg.norm(others, axis=1))[:, None]
        nearest = np.linalg.norm(others - asked, axis=1).min()
        assert np.linalg.norm(held - asked) <= nearest + 1e-15
