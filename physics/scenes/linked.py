"""What hangs together: things that links join, one with the next. numpy only."""

import numpy as np
from numpy.typing import ArrayLike


def linked(links: ArrayLike, count: int) -> np.ndarray:
    """(count,) a number for each of so many things, the same for those that links (k, 2) join, counted up by the first
    of them.
    """
    pairs = np.asarray(links, dtype=np.int64).reshape(-1, 2)
    least, before = np.arange(count), None
    while before is None or not np.array_equal(least, before):
        before, both = least, least[pairs]
        least = before.copy()
        np.minimum.at(least, np.concatenate([pairs, both]), np.tile(both.min(axis=1), 2)[:, None])
        least = least[least]  # each time at least what that one is known to be joined with
    return np.unique(least, return_inverse=True)[1]


def together(links: ArrayLike, count: int) -> list[np.ndarray]:
    """The same as lists of what hangs together."""
    of = linked(links, count)
    return np.split(np.argsort(of, kind="stable"), np.cumsum(np.bincount(of))[:-1]) if count else []
