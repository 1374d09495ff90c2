"""What a frame takes, by its steps and beside them."""

import numpy as np

from ..scene import Scene

PER_FRAME = 110e-6  # [s] of what is simulated together
PER_VERTEX_AND_FRAME = 1.0e-6  # [s]
PER_STRETCH = 40e-6  # [s]: what is done between two stretches of steps
FIELD_STRETCHES = 8  # a frame, when there are force fields
PER_ISLAND = 1e-3  # [s], to make it ready
PER_ROD = 2.5e-3  # [s], as well,
PER_VERTEX = 5e-6  # and


def ready(rods: int, vertices: int) -> float:
    """Seconds until what has so many rods and vertices is ready for its first frame."""
    return PER_ISLAND + rods * PER_ROD + vertices * PER_VERTEX


def frame(scene: Scene, vertices: int, step: float, cost: float, share: float = 1.0) -> float:
    """Seconds that a frame of so many vertices takes by steps of `step` [s], which take `cost` [s] each; share: of what
    it takes whatever is in it.
    """
    stretches, steps = 1, np.ceil(scene.frame_duration / step)
    if scene.fields:
        stretches = np.ceil(steps / np.ceil(steps / FIELD_STRETCHES))
        steps = stretches * np.ceil(scene.frame_duration / stretches / step)
    return float(steps * cost + share * (stretches * PER_STRETCH + PER_FRAME) + vertices * PER_VERTEX_AND_FRAME)
