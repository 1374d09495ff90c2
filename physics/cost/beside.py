"""How many edges of each rod lie against a rod or a surface, or so near that they come to press on it."""

import numpy as np

from ..geometry.near_faces import distances_to_faces
from ..geometry.neighbours import Capsules
from ..geometry.samples import points_at
from ..scene import Scene
from ..scenes.collision_filter import touch

NEAR = 5.0  # radii, or half an edge: what comes into touch
BESIDE = 0.5  # radii: as near is what presses at last, however fine its edges are
BENT = 0.5  # of its length from one place to another: as near the two are where a rod is bent to touch itself


def edges_beside(scene: Scene) -> np.ndarray:
    """(R,) how many edges of each rod are as near an edge of another one, or of itself where it is bent so far, or a
    face of a collider.
    """
    count = len(scene.rods)
    if not scene.contact or not any(rod.touches for rod in scene.rods):
        return np.zeros(count, dtype=int)
    capsules = Capsules(scene)
    margin = np.minimum(NEAR * capsules.radius, 0.5 * capsules.size)
    margin = np.maximum(margin, BESIDE * capsules.radius)
    first, second, _ = capsules.near(margin)
    arc = np.abs(capsules.arc[first] - capsules.arc[second])
    arc = np.minimum(arc, capsules.around[first] - arc)
    apart = np.linalg.norm(capsules.middle[first] - capsules.middle[second], axis=1)
    near = (capsules.rod[first] != capsules.rod[second]) | (apart <= BENT * arc)
    beside = np.zeros(len(capsules.rod), dtype=bool)
    beside[first[near]] = beside[second[near]] = True
    for collider in scene.colliders:
        met = np.array([touch(scene, rod, collider) for rod in scene.rods])[capsules.rod]
        beside |= met & _near_faces(capsules, 2.0 * margin, points_at(collider, 0.0)[collider.triangles])
    return np.bincount(capsules.rod[beside], minlength=count)


def _near_faces(capsules: Capsules, margin: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """(C,) bool, capsules nearer than their margins (C,) [m] to faces with these corners (T, 3, 3) [m]."""
    reach = capsules.radius + margin
    corners = corners[np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]).any(axis=1)]
    found: np.ndarray = distances_to_faces(capsules.tail, capsules.head, reach, corners)[0] < reach
    return found
