"""Tetrahedra swollen, or shrunk, to a volume: all outer nodes go as far along the normals there, but where that would
spoil a tetrahedron.

A round is one of Newton's: the volume grows by |∂V/∂x| of each node and way, a third of the area around it.
"""

import numpy as np

from ..physics.elements.tetrahedra import boundary, smallest_heights
from .fitting import moved
from .volume import total_volume

SWELLING_ROUNDS = 12
LEFT = 0.1  # of that


def swollen(nodes: np.ndarray, tetrahedra: np.ndarray, volume: float, close: float) -> np.ndarray:
    """Nodes (n, 3) [m] of tetrahedra (t, 4) whose volume is off that `volume` [m³] by no more than so large a part."""
    faces, x, lowest = boundary(tetrahedra)[0], nodes, smallest_heights(nodes[tetrahedra]).min()
    outer = np.isin(tetrahedra, faces).any(axis=1)
    for _ in range(SWELLING_ROUNDS):
        now = total_volume(x, tetrahedra)
        missing = np.clip(now, (1.0 - close) * volume, (1.0 + close) * volume) - now
        if abs(missing) < LEFT * close * volume:
            break
        a, b, c = np.moveaxis(x[faces], 1, 0)
        growth = np.zeros_like(x)
        np.add.at(growth, faces, (np.cross(b - a, c - a) / 6.0)[:, None])
        size = np.linalg.norm(growth, axis=1)[:, None]
        way = np.divide(growth, size, out=np.zeros_like(x), where=size > 0.0)
        x = moved(x, missing / size.sum() * way, tetrahedra[outer], lowest)
    return x
