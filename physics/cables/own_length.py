"""A cable that finds its own length (Grégoire 2007, §3.3.7 and 7.1, the second mode), between what holds it.

    E = elastic energy + weight + T Σ l,    T = B/λ²,

λ the tautness, and all arc lengths under handles and at the end are unknowns, as under handles that slide (system.py).
For springs ½ k Σ |d|² of m segments without rest length, with k = T m/L that follows L, this is the same minimum:
dE/dL = k L/m = T, whatever m and L. Along what is weightless n·t + ½ B κ² = T then: bent back between parallel clamps a
distance d apart it is a semicircle for T = 2B/d², where n = 0. What is added weighs as if it came from the highest
place that is held, where the tension is T − ½ B κ²; so a cable that hangs lower than T over its weight per length
becomes longer and longer. Of a harness that is the highest place that no part leads, for a part would be lifted by it.
"""

import numpy as np

from ..scene import Rod
from ..schemes.static import Equilibrium
from .system import CableSystem

SHARES = 2.0 ** np.arange(2, -4, -1)  # of what a cable weighs as low as it is drawn, by which it is pulled up
LOWEST = 0.4476  # times T over weight per length: no limp cable that is stable hangs lower, 1 − 1/cosh u, u tanh u = 1
ON_THE_WAY = 1e-4  # tolerance


class OwnLength(CableSystem):
    """pull: T, in units of the system (see CableSystem)."""

    firm = False

    def __init__(self, system: CableSystem, pull: float) -> None:
        h = system.handles
        held = h["segment"] + np.round(h["share"]).astype(int)
        anchors = np.unique(np.concatenate([[0], system.anchors, held, [len(system.segments)]]))
        super().__init__(
            system.segments, system.joints, h, system.weight, system.loads, anchors, anchors > 0
        )  # fmt: skip
        self.plain, self.pull, self.scale = system, pull, system.scale

    def _price(self) -> float:
        """Of length: T, and what it weighs at the highest place that is held."""
        placed = self.handles[(self.handles["stiffness"] > 0.0) & (self.handles["part"] < 0)]
        return self.pull + float((placed["position"] @ self.weight).min(initial=np.inf) if len(placed) else 0.0)

    def energy(self, y: np.ndarray) -> float:
        """See schemes/static."""
        return super().energy(y) + self._price() * float(y[self.poses - 1])

    def bordered(self, y: np.ndarray, gradient: np.ndarray, band: np.ndarray) -> np.ndarray:
        """See CableSystem."""
        found = super().bordered(y, gradient, band)
        gradient[self.poses - 1] += self._price()
        return found

    def longest(self, y: np.ndarray, p: np.ndarray) -> float:
        """See schemes/static: none where it runs away."""
        return 0.0 if self.runs_away(y) else super().longest(y, p)

    def runs_away(self, y: np.ndarray) -> bool:
        """Whether it hangs so low that more length weighs more than it costs."""
        return bool((self.points(y) @ self.weight).max() > self._price())

    def come_up(self, y: np.ndarray) -> None:
        """y of a cable that is drawn too low becomes what is at rest higher up, by a tension that then goes back."""
        pull, drop = self.pull, float((self.points(y) @ self.weight).max()) - self._price() + self.pull
        for share in SHARES if drop > LOWEST * pull else ():
            self.pull = max(pull, share * drop)
            Equilibrium(self).settle(y, ON_THE_WAY)
        self.pull = pull

    def kept(self, y: np.ndarray) -> tuple[CableSystem, np.ndarray]:
        """The system of a cable that keeps the length that was found, and its unknowns."""
        self.take(y)
        plain = self.plain
        plain.have_run(self.segments["length"])  # which is no way that it has slid
        plain.stiffness, plain.scale, plain.contacts = self.stiffness, self.scale, self.contacts
        if plain.contacts is not None:
            plain.contacts.friction.arc = plain.arc.copy()
        return plain, np.concatenate([y[: self.banded], plain.arc[plain.anchors[plain.sliding]]])

    def no_rest(self, rod: Rod, y: np.ndarray) -> str:
        """A sentence about a rod that found none."""
        if self.runs_away(y):
            return (
                f"'{rod.name}' would become longer and longer, for it weighs more than a tautness of "
                f"{rod.tautness:.3g} m bears: give it less, or let it keep its length."
            )
        return f"'{rod.name}' finds no length of its own: give it another tautness, or let it keep its length."


def pull_of(rod: Rod) -> float:
    """T [N]; 0: the rod keeps its length."""
    return float(rod.bend_stiffness.mean()) / rod.tautness**2 if rod.tautness else 0.0
