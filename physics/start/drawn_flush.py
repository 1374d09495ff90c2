"""Soft bodies that are drawn flush on each other or on colliders, or a little into them, begin a little apart: contact
keeps what touches on the side where it begins, and two points in one place have no side.

Surfaces go inwards, as rigid bodies are rounded from within (see `rounding`), where they are near to each other: by a
part SLIGHT of what they are rounded by where they are flush, and by as much more as they are drawn into each other. No
face is turned by that, so this serves any shape, also what fits into something hollow, which no translation leads out.
Where the start is the relaxed shape it stays so, else what is drawn into something would be thrown off. What is held
stays where it is drawn.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..arithmetic.fixed_order import norm
from ..assemble.soft_surfaces import touches
from ..geometry.near_faces import distance_to_faces, near_faces
from ..geometry.rounding import inwards, round_of
from ..geometry.samples import points_at
from ..scene import Scene, Sheet
from ..scenes.collision_filter import touch
from ..validate.colliders import degenerate
from ..validate.pierced import boxes_meet, edges_of
from ..validate.solids_apart import joined_solids, skin_of

SLIGHT = 1e-4  # of what two are rounded by: so far they begin apart. Thirty times what contact takes for on a face (ON)
PARTS = np.geomspace(2.0 * SLIGHT, 1.0, 21)  # of what each is rounded by: how far it goes inwards


class Skin(NamedTuple):
    """Points (V, 3) [m], triangles (T, 3); how far [m] they may go inwards, but for what is held (V,); a sheet, which
    has no inside, up (3,) instead, each one further than the one before.
    """

    points: np.ndarray
    triangles: np.ndarray
    way: float
    held: np.ndarray
    up: np.ndarray | None = None

    def gone(self, near: np.ndarray, part: float) -> np.ndarray:
        """Points (V, 3) [m] of which those that are near (V,) have gone that part of the way."""
        if self.way == 0.0:
            return self.points
        far = part * self.way
        moved = inwards(self.points, self.triangles, far) if self.up is None else self.points + far * self.up
        return np.where((near & ~self.held)[:, None], moved, self.points)


def begun_apart(scene: Scene) -> Scene:
    """The scene with what soft bodies are drawn flush on or into begun apart, as far as that goes."""
    if not scene.solids or not touches(scene):
        return scene
    skins, nodes = _skins(scene)
    moved = [skin.points.copy() for skin in skins]
    far = [np.zeros(len(skin.points)) for skin in skins]
    for i, j, beside in _pairs(scene, skins):
        one, other = _stays(skins[i], beside), _stays(beside, skins[i])
        near = _near(one, other)
        part = _least_part(one, other, near)
        for k, own, there in ((i, one, near[0]), (j, other, near[1])):
            if part > 0.0 and k >= 0:
                further = there & (part * own.way > far[k])
                moved[k][further] = own.gone(there, part)[further]
                far[k][further] = part * own.way
    solids = list(scene.solids)
    for s, solid in enumerate(scene.solids):
        if far[s].any():
            x = np.array(solid.x, np.float64)
            x[nodes[s]] = moved[s]
            solids[s] = replace(solid, x=x)
    return replace(scene, solids=tuple(solids)) if solids != list(scene.solids) else scene


def _stays(one: Skin, other: Skin) -> Skin:
    """The one as it is beside the other: a sheet stays where it is, where a soft body goes inwards."""
    return one._replace(way=0.0) if one.up is not None and other.up is None and other.way > 0.0 else one


def _skins(scene: Scene) -> tuple[list[Skin], list[np.ndarray]]:
    """Of each soft body its Skin, and the nodes (V,) that its points are."""
    skins, nodes, sheets = [], [], 0
    down = np.asarray(scene.gravity, np.float64)
    against = -down / norm(down) if down.any() else np.array([0.0, 0.0, 1.0])
    for s, solid in enumerate(scene.solids):
        surface, way = skin_of(solid)
        own, corner = np.unique(surface.triangles, return_inverse=True)
        held = np.zeros(len(solid.x), bool)
        held[[hold.node for hold in scene.holds if hold.solid == s and np.isinf(hold.stiffness)]] = True
        held[[hold.other[1] for hold in scene.holds if hold.other is not None and hold.other[0] == s]] = True
        if isinstance(solid, Sheet):
            sheets += 1
            way, up = round_of(solid, surface.points, surface.triangles), sheets * against
        else:
            up = None
        skins.append(Skin(surface.points[own], corner.reshape(-1, 3), way, held[own], up))
        nodes.append(own)
    return skins, nodes


def _pairs(scene: Scene, skins: list[Skin]) -> Iterator[tuple[int, int, Skin]]:
    """Numbers of two soft bodies that touch, or −1 of a collider, and the other one's Skin, where their boxes meet."""
    joined = joined_solids(scene)
    for i, j in combinations(range(len(skins)), 2):
        meet = boxes_meet(skins[i], skins[j], SLIGHT * (skins[i].way + skins[j].way))
        if meet and joined[i] != joined[j] and touch(scene, scene.solids[i], scene.solids[j]):
            yield i, j, skins[j]
    for collider in scene.colliders:
        points = np.asarray(points_at(collider, 0.0), np.float64)
        real = collider.triangles[~degenerate(points, collider.triangles)]
        led = Skin(points, real, 0.0, np.ones(len(points), bool))
        for i, skin in enumerate(skins):
            if len(real) and touch(scene, scene.solids[i], collider) and boxes_meet(skin, led, SLIGHT * skin.way):
                yield i, -1, led


