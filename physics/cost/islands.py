"""Which rods are simulated together."""

import numpy as np

from ..scene import Scene
from .touching_bodies import shapes


def islands(scene: Scene, near: np.ndarray) -> list[list[int]]:
    """Lists of rods that are simulated together at the start: those that a body joins, and those that may meet.

    near (k, 2): numbers of rods that are near each other. All that touches is one where rigid bodies do.
    """
    island = list(range(len(scene.rods)))
    meets = [r for r, rod in enumerate(scene.rods) if rod.touches] if shapes(scene)[0] else []
    near = np.concatenate([near, np.array([(0, r) for r in meets], dtype=int).reshape(-1, 2)])

    def root(r: int) -> int:
        while island[r] != r:
            island[r] = island[island[r]]
            r = island[r]
        return r

    joined: dict[int, int] = {}
    for weld in scene.welds:
        if not scene.bodies[weld.body].led:
            island[root(weld.rod)] = root(joined.setdefault(weld.body, weld.rod))
    for r, s in np.unique(near, axis=0).tolist():
        island[root(s)] = root(r)
    groups: dict[int, list[int]] = {}
    for r in range(len(island)):
        groups.setdefault(root(r), []).append(r)
    return list(groups.values())
