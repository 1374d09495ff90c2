"""Symbolic elimination of a sparse symmetric system: in which order, with which entries, by which updates.

Minimum degree (Markowitz; Rose 1972): the unknown with the fewest neighbours goes first, its neighbours become
neighbours of each other. On trees nothing fills in and the work is linear; loops fill in as little as this order needs.
"""

from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np


class Elimination(NamedTuple):
    """order (U,): the unknown eliminated k-th; row (U,), its inverse; the rest as in model.LengthSystem."""

    order: np.ndarray
    row: np.ndarray
    column: np.ndarray
    below: np.ndarray
    update: np.ndarray

    def slot(self, a: int, b: int) -> int:
        """Entry of the unknowns a ≠ b."""
        low, high = sorted((self.row[a], self.row[b]))
        start = self.column[low]
        return start + int(np.searchsorted(self.below[start : self.column[low + 1]], high))


def eliminate(neighbours: Sequence[set[int]], after: Mapping[int, set[int]]) -> Elimination:
    """Elimination of unknowns that are coupled with the sets `neighbours`; those in `after` (unknown: set) have to
    wait until all of their set are gone.
    """
    count = len(neighbours)
    graph = [set(near) for near in neighbours]
    waiting = {k: set(before) for k, before in after.items()}
    heap = [(len(near), k) for k, near in enumerate(graph)]
    heapify(heap)
    order, columns, gone = [], [], np.zeros(count, dtype=bool)
    while heap:
        degree, k = heappop(heap)
        if gone[k] or degree != len(graph[k]) or k in waiting:
            continue
        gone[k] = True
        order.append(k)
        near = graph[k]
        columns.append(near)
        for i in near:
            graph[i].discard(k)
            graph[i] |= near
            graph[i].discard(i)
        for i in [i for i, before in waiting.items() if k in before]:
            waiting[i].discard(k)
            if not waiting[i]:
                del waiting[i]
                heappush(heap, (len(graph[i]), i))
        for i in near:
            heappush(heap, (len(graph[i]), i))
    return _compressed(np.array(order, dtype=np.int64), columns)


def _compressed(order: np.ndarray, columns: Sequence[set[int]]) -> Elimination:
    row = np.empty(len(order), dtype=np.int64)
    row[order] = np.arange(len(order))
    rows = [np.sort(row[list(near)]) if near else np.zeros(0, np.int64) for near in columns]
    column = np.concatenate([[0], np.cumsum([len(r) for r in rows])]).astype(np.int64)
    below = np.concatenate([np.zeros(0, np.int64), *rows])
    update = []
    for r in rows:  # entry (r[q], r[p]) for p < q
        for p in range(len(r)):
            start = column[r[p]]
            inside = below[start : column[r[p] + 1]]
            update.append(start + np.searchsorted(inside, r[p + 1 :]))
    return Elimination(order, row, column, below, np.concatenate([np.zeros(0, np.int64), *update]))
