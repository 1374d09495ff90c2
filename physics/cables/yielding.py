"""A cable of which some segments give: springs, of what they are made of or softer, without integral forces.

The length of such a segment is no constraint: its spring is not what holds it until an integral force does, but what
it is, k = EA/l of a rod that stretches (Grégoire 2007, R5), so it becomes no stiffer where others do.
"""

import numpy as np

from ..scene import Rod
from ..validate.errors import SceneError
from . import equations
from .system import CableSystem
from .units import Units

STIFFEST = 1e6  # EA over weight and buckling load: beyond, springs drown the rest in rounding (measured: from 2e6 on)


class Yielding(CableSystem):
    """Of which segments `gives` (m,) have a stiffness (k,), in its units, beyond what they bear already: a force that
    stays, as it was where it starts from; bears: whether there is one.
    """

    firm, at_once = False, False  # what gives is no constraint, whose force could be found

    def __init__(self, system: CableSystem, gives: np.ndarray, stiffness: np.ndarray, bears: bool = True) -> None:
        super().__init__(
            system.segments, system.joints, system.handles, system.weight, system.loads, system.anchors, system.sliding
        )
        self.gives, self.soft, self.bears, self.scale = gives, stiffness, bears, system.scale
        self.segments["stretch"][gives] = stiffness

    def _stiffen(self, factor: float) -> None:
        """See CableSystem: all that does not give."""
        super()._stiffen(factor)
        self.segments["stretch"][self.gives] = self.soft

    def update_multipliers(self, y: np.ndarray, share: float) -> tuple[float, float]:
        """See schemes/static: of all that does not give."""
        self.take(y)
        out, length = np.empty(2), self.segments["length"].copy()
        self.segments["length"] = np.where(self.gives, self.chords(y), length)
        equations.integrate(y, self.segments, self.handles, share, out, self.work)
        self.segments["length"] = length
        return float(out[0]), float(out[1])

    def pulls(self, y: np.ndarray) -> np.ndarray:
        """See CableSystem."""
        stretched = self.segments["stretch"] * (self.chords(y) - self.segments["length"])
        return self.segments["tension"] + np.where(self.gives, stretched, 0.0)

    def chords(self, y: np.ndarray) -> np.ndarray:
        """How long segments are (m,)."""
        d = np.diff(self.points(y), axis=0)
        return np.asarray(np.sqrt(np.sum(d * d, axis=1)))


def stretching(rod: Rod, tables: tuple[CableSystem, Units]) -> tuple[CableSystem, Units]:
    """The tables of a rod that stretches as its stiffness says. Raises SceneError."""
    system, units = tables
    if rod.stretch_stiffness.max() > STIFFEST * units.force:
        raise SceneError(
            rod.name, f"'{rod.name}' stretches by less than a millionth under its weight: turn off Stretchable."
        )
    gives = np.ones(len(system.segments), bool)
    return Yielding(system, gives, rod.stretch_stiffness / (units.force * system.length), bears=False), units
