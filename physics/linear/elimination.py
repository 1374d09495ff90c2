"""Symbolic elimination of a sparse symmetric system: in which order, with which entries.

The order is of minimum degree (Liu 1985, *Modification of the minimum-degree algorithm*), as SuperLU finds it: on trees
nothing fills in and the work is linear; loops fill in as little as this order needs. The entries are those of the
factor of a graph's Laplacian, whose eliminations are such Laplacians again, so that no entry that fills in is 0.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_matrix, diags, spmatrix, tril
from scipy.sparse.linalg import SuperLU, splu

GROUND = 1e-6  # of a coupling: what makes the Laplacian definite. Couplings 1e5 unknowns long still do not die away


class Elimination(NamedTuple):
    """row (U,): when each unknown is eliminated; the rest as in model.LengthSystem."""

    row: np.ndarray
    column: np.ndarray
    below: np.ndarray

    def slot(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Entries (…) of the unknowns a ≠ b (…)."""
        count, one, other = len(self.row), self.row[a], self.row[b]
        kept = np.repeat(np.arange(count), np.diff(self.column)) * count + self.below
        return np.searchsorted(kept, np.minimum(one, other) * count + np.maximum(one, other))


def factorised(matrix: spmatrix, order: str = "MMD_AT_PLUS_A") -> SuperLU:
    """L D Lᵀ of a symmetric matrix: U is D Lᵀ, row i of the matrix is row perm_c[i] of L."""
    return splu(matrix.tocsc(), permc_spec=order, diag_pivot_thresh=0.0, options={"SymmetricMode": True})


def below_diagonal(found: SuperLU) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where columns of L begin (U + 1,), the rows of its entries below the diagonal, in order, and these."""
    lower = tril(found.L, -1, format="csc")
    lower.eliminate_zeros()
    lower.sort_indices()
    return lower.indptr.astype(np.int64), lower.indices.astype(np.int64), lower.data.copy()


def eliminate(count: int, coupled: np.ndarray, after: Mapping[int, set[int]]) -> Elimination:
    """Elimination of `count` unknowns, coupled by pairs (p, 2); those in `after` (unknown: set) wait until all of
    their set are gone.
    """
    if count == 0:
        none = np.zeros(0, np.int64)
        return Elimination(none, np.zeros(1, np.int64), none)
    one, other = coupled[coupled[:, 0] != coupled[:, 1]].T
    near = coo_matrix((np.ones(len(one)), (one, other)), shape=(count, count)).tocsr()
    near = near + near.T
    laplacian = diags(np.asarray(near.sum(axis=0)).ravel() + GROUND) - near
    found = factorised(laplacian)
    row = _in_turn(found.perm_c.astype(np.int64), near)
    place = row.astype(float)
    for k, before in after.items():
        place[k] = max(place[k], place[list(before)].max() + 0.5)
    if np.any(place != found.perm_c):
        order = np.argsort(place, kind="stable")
        found = factorised(laplacian.tocsr()[order][:, order], "NATURAL")
        row[order] = found.perm_c  # what is coupled keeps its order
    return Elimination(row, *below_diagonal(found)[:2])


def _in_turn(row: np.ndarray, near: spmatrix) -> np.ndarray:
    """The same order, but that of unknowns which are coupled with the same ones, and so may change places, the first
    comes first: who lays them out knows which are the stiff ones.
    """
    own = np.arange(len(row))
    mark = np.random.default_rng(0).integers(1 << 40, size=len(row))
    _, alike = np.unique((near != 0).astype(np.int64) @ mark + mark, return_inverse=True)
    found = np.empty_like(row)
    found[np.lexsort((own, alike))] = row[np.lexsort((row, alike))]
    return found
