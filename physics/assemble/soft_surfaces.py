"""The surfaces of soft bodies that touch: their boundary triangles, between nodes."""

import numpy as np

from ..geometry.rounding import round_of
from ..model import Surfaces
from ..scene import Scene, Sheet
from .surfaces import lay_out


def touches(scene: Scene) -> bool:
    """Whether its soft bodies touch anything: contact is solved in even steps, not in those that adapt."""
    return scene.contact and scene.scheme == "VERLET"


def soft_surface(scene: Scene, triangles: np.ndarray, x: np.ndarray) -> tuple[Surfaces, np.ndarray]:
    """(Surfaces of a scene's soft bodies without boxes yet, node of each of its vertices (V,)); TRIANGLE (F,) are all
    bodies', x (N, 3) [m].
    """
    meshes, nodes = [], [np.zeros(0, np.int64)]
    for s, solid in enumerate(scene.solids):
        own, corner = np.unique(triangles["corner"][triangles["solid"] == s], return_inverse=True)
        corner = corner.reshape(-1, 3)
        meshes.append((x[own], corner, round_of(solid, x[own], corner), solid.friction))
        nodes.append(own)
    surface = lay_out(meshes)
    surface.colliders["group"] = [solid.group for solid in scene.solids]
    surface.colliders["open"] = [isinstance(solid, Sheet) for solid in scene.solids]
    return surface._replace(edges=outwards(surface)), np.concatenate(nodes)


def outwards(surface: Surfaces) -> np.ndarray:
    """SURFACE_EDGE (E,) whose first face is the one that has it counterclockwise, seen from outside."""
    corner, edges, v = surface.faces["corner"], surface.edges.copy(), len(surface.vertices)
    forward = corner[:, [0, 1, 2]] * v + corner[:, [1, 2, 0]]
    across = dict(zip(forward.ravel().tolist(), corner[:, [2, 0, 1]].ravel().tolist(), strict=True))
    for edge in edges:
        first = across.get(int(edge["end"][0] * v + edge["end"][1]))
        if first is not None and first != edge["opposite"][0]:
            edge["opposite"] = edge["opposite"][::-1]
    return edges
