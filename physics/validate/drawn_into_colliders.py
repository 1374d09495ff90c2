"""Rods that are drawn into colliders: the bake pushes them out, but leaves as it is what is held there or goes through,
as the roots of hair do.

A collider's thickness keeps off only what was drawn further off, so it does not count.
"""

from collections.abc import Sequence

import numpy as np

from ..near_faces import distance_to_faces, near_faces
from ..samples import points_at
from ..scene import Collider, Pin, Scene, Weld
from ..strangers import touch
from .colliders import degenerate


def drawn_into_colliders(scene: Scene, owners: Sequence[str], least: float) -> list[tuple[float, str, str]]:
    """[(depth [m], owner, sentence)], of each owner (R,) and collider one, or two where part of it stays; depths that
    are less than `least` of the radius go without being seen. What is tied to a collider is drawn into it on purpose.
    """
    if not scene.rods:
        return []
    edges, deepest = _Edges(scene), dict[tuple[str, str, bool], float]()
    tied = {(owners[weld.rod], scene.bodies[weld.body].name) for weld in scene.welds}
    for collider in scene.colliders:
        depths, stay = edges.within(collider)
        strange = np.array([not touch(scene, rod, collider) for rod in scene.rods])
        depths[strange[edges.rod]] = -np.inf
        for i in np.flatnonzero(depths > least * edges.radius):
            key = owners[edges.rod[i]], collider.name, bool(stay[i])
            if key[:2] not in tied:
                deepest[key] = max(deepest.get(key, 0.0), float(depths[i]))
    found = []
    for (owner, name, stays), depth in deepest.items():
        what = f"'{owner}' is drawn {1e3 * depth:.3g} mm into '{name}'"
        cure = ": the bake will push it out. Move it off or make it thinner."
        if stays:
            cure = " and held there, or goes through it: what is inside stays as it is drawn and touches no collider."
        found.append((depth, owner, what + cure))
    return found


class _Edges:
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
        self.held = np.zeros(len(number), bool)
        holds: tuple[Pin | Weld, ...] = (*scene.pins, *scene.welds)
        for hold in holds:
            edge = min(first[hold.rod] + hold.vertex, first[hold.rod + 1] - 1)
            self.held[edge] = True
            if hold.vertex < scene.rods[hold.rod].edge_count:
                self.held[self.before[edge]] = True

    def within(self, collider: Collider) -> tuple[np.ndarray, np.ndarray]:
        """(how deep [m] each edge is in the collider, not positive: it is not; whether it stays there), each (E,)."""
        points = points_at(collider, 0.0)
        corners = points[collider.triangles[~degenerate(points, collider.triangles)]]
        depth, stays = np.full(len(self.tail), -np.inf), self.held.copy()
        if not len(corners):
            return depth, stays
        for i, j in near_faces(self.tail, self.head, self.radius, corners):
            distance, through = distance_to_faces(self.tail[i], self.head[i], corners[j])
            np.maximum.at(depth, i, self.radius[i] - distance)
            stays[i[through]] = True
        inside = depth > 0.0
        stays &= inside
        while True:  # and on along the rod, as far as it is inside
            on = inside & (stays | stays[self.before] | stays[self.behind])
            if np.array_equal(on, stays):
                return depth, stays
            stays = on
