"""Elimination of a few unknowns that are all coupled (Golub & Van Loan, *Matrix Computations*, ch. 3 and 4)."""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import cross, dot, vector


@kernel
def eliminate(s: np.ndarray) -> int:
    """S (n, n), symmetric, becomes its L below the diagonal, with the inverse of its pivots on it; returns how many are
    negative.
    """
    negative = 0
    for k in range(len(s)):
        negative += s[k, k] < 0.0
        inverse, top = 1.0 / s[k, k], s[k]
        for i in range(k + 1, len(s)):
            part, row = inverse * top[i], s[i]
            for j in range(i, len(s)):
                row[j] -= part * top[j]
            row[k] = part
        top[k] = inverse
    return negative


@kernel
def forward(s: np.ndarray, v: np.ndarray) -> None:
    """v (n,) becomes L⁻¹ v."""
    for i in range(len(v)):
        value, row = v[i], s[i]
        for k in range(i):
            value -= row[k] * v[k]
        v[i] = value


@kernel
def solve(s: np.ndarray, v: np.ndarray) -> None:
    """v (n,) becomes S⁻¹ v."""
    forward(s, v)
    for i in range(len(v) - 1, -1, -1):
        v[i] *= s[i, i]
        for k in range(i + 1, len(v)):
            v[i] -= s[k, i] * v[k]


@kernel
def divide(a: np.ndarray, b: np.ndarray) -> None:
    """b (n, n) becomes a⁻¹ b by Gauss's and Jordan's elimination, the largest of a column first; a (n, n) is lost."""
    n = len(a)
    for j in range(n):
        best = j
        for i in range(j + 1, n):
            if abs(a[i, j]) > abs(a[best, j]):
                best = i
        pivot = a[best, j]
        for k in range(n):
            a[j, k], a[best, k] = a[best, k] / pivot, a[j, k] if best != j else a[best, k] / pivot
            b[j, k], b[best, k] = b[best, k] / pivot, b[j, k] if best != j else b[best, k] / pivot
        for i in range(n):
            part = a[i, j]
            if i == j or part == 0.0:
                continue
            for k in range(n):
                a[i, k] -= part * a[j, k]
                b[i, k] -= part * b[j, k]


@kernel
def invert(a: np.ndarray) -> None:
    """A symmetric matrix (3, 3) becomes its inverse."""
    p, q, r = vector(a[0]), vector(a[1]), vector(a[2])
    u, v, s = cross(q, r), cross(r, p), cross(p, q)
    k = 1.0 / dot(p, u)
    for c in range(3):
        a[0, c], a[1, c], a[2, c] = k * u[c], k * v[c], k * s[c]
