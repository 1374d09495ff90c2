"""LDLᵀ of bands of blocks against numpy."""

import numpy as np
import pytest
from tendril.physics._jit import entry
from tendril.physics.linear.block_ldl import block_elimination, block_row

SIZES = (1, 4, 7)
ELIMINATIONS = {size: block_elimination(size) for size in SIZES}


def solver(size):
    eliminate_block, substitute = ELIMINATIONS[size]

    @entry
    def solve(a: np.ndarray, y: np.ndarray, count: int) -> int:
        negative = 0
        for first in range(0, count, size):
            negative += eliminate_block(a[first : first + 2 * size], y[first : first + 2 * size])
        substitute(a, y, count)
        return negative

    return solve.compiled


def banded(size, blocks, shift, seed=0):
    """A symmetric matrix whose blocks are coupled with the next ones alone, and its rows."""
    rng, count = np.random.default_rng(seed), size * blocks
    whole = rng.normal(size=(count, count))
    block = np.arange(count) // size
    whole = (whole + whole.T) * (np.abs(block[:, None] - block) < 2) + shift * np.eye(count)
    rows = np.zeros(count + size, block_row(size))
    for j in range(count):
        first = size * (j // size)
        end = min(first + 2 * size, count)
        rows["value"][j, j - first : end - first] = whole[j, j:end]
    return whole, rows


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("blocks", [1, 2, 9])
@pytest.mark.parametrize("shift", [40.0, 2.0])
def test_solves_and_tells_the_inertia(size, blocks, shift):
    """Of a definite and of an indefinite matrix."""
    whole, rows = banded(size, blocks, shift)
    side = np.random.default_rng(1).normal(size=len(whole))
    y = np.append(side, np.zeros(size))
    negative = solver(size)(rows, y, len(whole))
    assert negative == np.sum(np.linalg.eigvalsh(whole) < 0.0)
    np.testing.assert_allclose(whole @ y[:-size], side, atol=1e-9 * np.linalg.cond(whole))
    assert np.all(y[-size:] == 0.0)
