"""Which groups of things do not touch each other. numpy only."""

from collections.abc import Sequence

import numpy as np

from ..scene import Collider, RigidBody, Rod, Scene, SoftBody

Touching = Rod | RigidBody | Collider | SoftBody


def filter_of(scene: Scene) -> np.ndarray:
    """(G, G) bool, symmetric, of groups; (0, 0): all touch."""
    groups = [thing.group for kind in (scene.rods, scene.bodies, scene.colliders, scene.solids) for thing in kind]
    return matrix(scene.collision_filter, groups + [collider.aside for collider in scene.colliders])


def matrix(collision_filter: Sequence[tuple[int, int]], groups: Sequence[int]) -> np.ndarray:
    """(G, G) bool, symmetric, with room for these groups, whether two do not touch; (0, 0): all touch."""
    if not collision_filter:
        return np.zeros((0, 0), bool)
    one, other = np.array(collision_filter).T
    count = 1 + max(*groups, one.max(), other.max())
    found = np.zeros((count, count), bool)
    found[one, other] = found[other, one] = True
    return found


def touch(scene: Scene, one: Touching, other: Touching) -> bool:
    """Whether the groups of two things touch."""
    pair = one.group, other.group
    return pair not in scene.collision_filter and pair[::-1] not in scene.collision_filter
