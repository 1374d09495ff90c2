"""Sums in one order, against numpy's, which are in another."""

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.transform import Rotation
from tendril.physics.assemble.largest_eigenvalue import largest_eigenvalue
from tendril.physics.fixed_order import (
    determinant,
    dot,
    inverse,
    least_squares,
    norm,
    principal_axes,
    product,
    turned,
    turned_back,
)  # fmt: skip

RANDOM = np.random.default_rng(1)
A, B, V = (RANDOM.standard_normal(shape) for shape in ((20, 3, 3), (20, 3, 3), (20, 3)))


def test_products_are_numpys_but_for_rounding():
    np.testing.assert_allclose(dot(V, V[::-1]), [a @ b for a, b in zip(V, V[::-1], strict=True)], atol=1e-15)
    np.testing.assert_allclose(norm(V), np.linalg.norm(V, axis=1), rtol=1e-15)
    np.testing.assert_allclose(product(A, B), A @ B, atol=1e-14)
    np.testing.assert_allclose(determinant(A), np.linalg.det(A), atol=1e-14)
    np.testing.assert_allclose(product(inverse(A), A), np.broadcast_to(np.eye(3), A.shape), atol=1e-12)


def test_turns_are_scipys_but_for_rounding():
    turns = Rotation.random(20, random_state=2)
    q = np.roll(turns.as_quat(), 1, axis=1)
    np.testing.assert_allclose(turned(q, V), turns.apply(V), atol=1e-15)
    np.testing.assert_allclose(turned(q, V[0]), turns.apply(V[0]), atol=1e-15)
    np.testing.assert_allclose(turned_back(q[0], V), turns[0].inv().apply(V), atol=1e-15)


@pytest.mark.parametrize(
    "matrix",
    [
        *(A + np.swapaxes(A, 1, 2))[:5], np.zeros((3, 3)), np.eye(3), np.diag([3.0, 1.0, 2.0]), np.ones((3, 3)),
        np.outer(V[0], V[0]), np.diag([1.0, 1e-300, 1e300]), np.eye(3) + 1e-17, 1e-200 * (A[0] + A[0].T),
    ],
)  # fmt: skip
def test_principal_axes(matrix):
    moments, axes = principal_axes(matrix)
    size = np.abs(matrix).max()
    np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=1e-14)
    np.testing.assert_allclose(matrix @ axes, axes * moments, atol=1e-14 * size, rtol=0)
    assert np.all(np.diff(moments) >= 0.0)


DEPENDENT = np.stack([V[0], V[1], V[0] + V[1]], axis=1)


@pytest.mark.parametrize("a", [A[0], A[1][:, :2], A[2][:, :1], np.zeros((3, 0)), DEPENDENT])
def test_least_squares(a):
    np.testing.assert_allclose(least_squares(a, V[2], 1e-13), np.linalg.lstsq(a, V[2], rcond=1e-13)[0], rtol=1e-8)


def test_columns_of_very_different_sizes_lose_no_digits():
    sizes = np.array([1.0, 1e-7, 1e5])
    found = least_squares(A[3] * sizes, V[2], 1e-15)
    np.testing.assert_allclose(found * sizes, np.linalg.solve(A[3], V[2]), rtol=1e-12)


@pytest.mark.parametrize("n", [1, 2, 30, 200])
def test_the_largest_eigenvalue(n):
    rows = sparse.diags([1.0, -2.0, 1.0], [-1, 0, 1], shape=(n, n), format="csr")
    weighed = sparse.diags(RANDOM.uniform(0.1, 3.0, n)) @ rows
    for matrix in (rows.T @ rows, weighed.T @ weighed, sparse.identity(n, format="csr")):
        exact = np.linalg.eigvalsh(matrix.toarray())[-1]
        assert largest_eigenvalue(matrix.tocsr()) == pytest.approx(exact, rel=1e-4)
    assert largest_eigenvalue(sparse.csr_matrix((n, n))) == 0.0
