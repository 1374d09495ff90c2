"""What hangs together: things that links join, one with the next."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components


def linked(links: ArrayLike, count: int) -> np.ndarray:
    """(count,) a number for each of so many things, the same for those that links (k, 2) join, counted up by the first
    of them.
    """
    pairs = np.asarray(links, dtype=np.int64).reshape(-1, 2)
    if not len(pairs):
        return np.arange(count)
    graph = coo_matrix((np.ones(len(pairs)), tuple(pairs.T)), shape=(count, count))
    return connected_components(graph, directed=False)[1].astype(np.int64)
