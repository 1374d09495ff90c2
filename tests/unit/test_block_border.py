"""Bands of blocks of any size with a border of hundreds of unknowns, and many sides at once, against numpy."""

import numpy as np
import pytest
from tendril.physics.linear.block_border import block_border
from tendril.physics.linear.block_ldl import block_elimination, block_row
from tendril.physics.linear.block_sides import block_sides
from tendril.physics.linear.elimination import eliminate as plan
from tendril.physics.linear.sparse_ldl import factorise, solve

PANEL, COLUMNS = 8, 8  # columns: as many as the widest reaches, or more
SHAPES = ((1, 1), (7, 7))
KERNELS = {
    shape: (block_elimination(*shape), block_border(*shape, PANEL, few=1), block_sides(*shape, COLUMNS))
    for shape in SHAPES
}


def banded(rng, shape, blocks):
    """(band, dense) of a positive definite matrix."""
    (size, reach), count = shape, shape[0] * blocks
    row, column = np.indices((count, count))
    dense = np.tril(rng.normal(size=(count, count)) * 0.2, -1) * (row < size * (column // size) + size + reach)
    dense += dense.T
    dense += np.diag(np.abs(dense).sum(axis=1) + 1.0)
    band = np.zeros(count + size + reach, block_row(*shape))
    for j in range(count):
        behind = dense[j, j - j % size :][: size + reach]
        band["value"][j, : len(behind)] = behind
    return band, dense


@pytest.mark.parametrize("panels", [1, 40])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_border(shape, panels):
    """Of one panel, and of 320 unknowns, each coupled with the band from some block on."""
    rng, (elimination, border, _), size = np.random.default_rng(panels), KERNELS[shape], shape[0]
    a, dense = banded(rng, shape, 60)
    count, unknowns = size * 60, PANEL * panels
    first = size * rng.integers(0, 50, panels)
    c = np.zeros((count, unknowns))
    for p in range(panels):
        c[first[p] :, PANEL * p : PANEL * (p + 1)] = rng.normal(size=(count - first[p], PANEL))
    s = np.diag(rng.uniform(50.0, 60.0, unknowns) * -count)  # quasi-definite
    y, b = rng.normal(size=count), rng.normal(size=unknowns)
    expected = np.linalg.solve(np.block([[dense, c], [c.T, s]]), np.concatenate([y, b]))
    cells = np.zeros(count * panels + sum(shape), np.dtype([("value", float, PANEL)], align=True))
    cells["value"][: count * panels] = c.reshape(count, panels, PANEL).transpose(1, 0, 2).reshape(-1, PANEL)
    left = np.zeros(unknowns * panels, cells.dtype)
    left["value"] = s.reshape(panels, PANEL, panels, PANEL).transpose(0, 2, 1, 3).reshape(-1, PANEL)
    side, rows = np.concatenate([y, np.zeros(sum(shape))]), (0, count)
    assert elimination.eliminate(a, side, count) == 0
    border.eliminate(a, side, rows, cells, np.full(count, -1), first, left, b)
    square = left["value"].reshape(panels, panels, PANEL, PANEL).transpose(0, 2, 1, 3).reshape(unknowns, unknowns)
    one, other = np.tril_indices(unknowns, -1)
    found = plan(unknowns, np.column_stack([one, other]), {})
    diagonal, entries, z = np.zeros(unknowns), np.zeros(len(found.below)), np.zeros(unknowns)
    diagonal[found.row], z[found.row] = np.diag(square), b
    entries[found.slot(one, other)] = square[one, other]
    factorise(found.column, found.below, diagonal, entries)
    assert np.all(diagonal < 0.0)
    solve(found.column, found.below, diagonal, entries, z)
    border.substitute(side, rows, cells, count, first, z[found.row])
    elimination.substitute(a, side, count)
    np.testing.assert_allclose(np.concatenate([side[:count], z[found.row]]), expected, atol=1e-10)


@pytest.mark.parametrize("shape", SHAPES)
def test_many_sides(shape):
    """Zero before row `first` and from `end` on, wanted from `low` to there."""
    rng, (elimination, _, sides), (size, reach) = np.random.default_rng(0), KERNELS[shape], shape
    a, dense = banded(rng, shape, 12)
    count, first, end, low = 12 * size, 3 * size, 8 * size, 2 * size
    elimination.eliminate(a, np.zeros(count + sum(shape)), count)
    kind = np.dtype([("value", float, COLUMNS)], align=True)
    y, rest = np.zeros(count + sum(shape), kind), np.zeros(2 * reach, kind)
    sides.find_rest(a, np.ones(count + sum(shape), kind), end, count, rest)
    y["value"][first:end] = rng.normal(size=(end - first, COLUMNS))
    expected = np.linalg.solve(dense, y["value"][:count])
    sides.solve(a, y, first, end, low, rest)
    np.testing.assert_allclose(y["value"][low : end + reach], expected[low : end + reach], atol=1e-11)
