"""What accelerates the nodes of soft bodies whatever they weigh: gravity, and force fields."""

import numpy as np

from .._jit import kernel
from ..model import Model


@kernel
def weigh(model: Model, fields: np.ndarray, weight: np.ndarray) -> None:
    """weight (N, 3) [m/s²] of nodes, where fields (N,), FIELD_EFFECT, act on them."""
    gravity = model.world[0].gravity
    for i in range(len(weight)):
        for c in range(3):
            weight[i, c] = model.nodes[i].gravity * gravity[c] + fields[i].acceleration[c]
