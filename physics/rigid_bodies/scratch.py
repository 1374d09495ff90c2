"""What rigid bodies and what is welded to them fill before they read it."""

from typing import Annotated, NamedTuple

import numpy as np

from ..compiling.by_reference import by_reference
from ..compiling.laid_out import laid_out
from ..model import Column, Model, table

SLAVE_SCRATCH = table(arm=(float, 3), v=(float, 3))  # at the old pose, world axes; as a particle, before it is pushed
SPIN = table(omega=(float, 3), momentum=(float, 3))  # [rad/s] world axes; [kg m²/s] the body's axes


@by_reference
class WeldedScratch(NamedTuple):
    slaves: Annotated[np.ndarray, Column("slaves", SLAVE_SCRATCH)]
    spins: Annotated[np.ndarray, Column("bodies", SPIN)]


def welded_scratch(model: Model) -> WeldedScratch:
    """Room for the bodies of a model."""
    return laid_out(WeldedScratch, {"slaves": len(model.slaves), "bodies": len(model.bodies)})
