"""How many edges of each rod lie against a rod, or so near that they come to press on it."""

import numpy as np

from ..neighbours import Capsules
from ..scene import Scene

NEAR = 5.0  # radii, or half an edge: what comes into touch
BESIDE = 0.5  # radii: as near is what presses at last, however fine its edges are
BENT = 0.5  # of its length from one place to another: as near the two are where a rod is bent to touch itself


def edges_beside(scene: Scene) -> np.ndarray:
    """(R,) how many edges of each rod are as near an edge of another one, or of itself where it is bent so far."""
    count = len(scene.rods)
    if not scene.contact or not any(rod.touches for rod in scene.rods):
        return np.zeros(count, dtype=int)
    capsules = Capsules(scene)
    margin = np.minimum(NEAR * capsules.radius, 0.5 * capsules.size)
    first, second, _ = capsules.near(np.maximum(margin, BESIDE * capsules.radius))
    arc = np.abs(capsules.arc[first] - capsules.arc[second])
    arc = np.minimum(arc, capsules.around[first] - arc)
    apart = np.linalg.norm(capsules.middle[first] - capsules.middle[second], axis=1)
    touch = (capsules.rod[first] != capsules.rod[second]) | (apart <= BENT * arc)
    return np.bincount(capsules.rod[np.union1d(first[touch], second[touch])], minlength=count)
