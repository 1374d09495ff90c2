"""A system of cables that touch each other, or the cable itself, as schemes/static takes it."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..scene import Rod
from ..schemes.static import Coupling
from .all_contacts import All
from .handle import Handle
from .harness_system import HarnessSystem
from .pairs import Pairs, Strand


class Touching:
    """A system with pairs besides."""

    together = None  # pairs are no rows of the band's

    def __init__(self, system: HarnessSystem, pairs: Pairs) -> None:
        self.system, self.pairs = system, pairs
        self.count, self.half_bandwidth, self.bordering = system.count, system.half_bandwidth, system.bordering
        self.softest, self.factors = system.softest, system.factors
        self.update_multipliers, self.stiffen = system.update_multipliers, system.stiffen
        self.meet, self.tighten, self.relax = system.meet, system.tighten, system.relax
        self.contacts = All([kind for kind in (pairs, system.contacts) if kind is not None])  # pairs change steps

    def memory(self) -> tuple[Any, Any]:
        """See schemes/static."""
        return self.system.memory(), self.pairs.memory()

    def recall(self, memory: tuple[Any, Any]) -> None:
        """See schemes/static."""
        self.system.recall(memory[0])
        self.pairs.recall(memory[1])

    def loosen(self, stiffness: float) -> bool:
        """See schemes/static: pairs, whose springs hardly give, are listed where they come to rest."""
        return not self.pairs.touches and self.system.loosen(stiffness)

    @property
    def stiffness(self) -> float:
        """See schemes/static."""
        return self.system.stiffness

    def energy(self, y: np.ndarray) -> float:
        """See schemes/static."""
        return self.system.energy(y) + self.pairs.energy(y)

    def derivatives(self, y: np.ndarray, gradient: np.ndarray, band: np.ndarray, border: np.ndarray) -> Coupling | None:
        """See schemes/static."""
        self.system.derivatives(y, gradient, band, border)
        return self.pairs.derivatives(y, gradient[: len(band)])

    def detect_contacts(self, y: np.ndarray) -> float:
        """See schemes/static."""
        return max(self.system.detect_contacts(y), self.pairs.renew(y))

    def longest(self, y: np.ndarray, p: np.ndarray) -> float:
        """See schemes/static."""
        part = self.system.longest(y, p)
        return part * self.pairs.longest(y, part * p)

    def reach(self, y: np.ndarray, p: np.ndarray) -> float:
        """The part of a step p from y that contacts allow."""
        part = self.system.reach(y, p)
        return part * self.pairs.longest(y, part * p)


def strand_of(rod: Rod, arc: np.ndarray, led: Iterable[tuple[Handle, Handle]], length: float) -> Strand:
    """A rod of arc lengths (n,), in units of `length` [m], whose handles are led from one place to another."""
    held, x = [], np.asarray(rod.x, float) / length
    for before, now in led:
        if before.position is not None and now.position is not None:
            own = list(now.vertices)
            places = np.array([before.position, now.position], float) / length
            held.append((float(arc[own].mean()), np.concatenate([[x[own].mean(axis=0)], places])))
    return Strand(np.asarray(rod.radius, float) / length, arc, x, tuple(held), rod.group)
