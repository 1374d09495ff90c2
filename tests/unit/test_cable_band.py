"""A symmetric band of blocks of seven, against dense algebra."""

import numpy as np
import pytest
from scipy.linalg import solveh_banded
from tendril.physics.cables.band import BandFactors
from tendril.physics.cables.tables import STRIDE
from tendril.physics.linear import border as border_of
from tendril.physics.linear.border import Border, Bordered


def banded(rng, n, width, negative=0):
    """(rows (n, width + 1), dense (n, n)) of a matrix with so many negative pivots, for L is well conditioned, in which
    blocks are coupled with the next ones.
    """
    d = rng.uniform(0.5, 2.0, n)
    d[rng.permutation(n)[:negative]] *= -1.0
    lower = np.eye(n)
    for k in range(1, min(width, n - 1) + 1):
        lower += np.diag(rng.normal(size=n - k) / (2.0 * width), -k)
    row, column = np.indices((n, n)) // STRIDE
    lower[row > column + 1] = 0.0
    dense = lower * d @ lower.T
    rows = rng.normal(size=(n, width + 1))  # what is beyond the last column counts for nothing
    for j in range(n):
        behind = dense[j, j : j + width + 1]
        rows[j, : len(behind)] = behind
    return rows, dense


@pytest.mark.parametrize(("n", "width"), [(40, 0), (41, 1), (47, 10), (60, 13), (4, 10), (1, 3)])
def test_definite(n, width):
    """Solutions of several right-hand sides."""
    rng = np.random.default_rng(width)
    rows, _ = banded(rng, n, width)
    b = rng.normal(size=(3, n))
    reach = min(width, n - 1)
    upper = np.zeros((reach + 1, n))
    for k in range(reach + 1):
        upper[k, : n - k] = rows[: n - k, k]
    expected = solveh_banded(upper, b.T, lower=True).T
    factors = BandFactors(rows, 0.0)
    assert factors.negative == 0
    factors.solve(b)
    np.testing.assert_allclose(b, expected, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("negative", [1, 7])
def test_indefinite(negative):
    """The solution, the inertia, and a direction along which the curvature is negative."""
    rng = np.random.default_rng(negative)
    rows, dense = banded(rng, 50, 10, negative)
    b, p = rng.normal(size=(1, 50)), np.empty(50)
    expected = np.linalg.solve(dense, b[0])
    factors = BandFactors(rows, 0.0)
    assert factors.negative == np.count_nonzero(np.linalg.eigvalsh(dense) < 0.0) == negative
    factors.solve(b)
    np.testing.assert_allclose(b[0], expected, rtol=1e-9, atol=1e-9)
    factors.negative_direction(p)
    inverse = np.array([factors.a["value"][j, j % STRIDE] for j in range(50)])
    assert p @ dense @ p == pytest.approx((1.0 / inverse).min(), rel=1e-9)


def test_shift():
    """What is added to the diagonal."""
    rng = np.random.default_rng(4)
    rows, dense = banded(rng, 45, 10)
    b = rng.normal(size=(1, 45))
    expected = np.linalg.solve(dense + 0.3 * np.eye(45), b[0])
    BandFactors(rows, 0.3).solve(b)
    np.testing.assert_allclose(b[0], expected, rtol=1e-11, atol=1e-11)


def test_singular():
    """A direction in which nothing resists is left out: what pushes elsewhere is answered as without it."""
    rng = np.random.default_rng(3)
    chain = np.zeros((30, 2))  # springs between neighbours, held by nothing
    stiffness = rng.uniform(0.5, 2.0, 29)
    chain[:-1, 0] += stiffness
    chain[1:, 0] += stiffness
    chain[:-1, 1] = -stiffness
    force = rng.normal(size=30)
    force -= force.mean()
    factors = BandFactors(chain, 0.0)
    assert factors.negative == 0
    x = force[None].copy()
    factors.solve(x)
    np.testing.assert_allclose(np.diff(x[0]) * stiffness, -np.cumsum(force)[:-1], atol=1e-12)


@pytest.mark.parametrize("few", [0, 50])
@pytest.mark.parametrize("negative", [0, 2])
def test_border(negative, few, monkeypatch):
    """Unknowns that are coupled with all others; the inertia of the whole, be the border's rest sparse or full."""
    monkeypatch.setattr(border_of, "FEW", few)
    rng = np.random.default_rng(5)
    rows, dense = banded(rng, 40, 10, negative)
    border = rng.normal(size=(3, 43))
    corner = np.diag([-60.0, 90.0, 120.0])
    border[:, 40:] = corner
    whole = np.block([[dense, border[:, :40].T], [border[:, :40], corner]])
    b, p = rng.normal(size=43), np.empty(43)
    expected = np.linalg.solve(whole, b)
    bordered = Bordered(BandFactors(rows, 0.0), Border.full(border))
    assert bordered.negative == np.count_nonzero(np.linalg.eigvalsh(whole) < 0.0)
    bordered.solve(b)
    np.testing.assert_allclose(b, expected, rtol=1e-9, atol=1e-9)
    bordered.negative_direction(p)
    assert p @ whole @ p < 0.0


def test_a_border_of_hundreds():
    """And hundreds of squares besides, as of contacts far apart."""
    rng, count = np.random.default_rng(6), 200
    rows, dense = banded(rng, 350, 13, 0)
    border, squares = 0.1 * rng.normal(size=(count, 350 + count)), rng.normal(size=(count, 350))
    corner = np.diag(rng.choice([-50.0, 50.0], count))
    border[:, 350:] = corner
    whole = np.block([[dense + squares.T @ squares, border[:, :350].T], [border[:, :350], corner]])
    bordered = Bordered(BandFactors(rows, 0.0), Border.full(border), 0.0, squares, np.ones(count))
    assert bordered.negative == np.count_nonzero(np.linalg.eigvalsh(whole) < 0.0)
    side = rng.normal(size=350 + count)
    found = side.copy()
    bordered.solve(found)
    np.testing.assert_allclose(whole @ found, side, atol=1e-8)
