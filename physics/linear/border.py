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
what each takes away, sparse as what they are joined by, at a cost in proportion to the blocks. A small one is taken as
full, and that with a sum of squares.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from scipy.linalg import lapack
from scipy.sparse import coo_matrix

from .elimination import factorised

NOTHING = np.zeros(0)
FEW = 50  # rows, which sparse elimination takes longer for
BLOCK = 32  # columns that LAPACK eliminates at once
LANCZOS = 30  # vectors, among which a negative direction shows


class Border(NamedTuple):
    """Rows (r,) of the border that each block is coupled with, of `size`, and what by, B (r, n) of its columns; C as
    a sum of values (k,) `at` places (2, k).
    """

    size: int
    blocks: Sequence[tuple[np.ndarray, np.ndarray]]
    values: np.ndarray
    at: np.ndarray

    @classmethod
    def full(cls, border: np.ndarray) -> "Border":
        """Of one block, B and C side by side (m, n + m)."""
        m = len(border)
        b, c = np.split(border, [border.shape[1] - m], axis=1)
        return cls(m, [(np.arange(m), b)], c.ravel(), np.indices((m, m)).reshape(2, -1))


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


class Sparse:
    """Factors of S (m, m), a sum of values `at` places."""

    def __init__(self, values: np.ndarray, at: np.ndarray, m: int) -> None:
        self.found = factorised(coo_matrix((values, at), shape=(m, m)))
        self.pivot = self.found.U.diagonal()
        self.negative = int(np.count_nonzero(self.pivot <= 0.0))

    def solve(self, b: np.ndarray) -> np.ndarray:
        """S⁻¹ b."""
        found: np.ndarray = self.found.solve(b)
        return found

    def negative_direction(self) -> np.ndarray:
        """s = L⁻ᵀe of the most negative pivot, which is sᵀSs: what Ss = LDe asks for."""
        k = int(np.argmin(self.pivot))
        column = self.found.L[:, [k]].toarray()[:, 0]
        return self.solve(self.pivot[k] * column[self.found.perm_r])


class Full:
    """The same, of which rows from `first` on are as large as springs are stiff."""

    value = NOTHING

    def __init__(self, values: np.ndarray, at: np.ndarray, m: int, first: int) -> None:
        s = np.zeros((m, m))
        np.add.at(s, tuple(at), values)
        self.size = np.ones(m)
        self.size[first:] = 1.0 / np.sqrt(np.maximum(np.abs(np.diag(s)[first:]), 1.0))
        s *= self.size[:, None] * self.size
        s = 0.5 * (s + s.T)
        if first < m:  # many: L D Lᵀ with blocks of 2 in D, each of which has one negative eigenvalue (Bunch & Kaufman)
            self.found = lapack.dsytrf(s.T, lower=1, lwork=BLOCK * m, overwrite_a=1)
            single = self.found[1] >= 0
            self.negative = int(
                np.count_nonzero(self.found[0].diagonal()[single] <= 0.0) + np.count_nonzero(~single) // 2
            )
            return
        self.value, self.axes = np.linalg.eigh(s)
        self.negative = int(np.count_nonzero(self.value <= 0.0))

    def negative_direction(self) -> np.ndarray:
        """s: sᵀSs < 0."""
        return self.size * self.axes[:, 0]

    def solve(self, b: np.ndarray) -> np.ndarray:
        """S⁻¹ b."""
        right = self.size * b
        if len(self.value):
            found: np.ndarray = self.size * (self.axes @ ((self.axes.T @ right) / self.value))
            return found
        whole: np.ndarray = self.size * lapack.dsytrs(*self.found[:2], right, lower=1)[0]
        return whole


class Bordered:
    """Factors of A with a border, C shifted by a multiple of 1; coupling (r, n) and sign (r,): U and D."""

    def __init__(
        self, own: Factors, border: Border, shift: float = 0.0, coupling: np.ndarray | None = None,
        sign: np.ndarray = NOTHING,
    ) -> None:  # fmt: skip
        self.own, self.n, self.m, self.coupled = own, own.n, border.size, len(sign)
        self.negative = own.negative
        self.rest: Sparse | Full | None = None  # factors of S
        self.blocks: list[tuple[slice, np.ndarray, np.ndarray, np.ndarray]] = []
        count = self.m + self.coupled
        if not count:
            return
        diagonal = np.arange(count)
        values = [border.values, np.full(self.m, shift), -sign]
        places = [border.at, np.stack([diagonal, diagonal])]
        for (columns, factors), (coupled, edge) in zip(own.blocks, border.blocks, strict=True):
            rows, b = coupled, edge.copy()
            if self.coupled and coupling is not None:
                more = np.flatnonzero(coupling[:, columns].any(axis=1))
                rows, b = np.append(rows, self.m + more), np.concatenate([b, coupling[more, columns]])
            z = b.copy()
            factors.solve(z)
            values.append(-(b @ z.T).ravel())
            places.append(np.stack([np.repeat(rows, len(rows)), np.tile(rows, len(rows))]))
            self.blocks.append((columns, rows, b, z))
        s = np.concatenate(values), np.concatenate(places, axis=1), count
        self.rest = Full(*s, self.m) if self.coupled or self.m <= FEW else Sparse(*s)
        self.negative += self.rest.negative - int(np.count_nonzero(sign > 0.0))

    def solve(self, y: np.ndarray) -> None:
        """y (n + m,), the right-hand side, becomes the solution."""
        x = y[None, : self.n]
        self.own.solve(x)
        if self.rest is not None:
            right = np.zeros(self.m + self.coupled)
            right[: self.m] = y[self.n :]
            for columns, rows, b, _ in self.blocks:
                right[rows] -= b @ x[0, columns]
            s = self.rest.solve(right)
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
        elif self.rest is not None and self.rest.negative:
            s[:] = self.rest.negative_direction()
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
