"""A line through points: places along it by their length from its start, straight on beyond its ends."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

BEYOND = 1e3  # of its length: as far it goes straight on
PROJECTIONS = 12
PRECISE = 1e-9  # of the length


@dataclass(frozen=True)
class Line:
    """Points x (k, 3), k > 1, no two of them that follow one another in one place."""

    x: np.ndarray

    @cached_property
    def s(self) -> np.ndarray:
        """(k,) lengths from the start."""
        return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(self.x, axis=0), axis=1))])

    @property
    def length(self) -> float:
        return float(self.s[-1])

    @cached_property
    def along(self) -> np.ndarray:
        """Unit tangents (k, 3) at its points: of the circle through a point and its neighbours."""
        way = np.diff(self.x, axis=0)
        size = np.linalg.norm(way, axis=1)[:, None]
        unit = way / size
        if len(way) == 1:
            return np.concatenate([unit, unit])
        inner = (size[1:] * unit[:-1] + size[:-1] * unit[1:]) / (size[1:] + size[:-1])
        first = 2.0 * np.sum(unit[0] * inner[0]) * unit[0] - inner[0]
        last = 2.0 * np.sum(unit[-1] * inner[-1]) * unit[-1] - inner[-1]
        found = np.concatenate([[first], inner, [last]])
        return found / np.linalg.norm(found, axis=1)[:, None]

    @cached_property
    def _longer(self) -> tuple[np.ndarray, np.ndarray]:
        far = BEYOND * self.length
        x = np.concatenate([[self.x[0] - far * self.along[0]], self.x, [self.x[-1] + far * self.along[-1]]])
        return np.concatenate([[-far], self.s, [self.length + far]]), x

    def at(self, s: np.ndarray) -> np.ndarray:
        """Places (n, 3) at lengths (n,)."""
        lengths, x = self._longer
        return np.stack([np.interp(s, lengths, x[:, axis]) for axis in range(3)], axis=1)

    def tangent(self, s: np.ndarray) -> np.ndarray:
        """Unit (n, 3) at lengths (n,)."""
        found = np.stack([np.interp(s, self.s, self.along[:, axis]) for axis in range(3)], axis=1)
        return found / np.linalg.norm(found, axis=1)[:, None]

    def project(self, points: np.ndarray, s: np.ndarray) -> np.ndarray:
        """Lengths (n,) of places that points (n, 3) are straight beside, found from lengths near them on."""
        s, moving = s.copy(), np.arange(len(s))
        for _ in range(PROJECTIONS):
            step = np.sum((points[moving] - self.at(s[moving])) * self.tangent(s[moving]), axis=1)
            s[moving] += step
            moving = moving[np.abs(step) > PRECISE * self.length]
        return s
