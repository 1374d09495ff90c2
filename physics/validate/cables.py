"""Cables: what holds them, and what they do not do."""

from collections.abc import Sequence

import numpy as np

from ..scene import Pin, Rod, Scene, Weld
from ..scenes.without_cables import cables_of
from .errors import SceneError


def check_cable(rod: Rod, holders: Sequence[object]) -> None:
    """Of a rod in order by itself, whether it can be a cable, held so. Raises SceneError."""
    if rod.closed:
        raise SceneError(rod.name, f"'{rod.name}' is a closed loop: a cable has two ends; open it.")
    if rod.stretchable and rod.tautness:
        raise SceneError(rod.name, f"'{rod.name}' finds its own length, and cannot stretch besides: turn off one.")
    if not holders:
        raise SceneError(rod.name, f"'{rod.name}', a cable, is held by nothing: hold one of its ends.")


def check_cables(scene: Scene) -> None:
    """Of a scene whose rods, pins, welds and ties are in order by themselves. Raises SceneError."""
    for rod in scene.rods:
        if rod.tautness and rod.model != "cable":
            raise SceneError(
                rod.name, f"'{rod.name}' is no cable, which alone has a length of its own: set tautness to 0."
            )
    for r in cables_of(scene):
        rod = scene.rods[r]
        holds: tuple[Pin | Weld, ...] = (*scene.pins, *scene.welds)
        holders = [hold for hold in holds if hold.rod == r]
        check_cable(rod, holders)
        if rod.balanced:
            raise SceneError(rod.name, f"'{rod.name}' is a cable, which hangs as it has to: turn off Hold Drawn Shape.")
        for hold in holders:
            _check_holder(rod.name, hold)
        for tie in scene.ties:
            if tie.vertex is not None and tie.vertex[0] == r:
                raise SceneError(
                    tie.name, f"'{tie.name}' ties a soft body to '{rod.name}', a cable, which nothing feels: choose "
                    "its Model Normal.",
                )  # fmt: skip


def check_sliding(scene: Scene, pin: Pin) -> None:
    """Of a pin that slides. Raises SceneError."""
    rod = scene.rods[pin.rod]
    if rod.model != "cable":
        raise SceneError(pin.name, f"'{pin.name}' slides, but '{rod.name}' is no cable: let it hold fast.")
    if pin.vertex in (0, len(rod.x) - 1):
        raise SceneError(pin.name, f"'{pin.name}' slides, but holds an end of '{rod.name}': put it further along.")


def _check_holder(name: str, hold: Pin | Weld) -> None:
    if hold.mode == "DIRECTION":
        raise SceneError(
            hold.name, f"'{hold.name}' holds '{name}', a cable, at its place and direction alone: choose Position, or "
            "Clamp, which holds its twist too.",
        )  # fmt: skip
    if isinstance(hold, Pin) and hold.influence is not None and np.any(hold.influence != 1.0):
        raise SceneError(
            hold.name, f"'{hold.name}' holds '{name}', a cable, which is never let go: set its Influence to 1, without "
            "keyframes.",
        )  # fmt: skip
