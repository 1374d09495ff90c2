"""Curves one after the other in plain arrays: points (P, 3) of k of them, which begin at starts (k + 1,). No bpy."""

import numpy as np

from .stripe import dot, transport, unit


def rows_of(starts: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of chosen curves, one after the other: numbers of their points, and where these begin then (c + 1,)."""
    first = np.concatenate([[0], np.cumsum(np.diff(starts)[chosen])])
    return np.repeat(starts[chosen] - first[:-1], np.diff(first)) + np.arange(first[-1]), first


def edges_of(starts: np.ndarray, closed: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points where edges (M,) of curves begin and end, and where the edges of each begin (k + 1,)."""
    count = np.diff(starts)
    edges = count - ~closed
    begin = np.concatenate([[0], np.cumsum(edges)])
    number = np.arange(begin[-1]) - np.repeat(begin[:-1], edges)  # of each edge along its curve
    tail = np.repeat(starts[:-1], edges) + number
    head = np.where(number + 1 < np.repeat(count, edges), tail + 1, np.repeat(starts[:-1], edges))
    return tail, head, begin


def edge_axes(x: np.ndarray, starts: np.ndarray, closed: np.ndarray) -> np.ndarray:
    """First axes (M, 3) across edges, from edge to edge by the least turn: of all curves at once."""
    tail, head, begin = edges_of(starts, closed)
    along, axes = unit(x[head] - x[tail]), np.empty((len(tail), 3))
    first = along[begin[:-1]]
    across = np.eye(3)[np.abs(first).argmin(axis=1)]
    axes[begin[:-1]] = unit(across - dot(across, first) * first)
    for k in range(1, np.diff(begin).max()):
        now = begin[:-1][np.diff(begin) > k] + k
        axes[now] = transport(axes[now - 1], along[now - 1], along[now])
    return axes


def arc_lengths(x: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """(P,): of each point along its curve."""
    way = np.cumsum(np.linalg.norm(np.diff(x, axis=0, prepend=x[:1]), axis=1))
    return way - np.repeat(way[starts[:-1]], np.diff(starts))


def places_at(x: np.ndarray, starts: np.ndarray, arc: float) -> np.ndarray:
    """(k, 3): where each curve is after such a length, or ends."""
    at = arc_lengths(x, starts)
    low, share = between(at, starts, np.arange(len(starts) - 1), np.full(len(starts) - 1, arc))
    return x[low] + share[:, None] * (x[low + 1] - x[low])


def between(at: np.ndarray, starts: np.ndarray, curve: np.ndarray, arc: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(number of a point, share of the next one) of places (…,) at arc lengths on such curves, or at their ends; at:
    `arc_lengths`.
    """
    apart = 2.0 * at.max() + 1.0  # so that a search finds the curve too
    keys = at + apart * np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    low = np.searchsorted(keys, np.maximum(arc, 0.0) + apart * curve, side="right") - 1
    low = np.clip(low, starts[curve], starts[curve + 1] - 2)
    return low, np.clip((arc - at[low]) / (at[low + 1] - at[low]), 0.0, 1.0)
