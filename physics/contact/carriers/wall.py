"""An endless plane, which vertices touch as spheres: where it is. It does not move, whatever pushes it."""

import numpy as np

from ..._jit import kernel


@kernel
def height(wall: np.record, x: np.ndarray) -> float:
    """Distance [m] of a point x (3,) from a PLANE, negative behind it."""
    p, n = wall.point, wall.n
    return n[0] * (x[0] - p[0]) + n[1] * (x[1] - p[1]) + n[2] * (x[2] - p[2])


@kernel
def approach(wall: np.record, v: np.ndarray) -> float:
    """How fast something moves towards a PLANE at v (3,), or how far it has come by v."""
    return -wall.n[0] * v[0] - wall.n[1] * v[1] - wall.n[2] * v[2]
