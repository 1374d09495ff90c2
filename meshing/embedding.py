"""What is drawn goes with the tetrahedra it lies in: each of its points has four nodes and their shares, its
barycentric coordinates. A point outside of all goes with the one it is least outside of.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from ..physics.arithmetic.fixed_order import inverse, product
from .candidates import ELEMENT_PAIRS, Candidates

MARGIN = 0.35  # of the mean edge: how far outside of a tetrahedron a point may be and still be tried


@dataclass(frozen=True)
class Embedding:
    """nodes (p, 4) and weights (p, 4), which sum to 1, of p points."""

    nodes: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, points: np.ndarray, x: np.ndarray, tetrahedra: np.ndarray) -> Self:
        """Of points (p, 3) in tetrahedra (t, 4) with nodes x (n, 3)."""
        corners = x[tetrahedra]
        inverted = inverse(np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2))
        size = float(np.linalg.norm(corners[:, 1:] - corners[:, :1], axis=2).mean())
        candidates = Candidates(corners, size, MARGIN * size)
        best, chosen = np.full(len(points), -np.inf), np.zeros(len(points), dtype=int)
        for point, tetrahedron in candidates.pairs(points):
            inside = _shares(points[point], corners[tetrahedron, 0], inverted[tetrahedron]).min(axis=1)
            order = np.lexsort((inside, point))  # the last of each point is its best
            last = order[np.flatnonzero(np.diff(point[order], append=-1))]
            better = last[inside[last] > best[point[last]]]
            best[point[better]], chosen[point[better]] = inside[better], tetrahedron[better]
        lost, middle = np.flatnonzero(np.isinf(best)), corners.mean(axis=1)
        for portion in np.array_split(lost, len(lost) * len(middle) // ELEMENT_PAIRS + 1):
            # |p − m|², but for |p|², which is the same for all tetrahedra
            apart = np.sum(middle**2, axis=1) - 2.0 * product(points[portion], middle.T)
            chosen[portion] = apart.argmin(axis=1)
        return cls(tetrahedra[chosen], _shares(points, corners[chosen, 0], inverted[chosen]))

    def carry(self, x: np.ndarray) -> np.ndarray:
        """Where the points (…, p, 3) are while the nodes are at x (…, n, 3)."""
        return np.einsum("...pkd,pk->...pd", x[..., self.nodes, :], self.weights)


def _shares(points: np.ndarray, origin: np.ndarray, inverted: np.ndarray) -> np.ndarray:
    """Barycentric coordinates (k, 4) of points (k, 3) in tetrahedra given by a corner and their edges' inverse."""
    last = np.einsum("kij,kj->ki", inverted, points - origin)
    return np.column_stack([1.0 - last.sum(axis=1), last])
