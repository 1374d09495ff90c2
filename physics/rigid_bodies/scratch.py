"""What rigid bodies and what is welded to them fill before they read it."""

from typing import NamedTuple

import numpy as np

from ..compiling.by_reference import by_reference
from ..model import Model, table

SLAVE_SCRATCH = table(arm=(float, 3), v=(float, 3))  # at the old pose, world axes; as a particle, before it is pushed
SPIN = table(omega=(float, 3), momentum=(float, 3))  # [rad/s] world axes; [kg m²/s] the body's axes


@by_reference
class WeldedScratch(NamedTuple):
    slaves: np.ndarray  # SLAVE_SCRATCH (S,)
    spins: np.ndarray  # SPIN (B,)


def welded_scratch(model: Model) -> WeldedScratch:
    """Room for the bodies of a model."""
    return WeldedScratch(
        slaves=np.zeros(len(model.slaves), SLAVE_SCRATCH),
        spins=np.zeros(len(model.bodies), SPIN),
    )
