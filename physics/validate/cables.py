"""Cables: what holds them, what hangs on them, and what they do not do."""

from collections.abc import Sequence

import numpy as np

from ..arithmetic.fixed_order import norm
from ..scene import Pin, Rod, Scene, Weld
from ..scenes.linked import linked
from ..scenes.without_cables import cables_of, suspended_of
from .errors import SceneError

EVEN = 1e-6  # by which the size of a unit quaternion may be off, as of one in single precision


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
        if rod.natural_curvature is not None:
            _check_spool(rod, float(norm(rod.natural_curvature)))
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
    for b in suspended_of(scene):
        _check_suspended(scene, b)
    _check_held(scene)
    for weld in scene.welds:
        _check_place(scene, weld)


def _check_spool(rod: Rod, curvature: float) -> None:
    """Of a rod that comes off a spool. Raises SceneError."""
    if rod.model != "cable":
        raise SceneError(
            rod.name, f"'{rod.name}' is no cable, which alone comes off a spool: draw the shape it is to keep."
        )
    thickest = float(rod.radius.max())
    if curvature * thickest > 1.0:
        raise SceneError(
            rod.name, f"'{rod.name}' comes off a spool of radius {1.0 / curvature:.3g} m, less than its own, "
            f"{thickest:.3g} m: set a larger Spool Radius, or 0, which is straight.",
        )  # fmt: skip


def _check_place(scene: Scene, weld: Weld) -> None:
    """Of a weld that says where it holds. Raises SceneError."""
    if weld.place is None and weld.turn is None:
        return
    what = f"'{weld.name}' holds '{scene.rods[weld.rod].name}'"
    if scene.rods[weld.rod].model != "cable":
        raise SceneError(weld.name, f"{what}, no cable, elsewhere than it is drawn: draw it there.")
    if weld.place is not None and not (np.shape(weld.place) == (3,) and np.all(np.isfinite(weld.place))):
        raise SceneError(weld.name, f"{what} nowhere: give a finite place of three numbers.")
    if weld.turn is not None and not (np.shape(weld.turn) == (4,) and abs(norm(weld.turn) - 1.0) < EVEN):
        raise SceneError(weld.name, f"{what} with a turn that is none: give a unit quaternion (w, x, y, z).")


def _check_suspended(scene: Scene, number: int) -> None:
    """Of a body that hangs on cables by itself. Raises SceneError."""
    body, cables = scene.bodies[number], cables_of(scene)
    name, what = body.name, f"'{body.name}' hangs on cables"
    others = [scene.rods[weld.rod].name for weld in scene.welds if weld.body == number and weld.rod not in cables]
    others += [scene.rods[pulley.rod].name for pulley in scene.pulleys if pulley.body == number]
    others += [scene.solids[tie.solid].name for tie in scene.ties if tie.body == number]
    if body.kinematic:
        raise SceneError(name, f"{what} but follows an animation: choose one of the two.")
    if others:
        raise SceneError(name, f"{what}, but '{others[0]}', which is none, is tied to it: tie that to another body.")
    hanging, held = suspended_of(scene), {pin.rod for pin in scene.pins}
    held |= {weld.rod for weld in scene.welds if weld.body not in hanging}
    for weld in scene.welds:
        rod = scene.rods[weld.rod]
        if weld.body == number and rod.tautness and weld.rod not in held:
            raise SceneError(
                rod.name, f"'{rod.name}', on which '{name}' hangs, finds its own length, but is held by nothing else: "
                "hold it by a pin, or let it keep its length.",
            )  # fmt: skip
    if all(weld.body != number for weld in scene.welds):
        raise SceneError(name, f"{what}, but no cable is tied to it: tie one, or let forces move it.")


def _check_held(scene: Scene) -> None:
    """Whether something holds what hangs on each other. Raises SceneError."""
    rods, hanging = len(scene.rods), suspended_of(scene)
    links = [(weld.rod, rods + weld.body) for weld in scene.welds if weld.body in hanging]
    label = linked(links, rods + len(scene.bodies))
    held = [hold.rod for hold in scene.pins] + [weld.rod for weld in scene.welds if weld.body not in hanging]
    for b in hanging:
        if label[rods + b] not in label[held]:
            name = scene.bodies[b].name
            raise SceneError(
                name, f"'{name}' hangs on cables, which are held by nothing else: hold one of them by a pin."
            )


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
