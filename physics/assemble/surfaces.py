"""Colliders' faces, the edges and vertices that they share, and where all of it is."""

from collections.abc import Sequence

import numpy as np

from ..contact.bounding_volumes import fit, room_for
from ..geometry.near_faces import morton_order
from ..geometry.samples import points_at
from ..model import COLLIDER, FACE, SURFACE_EDGE, SURFACE_VERTEX, Surfaces, changed
from ..scene import Scene

Mesh = tuple[np.ndarray, np.ndarray, float, float]  # points (V, 3) [m], triangles (T, 3), thickness [m], friction


def surfaces_of(scene: Scene) -> Surfaces:
    """Surfaces of all colliders of a scene, where they are at its start."""
    surfaces = lay_out([(points_at(c, 0.0), c.triangles, c.thickness, c.friction) for c in scene.colliders])
    surfaces.colliders["group"] = [collider.group for collider in scene.colliders]
    surfaces.colliders["led"] = [len(collider.times) > 1 for collider in scene.colliders]
    surfaces.colliders["rim"] = [collider.rim for collider in scene.colliders]
    if len(surfaces.faces):
        fit(surfaces)
    return surfaces


def lay_out(meshes: Sequence[Mesh]) -> Surfaces:
    """Surfaces of these meshes, without boxes yet. A triangle (a, b, b) is an edge alone, (a, a, a) a vertex."""
    if not len(meshes):
        return no_surfaces()
    end = np.cumsum([0, *(len(points) for points, *_ in meshes)])
    corners = [triangles + first for (_, triangles, *_), first in zip(meshes, end, strict=False)]
    corner = np.concatenate([np.zeros((0, 3), np.int64), *corners]).astype(np.int64)
    collider = np.repeat(np.arange(len(meshes)), [len(triangles) for _, triangles, *_ in meshes])
    edges = surface_edges(corner)
    both = np.concatenate([edges["end"], edges["end"][:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    first = np.searchsorted(both[:, 0], np.arange(end[-1] + 1))
    owner = np.repeat(np.arange(len(meshes)), np.diff(end))
    samples = np.zeros((2, end[-1], 3))
    samples[:] = np.concatenate([np.zeros((0, 3)), *(points for points, *_ in meshes)])
    return Surfaces(
        colliders=changed(
            np.zeros(len(meshes), COLLIDER), vertex=np.stack([end[:-1], end[1:]], axis=1),
            thickness=[thickness for *_, thickness, _ in meshes], friction=[friction for *_, friction in meshes],
            rim=-1,
        ),
        faces=changed(faces_with(corner, edges), collider=collider),
        edges=changed(edges, collider=owner[edges["end"][:, 0]]),
        vertices=changed(
            np.zeros(end[-1], SURFACE_VERTEX), edge=np.stack([first[:-1], first[1:]], axis=1), collider=owner
        ),
        neighbours=both[:, 1].copy(),
        span=np.zeros(2),
        samples=samples,
        order=morton_order(samples[0][corner].mean(axis=1)),
        tree=room_for(len(corner)),
    )  # fmt: skip


def no_surfaces() -> Surfaces:
    """Those of no mesh."""
    none = np.zeros(0, np.int64)
    return Surfaces(
        colliders=np.zeros(0, COLLIDER), faces=np.zeros(0, FACE), edges=np.zeros(0, SURFACE_EDGE),
        vertices=np.zeros(0, SURFACE_VERTEX), neighbours=none, span=np.zeros(2), samples=np.zeros((2, 0, 3)),
        order=none, tree=room_for(0),
    )  # fmt: skip


def surface_edges(corner: np.ndarray) -> np.ndarray:
    """SURFACE_EDGE (E,) of faces (T, 3), by their ends. At more than two faces, an edge knows two."""
    ends = np.sort(corner[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    across = corner[:, [2, 0, 1]].ravel()
    real = ends[:, 0] < ends[:, 1]
    ends, across = ends[real], np.where(np.any(ends == across[:, None], axis=1), -1, across)[real]
    edge, first, number = np.unique(ends, axis=0, return_index=True, return_inverse=True)
    opposite = np.full((len(edge), 2), -1)
    opposite[:, 0] = across[first]
    others = np.setdiff1d(np.arange(len(ends)), first)
    opposite[number.ravel()[others], 1] = across[others]
    return changed(np.zeros(len(edge), SURFACE_EDGE), end=edge, opposite=opposite)


def faces_with(corner: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """FACE (T,) of faces (T, 3): each SURFACE_EDGE and each vertex is found with the first face that has it."""
    ends = np.sort(corner[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    edge, vertex = np.full(len(ends), -1), np.full(len(ends), -1)
    real = np.flatnonzero(ends[:, 0] < ends[:, 1])
    edge[real[np.unique(ends[real], axis=0, return_index=True)[1]]] = np.arange(len(edges))
    found, first = np.unique(corner, return_index=True)
    vertex[first] = found
    return changed(np.zeros(len(corner), FACE), corner=corner, edge=edge.reshape(-1, 3), vertex=vertex.reshape(-1, 3))


def move_on(
    scene: Scene, surfaces: Surfaces, begin: float, end: float, lag: np.ndarray | float = 0.0, yields: bool = False
) -> bool:
    """Lead all surfaces from where they are at `begin`, which they lag by (V, 3) [m], to where they are at `end` [s].
    Returns whether any of them is led, or may yield.
    """
    if not len(surfaces.faces):
        return False
    surfaces.span[:] = begin, end
    if not yields and all(len(collider.times) == 1 for collider in scene.colliders):
        return False  # they stand still, and are where they were laid out
    before = surfaces.samples.copy()
    for k, time in enumerate((begin, end)):
        place(scene, surfaces.samples[k], time)
    surfaces.samples[0] += lag
    if not np.array_equal(before, surfaces.samples):
        fit_motion(surfaces)
    return True


def fit_motion(surfaces: Surfaces) -> None:
    """Fit speeds and boxes to how surfaces go through the frame."""
    way = np.linalg.norm(surfaces.samples[1] - surfaces.samples[0], axis=1)
    duration = surfaces.span[1] - surfaces.span[0]
    surfaces.colliders["speed"] = [way[a:b].max() / duration for a, b in surfaces.colliders["vertex"]]
    for c in np.flatnonzero(surfaces.colliders["rim"] >= 0):
        own = surfaces.colliders[c]
        surfaces.colliders["turn"][c] = turn_of_bar(surfaces.samples[:, slice(*own["vertex"])], own["rim"])
    fit(surfaces)


def turn_of_bar(points: np.ndarray, rim: int) -> float:
    """By how much [rad] a point goes around the line from the first one to the second in a frame: points (2, V, 3)."""
    axis = points[:, 1] - points[:, 0]
    axis /= np.linalg.norm(axis, axis=1)[:, None]
    out = points[:, rim] - points[:, 0]
    out -= (out * axis).sum(axis=1)[:, None] * axis
    return float(np.arctan2(axis.mean(axis=0) @ np.cross(out[0], out[1]), out[0] @ out[1]))


def place(scene: Scene, points: np.ndarray, time: float) -> None:
    """Put all colliders' vertices (V, 3) where they are at a time [s]."""
    begin = 0
    for collider in scene.colliders:
        end = begin + collider.points.shape[1]
        points[begin:end] = points_at(collider, time)
        begin = end
