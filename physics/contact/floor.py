"""A horizontal floor under capsules: each vertex is a sphere that stays above it, with Coulomb friction; as `inequality_constraints`."""

from math import sqrt

from .._jit import njit
from .inequality_constraints import RECOVERY


@njit
def floor_warm_start(x, w, force, h):
    """Apply the last step's normal forces, force (n,) [N]; resets nothing."""
    for i in range(len(x)):
        x[i, 2] += w[i] * h * h * force[i]


@njit
def floor_sweep(x, x0, w, radius, friction, height, floor_friction, impulse, slide):
    """One sweep; impulse (n,) ≥ 0 and slide (n, 2) [kg m] accumulate over the step. Returns the largest correction [m]."""
    largest = 0.0
    for i in range(len(x)):
        if w[i] == 0.0:
            continue
        gap = x0[i, 2] - radius[i] - height
        missing = height + radius[i] + min(0.0, RECOVERY * gap) - x[i, 2]
        if missing <= 0.0 and impulse[i] == 0.0:
            continue
        new = max(0.0, impulse[i] + missing / w[i])
        change = new - impulse[i]
        largest = max(largest, abs(change) * w[i])
        impulse[i] = new
        x[i, 2] += w[i] * change
        tx = slide[i, 0] - (x[i, 0] - x0[i, 0]) / w[i]
        ty = slide[i, 1] - (x[i, 1] - x0[i, 1]) / w[i]
        limit, size = sqrt(friction[i] * floor_friction) * new, sqrt(tx * tx + ty * ty)
        if size > limit:
            tx, ty = tx * limit / size, ty * limit / size
        x[i, 0] += w[i] * (tx - slide[i, 0])
        x[i, 1] += w[i] * (ty - slide[i, 1])
        slide[i, 0], slide[i, 1] = tx, ty
    return largest
