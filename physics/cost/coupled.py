"""Soft bodies that take their steps together with rods and rigid bodies."""

import numpy as np

from ..scene import Scene


def coupled(scene: Scene) -> bool:
    """Whether soft bodies may touch rods or rigid bodies, or are tied to them: then these take steps with them."""
    touch = scene.contact and scene.scheme == "VERLET"
    meets = any(rod.touches for rod in scene.rods) or any(body.shape and not body.kinematic for body in scene.bodies)
    return bool(scene.solids) and bool(scene.ties or (touch and meets))


def implicit_beside(scene: Scene) -> np.ndarray:
    """(R,) bool: rods that take implicit steps beside soft bodies, where the solver is IMPLICIT: those that no
    rigid body moves with them, and that do not roll.
    """
    welded = {weld.rod for weld in scene.welds if not scene.bodies[weld.body].kinematic}
    return np.array([not (rod.rolls or r in welded) for r, rod in enumerate(scene.rods)], dtype=bool)
