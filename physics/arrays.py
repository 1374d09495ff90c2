"""Whole-array statements as loops, for kernels must not allocate."""

from ._jit import njit


@njit
def copy_rows(source, target):
    """target = source, (n, 3)."""
    for i in range(len(source)):
        target[i, 0], target[i, 1], target[i, 2] = source[i, 0], source[i, 1], source[i, 2]


@njit
def scale_into(source, factor, target):
    """target = factor · source."""
    for i in range(len(source)):
        target[i] = factor * source[i]


@njit
def fill(value, target):
    """All of target (n,) = value."""
    for i in range(len(target)):
        target[i] = value


@njit
def smallest(values):
    """The smallest of some positive values."""
    best = values[0]
    for value in values:
        best = min(best, value)
    return best
