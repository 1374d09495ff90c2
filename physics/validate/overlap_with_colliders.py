"""Rods that are drawn into colliders: the bake pushes them out, but leaves as it is what is held there or goes through,
as the roots of hair do (see assemble/embedded).

A collider's thickness keeps off only what was drawn further off, so it does not count, but for that of bars.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from ..geometry.near_faces import distances_to_faces
from ..geometry.samples import points_at
from ..scene import Collider, Pin, Scene, Weld
from ..scenes.collision_filter import touch
from .colliders import are_bars, degenerate

OUT = ": the bake will push it out. Move it off or make it thinner."
STAYS = ": there it touches no collider, and beside that it stays as deep as it is drawn."
DRAWN_IN = 0.05  # of its radius: what is held so deep in a collider is held in it, and stays there
NAMED_HOLDERS = 2  # holders that are named
Deepest = dict[tuple[str, str, bool], float]  # [m], by owner, name of what it is in, and whether it stays there


def overlap_with_colliders(scene: Scene, owners: Sequence[str], least: float) -> list[tuple[float, str, str]]:
    """[(depth [m], owner, sentence)], of each owner (R,) and collider one, or two where part of it stays; depths that
    are less than `least` of the radius go without being seen. What is tied to a collider is drawn into it on purpose.
    """
    if not scene.rods:
        return []
    edges, deepest, passing = Edges(scene), Deepest(), set[tuple[str, str]]()
    held_by = defaultdict[tuple[str, str], dict[str, None]](dict)
    for collider in scene.colliders:
        depths, through = edges.within(collider)
        strange = np.array([not touch(scene, rod, collider) for rod in scene.rods])
        depths[strange[edges.rod]] = -np.inf
        held = np.zeros(len(depths), bool)
        for e, name in edges.holds:
            if depths[e] > DRAWN_IN * edges.radius[e]:
                held[e] = True
                held_by[owners[edges.rod[e]], collider.name][name] = None
        passing |= {(owners[r], collider.name) for r in edges.rod[through & (depths > 0.0)]}
        stay = edges.along(through | held, depths > 0.0)
        note_deepest(scene, owners, edges, (collider.name, depths, stay), least, deepest)
    return [
        (
            depth,
            owner,
            f"'{owner}' is drawn {1e3 * depth:.3g} mm into '{name}'"
            + (_why(list(held_by[owner, name]), (owner, name) in passing) + STAYS if stays else OUT),
        )
        for (owner, name, stays), depth in deepest.items()
    ]


def _why(holders: list[str], passes: bool) -> str:
    """Why a rod stays in what it is drawn into: what holds it there, and whether it goes through that."""
    named = [f"'{name}'" for name in holders[:NAMED_HOLDERS]]
    if len(holders) > NAMED_HOLDERS:
        named.append(f"{len(holders) - NAMED_HOLDERS} more")
    held = f" and held there by {' and '.join(named)}" if named else ""
    return held + " and goes through it" * passes


class Edges:
    """The edges of all rods, one after the other."""

    def __init__(self, scene: Scene) -> None:
        heads = [np.roll(rod.x, -1, axis=0)[: rod.edge_count] for rod in scene.rods]
        radii = [0.5 * (rod.radius + np.roll(rod.radius, -1))[: rod.edge_count] for rod in scene.rods]
        self.tail = np.concatenate([rod.x[: rod.edge_count] for rod in scene.rods])
        self.head, self.radius = np.concatenate(heads), np.concatenate(radii)
        self.rod = np.repeat(np.arange(len(scene.rods)), [rod.edge_count for rod in scene.rods])
        first, number = np.cumsum([0, *(rod.edge_count for rod in scene.rods)]), np.arange(len(self.tail))
        self.before, self.behind = number - 1, number + 1
        for rod, a, b in zip(scene.rods, first[:-1], first[1:], strict=True):
            self.before[a], self.behind[b - 1] = (b - 1, a) if rod.closed else (a, b - 1)
        self.holds: list[tuple[int, str]] = []  # (an edge at what is held, what holds it)
        holds: tuple[Pin | Weld, ...] = (*scene.pins, *scene.welds)
        for hold in holds:
            edge = min(first[hold.rod] + hold.vertex, first[hold.rod + 1] - 1)
            self.holds.append((edge, hold.name))
            if hold.vertex < scene.rods[hold.rod].edge_count:
                self.holds.append((self.before[edge], hold.name))

    def within(self, collider: Collider) -> tuple[np.ndarray, np.ndarray]:
        """(how deep [m] each edge is in the collider, not positive: it is not; whether it goes through), each (E,)."""
        points, triangles = points_at(collider, 0.0), collider.triangles
        faces, bars = points[triangles[~degenerate(points, triangles)]], points[triangles[are_bars(triangles)]]
        apart, passes = distances_to_faces(self.tail, self.head, self.radius, faces)
        reach = self.radius + collider.thickness
        around, _ = distances_to_faces(self.tail, self.head, reach, bars)
        return np.maximum(self.radius - apart, reach - around), passes

    def along(self, found: np.ndarray, where: np.ndarray, far: np.ndarray | float = np.inf) -> np.ndarray:
        """What is found, and on along the rods as far as `where` holds, all (E,) bool, but no further than far (E,)
        [m].
        """
        length, way = np.linalg.norm(self.head - self.tail, axis=1), np.where(found & where, 0.0, np.inf)
        while True:
            on = np.minimum(way, np.minimum(way[self.before], way[self.behind]) + length)
            on[~where | (on > far)] = np.inf
            if np.array_equal(on, way):
                return way < np.inf
            way = on


def note_deepest(
    scene: Scene,
    owners: Sequence[str],
    edges: Edges,
    into: tuple[str, np.ndarray, np.ndarray],
    least: float,
    deepest: Deepest,
) -> None:
    """Note the deepest edges of each owner, of those deeper than `least` of their radius, or that stay, and not tied to
    what they are in: (its name, how deep [m] each edge is, whether it stays there).
    """
    name, depths, stay = into
    tied = {owners[weld.rod] for weld in scene.welds if scene.bodies[weld.body].name == name}
    for i in np.flatnonzero(depths > np.where(stay, min(least, DRAWN_IN), least) * edges.radius):
        owner = owners[edges.rod[i]]
        if owner not in tied:
            key = owner, name, bool(stay[i])
            deepest[key] = max(deepest.get(key, 0.0), float(depths[i]))
