"""Colliders' faces, the edges and vertices that they share, and where all of it is."""

import numpy as np

from ..contact.bounding_volumes import fit, room_for
from ..model import COLLIDER, FACE, SURFACE_EDGE, SURFACE_VERTEX, Surfaces, changed
from ..near_faces import morton_order
from ..samples import points_at
from ..scene import Scene


def surfaces_of(scene: Scene) -> Surfaces:
    """Surfaces of all colliders of a scene, where they are at its start."""
    end = np.cumsum([0, *(collider.points.shape[1] for collider in scene.colliders)])
    corners = [c.triangles + first for c, first in zip(scene.colliders, end, strict=False)]
    corner = np.concatenate([np.zeros((0, 3), np.int64), *corners]).astype(np.int64)
    collider = np.repeat(np.arange(len(scene.colliders)), [len(c.triangles) for c in scene.colliders])
    edges = surface_edges(corner)
    both = np.concatenate([edges["end"], edges["end"][:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    first = np.searchsorted(both[:, 0], np.arange(end[-1] + 1))
    owner = np.repeat(np.arange(len(scene.colliders)), np.diff(end))
    surfaces = Surfaces(
        colliders=changed(
            np.zeros(len(scene.colliders), COLLIDER), vertex=np.stack([end[:-1], end[1:]], axis=1),
            thickness=[c.thickness for c in scene.colliders], friction=[c.friction for c in scene.colliders],
        ),
        faces=changed(faces_with(corner, edges), collider=collider),
        edges=changed(edges, collider=owner[edges["end"][:, 0]]),
        vertices=changed(
            np.zeros(end[-1], SURFACE_VERTEX), edge=np.stack([first[:-1], first[1:]], axis=1), collider=owner
        ),
        neighbours=both[:, 1].copy(),
        span=np.zeros(2),
        samples=np.zeros((2, end[-1], 3)),
        order=np.zeros(0, np.int64),
        tree=room_for(len(corner)),
    )  # fmt: skip
    place(scene, surfaces.samples[0], 0.0)
    surfaces.samples[1] = surfaces.samples[0]
    surfaces = surfaces._replace(order=morton_order(surfaces.samples[0][corner].mean(axis=1)))
    if len(corner):
        fit(surfaces)
    return surfaces


def surface_edges(corner: np.ndarray) -> np.ndarray:
    """SURFACE_EDGE (E,) of faces (T, 3), by their ends. At more than two faces, an edge knows two."""
    ends = np.sort(corner[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    across = corner[:, [2, 0, 1]].ravel()
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
    edge[np.unique(ends, axis=0, return_index=True)[1]] = np.arange(len(edges))
    found, first = np.unique(corner, return_index=True)
    vertex[first] = found
    return changed(np.zeros(len(corner), FACE), corner=corner, edge=edge.reshape(-1, 3), vertex=vertex.reshape(-1, 3))


def move_on(scene: Scene, surfaces: Surfaces, begin: float, end: float) -> None:
    """Lead all surfaces from where they are at `begin` to where they are at `end` [s]."""
    if not len(surfaces.faces):
        return
    before = surfaces.samples.copy()
    for k, time in enumerate((begin, end)):
        place(scene, surfaces.samples[k], time)
    surfaces.span[:] = begin, end
    way = np.linalg.norm(surfaces.samples[1] - surfaces.samples[0], axis=1)
    surfaces.colliders["speed"] = [way[a:b].max() / (end - begin) for a, b in surfaces.colliders["vertex"]]
    if not np.array_equal(before, surfaces.samples):
        fit(surfaces)


def place(scene: Scene, points: np.ndarray, time: float) -> None:
    """Put all colliders' vertices (V, 3) where they are at a time [s]."""
    begin = 0
    for collider in scene.colliders:
        end = begin + collider.points.shape[1]
        points[begin:end] = points_at(collider, time)
        begin = end
