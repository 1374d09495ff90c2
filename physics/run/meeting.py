"""Which parts of a scene may meet: foreseen from how they move, known afterwards from where they have been."""

from collections.abc import Sequence

import numpy as np

from ..contact.swept_boxes import joined
from ..model import Model
from .joining import join_tables, starts
from .parts import numbers_of

AHEAD = 0.25  # of the way that a vertex goes as it moves now: how far beyond and beside that it may get
NEAR = 0.3  # of its radius: how far what rests may get


class Meeting:
    """The capsules of all parts, numbered part by part.

    Who meets is told by islands (P,): of each part the first one that it is joined with, itself or one before it.
    """

    def __init__(self, models: Sequence[Model]) -> None:
        at = starts(models)
        self.capsules = join_tables([model.capsules for model in models], at)
        self.radius = np.concatenate([model.nodes["radius"] for model in models])
        self.first_node, self.first_capsule = at["nodes"], at["capsules"]
        self.alone = np.arange(len(models))
        self.part = np.repeat(self.alone, np.diff(self.first_capsule))  # of each capsule
        self.possible = len(np.unique(self.part)) > 1

    def ever(self) -> np.ndarray:
        """Islands of what could meet some day: all that touches is one."""
        return np.where(np.diff(self.first_capsule) > 0, self.part.min(initial=len(self.alone)), self.alone)

    def foreseen(self, x: np.ndarray, v: np.ndarray, duration: float) -> np.ndarray:
        """Islands of what may meet within `duration` [s], the vertices at x and v (N, 3)."""
        end = x + duration * v
        aside = (AHEAD * np.linalg.norm(end - x, axis=1) + NEAR * self.radius)[:, None]
        return self.met(np.minimum(x, end) - aside, np.maximum(x, end) + aside, self.alone)

    def met(self, low: np.ndarray, high: np.ndarray, islands: np.ndarray) -> np.ndarray:
        """Islands joined where they may have met, the vertices having been in boxes low to high (N, 3) [m]."""
        if len(np.unique(islands[self.part])) < 2:
            return islands
        return joined(self.capsules, self.part, low, high, islands)

    def capsules_of(self, members: Sequence[int]) -> np.ndarray:
        """Numbers of the capsules of some parts."""
        return numbers_of(self.first_capsule, members)

    def nodes_of(self, members: Sequence[int]) -> np.ndarray:
        """Numbers of the vertices of some parts."""
        return numbers_of(self.first_node, members)
