"""The planes of walls, and the vertices that they keep out."""

import numpy as np

from ..model import PAIR, PLANE, Model, changed
from ..scene import Scene


def plane_arrays(scene: Scene) -> np.ndarray:
    """PLANE (F,): the floor, if there is one."""
    planes = np.zeros(1 if scene.floor else 0, PLANE)
    if not scene.floor:
        return planes
    return changed(planes, point=(0.0, 0.0, scene.floor.height), n=(0.0, 0.0, 1.0), friction=scene.floor.friction)


def plane_pairs(model: Model, x: np.ndarray) -> np.ndarray:
    """PAIR of every vertex of a rod and every plane, with its gap as drawn at x (N, 3)."""
    vertices, planes = np.flatnonzero(model.nodes["rod"] >= 0), len(model.planes)
    pairs = np.zeros(len(vertices) * planes, PAIR)
    pairs["i"] = np.tile(vertices, planes)
    pairs["j"] = np.repeat(np.arange(planes), len(vertices))
    wall, i = model.planes[pairs["j"]], pairs["i"]
    pairs["gap"] = np.sum((x[i] - wall["point"]) * wall["n"], axis=1) - model.nodes["radius"][i]
    return pairs
