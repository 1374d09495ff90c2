"""Contacts of several kinds, or of several cables, as one set of inequalities."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..schemes.inequalities import Inequalities, Solve


class All:
    """One kind after the other."""

    def __init__(self, kinds: Sequence[Inequalities]) -> None:
        self.kinds = kinds

    def stand_firm(self, y: np.ndarray) -> None:
        """See schemes/inequalities."""
        for kind in self.kinds:
            kind.stand_firm(y)

    def answer(self, y: np.ndarray, p: np.ndarray, solve: Solve) -> bool:
        """See schemes/inequalities."""
        found = [kind.answer(y, p, solve) for kind in self.kinds]  # each has to be asked
        return all(found)

    def let_go(self, found: bool, y: np.ndarray) -> None:
        """See schemes/inequalities."""
        for kind in self.kinds:
            kind.let_go(found, y)


@dataclass(frozen=True)
class Own:
    """Those of unknowns that are among others: own(y) are its."""

    kind: Inequalities
    own: Callable[[np.ndarray], np.ndarray]

    def stand_firm(self, y: np.ndarray) -> None:
        """See schemes/inequalities."""
        self.kind.stand_firm(self.own(y))

    def answer(self, y: np.ndarray, p: np.ndarray, solve: Solve) -> bool:
        """See schemes/inequalities."""
        return self.kind.answer(self.own(y), self.own(p), solve)

    def let_go(self, found: bool, y: np.ndarray) -> None:
        """See schemes/inequalities."""
        self.kind.let_go(found, self.own(y))
