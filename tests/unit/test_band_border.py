"""Elimination of a band with a border, against dense algebra."""

import numpy as np
import pytest
from tendril.physics.implicit import rod_equations, straight_rod
from tendril.physics.implicit.rod_equations import (
    eliminate_border,
    find_rest,
    resolve_border,
    solve_sides,
    substitute_border,
)
from tendril.physics.implicit.scratch import CELLS, COLUMNS, MET, REACH, ROW, SIDES, WIDTH
from tendril.physics.model import PANEL

COUNT = 40
ALL = (0, COUNT)
FREE = np.full(COUNT, -1)


def banded(rng, equations, count, negative, alone=()):
    """(band, dense) of a symmetric matrix of so many negative eigenvalues, quasi-definite: no pivot vanishes; rows
    `alone` are coupled with none.

    A block is coupled with the next one and a few rows of the one behind that, as those of a chain are.
    """
    block = equations.BLOCK
    sign = np.ones(count)
    sign[rng.permutation(count)[:negative]] = -1.0
    row, column = np.indices((count, count))
    dense = np.tril(rng.normal(size=(count, count)) * (sign[row] != sign[column]), -1)
    dense *= row < block * (column // block) + 2 * block + REACH
    dense *= ~np.isin(row, alone) & ~np.isin(column, alone)
    dense += dense.T + np.diag(sign * rng.uniform(0.5, 2.0, count))
    band = np.zeros(count + WIDTH, ROW)
    for j in range(count):
        first = j - j % block
        behind = dense[j, first : first + 2 * block + REACH]
        band["value"][j, : len(behind)] = behind
    return band, dense


def panels(c):
    """CELLS of the columns of C (n, k)."""
    cells = np.zeros(c.size // PANEL + WIDTH, CELLS)
    cells["value"][:-WIDTH] = c.reshape(len(c), -1, PANEL).transpose(1, 0, 2).reshape(-1, PANEL)
    return cells


def squares(s):
    """CELLS of S (k, k)."""
    count, cells = len(s) // PANEL, np.zeros(s.size // PANEL, CELLS)
    cells["value"] = s.reshape(count, PANEL, count, PANEL).transpose(0, 2, 1, 3).reshape(-1, PANEL)
    return cells


def whole_of(squares):
    """The symmetric matrix of squares on and below the diagonal."""
    count = round((len(squares) / PANEL) ** 0.5)
    s = squares["value"].reshape(count, count, PANEL, PANEL).transpose(0, 2, 1, 3).reshape(count * PANEL, -1)
    return np.tril(s) + np.tril(s, -1).T


@pytest.mark.parametrize("equations", [rod_equations, straight_rod])
def test_a_band(equations):
    """The solution, and the inertia."""
    rng = np.random.default_rng(0)
    a, dense = banded(rng, equations, COUNT, 11)
    y = np.concatenate([rng.normal(size=COUNT), np.zeros(WIDTH)])
    expected = np.linalg.solve(dense, y[:COUNT])
    assert equations.eliminate(a, y, COUNT) == 11
    equations.substitute(a, y, COUNT)
    np.testing.assert_allclose(y[:COUNT], expected, atol=1e-10)
    assert not y[COUNT:].any()


@pytest.mark.parametrize("blocks", [(), (0, 3, 4, 7)])
@pytest.mark.parametrize("border", [1, 2, 3])
def test_a_band_with_a_border(border, blocks):
    """The solution, and what is left of the border's lower triangle; columns that begin late; blocks whose vertices are
    tied.
    """
    rng, k = np.random.default_rng(border), border * PANEL
    alone = [5 * block + c for block in blocks for c in range(3)]
    a, dense = banded(rng, rod_equations, COUNT, 11, alone)
    y = np.concatenate([rng.normal(size=COUNT), np.zeros(WIDTH)])
    c = rng.normal(size=(COUNT, k)) * (np.arange(COUNT)[:, None] >= 1.5 * np.arange(k))
    c[alone], tied, first = 0.0, np.where(np.isin(np.arange(COUNT), alone), 0, -1), 10 * np.arange(border)
    s, b = 30.0 * np.eye(k) + 0.1, rng.normal(size=k)
    whole = np.block([[dense, c], [c.T, s]])
    expected = np.linalg.solve(whole, np.concatenate([y[:COUNT], b]))
    schur, cells, left = s - c.T @ np.linalg.solve(dense, c), panels(c), squares(s)
    assert rod_equations.eliminate(a, y, COUNT) == 11
    eliminate_border(a, y, ALL, cells, tied, first, left, b)
    np.testing.assert_allclose(whole_of(left), schur, atol=1e-10)
    z = np.linalg.solve(whole_of(left), b)
    substitute_border(y, ALL, cells, COUNT, first, z)
    rod_equations.substitute(a, y, COUNT)
    np.testing.assert_allclose(np.concatenate([y[:COUNT], z]), expected, atol=1e-10)
    assert not y[COUNT:].any()


@pytest.mark.parametrize("border", [0, 1])
def test_another_right_hand_side(border):
    rng, k = np.random.default_rng(1), border * PANEL
    a, dense = banded(rng, rod_equations, COUNT, 8)
    c, s, first = rng.normal(size=(COUNT, k)), 30.0 * np.eye(k), np.zeros(border, np.int64)
    whole, cells, left = np.block([[dense, c], [c.T, s]]), panels(c), squares(s) if k else np.zeros(0, CELLS)
    none = np.zeros(COUNT + WIDTH)
    rod_equations.eliminate(a, none, COUNT)
    eliminate_border(a, none, ALL, cells, FREE, first, left, np.zeros(k))
    y, b = np.zeros(COUNT + WIDTH), rng.normal(size=k)
    y[5:20] = rng.normal(size=15)
    expected = np.linalg.solve(whole, np.concatenate([y[:COUNT], b]))
    rod_equations.resolve(a, y, COUNT)
    resolve_border(a, y, ALL, cells, COUNT, first, b)
    z = np.linalg.solve(whole_of(left), b) if k else b
    substitute_border(y, ALL, cells, COUNT, first, z)
    rod_equations.substitute(a, y, COUNT)
    np.testing.assert_allclose(np.concatenate([y[:COUNT], z]), expected, atol=1e-10)


@pytest.mark.parametrize("end", [20, 30, COUNT - 5, COUNT])
def test_many_right_hand_sides(end):
    """Zero before the row `first` and from `end` on; wanted from the row `low` to there."""
    rng, first, low = np.random.default_rng(2), 15, 10
    a, dense = banded(rng, rod_equations, COUNT, 8)
    rod_equations.eliminate(a, np.zeros(COUNT + WIDTH), COUNT)
    sides = np.zeros(COUNT + WIDTH, SIDES)
    rest, scratch = np.zeros(2 * MET, SIDES), np.ones(COUNT + WIDTH, SIDES)
    find_rest(a, scratch, end, COUNT, rest)
    sides["value"][first:end] = rng.normal(size=(end - first, COLUMNS))
    expected = np.linalg.solve(dense, sides["value"][:COUNT])
    solve_sides(a, sides, first, end, low, rest)
    behind = min(end + MET, COUNT)
    np.testing.assert_allclose(sides["value"][low:behind], expected[low:behind], atol=1e-10)
    assert not sides["value"][behind:].any()
