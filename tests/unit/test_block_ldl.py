"""LDLᵀ of bands of blocks against numpy."""

import numpy as np
import pytest
from tendril.physics._jit import entry
from tendril.physics.linear.block_ldl import block_elimination, block_row

SHAPES = ((1, 1), (4, 7), (5, 8), (7, 7))
ELIMINATIONS = {shape: block_elimination(*shape) for shape in SHAPES}


def solver(shape):
    """(a, y, count) → how many pivots are negative; y becomes the solution, as `other` does, by `resolve`."""
    eliminate, resolve, substitute = ELIMINATIONS[shape]

    @entry
    def solve(a: np.ndarray, y: np.ndarray, other: np.ndarray, count: int) -> int:
        negative = eliminate(a, y, count)
        substitute(a, y, count)
        resolve(a, other, count)
        substitute(a, other, count)
        return negative

    return solve.compiled


def banded(shape, blocks, shift, seed=0):
    """A symmetric matrix whose blocks are coupled with so many rows behind them, and its rows."""
    size, reach = shape
    rng, count = np.random.default_rng(seed), size * blocks
    whole = rng.normal(size=(count, count))
    row, column = np.indices((count, count))
    near = (column - row // size * size < size + reach) & (row - column // size * size < size + reach)
    whole = (whole + whole.T) * near + shift * np.eye(count)
    rows = np.zeros(count + size + reach, block_row(size, reach))
    for j in range(count):
        first = size * (j // size)
        end = min(first + size + reach, count)
        rows["value"][j, j - first : end - first] = whole[j, j:end]
    return whole, rows


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("blocks", [1, 2, 9])
@pytest.mark.parametrize("shift", [40.0, 2.0])
def test_solves_and_tells_the_inertia(shape, blocks, shift):
    """Of a definite and of an indefinite matrix, for the side that is eliminated with it and for another one."""
    whole, rows = banded(shape, blocks, shift)
    count = len(whole)
    sides = np.random.default_rng(1).normal(size=(2, count))
    y, other = (np.append(side, np.zeros(sum(shape))) for side in sides)
    negative = solver(shape)(rows, y, other, count)
    assert negative == np.sum(np.linalg.eigvalsh(whole) < 0.0)
    for found, side in zip((y, other), sides, strict=True):
        np.testing.assert_allclose(whole @ found[:count], side, atol=1e-9 * np.linalg.cond(whole))
        assert np.all(found[count:] == 0.0)


@pytest.mark.parametrize("shape", [(5, 4), (5, 11)])
def test_what_blocks_cannot_be_coupled_with(shape):
    with pytest.raises(ValueError, match="is coupled with 5 to 10 rows"):
        block_elimination(*shape)
