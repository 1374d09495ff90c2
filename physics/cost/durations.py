"""How long a bake takes."""

import os

import numpy as np

from ..scene import Scene
from . import rods, soft_bodies
from .coupled import as_one, coupled
from .islands import islands
from .seen import near_rods, seen


def durations(scene: Scene) -> np.ndarray:
    """Seconds that each island of the start takes, of rods and then each soft body: (I, 4) to be ready, for a frame by
    explicit steps, by implicit ones, to settle; of rigid bodies alone one.
    """
    near = near_rods(scene)
    found = seen(scene, *near)
    if coupled(scene):
        return np.array([as_one(scene, found)])
    groups = islands(scene, near.rods) or [[]] * (len(scene.bodies) > 0)
    of_rods = [rods.together(scene, group, found) for group in groups]
    return np.array([*of_rods, *(soft_bodies.alone(scene, solid) for solid in scene.solids)])


def estimate(scene: Scene, cores: int | None = None) -> float:
    """Seconds a bake by the scene's solver, EXPLICIT or IMPLICIT, will take: see `side_by_side`."""
    return side_by_side(scene, durations(scene), cores)[scene.solver]


def side_by_side(scene: Scene, durations: np.ndarray, cores: int | None = None) -> dict[str, float]:
    """Seconds a bake will take by each solver, with compiled kernels on so many cores, by default all: islands (I, 4)
    go side by side, as at the start; to settle, all that touches is one.
    """
    ready, *frame, settling = durations.T
    baking = [ready + max(scene.frame_count - 1, 0) * each for each in frame]
    cores = min(cores or os.cpu_count() or 1, len(settling))
    settled = settling.sum() if scene.contact else settling.max()
    return {
        solver: float(max(own.sum() / cores, own.max()) + settled)
        for solver, own in zip(("EXPLICIT", "IMPLICIT"), baking, strict=True)
    }
