"""Every conversion between Blender and SI, each beside its inverse. No bpy.

Quaternions are (w, x, y, z) on both sides, as in Blender.
"""

from dataclasses import dataclass
from typing import Any, Self, TypeVar

import numpy as np

from ..physics.arithmetic.fixed_order import inverse, moved
from ..physics.arithmetic.quaternions import quaternions

Number = TypeVar("Number", float, np.ndarray)


@dataclass(frozen=True)
class Units:
    """What a scene's numbers mean: metres to a Blender unit, frames to a second, the frame that is time 0, and how many
    frames of animation play in one of the scene (its time stretching).
    """

    metres_per_unit: float
    fps: float
    first_frame: int
    pace: float = 1.0

    @classmethod
    def of(cls, scene: Any, first_frame: int) -> Self:
        """The units of a Blender scene; its unit scale counts while a unit system is on, as in Blender's own fields."""
        settings, render = scene.unit_settings, scene.render
        scale = settings.scale_length if settings.system != "NONE" else 1.0
        pace = render.frame_map_old / render.frame_map_new
        return cls(float(scale), render.fps / render.fps_base, first_frame, pace)

    def metres(self, blender_units: Number) -> Number:
        return blender_units * self.metres_per_unit

    def blender_units(self, metres: Number) -> Number:
        return metres / self.metres_per_unit

    def seconds(self, frame: Number) -> Number:
        return (frame - self.first_frame) / self.fps

    def frame(self, seconds: Number) -> Number:
        return self.first_frame + seconds * self.fps

    def keys(self, count: int) -> np.ndarray:
        """Where keyframes (count,) stand that play at the first frame of the scene and at each after it."""
        return self.pace * np.arange(self.first_frame, self.first_frame + count)


def to_world(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Object space → world: matrix (4, 4), points (…, 3)."""
    return moved(matrix[:3, :3], points) + matrix[:3, 3]


def to_object(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    """World → object space: matrix (4, 4), points (…, 3)."""
    return moved(inverse(matrix[:3, :3]), points - matrix[:3, 3])


def rotation_matrix(quaternion: np.ndarray) -> np.ndarray:
    """Unit quaternions (…, 4) → matrices (…, 3, 3)."""
    w, x, y, z = np.moveaxis(np.asarray(quaternion, dtype=np.float64), -1, 0)
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def quaternion(matrix: np.ndarray) -> np.ndarray:
    """Rotation matrices (…, 3, 3) → unit quaternions (…, 4), w ≥ 0."""
    m = np.asarray(matrix, dtype=np.float64)
    q = quaternions(m.reshape(-1, 3, 3)).reshape(*m.shape[:-2], 4)
    return np.where(q[..., :1] < 0, -q, q)


def nearest_rotation(matrix: np.ndarray) -> np.ndarray:
    """Matrices (…, 3, 3) that may also stretch → the rotations nearest to them, (…, 3, 3)."""
    u, _, vt = np.linalg.svd(matrix)
    u[..., -1] *= np.sign(np.linalg.det(u @ vt))[..., None]
    return u @ vt
