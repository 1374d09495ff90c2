"""Walls, and the vertices that they keep out."""

import numpy as np

from ..model import PAIR, PLANE, Model, changed
from ..scene import Scene


def plane_arrays(scene: Scene) -> np.ndarray:
    """PLANE (F,): the floor, if there is one."""
    walls = np.zeros(1 if scene.floor else 0, PLANE)
    if not scene.floor:
        return walls
    return changed(walls, point=(0.0, 0.0, scene.floor.height), n=(0.0, 0.0, 1.0), friction=scene.floor.friction)


def plane_pairs(model: Model) -> np.ndarray:
    """PAIR of every vertex and every wall, ghosts and repeated nodes left out."""
    nodes = model.nodes
    vertices = np.flatnonzero((nodes["mass"] > 0.0) | (nodes["slave"] >= 0))
    pairs = np.zeros(len(vertices) * len(model.planes), PAIR)
    pairs["i"] = np.tile(vertices, len(model.planes))
    pairs["j"] = np.repeat(np.arange(len(model.planes)), len(vertices))
    return pairs
