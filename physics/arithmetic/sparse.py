"""Sparse matrices that are sums of small blocks. numpy and scipy."""

import numpy as np
import scipy.sparse as sp


def scattered(blocks: np.ndarray, row: np.ndarray, column: np.ndarray, shape: tuple[int, int]) -> sp.csr_matrix:
    """The sum of blocks (..., r, c) at rows (..., r) and columns (..., c)."""
    rows, columns = np.broadcast_to(row[..., None], blocks.shape), np.broadcast_to(column[..., None, :], blocks.shape)
    return sp.csr_matrix((blocks.ravel(), (rows.ravel(), columns.ravel())), shape=shape)
