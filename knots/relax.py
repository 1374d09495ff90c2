"""Drawn ropes, made smooth: the stiffest shape near the drawing in which strands keep apart.

Minimises ½ Σ (BEND |Δ²x|² + PULL |Δx|² + HOLD |x − drawn|²), by implicit steps, over shapes in which no two nodes are
nearer than their distance along the rope allows: the chord of the tightest bend, and GAP beyond it. What is nearer is
pushed apart after every step, each pair along the line that joins it (position based dynamics: Müller et al. 2007).
Lengths are radii of the rope.
"""

from itertools import pairwise

import numpy as np

from . import spline
from .clearance import GAP, least_distance

SPACING = 0.75  # of nodes
BEND, PULL, HOLD = 6.0, 0.06, 0.004
STEPS, SWEEPS = 240, 6
EAGER = 1.5  # how far what is too near is pushed, over the mean of what its pairs ask
FIRM = 1e6  # HOLD of an open rope's ends


def relaxed(ropes: list[np.ndarray], closed: list[bool], post_radius: float, post_axis: np.ndarray) -> list[np.ndarray]:
    """Evenly spaced points of each rope (n, 3). post_axis (2, 3): its ends; a post of radius 0 is none."""
    ropes = [spline.evenly(rope, ring, SPACING) for rope, ring in zip(ropes, closed, strict=True)]
    starts = np.cumsum([0] + [len(rope) for rope in ropes])
    x = drawn = np.vstack(ropes)
    hold = np.full(len(x), HOLD)
    for ring, (start, end) in zip(closed, pairwise(starts), strict=True):
        hold[[start, end - 1]] += 0.0 if ring else FIRM
    stiffness = _stiffness(starts, closed)
    step = np.linalg.inv(np.eye(len(x)) + stiffness + np.diag(hold))
    least = _least(starts, closed)
    for _ in range(STEPS):
        x = step @ (x + hold[:, None] * drawn)
        for _ in range(SWEEPS):
            _push_apart(x, least)
            _push_off(x, post_radius + 0.5 * GAP, post_axis)
    return [x[start:end] for start, end in pairwise(starts)]


def _least(starts: np.ndarray, closed: list[bool]) -> np.ndarray:
    """Matrix (n, n) of how near two nodes may be."""
    along = np.full((starts[-1], starts[-1]), np.inf)
    for ring, (start, end) in zip(closed, pairwise(starts), strict=True):
        apart = abs(np.subtract.outer(np.arange(end - start), np.arange(end - start)))
        along[start:end, start:end] = SPACING * (np.minimum(apart, end - start - apart) if ring else apart)
    return least_distance(along)


def _stiffness(starts: np.ndarray, closed: list[bool]) -> np.ndarray:
    """Hessian (n, n) of the energy but for HOLD."""
    n = starts[-1]
    matrix = np.zeros((n, n))
    for ring, (start, end) in zip(closed, pairwise(starts), strict=True):
        k = end - start
        first = np.roll(np.eye(k), 1, axis=1) - np.eye(k)
        second = np.roll(np.eye(k), 1, axis=1) - 2.0 * np.eye(k) + np.roll(np.eye(k), -1, axis=1)
        if not ring:
            first, second = first[:-1], second[1:-1]
        matrix[start:end, start:end] = PULL * first.T @ first + BEND * second.T @ second
    return matrix


def _push_apart(x: np.ndarray, least: np.ndarray) -> None:
    """Move nodes that are too near each other, in place."""
    square = np.sum(x * x, axis=1)
    distance2 = np.maximum(square[:, None] + square[None, :] - 2.0 * x @ x.T, 0.0)
    i, j = np.nonzero(np.triu(distance2 < least**2, 1))
    if not len(i):
        return
    d = x[i] - x[j]
    distance = np.maximum(np.linalg.norm(d, axis=1), 1e-9)
    push = 0.5 * ((least[i, j] - distance) / distance)[:, None] * d
    moved, count = np.zeros_like(x), np.zeros(len(x))
    np.add.at(moved, i, push)
    np.add.at(moved, j, -push)
    np.add.at(count, i, 1.0)
    np.add.at(count, j, 1.0)
    x += EAGER * moved / np.maximum(count, 1.0)[:, None]


def _push_off(x: np.ndarray, radius: float, axis: np.ndarray) -> None:
    """Move nodes out of a cylinder, in place; an axis without length is none."""
    direction = axis[1] - axis[0]
    if not direction.any():
        return
    direction = direction / np.linalg.norm(direction)
    away = x - axis[0]
    away = away - np.outer(away @ direction, direction)
    distance = np.linalg.norm(away, axis=1)
    inside = distance < radius
    x[inside] += (radius / distance[inside] - 1.0)[:, None] * away[inside]
