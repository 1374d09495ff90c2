"""Elimination of a band with a border, against dense algebra."""

import numpy as np
import pytest
from tendril.physics.implicit import rod_equations, straight_rod
from tendril.physics.implicit.rod_equations import WIDTH

COUNT = 40


def banded(rng, width, count, negative):
    """(band, dense) of a symmetric matrix of so many negative eigenvalues, quasi-definite: no pivot vanishes."""
    sign = np.ones(count)
    sign[rng.permutation(count)[:negative]] = -1.0
    dense = np.zeros((count, count))
    for k in range(1, width + 1):
        i = np.arange(count - k)
        dense[i + k, i] = dense[i, i + k] = rng.normal(size=count - k) * (sign[i] != sign[i + k])
    dense += np.diag(sign * rng.uniform(0.5, 2.0, count))
    band = np.zeros((count + width, width + 1))
    for k in range(width + 1):
        band[: count - k, k] = np.diagonal(dense, -k)
    return band, dense


@pytest.mark.parametrize(("equations", "width"), [(rod_equations, WIDTH), (straight_rod, straight_rod.WIDTH)])
@pytest.mark.parametrize("border", [0, 1, 9])
def test_a_band_with_a_border(equations, width, border):
    """The solution, what is left of the border, and the inertia; columns that begin late, and one of nothing."""
    rng = np.random.default_rng(border)
    a, dense = banded(rng, width, COUNT, 11)
    y = np.concatenate([rng.normal(size=COUNT), np.zeros(width)])
    c = rng.normal(size=(COUNT, border)) * (np.arange(COUNT)[:, None] >= 7 * np.arange(border))
    s = 30.0 * np.eye(border) + 0.1
    b = rng.normal(size=border)
    whole = np.block([[dense, c], [c.T, s]])
    expected = np.linalg.solve(whole, np.concatenate([y[:COUNT], b]))
    schur = s - c.T @ np.linalg.solve(dense, c)
    assert equations.eliminate(a, y, COUNT, c, s, b) == 11
    np.testing.assert_allclose(s, schur, atol=1e-10)
    z = np.linalg.solve(s, b)
    equations.substitute(a, y, COUNT, c, z)
    np.testing.assert_allclose(np.concatenate([y[:COUNT], z]), expected, atol=1e-10)
    assert not y[COUNT:].any()


@pytest.mark.parametrize("border", [0, 5])
def test_another_right_hand_side(border):
    rng = np.random.default_rng(1)
    a, dense = banded(rng, WIDTH, COUNT, 8)
    c, s, b = rng.normal(size=(COUNT, border)), 30.0 * np.eye(border), np.zeros(border)
    whole = np.block([[dense, c], [c.T, s]])
    rod_equations.eliminate(a, np.zeros(COUNT + WIDTH), COUNT, c, s, b)
    y, b = np.zeros(COUNT + WIDTH), rng.normal(size=border)
    y[5:20] = rng.normal(size=15)
    expected = np.linalg.solve(whole, np.concatenate([y[:COUNT], b]))
    rod_equations.resolve(a, y, COUNT, c, b)
    z = np.linalg.solve(s, b)
    rod_equations.substitute(a, y, COUNT, c, z)
    np.testing.assert_allclose(np.concatenate([y[:COUNT], z]), expected, atol=1e-10)
