"""Soft bodies that are drawn into each other deeper than what they are rounded by: nothing would part them, for contact
keeps surfaces on the side on which they begin, so such a scene is refused.
"""

from itertools import combinations

import numpy as np

from ..rounding import round_of
from ..scene import Scene
from ..solids.tetrahedra import boundary
from .bodies_apart import Surface, boxes_meet, encloses, pierced
from .errors import SceneError


def check_solids_apart(scene: Scene) -> None:
    """Raises SceneError. Bodies that holds join do not touch each other, wherever they are."""
    if not scene.contact or scene.scheme != "VERLET":
        return
    joined = list(range(len(scene.solids)))
    surfaces: list[Surface] = []
    for solid in scene.solids:
        x, triangles = np.asarray(solid.x, np.float64), boundary(np.asarray(solid.tetrahedra))[0]
        surfaces.append(Surface(solid.name, x, triangles, round_of(solid.thickness, x, triangles)))
    for hold in scene.holds:
        if hold.other is not None:
            first, second = joined[hold.solid], joined[hold.other[0]]
            joined = [first if number == second else number for number in joined]
    for (i, one), (j, other) in combinations(enumerate(surfaces), 2):
        if joined[i] == joined[j] or not boxes_meet(one, other):
            continue
        depth = max(pierced(one, other), pierced(other, one))
        if depth > one.radius + other.radius:
            raise SceneError(
                one.name, f"'{one.name}' is drawn about {1e3 * depth:.3g} mm into '{other.name}': move them apart."
            )
        if depth < 0.0 and (encloses(one, other) or encloses(other, one)):
            raise SceneError(one.name, f"'{one.name}' and '{other.name}' are inside each other: move one out.")
