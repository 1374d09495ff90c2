"""A tree of rods: as fine as its branches are thick, joined by rigid couplers, with leaves on its twigs.

The largest stable step of a branch goes as l²/r, edge length over radius. So edges have l ∝ √r: all branches allow
about the same step. A bare branch too short for that, of LEAST edges all the same, is softened until it allows it too;
it is still far stiffer than anything the wind moves.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..physics.cost import linear_step
from ..physics.scene import RigidBody, Rod, Weld
from ..physics.validate import SceneError
from .forks import forks, starts
from .self_buckling import strengthen

LEAST = 3  # edges of a branch
STOCKY = 2.5  # radii: a branch has no shorter edges than that
THINNEST = 0.25  # of a branch's largest radius: what one drawn to a point has at its tip; twigs end in buds


@dataclass(frozen=True)
class Tree:
    """rods, one for each branch; bodies and welds that join them; roots: the rods whose first vertex stands fast."""

    rods: tuple[Rod, ...]
    bodies: tuple[RigidBody, ...]
    welds: tuple[Weld, ...]
    roots: tuple[int, ...]


@dataclass(frozen=True)
class Leaves:
    """What grows on branches thinner than `radius` [m]: mass [kg/m], and drag coefficient times area [m²/m]."""

    radius: float
    mass: float
    drag: float


def pieces(trunk: int, depth: float = 0.0) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """A rule for the number of edges of each branch, if the trunk is to have `trunk`.

    It takes length (k,) and radius (k,), largest of each branch, in any unit, over the bevel depth, and gives numbers
    (k,).
    """

    def counts(length: np.ndarray, radius: np.ndarray) -> np.ndarray:
        main = int(np.argmax(radius))
        edge = length[main] / trunk * np.sqrt(radius / radius[main])
        with np.errstate(divide="ignore"):
            wanted = np.ceil(length / np.maximum(edge, STOCKY * depth * radius) - 1e-6)
        return np.clip(wanted, LEAST, np.iinfo(np.int32).max).astype(int)

    return counts


def blunt(radius: np.ndarray) -> np.ndarray:
    """Radius (n,) of a branch without the sharp tip that no rod can have."""
    return np.maximum(radius, THINNEST * radius.max())


def join(
    name: str,
    rods: Sequence[Rod],
    leaves: Leaves,
    gravity: np.ndarray,
    first_rod: int = 0,
    first_body: int = 0,
    held: Collection[tuple[int, int]] = (),
) -> Tree:
    """The Tree of the rods of its branches, which are the scene's from number `first_rod` on.

    leaves: Leaves; gravity (3,) [m/s²]; held: (rod, vertex), of these rods, that pins take. Raises SceneError about
    tree `name`.
    """
    for number, rod in enumerate(rods):
        if rod.closed:
            raise SceneError(name, f"Branch {number} of '{name}' is closed: open it with Toggle Cyclic in edit mode.")
    found = starts(name, rods)
    places = forks(name, rods, found, held)
    carrying = {fork.parent for fork in places}
    bodies, welds = [], []
    for number, fork in enumerate(places, start=first_body):
        parent = rods[fork.parent]
        label = f"{parent.name} fork {fork.vertex}"
        middle = 0.5 * (parent.x[fork.vertex] + parent.x[fork.vertex + 1])
        bodies.append(RigidBody(label, middle, 0.0, np.zeros((3, 3)), weights=parent.weights))
        ends = [(fork.parent, fork.vertex), *((child, 0) for child in fork.children)]
        welds += [Weld(label, number, first_rod + rod, vertex) for rod, vertex in ends]
    step = min([linear_step(rods[k]) for k in carrying], default=0.0)
    rods = [grow_leaves(rod if k in carrying else soften(rod, step), leaves) for k, rod in enumerate(rods)]
    if rods[0].balanced:
        rods = strengthen(rods, found, places, gravity)
    roots = tuple(k for k, start in enumerate(found) if start is None)
    return Tree(tuple(rods), tuple(bodies), tuple(welds), roots)


def soften(rod: Rod, step: float) -> Rod:
    """The rod, no stiffer than allows a time step [s]."""
    share = min(1.0, (linear_step(rod) / step) ** 2) if step > 0.0 else 1.0
    return replace(rod, bend_stiffness=share * rod.bend_stiffness, twist_stiffness=share * rod.twist_stiffness)


def grow_leaves(rod: Rod, leaves: Leaves) -> Rod:
    """The rod with leaves wherever it is thin enough."""
    length = np.linalg.norm(rod.edges(), axis=1)
    around = 0.5 * (np.append(length, 0.0) + np.append(0.0, length))
    around[rod.radius >= leaves.radius] = 0.0
    if not around.any():
        return rod
    return replace(rod, mass=rod.mass + leaves.mass * around, leaf_area=leaves.drag * around)
