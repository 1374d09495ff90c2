"""Whole-array statements as loops, for kernels must not allocate."""

import numpy as np

from .._jit import kernel


@kernel
def copy_rows(source: np.ndarray, target: np.ndarray) -> None:
    """target = source, (n, 3)."""
    for i in range(len(source)):
        target[i, 0], target[i, 1], target[i, 2] = source[i, 0], source[i, 1], source[i, 2]


@kernel
def scale_into(source: np.ndarray, factor: float, target: np.ndarray) -> None:
    """target = factor · source."""
    for i in range(len(source)):
        target[i] = factor * source[i]


@kernel
def subtract(one: np.ndarray, other: np.ndarray, target: np.ndarray) -> None:
    """target = one − other, (n, 3)."""
    for i in range(len(one)):
        for c in range(3):
            target[i, c] = one[i, c] - other[i, c]


@kernel
def copy(source: np.ndarray, target: np.ndarray) -> None:
    """target = source, row by row of a table, or number by number."""
    for i in range(len(source)):
        target[i] = source[i]
