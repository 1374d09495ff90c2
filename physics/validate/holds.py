"""What holds a rod, pins and welds: where, how, and no point twice."""

from typing import Any

from ..scene import PIN_MODES, Pin, Rod, Scene, Weld
from .errors import SceneError

Holders = dict[tuple[int, int], Pin | Weld]  # by (rod, point)


def check_place(scene: Scene, holder: Pin | Weld) -> None:
    """Raises SceneError when a Pin or Weld holds a rod, point or mode that is not there."""
    name = holder.name
    given: Any = holder.rod
    if isinstance(given, Rod):
        text = f"'{name}' holds '{given.name}', which is none of the scene's rods: put that very one there."
        raise SceneError(name, text)
    if not 0 <= holder.rod < len(scene.rods):
        raise SceneError(name, f"'{name}' holds rod {holder.rod}, but there are {len(scene.rods)}: choose one of them.")
    rod = scene.rods[holder.rod]
    if not 0 <= holder.vertex < len(rod.x):
        raise SceneError(
            name, f"'{name}' holds point {holder.vertex} of '{rod.name}', which has {len(rod.x)}: choose one of them."
        )
    if holder.mode not in PIN_MODES:
        raise SceneError(name, f"'{name}' has the mode '{holder.mode}': choose one of {', '.join(PIN_MODES)}.")


def check_weld(scene: Scene, weld: Weld) -> None:
    """Raises SceneError."""
    check_place(scene, weld)
    if not 0 <= weld.body < len(scene.bodies):
        raise SceneError(
            weld.name, f"'{weld.name}' is tied to body {weld.body}, but there are {len(scene.bodies)}: choose one."
        )


def held_points(rod: Rod, holder: Pin | Weld) -> tuple[int, ...]:
    """The points of a Rod that a Pin or Weld holds: its own, and inside the rod, unless a mere place, the next."""
    inner = rod.closed or 0 < holder.vertex < len(rod.x) - 1
    if holder.mode == "POSITION" or not inner:
        return (holder.vertex,)
    return holder.vertex, (holder.vertex + 1) % len(rod.x)


def check_holds(scene: Scene) -> Holders:
    """{(rod, point): the Pin or Weld that holds it}. Raises SceneError when two hold the same."""
    holders: Holders = {}
    holds: tuple[Pin | Weld, ...] = (*scene.pins, *scene.welds)
    for holder in holds:
        rod = scene.rods[holder.rod]
        for point in held_points(rod, holder):
            other = holders.setdefault((holder.rod, point), holder)
            if other is not holder:
                raise SceneError(
                    holder.name,
                    f"'{holder.name}' and '{other.name}' hold the same point {point} of '{rod.name}': remove one of "
                    "them or move it along the rod.",
                )
    return holders
