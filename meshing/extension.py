"""A displacement known at some points of a mesh of tetrahedra, carried on to all of its nodes, as smoothly as it goes.

Sought is u at the nodes with the least Σ |W u − d|² + ε/h ∫ |∇u|² dV: W are the points' shares in the nodes
(`embedding`), d their displacements, h the mean edge. Its equations are solved by conjugate gradients, scaled by their
diagonal (Shewchuk 1994, *An introduction to the conjugate gradient method*, B3).
"""

import numpy as np

from ..physics.arithmetic.fixed_order import determinant, inverse, product
from .embedding import Embedding

SMOOTH = 1e-3  # ε: of an element's displacement so much is smoothed away at the points
PRECISE = 1e-7  # of the first residual
EXTENSION_ITERATIONS = 2000  # iterations


def extend(x: np.ndarray, tetrahedra: np.ndarray, points: np.ndarray, displacement: np.ndarray) -> np.ndarray:
    """u (n, 3) [m] of the nodes x (n, 3) of tetrahedra (t, 4) from that of points (p, 3), displacement (p, 3)."""
    known, stiffness = Embedding.of(points, x, tetrahedra), _smoothing(x[tetrahedra])

    def applied(u: np.ndarray) -> np.ndarray:
        pull = known.weights[:, :, None] * known.carry(u)[:, None]
        return _gathered(known.nodes, pull, len(x)) + _gathered(tetrahedra, product(stiffness, u[tetrahedra]), len(x))

    diagonal = np.bincount(known.nodes.ravel(), np.ravel(known.weights**2), len(x))
    diagonal += np.bincount(tetrahedra.ravel(), np.einsum("tii->ti", stiffness).ravel(), len(x))
    u = np.zeros_like(x)
    residual = _gathered(known.nodes, known.weights[:, :, None] * displacement[:, None], len(x))
    first = search = residual / diagonal[:, None]
    square = least = float(np.sum(residual * first))
    for _ in range(EXTENSION_ITERATIONS):
        if not square > PRECISE**2 * least:
            break
        answer = applied(search)
        step = square / float(np.sum(search * answer))
        u, residual, before = u + step * search, residual - step * answer, square
        scaled = residual / diagonal[:, None]
        square = float(np.sum(residual * scaled))
        search = scaled + square / before * search
    return u


def _smoothing(corners: np.ndarray) -> np.ndarray:
    """ε/h V ∇Nᵢ·∇Nⱼ (t, 4, 4) of linear shape functions N of tetrahedra with corners (t, 4, 3)."""
    edges = corners[:, 1:] - corners[:, :1]
    slope = np.swapaxes(inverse(edges), 1, 2)
    slope = np.concatenate([-slope.sum(axis=1, keepdims=True), slope], axis=1)
    size, volume = np.linalg.norm(edges, axis=2).mean(), np.abs(determinant(edges)) / 6.0
    return SMOOTH / size * volume[:, None, None] * product(slope, np.swapaxes(slope, 1, 2))


def _gathered(nodes: np.ndarray, values: np.ndarray, count: int) -> np.ndarray:
    """Sums (count, 3) of values (k, 4, 3) at nodes (k, 4)."""
    return np.stack([np.bincount(nodes.ravel(), values[..., axis].ravel(), count) for axis in range(3)], axis=1)
