"""Handles: where a cable is held."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from ..scene import InALine, Rod
from .frames import frame_at, frames_along


@dataclass(frozen=True, eq=False, repr=False)
class Handle(InALine):
    """Holds a vertex of a rod, or the middle of an edge, at `position` (3,) [m]; None: its orientation alone.

    orientation (4,): the unit quaternion (w, x, y, z) that turns the world's axes to the rod's material frame there,
    (m₁, m₂, t), which is held too; None: the rod turns freely. Either sign is the same orientation: from one settling
    to the next it turns by less than half a turn, and turns add up. `slides`: the rod runs through it without friction.
    strength [N]: the most it exerts; where that does not do, as on a taut rod, it stays behind its position.
    part: the name of a rigid part that it goes with (settle_harness).
    """

    name: str
    position: np.ndarray | None
    vertex: int | None = None
    edge: int | None = None
    orientation: np.ndarray | None = None
    slides: bool = False
    strength: float = np.inf
    part: str | None = None

    @property
    def vertices(self) -> tuple[int, ...]:
        """The vertex, or both ends of the edge."""
        return (
            (self.vertex,) if self.vertex is not None else (self.edge, self.edge + 1) if self.edge is not None else ()
        )

    @classmethod
    def drawn(
        cls, rod: Rod, name: str, *, vertex: int | None = None, edge: int | None = None, oriented: bool = False,
        slides: bool = False,
    ) -> Self:  # fmt: skip
        """Where the rod is drawn; −1 is the last vertex or edge. Raises IndexError, ValueError."""
        if (vertex is None) == (edge is None):
            raise ValueError(f"'{name}': give it a vertex of '{rod.name}' or an edge, one of the two.")
        number, count = (vertex, len(rod.x)) if edge is None else (edge, rod.edge_count)
        assert number is not None
        if not -count <= number < count:
            what = "vertex" if edge is None else "edge"
            raise IndexError(f"'{rod.name}' has no {what} {number}: choose one from 0 to {count - 1}.")
        number %= count
        x, q = np.asarray(rod.x, float), frames_along(rod.x, rod.m1, rod.twist)
        if edge is None:
            place, middle = x[number], frame_at(q, number)
        else:
            place, middle = 0.5 * (x[number] + x[number + 1]), q[number + 1]
        return cls(
            name, place.copy(), None if vertex is None else number, None if edge is None else number,
            middle if oriented else None, slides,
        )  # fmt: skip
