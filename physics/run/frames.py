"""What a Frame shows of an island: vertices and material axes of its rods, poses of its bodies."""

import numpy as np
from scipy.spatial.transform import Rotation

from ..model import Model, State
from ..rods.material_axes import material_axes
from ..scene import Scene


def shapes(model: Model, state: State) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Vertices (n, 3) and first material axes (m, 3) of each rod, whose frames are at equilibrium: two lists."""
    ends = zip(model.rods["first"], model.rods["last"], strict=True)
    return [state.x[first : last + 1].copy() for first, last in ends], material_axes(model, state)


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
