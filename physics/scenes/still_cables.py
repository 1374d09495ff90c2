"""Cables that stay where they are, or go where they went, for others to meet: held at each of their points, they move
nothing and are met as any other, on either side. They do not meet each other.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..scene import Pin, Rod, Scene

STILL = np.array([[1.0, 0.0, 0.0, 0.0]])


def still(rod: Rod) -> Rod:
    """The rod as it is drawn, at rest."""
    return replace(
        rod, shape_memory=1.0, rest_x=None, rest_m1=None, rest_twist=None, rest_length_factor=1.0, balanced=False,
        stretchable=False, tautness=0.0, bend_limit=0.0, tension_limit=0.0, transverse_limit=0.0,
    )  # fmt: skip


def held(number: int, times: np.ndarray, x: np.ndarray) -> list[Pin]:
    """What holds rod `number` where its vertices are x (F, n, 3) at times (F,)."""
    turn = np.tile(STILL, (len(times), 1))
    return [Pin("stays", number, v, "POSITION", times, x[:, v], turn) for v in range(x.shape[1])]


def beside(scene: Scene, rods: Sequence[Rod], times: np.ndarray, x: Sequence[np.ndarray]) -> Scene:
    """The scene with rods behind its own, which go through x, of each (F, n, 3), at times (F,) [s]."""
    groups = {rod.group for rod in (*scene.rods, *rods)} | {collider.group for collider in scene.colliders}
    groups |= {body.group for body in scene.bodies} | {solid.group for solid in scene.solids}
    behind = 1 + max(groups.union(*scene.collision_filter))
    apart = [pair for a, b in scene.collision_filter for pair in ((a + behind, b), (a, b + behind))]
    own = sorted({rod.group + behind for rod in rods})
    pins = [pin for k, way in enumerate(x) for pin in held(len(scene.rods) + k, times, way)]
    return replace(
        scene, rods=(*scene.rods, *(replace(still(rod), group=rod.group + behind) for rod in rods)),
        pins=(*scene.pins, *pins),
        collision_filter=(*scene.collision_filter, *apart, *((a, b) for a in own for b in own)),
    )  # fmt: skip
