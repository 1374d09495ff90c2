"""What a Frame shows of the bodies of an island: their poses."""

import numpy as np

from ..arithmetic.quaternions import conjugate, product, turned
from ..scene import Scene


def poses(scene: Scene, bodies: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Centre of mass [m], as described, and turn since the start (w, x, y, z) of each body: (B, 7).

    bodies, start: BODY_STATE (B,) now and at the start.
    """
    poses = np.zeros((len(scene.bodies), 7))
    if len(poses) == 0:
        return poses
    size = np.linalg.norm(bodies["q"], axis=1)
    there = size > 0.0  # else it has left all bounds, as its frame shall say
    poses[~there] = np.nan
    turn = product(bodies["q"][there] / size[there, None], conjugate(start["q"][there]))
    arm = np.array([body.position for body in scene.bodies])[there] - start["x"][there]
    poses[there, :3] = bodies["x"][there] + turned(turn, arm)
    poses[there, 3:] = turn
    return poses
