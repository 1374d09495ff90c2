"""Elimination of a band with a border, against dense algebra."""

import numpy as np
import pytest
from tendril.physics.implicit import rod_equations, straight_rod
from tendril.physics.implicit.band_sides import solve_sides
from tendril.physics.implicit.rod_equations import WIDTH
from tendril.physics.implicit.scratch import COLUMNS, SIDES

COUNT = 40


def banded(rng, equations, count, negative):
    """(band, dense) of a symmetric matrix of so many negative eigenvalues, quasi-definite: no pivot vanishes.

    All columns of a vertex' block end at one row, as those of a chain do.
    """
    block, width = equations.BLOCK, equations.WIDTH
    sign = np.ones(count)
    sign[rng.permutation(count)[:negative]] = -1.0
    dense = np.zeros((count, count))
    for k in range(1, width + 1):
        i = np.arange(count - k)
        dense[i + k, i] = dense[i, i + k] = rng.normal(size=count - k) * (sign[i] != sign[i + k])
    row, column = np.indices(dense.shape)
    dense *= np.maximum(row, column) <= block * (np.minimum(row, column) // block) + width
    dense += np.diag(sign * rng.uniform(0.5, 2.0, count))
    band = np.zeros((count + width, width + 1))
    for k in range(width + 1):
        band[: count - k, k] = np.diagonal(dense, -k)
    return band, dense


def whole_of(s):
    """The symmetric matrix of a lower triangle."""
    return np.tril(s) + np.tril(s, -1).T


@pytest.mark.parametrize("equations", [rod_equations, straight_rod])
@pytest.mark.parametrize("border", [0, 1, 9])
def test_a_band_with_a_border(equations, border):
    """The solution, what is left of the border's lower triangle, and the inertia; columns that begin late."""
    rng, width = np.random.default_rng(border), equations.WIDTH
    a, dense = banded(rng, equations, COUNT, 11)
    y = np.concatenate([rng.normal(size=COUNT), np.zeros(width)])
    c = rng.normal(size=(COUNT, border)) * (np.arange(COUNT)[:, None] >= 7 * np.arange(border))
    s = 30.0 * np.eye(border) + 0.1
    b = rng.normal(size=border)
    whole = np.block([[dense, c], [c.T, s]])
    expected = np.linalg.solve(whole, np.concatenate([y[:COUNT], b]))
    schur = s - c.T @ np.linalg.solve(dense, c)
    assert equations.eliminate(a, y, COUNT, c, s, b) == 11
    np.testing.assert_allclose(np.tril(s), np.tril(schur), atol=1e-10)
    z = np.linalg.solve(whole_of(s), b)
    equations.substitute(a, y, COUNT, c, z)
    np.testing.assert_allclose(np.concatenate([y[:COUNT], z]), expected, atol=1e-10)
    assert not y[COUNT:].any()


@pytest.mark.parametrize("border", [0, 5])
def test_another_right_hand_side(border):
    rng = np.random.default_rng(1)
    a, dense = banded(rng, rod_equations, COUNT, 8)
    c, s, b = rng.normal(size=(COUNT, border)), 30.0 * np.eye(border), np.zeros(border)
    whole = np.block([[dense, c], [c.T, s]])
    rod_equations.eliminate(a, np.zeros(COUNT + WIDTH), COUNT, c, s, b)
    y, b = np.zeros(COUNT + WIDTH), rng.normal(size=border)
    y[5:20] = rng.normal(size=15)
    expected = np.linalg.solve(whole, np.concatenate([y[:COUNT], b]))
    rod_equations.resolve(a, y, COUNT, c, b)
    z = np.linalg.solve(whole_of(s), b)
    rod_equations.substitute(a, y, COUNT, c, z)
    np.testing.assert_allclose(np.concatenate([y[:COUNT], z]), expected, atol=1e-10)


def test_many_right_hand_sides():
    """Zero before the row `first`; wanted from the row `low` on."""
    rng, first, low = np.random.default_rng(2), 15, 10
    a, dense = banded(rng, rod_equations, COUNT, 8)
    rod_equations.eliminate(a, np.zeros(COUNT + WIDTH), COUNT, np.zeros((COUNT, 0)), np.zeros((0, 0)), np.zeros(0))
    sides = np.zeros(COUNT + WIDTH, SIDES)
    sides["value"][first:COUNT] = rng.normal(size=(COUNT - first, COLUMNS))
    expected = np.linalg.solve(dense, sides["value"][:COUNT])
    solve_sides(a, sides, first, COUNT, low)
    np.testing.assert_allclose(sides["value"][low:COUNT], expected[low:], atol=1e-10)
    assert not sides["value"][COUNT:].any()
