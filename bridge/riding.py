"""What hangs on branches goes where they go: each thing is fixed to the edge of a rod that was nearest. No bpy.

An edge's frame is (t, m₁, t × m₁) about its middle; a thing keeps the place and turn it had in it at the first frame.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from .stripe import dot, unit


@dataclass(frozen=True)
class Edges:
    """middle (F, m, 3) and turn since the first frame (F, m, 3, 3) of the edges of all rods of a tree, F frames."""

    middle: np.ndarray
    turn: np.ndarray
    ends: np.ndarray  # (m, 2, 3) at the first frame

    @classmethod
    def of(cls, splines: Sequence[tuple[np.ndarray, np.ndarray]]) -> Self:
        """splines: for each rod x (F, n, 3) and m₁ (F, n − 1, 3)."""
        tail = np.concatenate([x[:, :-1] for x, _ in splines], axis=1)
        head = np.concatenate([x[:, 1:] for x, _ in splines], axis=1)
        t = unit(head - tail)
        m1 = np.concatenate([m1 for _, m1 in splines], axis=1)
        m1 = unit(m1 - dot(m1, t) * t)
        frame = np.stack([t, m1, np.cross(t, m1)], axis=-1)
        turn = frame @ np.swapaxes(frame[0], -1, -2)
        return cls(0.5 * (tail + head), turn, np.stack([tail[0], head[0]], axis=1))

    def carry(self, edge: np.ndarray, points: np.ndarray, frame: int) -> np.ndarray:
        """Where points (k, 3) of the first frame, each fixed to its edge (k,), are at a frame: (k, 3)."""
        arm = points - self.middle[0, edge]
        return self.middle[frame, edge] + np.einsum("kij,kj->ki", self.turn[frame, edge], arm)

    def distance(self, points: np.ndarray, edge: np.ndarray) -> np.ndarray:
        """Distances (k,) from points (k, 3) to edges (k,) at the first frame."""
        tail, along = self.ends[edge, 0], self.ends[edge, 1] - self.ends[edge, 0]
        share = np.clip(np.sum((points - tail) * along, axis=1) / np.sum(along**2, axis=1), 0.0, 1.0)
        return np.linalg.norm(points - tail - share[:, None] * along, axis=1)
