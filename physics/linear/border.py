"""A symmetric band with a border of a few unknowns that are coupled with all others, and more that couples unknowns far
apart, a sum of squares.

    [ A  Bᵀ ] [x]   [f]
    [ B  C  ] [s] = [g],    S = C − B A⁻¹ Bᵀ,    S s = g − B A⁻¹ f,    x = A⁻¹ (f − Bᵀ s).

The whole has as many negative eigenvalues as A and S have (Haynsworth). With no border it is the band alone.

A sum Uᵀ D U, D = ±1, besides A is a border too: s = D U x is what solves

    [ A   Uᵀ ] [x]   [f]
    [ U  −D  ] [s] = [0],    (A + Uᵀ D U) x = f,

which has, besides those of A + Uᵀ D U, as many negative eigenvalues as −D has.
"""

from typing import Protocol

import numpy as np

NOTHING = np.zeros(0)
LANCZOS = 30  # vectors, among which a negative direction shows


class Factors(Protocol):
    """Of a symmetric matrix A (n, n)."""

    n: int
    negative: int  # how many eigenvalues are

    def solve(self, b: np.ndarray) -> None:
        """The rows of b (r, n), right-hand sides, become solutions."""

    def negative_direction(self, p: np.ndarray) -> None:
        """p (n,): pᵀAp < 0, where A has a negative eigenvalue."""


class Bordered:
    """Factors of A with a border (m, n + m): B and C side by side; coupling (r, n) and sign (r,): U and D."""

    def __init__(
        self, own: Factors, border: np.ndarray, coupling: np.ndarray | None = None, sign: np.ndarray = NOTHING
    ) -> None:
        self.own, self.n, self.m, self.coupled = own, own.n, len(border), len(sign)
        self.negative = own.negative
        self.b = border[:, : self.n]
        if coupling is not None and self.coupled:
            self.b = np.concatenate([self.b, coupling])
        if len(self.b):
            self.z = np.array(self.b, order="C")
            own.solve(self.z)
            s = -self.b @ self.z.T
            s[: self.m, : self.m] += border[:, self.n :]
            s[range(self.m, len(s)), range(self.m, len(s))] -= sign
            self.size = np.ones(len(s))  # of what is coupled rows are as large as springs are stiff
            self.size[self.m :] = 1.0 / np.sqrt(np.maximum(np.abs(np.diag(s)[self.m :]), 1.0))
            s *= self.size[:, None] * self.size
            self.value, self.axes = np.linalg.eigh(0.5 * (s + s.T))
            self.negative += int(np.count_nonzero(self.value <= 0.0)) - int(np.count_nonzero(sign > 0.0))

    def solve(self, y: np.ndarray) -> None:
        """y (n + m,), the right-hand side, becomes the solution."""
        x = y[None, : self.n]
        self.own.solve(x)
        if len(self.b):
            right = np.zeros(len(self.b))
            right[: self.m] = y[self.n :]
            right = self.size * (right - self.b @ x[0])
            s = self.size * (self.axes @ ((self.axes.T @ right) / self.value))
            y[self.n :] = s[: self.m]
            x[0] -= s @ self.z

    def negative_direction(self, p: np.ndarray) -> None:
        """p (n + m,): pᵀAp < 0 of the whole, where it has a negative eigenvalue."""
        x, s = p[: self.n], p[self.n :]
        if self.coupled:
            p[:] = self._by_lanczos()
        elif len(s) and self.value[0] < 0.0:
            s[:] = self.axes[:, 0]
            x[:] = -(s @ self.z)
        else:
            s[:] = 0.0
            self.own.negative_direction(x)

    def _by_lanczos(self) -> np.ndarray:
        """x = H⁻¹ v, xᵀ H x = vᵀ H⁻¹ v < 0, v of the Krylov space of H⁻¹ (Golub & Van Loan, §10.1)."""
        count = self.n + self.m
        v = np.cos(np.arange(count, dtype=float) ** 2)  # any that is in line with nothing
        basis: list[np.ndarray] = []
        solved: list[np.ndarray] = []
        for _ in range(min(LANCZOS, count)):
            for u in basis * 2:
                v -= (u @ v) * u
            size = float(np.linalg.norm(v))
            if size < 1e-12:
                break
            basis.append(v / size)
            v = basis[-1].copy()
            self.solve(v)
            solved.append(v.copy())
        inner = np.array(basis) @ np.array(solved).T
        axes = np.linalg.eigh(0.5 * (inner + inner.T))[1]
        found: np.ndarray = axes[:, 0] @ np.array(solved)
        return found / np.linalg.norm(found)
