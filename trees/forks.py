"""Where branches meet: which branch each one grows from, and the edges of its parent that carry it.

A branch is a rod whose first vertex lies on its parent's centre line, anywhere along it. Starting with the trunk the
nearest branch is joined first, as a spanning tree grows (Prim 1957), so that no branch is its own ancestor.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from ..physics.arithmetic.fixed_order import product
from ..physics.scene import Rod
from ..physics.validate import SceneError

REACH = 1.5, 0.2  # of the parent's radius, of its edge: how far off its centre line a child may start
GROUND = 0.05  # of the tree's height: what starts no higher above the trunk's base and touches nothing is a trunk too


@dataclass(frozen=True)
class Start:
    """Where on its parent a branch starts, `along` in edges from the parent's first vertex; a trunk has none."""

    parent: int
    along: float


@dataclass(frozen=True)
class Fork:
    """An edge of a parent, from `vertex` to the next, and the branches it carries."""

    parent: int
    vertex: int
    children: tuple[int, ...]


def starts(name: str, rods: Sequence[Rod]) -> list[Start | None]:
    """The Start of each rod of tree `name`, None for its trunks, of which one is the rod that starts thickest.

    Raises SceneError about the first branch that touches no other and does not start at the ground.
    """
    found: list[Start | None] = [None] * len(rods)
    joined = np.zeros(len(rods), dtype=bool)
    nearest = _Nearest(np.stack([rod.x[0] for rod in rods]))
    newest = int(np.argmax([rod.radius[0] for rod in rods]))
    base, top = nearest.points[newest, 2], max(rod.x[:, 2].max() for rod in rods)
    while True:
        joined[newest] = True
        nearest.meet(newest, rods[newest])
        left = np.flatnonzero(~joined)
        if not len(left):
            return found
        newest = left[np.argmin(nearest.ratio[left])]
        if nearest.ratio[newest] <= 1.0:
            found[newest] = _settled(found, Start(int(nearest.parent[newest]), float(nearest.along[newest])))
            continue
        low = left[nearest.points[left, 2] <= base + GROUND * (top - base)]
        if not len(low):
            _raise_loose(name, rods, left[np.argmin(nearest.gap[left])], joined, nearest)
        newest = max(low, key=lambda k: rods[k].radius[0])


class _Nearest:
    """For each of `points`, the starts of branches: the best place to join on the branches met so far."""

    def __init__(self, points: np.ndarray) -> None:
        self.points = points
        self.ratio, self.gap = np.full((2, len(points)), np.inf)  # gap [m], also against the parent's reach
        self.parent, self.along = np.zeros(len(points), dtype=int), np.zeros(len(points))

    def meet(self, number: int, rod: Rod) -> None:
        """Let the points also find a rod's places."""
        along, gap, reach = _place(rod, self.points)
        better = gap / reach < self.ratio
        self.ratio[better], self.along[better], self.parent[better] = (gap / reach)[better], along[better], number
        self.gap = np.minimum(self.gap, gap)


def _place(rod: Rod, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of points (k, 3): the nearest places on a rod in edges (k,), the distances to them and how far it reaches [m]."""
    edge = rod.edges()
    square = np.sum(edge**2, axis=1)
    share = np.clip((product(points, edge.T) - np.sum(rod.x[:-1] * edge, axis=1)) / square, 0.0, 1.0)
    gap = np.linalg.norm(points[:, None] - rod.x[None, :-1] - share[..., None] * edge, axis=2)
    best = np.argmin(gap, axis=1)
    rows = np.arange(len(points))
    along = best + share[rows, best]
    radius = np.interp(along, np.arange(len(rod.x)), rod.radius)
    return along, gap[rows, best], REACH[0] * radius + REACH[1] * np.sqrt(square[best])


def _settled(found: list[Start | None], start: Start | None) -> Start | None:
    """What starts where its parent does shares the parent's own start; with a trunk's, it is a trunk."""
    while start is not None and start.along < 0.5:
        start = found[start.parent]
    return start


def _raise_loose(name: str, rods: Sequence[Rod], number: int, joined: np.ndarray, nearest: _Nearest) -> NoReturn:
    what = (
        f"Branch {number} of '{name}' touches no other branch: it starts {nearest.gap[number]:.3g} m from the nearest"
    )
    tip = rods[number].x[-1:]
    for other in np.flatnonzero(joined).tolist():
        _, gap, reach = _place(rods[other], tip)
        if gap[0] <= reach[0]:
            raise SceneError(name, f"{what}, but ends on branch {other}: switch its direction in edit mode.")
    raise SceneError(name, f"{what}. Move its first point onto the branch it grows from, or delete it.")


def forks(
    name: str, rods: Sequence[Rod], found: Sequence[Start | None], held: Collection[tuple[int, int]] = ()
) -> list[Fork]:
    """The Forks of the rods of tree `name` whose Starts were `found`; held: (rod, vertex) of pins, which take an edge.

    Two forks share no vertex, and none has its parent's first: a branch is carried by the nearest edge that is left.
    """
    taken, result = {(rod, vertex + more) for rod, vertex in held for more in (0, 1)}, []
    for parent, rod in enumerate(rods):
        along = {k: start.along for k, start in enumerate(found) if start is not None and start.parent == parent}
        free = [j for j in range(1, rod.edge_count) if not {(parent, j), (parent, j + 1)} & taken]
        if along and not free:
            raise SceneError(name, f"Pins hold branch {parent} of '{name}' where others fork off: remove one.")
        carried: dict[int, list[int]] = {}
        for child in sorted(along, key=along.__getitem__):
            allowed = [j for j in free if all(j == k or abs(j - k) >= 2 for k in carried)]
            edge = min(allowed, key=lambda j: abs(j + 0.5 - along[child]))
            carried.setdefault(edge, []).append(child)
        result += [Fork(parent, edge, tuple(own)) for edge, own in sorted(carried.items())]
    return result
