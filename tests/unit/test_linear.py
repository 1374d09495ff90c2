"""Small and sparse eliminations against numpy."""

from time import process_time

import numpy as np
import pytest
from tendril.physics._jit import entry
from tendril.physics.arithmetic.vectors import plus, plus_rows, vector
from tendril.physics.linear import block_tridiagonal, dense, pentadiagonal
from tendril.physics.linear.elimination import eliminate
from tendril.physics.linear.sparse_ldl import factorise, solve
from tendril.physics.linear.tridiagonal import minimise, minimise_ring


def tridiagonal(rng, n, cyclic):
    """(diagonal, beside, dense) of a positive definite matrix."""
    beside = rng.normal(size=n)
    matrix = np.diag(beside[:-1], 1) + np.diag(beside[:-1], -1)
    if cyclic:
        matrix[0, -1] = matrix[-1, 0] = beside[-1]
    diagonal = np.abs(matrix).sum(axis=1) + rng.uniform(0.1, 1.0, n)
    return diagonal, beside, matrix + np.diag(diagonal)


def minimum(gradient, diagonal, beside, held, cyclic):
    r, y, x = np.full((3, len(gradient)), np.nan)
    if cyclic:
        return minimise_ring(gradient, diagonal, beside, held, r, y, x), x
    return minimise(gradient, diagonal, beside, held, r, x), x


@pytest.mark.parametrize("cyclic", [False, True], ids=["open", "ring"])
@pytest.mark.parametrize("n", [3, 4, 5, 30])
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_tridiagonal(n, share, cyclic):
    """The minimum, where some unknowns are held; and whether there is one, by the sign of the least eigenvalue."""
    rng = np.random.default_rng(n)
    for _ in range(20):
        gradient, held = rng.normal(size=n), rng.random(n) < share
        diagonal, beside, matrix = tridiagonal(rng, n, cyclic)
        diagonal += rng.choice([0.0, -1.5]) * rng.uniform(size=n) * diagonal
        np.fill_diagonal(matrix, diagonal)
        free = np.flatnonzero(~held)
        own = matrix[np.ix_(free, free)]
        sound, x = minimum(gradient, diagonal, beside, held, cyclic)
        assert sound == bool(np.linalg.eigvalsh(own).min(initial=1.0) > 0.0)
        expected = np.zeros(n)
        if sound:
            expected[free] = np.linalg.solve(own, -gradient[free])
            np.testing.assert_allclose(x, expected, atol=1e-10 * max(1.0, abs(expected).max()))


@entry
def solve_pentadiagonal(d: np.ndarray, one: np.ndarray, two: np.ndarray, rows: np.ndarray, x: np.ndarray) -> None:
    last = before = pentadiagonal.NONE
    for i in range(len(d)):
        last, before = pentadiagonal.eliminate(d[i], one[i], two[i], x[i], last, before), last
        rows[0, i], rows[1, i], x[i] = last[1], last[2], last[3] / last[0]
    pentadiagonal.substitute(rows[0], rows[1], x)


@pytest.mark.parametrize("n", [1, 2, 3, 20])
def test_pentadiagonal(n):
    rng = np.random.default_rng(n)
    one, two = rng.normal(size=(2, n))
    one[-1:] = two[-2:] = 0.0
    matrix = np.diag(one[:-1], 1) + np.diag(two[: max(n - 2, 0)], 2) if n > 2 else np.diag(one[:-1], 1)
    matrix = matrix.reshape(n, n) + matrix.reshape(n, n).T
    d = np.abs(matrix).sum(axis=1) + 0.5
    y = rng.normal(size=n)
    x = y.copy()
    solve_pentadiagonal(d, one, two, np.zeros((2, n)), x)
    np.testing.assert_allclose(x, np.linalg.solve(matrix + np.diag(d), y), atol=1e-12)


@entry
def solve_blocks(a: np.ndarray, b: np.ndarray, x: np.ndarray, gains: np.ndarray) -> None:
    zero = (0.0, 0.0, 0.0)
    less, slower = (zero, zero, zero), zero
    for i in range(len(a)):
        own = (vector(a[i, 0]), vector(a[i, 1]), vector(a[i, 2]))
        on = (vector(b[i, 0]), vector(b[i, 1]), vector(b[i, 2]))
        side = plus(vector(x[i]), -1.0, slower)
        gain, start = block_tridiagonal.eliminate(plus_rows(own, -1.0, less), on, side)
        less, slower = block_tridiagonal.taken(on, gain, start)
        x[i, 0], x[i, 1], x[i, 2] = start
        for c in range(3):
            gains[i, c, 0], gains[i, c, 1], gains[i, c, 2] = gain[c]
    for i in range(len(a) - 2, -1, -1):
        for c in range(3):
            x[i, c] -= gains[i, 0, c] * x[i + 1, 0] + gains[i, 1, c] * x[i + 1, 1] + gains[i, 2, c] * x[i + 1, 2]


