"""Rigid parts that go with cables."""

from dataclasses import dataclass, field

import numpy as np

from ..arithmetic.fixed_order import norm
from ..scene import InALine, Shape


@dataclass(frozen=True, eq=False, repr=False)
class Part(InALine):
    """A connector, a box, a ramification: handles that name it go with it, as they were when first settled.

    position (3,) [m] of its origin, orientation (4,): the unit quaternion (w, x, y, z) from its axes to the world's.
    `held`: that is where it is led to; else it is where it begins, and cables and its weight draw it to its place.
    strength [N]: the most that leads it; where that does not do, as on taut cables, it stays behind, turned as led but
    where it has a shape, for then the hand turns it with as much as at the end of its longest arm.
    mass [kg], which weighs `weight` times as much as it does in air, centre (3,) [m] of mass in its own axes.
    forces: (force (3,) [N], place (3,) [m] in its own axes) of each that acts on it besides, whatever it does.
    shape: what of it touches colliders, cables and other parts, its points in its own axes; None: nothing touches it.
    group: see Scene.collision_filter.
    """

    name: str
    position: np.ndarray
    orientation: np.ndarray = field(default_factory=lambda: np.array([1.0, 0.0, 0.0, 0.0]))
    held: bool = False
    strength: float = np.inf
    mass: float = 0.0
    weight: float = 1.0
    centre: np.ndarray = field(default_factory=lambda: np.zeros(3))
    forces: tuple[tuple[np.ndarray, np.ndarray], ...] = ()
    shape: Shape | None = None
    group: int = 0

    @property
    def firm(self) -> bool:
        """Whether it is where it is led to, whatever that takes."""
        return self.held and bool(np.isinf(self.strength))

    @property
    def turn_strength(self) -> float:
        """[N m], the most that turns it."""
        if self.shape is None:
            return np.inf
        return self.strength * reach(self.shape)


def reach(shape: Shape) -> float:
    """[m] from the origin of axes, its points being in these, to what of a shape is furthest."""
    return float(norm(np.asarray(shape.points, float)).max()) + shape.radius