def _near(one: Skin, other: Skin) -> tuple[np.ndarray, np.ndarray]:
    """Which points of both, (V,) and (U,), are ends of edges, or corners of faces, that are within both ways [m]."""
    near = np.zeros(len(one.points), bool), np.zeros(len(other.points), bool)
    for k, (edges, faces, distance, _) in enumerate(_met(one, other, (one.points, other.points))):
        close = distance <= one.way + other.way
        near[k][edges[close]] = True
        near[1 - k][faces[close]] = True
    return near


def _least_part(one: Skin, other: Skin, near: tuple[np.ndarray, np.ndarray]) -> float:
    """The least of PARTS of their ways after which they are apart; 0: they are, or none takes them there."""
    if _apart(one, other, (one.points, other.points)):
        return 0.0
    for part in PARTS:
        if _apart(one, other, (one.gone(near[0], part), other.gone(near[1], part))):
            return float(part)
    return 0.0


def _apart(one: Skin, other: Skin, points: tuple[np.ndarray, np.ndarray]) -> bool:
    """Whether no edge of either goes through a face of the other, or is too near to it, but for those both held."""
    for k, (edges, faces, distance, through) in enumerate(_met(one, other, points)):
        held = ((one, other)[k].held[edges].any(axis=1)) & ((other, one)[k].held[faces].any(axis=1))
        if np.any(~held & (through | (distance < SLIGHT * (one.way + other.way)))):
            return False
    return True


def _met(
    one: Skin, other: Skin, points: tuple[np.ndarray, np.ndarray]
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    """First of edges of the one and faces of the other, then the other way round, with their points (V, 3) and (U, 3):
    ends (k, 2), corners (k, 3), how far apart these are (k,) [m], and whether they go through each other (k,).
    """
    reach = one.way + other.way
    for first, second, x, y in ((one, other, *points), (other, one, *points[::-1])):
        ends, faces, found = edges_of(first.triangles), y[second.triangles], []
        for i, j in near_faces(x[ends[:, 0]], x[ends[:, 1]], np.full(len(ends), reach), faces):
            distance, through = distance_to_faces(x[ends[i, 0]], x[ends[i, 1]], faces[j])
            found.append((ends[i], second.triangles[j], distance, through))
        yield tuple(np.concatenate(part) for part in zip(*found, strict=True))
