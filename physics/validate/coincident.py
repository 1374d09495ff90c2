"""Things that are exactly where another one is, as what was duplicated and not moved: nothing tells which way they have
to part. Such a scene is refused.
"""

from collections.abc import Iterator

import numpy as np

from ..scene import Scene
from ..scenes.collision_filter import Touching, touch
from .errors import SceneError


def check_coincident(scene: Scene) -> None:
    """Raises SceneError."""
    known: dict[tuple[str, bytes], list[Touching]] = {}
    for kind, thing, points in _touching(scene) if scene.contact else ():
        others = known.setdefault((kind, _placed(points)), [])
        for other in others:
            if touch(scene, other, thing):
                cure = "move one or remove it."
                both = f"'{other.name}' and '{thing.name}' are exactly in the same place"
                if other.name == thing.name:
                    both = f"'{thing.name}' has two parts exactly in the same place"
                raise SceneError(thing.name, f"{both}: {cure}")
        others.append(thing)


def _placed(points: np.ndarray) -> bytes:
    """The same of points (n, 3) [m] in whichever order."""
    return np.unique(np.asarray(points, np.float64), axis=0).tobytes()


def _touching(scene: Scene) -> Iterator[tuple[str, Touching, np.ndarray]]:
    """(what it is, thing, its points (n, 3) [m]) of all that touch others of their kind: what is welded does not."""
    welded = {weld.rod for weld in scene.welds}
    yield from (("rod", rod, rod.x) for r, rod in enumerate(scene.rods) if rod.touches and r not in welded)
    yield from (("body", body, body.shape.points) for body in scene.bodies if body.shape is not None)
    if scene.scheme == "VERLET":
        yield from (("soft", solid, solid.x) for solid in scene.solids)
