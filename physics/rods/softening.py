"""A hinge that bends more easily: where a rod turns freely, at a winch or in a pulley, and less so beside it."""

from .._jit import kernel
from ..model import Model

FREE = 1e-9  # of a hinge's viscosity, which is divided by, where it turns freely


@kernel
def soften(model: Model, i: int, share: float, twist: float) -> None:
    """Of how the hinge at node i bends so much is left, and of how it twists."""
    hinge = model.hinges[i]
    hinge.bend *= share
    hinge.twist_rate *= twist
    hinge.viscosity *= max(share, FREE)
    for c in range(4):
        hinge.bending[c] *= share