@pytest.mark.parametrize("n", [1, 2, 9])
def test_blocks_of_three(n):
    rng = np.random.default_rng(n)
    matrix = np.zeros((3 * n, 3 * n))
    b = rng.normal(size=(n, 3, 3))
    for i in range(n - 1):
        matrix[3 * i : 3 * i + 3, 3 * i + 3 : 3 * i + 6] = b[i]
    own = rng.normal(size=(n, 3, 3))
    for i in range(n):
        matrix[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = 0.5 * own[i]
    matrix += matrix.T
    matrix += np.diag(np.abs(matrix).sum(axis=1) + 0.1)
    a = np.array([matrix[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] for i in range(n)])
    y = rng.normal(size=(n, 3))
    x = y.copy()
    solve_blocks(a, b, x, np.zeros((n, 3, 3)))
    np.testing.assert_allclose(x.ravel(), np.linalg.solve(matrix, y.ravel()), atol=1e-11)


@pytest.mark.parametrize("n", [1, 2, 7, 30])
def test_dense(n):
    """Solutions, and the inertia."""
    rng = np.random.default_rng(n)
    matrix = rng.normal(size=(n, n))
    matrix += matrix.T
    a, y, general = matrix.copy(), rng.normal(size=n), rng.normal(size=(n, n))
    x = y.copy()
    assert dense.eliminate(a) == np.count_nonzero(np.linalg.eigvalsh(matrix) < 0.0)
    dense.solve(a, x)
    np.testing.assert_allclose(matrix @ x, y, atol=1e-8)
    found = matrix.copy()
    dense.divide(general.copy(), found)
    np.testing.assert_allclose(general @ found, matrix, atol=1e-8)


def grid(side):
    """Pairs of the unknowns, three a node, of a soft body of side³ cells, as its stiffness couples them."""
    number = np.arange((side + 1) ** 3).reshape((side + 1,) * 3)
    cells = np.lib.stride_tricks.sliding_window_view(number, (2, 2, 2)).reshape(-1, 8)
    own = (3 * cells[:, :, None] + np.arange(3)).reshape(len(cells), 24)
    first, second = np.triu_indices(24, 1)
    return 3 * number.size, np.column_stack([own[:, first].ravel(), own[:, second].ravel()])


def ring(n):
    return n, np.column_stack([np.arange(n), (np.arange(n) + 1) % n])


def tree(n):
    rng = np.random.default_rng(n)
    return n, np.array([(i, rng.integers(max(0, i - 40), i)) for i in range(1, n)])


def spread(n):
    return n, np.random.default_rng(n).integers(0, n, (2 * n, 2))


@pytest.mark.parametrize(
    "case", [(0, np.zeros((0, 2), int)), (3, np.zeros((0, 2), int)), ring(400), tree(600), spread(200), grid(3)],
    ids=["none", "apart", "ring", "tree", "spread", "soft"],
)  # fmt: skip
def test_sparse(case):
    """Quasi-definite matrices along the elimination that was planned; nothing fills in on trees. Some have to wait."""
    n, pairs = case
    rng = np.random.default_rng(0)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    waiting = {int(k): {int(q)} for k, q in pairs[rng.permutation(len(pairs))[:10]]}
    waiting = {k: before for k, before in waiting.items() if not before & waiting.keys()}
    for after in ({}, waiting):
        found = eliminate(n, pairs, after)
        if case[1].shape == (n - 1, 2) and not after:
            assert len(found.below) == n - 1
        assert all(found.row[k] > found.row[q] for k, before in after.items() for q in before)
        assert sorted(found.row) == list(range(n))
        sign = rng.choice([-1.0, 1.0], n)
        matrix = np.zeros((n, n))
        for a, b in pairs:
            if sign[a] != sign[b]:
                matrix[a, b] = matrix[b, a] = rng.normal()
        matrix += np.diag(sign * rng.uniform(0.5, 2.0, n))
        diagonal, entries, side = np.zeros(n), np.zeros(len(found.below)), rng.normal(size=n)
        diagonal[found.row] = np.diag(matrix)
        entries[found.slot(pairs[:, 0], pairs[:, 1])] = matrix[pairs[:, 0], pairs[:, 1]]
        factorise(found.column, found.below, diagonal, entries)
        x = np.zeros(n)
        x[found.row] = side
        solve(found.column, found.below, diagonal, entries, x)
        np.testing.assert_allclose(matrix @ x[found.row], side, atol=1e-8)
        assert np.count_nonzero(diagonal < 0.0) == np.count_nonzero(sign < 0.0)


def test_soft_bodies_are_planned_by_the_sparse_library():
    """1536 unknowns of 7³ cells take SuperLU some .1 s; an elimination in Python took 5.9."""
    n, pairs = grid(7)
    begin = process_time()
    found = eliminate(n, pairs, {})
    assert process_time() - begin < 2.0
    assert len(found.below) < 0.25 * n * n
