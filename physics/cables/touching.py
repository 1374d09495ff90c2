"""Contacts of several kinds as one: of each cable with surfaces, and of cables with each other."""

from collections.abc import Sequence

import numpy as np

from ..schemes.inequalities import Solve
from .active_set import ActiveSet

Own = np.ndarray | slice  # which unknowns are a kind's


class Touching(ActiveSet):
    """kinds, each with its own of N unknowns: those that change steps, `bearing` of them, come before those with
    surfaces.
    """

    within, most = 1.0, np.inf

    def __init__(self, kinds: Sequence[tuple[ActiveSet, Own]], bearing: int = 0) -> None:
        self.kinds, self.bearing = kinds, bearing

    @property
    def press(self) -> bool:
        """See schemes/inequalities."""
        return any(kind.press for kind, _ in self.kinds)

    def foresee(self, y: np.ndarray, p: np.ndarray, solve: Solve) -> None:
        """See schemes/inequalities: those of all unknowns, one kind after the other."""
        for kind, own in self.kinds[: self.bearing]:
            kind.foresee(y[own], p[own], solve)

    def stand_firm(self, y: np.ndarray) -> None:
        """See schemes/inequalities."""
        for kind, own in self.kinds:
            kind.stand_firm(y[own])

    def stand_back(self) -> None:
        """See schemes/inequalities."""
        for kind, _ in self.kinds:
            kind.stand_back()

    def answer(self, y: np.ndarray, p: np.ndarray, solve: Solve) -> bool:
        """See schemes/inequalities."""
        together = self.bearing if self.bearing > 1 else 0  # what changes steps is asked with all others that do
        found = [Touching(self.kinds[:together]).bear(y, p, solve)] if together else []
        found += [kind.answer(y[own], p[own], solve) for kind, own in self.kinds[together:]]  # each has to be asked
        self.near = all(kind.near for kind, _ in self.kinds)
        self.turned = sum(kind.turned for kind, _ in self.kinds)
        return all(found)

    def bear(self, y: np.ndarray, p: np.ndarray, solve: Solve) -> bool:
        """See schemes/inequalities."""
        found = super().bear(y, p, solve)
        for (kind, _), answered in zip(self.kinds, np.split(self.answered, self._ends(y)[1:-1]), strict=True):
            kind.answered, kind.near = answered, self.near
        return found

    def believed(self, p: np.ndarray) -> float:
        """See schemes/inequalities."""
        return min(kind.believed(p[own]) for kind, own in self.kinds)

    def let_go(self, found: bool, y: np.ndarray) -> None:
        """See schemes/inequalities."""
        for kind, own in self.kinds:
            kind.let_go(found, y[own])

    def _ends(self, y: np.ndarray) -> np.ndarray:
        return np.cumsum([0, *(len(kind.rows) for kind, _ in self.kinds)])

    def gaps(self, y: np.ndarray) -> np.ndarray:
        """See ActiveSet."""
        return np.concatenate([kind.gaps(y[own]) for kind, own in self.kinds])

    def changes(self, y: np.ndarray, p: np.ndarray) -> np.ndarray:
        """See ActiveSet."""
        return np.concatenate([kind.changes(y[own], p[own]) for kind, own in self.kinds])

    def pushes(self, y: np.ndarray) -> np.ndarray:
        """See ActiveSet."""
        return np.concatenate([kind.pushes(y[own]) for kind, own in self.kinds])

    def replaced(self, y: np.ndarray) -> np.ndarray:
        """See ActiveSet."""
        return np.concatenate([kind.replaced(y[own]) for kind, own in self.kinds])

    def slopes(self, y: np.ndarray, which: np.ndarray) -> np.ndarray:
        """See ActiveSet."""
        out, ends = np.zeros((len(which), len(y))), self._ends(y)
        for (kind, own), begin, end in zip(self.kinds, ends[:-1], ends[1:], strict=True):
            rows = np.flatnonzero((which >= begin) & (which < end))
            if len(rows):
                columns = np.arange(len(y))[own]
                out[np.ix_(rows, columns)] = kind.slopes(y[own], which[rows] - begin)
        return out

    def way(self, p: np.ndarray) -> float:
        """The furthest that a step p goes, over what can be believed."""
        return max(kind.way(p[own]) / kind.within for kind, own in self.kinds)
