"""The stretching element's derivatives, against differences."""

import numpy as np
import pytest
from tendril.physics.elements.stretching import add_stretching, stress, stretching_energy

STRETCH, LENGTH, H = 30.0, 0.2, 1e-5
WAY = np.array([0.6, 0.0, 0.8])


@pytest.mark.parametrize("ratio", [0.2, 0.9, 1.0, 1.1, 3.0])
def test_derivatives_of_the_energy(ratio):
    below, here, above = (
        stretching_energy(tuple(r * LENGTH * WAY), LENGTH, STRETCH) for r in ratio + H * np.arange(-1, 2)
    )
    first, second = stress(ratio)
    per_ratio = STRETCH * LENGTH
    assert first == pytest.approx((above - below) / (2.0 * H * per_ratio), rel=1e-8, abs=1e-10)
    assert second == pytest.approx((above - 2.0 * here + below) / (H * H * per_ratio), rel=1e-4)


def test_forces_are_the_energys_gradient():
    x = np.array([[0.0, 0.0, 0.0], [0.1, 0.05, 0.0], [0.2, 0.3, 0.1]])
    length, stiffness, forces = np.full(3, LENGTH), np.array([30.0, 20.0, 10.0]), np.zeros((3, 3))

    def energy(places):
        edges = np.roll(places, -1, axis=0) - places
        return sum(stretching_energy(tuple(e), LENGTH, k) for e, k in zip(edges, stiffness, strict=True))

    add_stretching(x, True, stiffness, length, forces)
    for i, c in np.ndindex(3, 3):
        step = np.zeros((3, 3))
        step[i, c] = H
        assert forces[i, c] == pytest.approx(-(energy(x + step) - energy(x - step)) / (2.0 * H), rel=1e-6, abs=1e-8)
