"""Bands as dense matrices."""

import numpy as np


def dense(rows, size):
    """The symmetric matrix (n, n) of n rows, ROW, of a band of blocks of so many rows."""
    n = len(rows)
    whole = np.zeros((n, n + rows["value"].shape[1]))
    for j, row in enumerate(rows["value"]):
        first = j - j % size
        whole[j, first : first + len(row)] = row
    upper = np.triu(whole[:, :n])
    return upper + np.triu(upper, 1).T
