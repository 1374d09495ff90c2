"""What a Frame shows of the bodies of an island: their poses."""

import numpy as np
from scipy.spatial.transform import Rotation

from ..scene import Scene


def poses(scene: Scene, bodies: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Centre of mass [m], as described, and turn since the start (w, x, y, z) of each body: (B, 7).

    bodies, start: BODY_STATE (B,) now and at the start.
    """
    poses = np.zeros((len(scene.bodies), 7))
    for b, body in enumerate(scene.bodies):
        if not np.linalg.norm(bodies["q"][b]) > 0.0:  # it has left all bounds, as its frame shall say
            poses[b] = np.nan
            continue
        now, then = (Rotation.from_quat(np.roll(table["q"][b], -1)) for table in (bodies, start))
        turn = now * then.inv()
        poses[b, :3] = bodies["x"][b] + turn.apply(body.position - start["x"][b])
        poses[b, 3:] = np.roll(turn.as_quat(), 1)
    return poses
