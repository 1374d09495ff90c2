"""Lengths of edges, and how far they are from those at rest."""

import numpy as np

from ..model import Model, State


def rod_edges(rods: np.ndarray, x: np.ndarray, r: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tail and head nodes (m,) and lengths (m,) [m] of a rod's edges."""
    tail = np.arange(rods["first"][r], rods["last"][r] + rods["closed"][r])
    head = np.where(tail < rods["last"][r], tail + 1, rods["first"][r])
    return tail, head, np.linalg.norm(x[head] - x[tail], axis=1)


def strains(model: Model, state: State) -> np.ndarray:
    """Relative change of length (M,) of all edges, |e|/l − 1, in scene order."""
    parts = [rod_edges(model.rods, state.x, r) for r in range(len(model.rods))]
    return np.concatenate([size / model.edges["length"][tail] - 1.0 for tail, _, size in parts])
