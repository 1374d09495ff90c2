"""Which cables of a scene settle together: those that press on each other, or one on itself, and those that may meet on
their way to where each comes to rest by itself.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..cables.handle import Handle
from ..cables.harness import SettledHarness
from ..cables.pairs import Pairs, strand_of
from ..scene import Rod, Scene
from ..scenes.collision_filter import matrix
from ..scenes.linked import together
from .cable import arc_of

Group = tuple[int, ...]  # numbers of cables
Places = Sequence[np.ndarray]  # of each cable's points


class Company:
    """Of cables, whose points are numbered one cable after the other; first (W + 1,): where each one's begin."""

    def __init__(self, scene: Scene, rods: Sequence[Rod]) -> None:
        self.scene, self.rods = scene, list(rods)
        count = [len(rod.x) for rod in rods]
        self.first, self.of = np.cumsum([0, *count]), np.repeat(np.arange(len(rods)), count)
        self.apart = matrix(scene.collision_filter, [rod.group for rod in rods])
        # What stretches, or finds its own length, goes through others: how they press does not know of its length yet.
        self.touches = np.array(
            [rod.touches and scene.contact and not (rod.tautness or rod.stretchable) for rod in rods], bool
        )
        self.pairs: Pairs | None = None

    def pressing(self, pairs: np.ndarray) -> np.ndarray:
        """(k, 2) cables of PAIR that press on each other."""
        return self.of[np.stack([pairs["i"] % len(self.of), pairs["j"]], axis=1)]

    def groups(self, links: np.ndarray) -> list[Group]:
        """Of cables that links (k, 2) join, with others or with themselves."""
        return [tuple(own.tolist()) for own in together(links, len(self.rods)) if np.isin(own, links).any()]

    def filtered(self, group: Group) -> tuple[list[Rod], list[tuple[int, int]]]:
        """(the rods of a group, the scene's collision filter for them). Where one of them touches no cable, each rod is
        in a group of its own kind behind all that there are, which meets the colliders that it met.
        """
        rods, known = [self.rods[k] for k in group], [*self.scene.collision_filter]
        if self.touches[list(group)].all():
            return rods, known
        things = [rod.group for rod in self.rods] + [collider.group for collider in self.scene.colliders]
        things += [body.group for body in self.scene.bodies]
        behind = 1 + max([*things, *(number for pair in known for number in pair)])
        shift = np.where(self.touches[list(group)], behind, 2 * behind).tolist()
        rods = [replace(rod, group=rod.group + more) for rod, more in zip(rods, shift, strict=True)]
        old, both = {rod.group: rod.group % behind for rod in rods}, {*known, *((b, a) for a, b in known)}
        pairs = [(one, b) for one, a in old.items() for c, b in both if a == c]
        pairs += [(one, other) for one, a in old.items() for other, b in old.items() if (a, b) in both]
        return rods, pairs + [(one, other) for one in old if one >= 2 * behind for other in old]

    def met(self, x: Places, there: Places, handles: Sequence[Sequence[Handle]]) -> np.ndarray:
        """Links (k, 2) of cables that may touch where points go straight from x to `there`, held so."""
        if not self.touches.any():
            return np.zeros((0, 2), np.int64)
        strands = [
            strand_of(rod, arc_of(rod.x), zip(own, own, strict=True), 1.0)
            for rod, own in zip(self.rods, handles, strict=True)
        ]
        if self.pairs is None:
            self.pairs = Pairs(strands, np.zeros(len(self.of), np.int64), self.apart)
        self.pairs.hold(strands)
        found = self.pairs.meet(np.concatenate([*x]), np.concatenate([*there]))
        return np.unique(found[self.touches[found].all(axis=1)], axis=0)

    def own(self, group: Group, pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
        """(PAIR of these that press on a group's cables, numbers (n,) of its points, how many there are of all)."""
        return pairs[np.isin(self.of[pairs["j"]], group)], self._numbers(group), len(self.of)

    def pressed(self, group: Group, rest: SettledHarness) -> np.ndarray:
        """PAIR of what presses on each other in a group at rest, in N."""
        return rest.state.pairs.pressed(rest.cables[0].state.units.force, self._numbers(group), len(self.of))

    def _numbers(self, group: Group) -> np.ndarray:
        return np.concatenate([np.arange(self.first[k], self.first[k + 1]) for k in group])
