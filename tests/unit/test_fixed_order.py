"""Sums in one order, against numpy's, which are in another."""

import os
import subprocess
import sys
from platform import machine

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.transform import Rotation
from tendril.physics.arithmetic.fixed_order import (
    determinant,
    dot,
    inverse,
    least_squares,
    moved,
    norm,
    principal_axes,
    product,
)  # fmt: skip
from tendril.physics.arithmetic.quaternions import turned, turned_back
from tendril.physics.assemble.largest_eigenvalue import largest_eigenvalue

READ_AND_FILLED = """
import hashlib, itertools, numpy as np
from tendril.bridge.inertia import of_box, of_mesh
from tendril.bridge.units import to_object, to_world
from tendril.meshing.embedding import Embedding
from tendril.meshing.extension import extend
from tendril.trees.self_buckling import strengthen
from tendril.physics.materials import Material
from tendril.physics.scene import Rod
random = np.random.default_rng(3)
matrix, x = np.eye(4) + 0.3 * random.standard_normal((4, 4)), random.standard_normal((200, 3))
corners = np.array(list(itertools.product((0.0, 1.0), repeat=3)))
node = np.array([[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]])
inside = random.uniform(0.1, 0.9, (50, 3))
stem = Rod.from_material("stem", np.linspace([0.0, 0.0, 0.0], [0.3, 0.1, 5.0], 20), 0.01, Material(1e8, 0.3, 700.0))
found = (
    to_world(matrix, x), to_object(matrix, x), Embedding.of(inside, corners, node).weights,
    extend(corners, node, inside, 0.1 * random.standard_normal((50, 3))), *of_mesh(x[:9], node[:, :3])[:3],
    *of_box(x[0], matrix[:3, :3])[:3], strengthen([stem], [None], [], np.array([0.1, 0.2, -9.81]))[0].bend_stiffness,
)
print([hashlib.sha256(np.ascontiguousarray(one).tobytes()).hexdigest() for one in found])
"""
RANDOM = np.random.default_rng(1)
A, B, V = (RANDOM.standard_normal(shape) for shape in ((20, 3, 3), (20, 3, 3), (20, 3)))


@pytest.mark.skipif(machine() not in {"x86_64", "AMD64"}, reason="names of those processors")
def test_what_is_read_and_filled_does_not_depend_on_what_blas_takes_the_processor_for():
    told = {
        subprocess.run(
            [sys.executable, "-c", READ_AND_FILLED], env=os.environ | {"OPENBLAS_CORETYPE": core},
            capture_output=True, text=True, check=True,
        ).stdout
        for core in ("Prescott", "Nehalem", "Haswell")
    }  # fmt: skip
    assert len(told) == 1, told


def test_products_are_numpys_but_for_rounding():
    np.testing.assert_allclose(dot(V, V[::-1]), [a @ b for a, b in zip(V, V[::-1], strict=True)], atol=1e-15)
    np.testing.assert_allclose(norm(V), np.linalg.norm(V, axis=1), rtol=1e-15)
    np.testing.assert_allclose(product(A, B), A @ B, atol=1e-14)
    np.testing.assert_allclose(moved(A[0], V.reshape(4, 5, 3)), V.reshape(4, 5, 3) @ A[0].T, atol=1e-14)
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
