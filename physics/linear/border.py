"""A symmetric band with a border of a few unknowns that are coupled with all others, and more that couples unknowns far
apart, a sum of squares.

    [ A  Bᵀ ] [x]   [f]
    [ B  C  ] [s] = [g],    S = C − B A⁻¹ Bᵀ,    S s = g − B A⁻¹ f,    x = A⁻¹ (f − Bᵀ s).

The whole has as many negative eigenvalues as A and S have (Haynsworth). With no border it is the band alone.

A sum Uᵀ D U, D = ±1, besides A is a border too: s = D U x is what solves

    [ A   Uᵀ ] [x]   [f]
    [ U  −D  ] [s] = [0],    (A + Uᵀ D U) x = f,

which has, besides those of A + Uᵀ D U, as many negative eigenvalues as −D has.

A is of blocks that are not coupled with each other, perhaps, each with rows of B that are 0 elsewhere: S is the sum of
what each takes away, at a cost in proportion to the blocks.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

NOTHING = np.zeros(0)
LANCZOS = 30  # vectors, among which a negative direction shows


class Factors(Protocol):
    """Of a symmetric matrix A (n, n)."""

    n: int
    negative: int  # how many eigenvalues are

    @property
    def blocks(self) -> Sequence[tuple[slice, "Factors"]]:
        """Columns of what is not coupled with the rest, and its factors."""

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
            s = np.zeros((len(self.b), len(self.b)))
            s[: self.m, : self.m] = border[:, self.n :]
            self.blocks = []
            for columns, factors in own.blocks:
                rows = np.flatnonzero(self.b[:, columns].any(axis=1))
                b = self.b[rows, columns]
                z = b.copy()
                factors.solve(z)
                s[np.ix_(rows, rows)] -= b @ z.T
                self.blocks.append((columns, rows, b, z))
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
            for columns, rows, b, _ in self.blocks:
                right[rows] -= b @ x[0, columns]
            right *= self.size
            s = self.size * (self.axes @ ((self.axes.T @ right) / self.value))
            y[self.n :] = s[: self.m]
            self._give_way(x[0], s)

    def _give_way(self, x: np.ndarray, s: np.ndarray) -> None:
        """x (n,) less A⁻¹ Bᵀ s."""
        for columns, rows, _, z in self.blocks:
            x[columns] -= s[rows] @ z

    def negative_direction(self, p: np.ndarray) -> None:
        """p (n + m,): pᵀAp < 0 of the whole, where it has a negative eigenvalue."""
        x, s = p[: self.n], p[self.n :]
        if self.coupled:
            p[:] = self._by_lanczos()
        elif len(s) and self.value[0] < 0.0:
            s[:] = self.axes[:, 0]
            x[:] = 0.0
            self._give_way(x, s)
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
