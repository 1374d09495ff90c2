"""Products of vectors and small matrices, and what follows from them, with sums in one order everywhere. numpy only.

numpy's @, `linalg.norm` of one vector and the rest of `linalg` go through BLAS and LAPACK, and so do SciPy's turns:
these add up in an order of their own for each kind of processor and number of threads.
"""

from math import copysign, sqrt

import numpy as np

EPSILON = float(np.finfo(float).eps)
SWEEPS = 60  # of which a symmetric matrix takes six or seven: each squares what is left


def dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a · b (...), of vectors (..., n)."""
    return np.sum(a * b, axis=-1)


def norm(a: np.ndarray) -> np.ndarray:
    """|a| (...), of vectors (..., n)."""
    return np.sqrt(dot(a, a))


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a b (..., n, m), of matrices (..., n, k) and (..., k, m)."""
    return np.einsum("...ik,...kj->...ij", a, b)


def moved(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """a x (..., n), of one matrix (n, k) and vectors (..., k)."""
    return np.einsum("jk,...k->...j", a, x)


def determinant(a: np.ndarray) -> np.ndarray:
    """(...), of matrices (..., 3, 3)."""
    return dot(a[..., 0], np.cross(a[..., 1], a[..., 2]))


def inverse(a: np.ndarray) -> np.ndarray:
    """(..., 3, 3), of such: its rows are the columns' cross products over the determinant."""
    rows = [np.cross(a[..., i - 2], a[..., i - 1]) for i in range(3)]
    return np.stack(rows, axis=-2) / determinant(a)[..., None, None]


def principal_axes(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(eigenvalues (n,), ascending, their unit vectors as columns (n, n)) of a small symmetric matrix: Jacobi's method
    (Golub & Van Loan, *Matrix Computations*, §8.5), which ends where what is beside the diagonal is lost against it.
    """
    a, axes = np.array(a, np.float64), np.eye(len(a))
    for _ in range(SWEEPS):
        turned = False
        for i in range(len(a)):
            for k in range(i + 1, len(a)):
                one, other, beside = float(a[i, i]), float(a[k, k]), float(a[i, k])
                if abs(one) + abs(other) + abs(beside) == abs(one) + abs(other):
                    a[i, k] = a[k, i] = 0.0
                    continue
                turned, (c, s) = True, _turn(one, other, beside)
                for matrix in (a, a.T, axes):  # columns, rows; and of the axes columns
                    u, v = matrix[:, i].copy(), matrix[:, k].copy()
                    matrix[:, i], matrix[:, k] = c * u - s * v, s * u + c * v
        if not turned:
            break
    order = np.argsort(np.diag(a), kind="stable")
    return np.diag(a)[order], axes[:, order]


def least_squares(a: np.ndarray, b: np.ndarray, negligible: float) -> np.ndarray:
    """The shortest x (k,) of least |a x − b|, of a (n, k) with few columns: one-sided Jacobi (Hestenes 1958) turns them
    until they are at right angles. Singular values of less than `negligible` of the largest count as none.
    """
    a, axes = np.array(a, np.float64), np.eye(a.shape[1])
    for _ in range(SWEEPS):
        turned = False
        for i in range(a.shape[1]):
            for k in range(i + 1, a.shape[1]):
                one, other, beside = (float(dot(a[:, p], a[:, q])) for p, q in ((i, i), (k, k), (i, k)))
                if abs(beside) <= EPSILON * sqrt(one) * sqrt(other):
                    continue
                turned, (c, s) = True, _turn(one, other, beside)
                for matrix in (a, axes):
                    u, v = matrix[:, i].copy(), matrix[:, k].copy()
                    matrix[:, i], matrix[:, k] = c * u - s * v, s * u + c * v
        if not turned:
            break
    size = norm(a.T)
    large = size > negligible * size.max(initial=0.0)
    return dot(axes[:, large], dot(a.T[large], b) / size[large] ** 2)


def _turn(one: float, other: float, beside: float) -> tuple[float, float]:
    """(cosine, sine) of the turn that makes the symmetric matrix of these diagonal."""
    tau = (other - one) / (2.0 * beside)
    t = copysign(1.0, tau) / (abs(tau) + sqrt(1.0 + tau * tau))
    c = 1.0 / sqrt(1.0 + t * t)
    return c, t * c
