"""What a cable of a scene is like, by a line that was drawn or scanned of it (cables/pose): among what it touches and
hangs together with, at the first frame.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..arithmetic.fixed_order import norm
from ..arithmetic.quaternions import conjugate, product
from ..cables.handle import Handle
from ..cables.pose import Fit, Numbers, Search, start_of
from ..scene import Pin, Scene, Weld
from ..scenes.without_cables import cables_of
from ..validate.errors import SimulationError
from .led_cables import LedCables


def fit_in_scene(
    scene: Scene, rods: Sequence[int], points: np.ndarray, unknown: Sequence[str], connector: int | None
) -> Fit:
    """Of rods, by their numbers, that are alike, by points (k, 3) [m] along them with weights, (k, 4). unknown: of
    cables/pose; connector: the number of the pin whose turn is meant. Raises SceneError, SimulationError.
    """
    at, first = dict[int, slice](), 0
    for number in cables_of(scene):
        first, at[number] = first + len(scene.rods[number].x), slice(first, first + len(scene.rods[number].x))

    def shape(numbers: Numbers) -> list[np.ndarray]:
        own = tuple(numbers.of(rod) if number in rods else rod for number, rod in enumerate(scene.rods))
        pins = [_turned(scene, pin, numbers) if k == connector else pin for k, pin in enumerate(scene.pins)]
        led = LedCables(replace(scene, rods=own))
        rows = [np.concatenate([pin.position[0], _turn(pin)]) for pin in pins]
        none = {name: np.zeros((0, width)) for name, width in (("moved", 13), ("held", 8), ("lengths", 4))}
        x = led.settle(np.reshape(rows, (-1, 7)), **none).x
        for number, why in led.refused():
            if number in rods:
                raise SimulationError(scene.rods[number].name, why)
        return [x[at[number]] for number in rods]

    some = [scene.rods[number] for number in rods]
    length = max(float(norm(rod.edges()).sum()) * rod.rest_length_factor for rod in some)
    holds: tuple[Pin | Weld, ...] = (*scene.pins, *scene.welds)
    clamped = {hold.rod for hold in holds if hold.mode == "TWIST"}
    weights = points[:, 3] / points[:, 3].mean()
    radius, spins = max(float(rod.radius.max()) for rod in some), not clamped & {*rods}
    there = [one for one in unknown if one != "turn" or connector is not None]
    search = Search(shape, points[:, :3], weights, length, radius, spins, some[0].name)
    return search.fit(start_of(some[0]), there)


def _turn(pin: Pin) -> np.ndarray:
    return np.array([1.0, 0.0, 0.0, 0.0]) if pin.rotation is None else pin.rotation[0]


def _turned(scene: Scene, pin: Pin, numbers: Numbers) -> Pin:
    """A pin that holds its cable turned about it."""
    drawn = Handle.drawn(scene.rods[pin.rod], pin.name, vertex=pin.vertex, oriented=True).orientation
    assert drawn is not None
    turn = product(product(_turn(pin), numbers.turned(drawn)), conjugate(drawn))
    return replace(pin, rotation=turn[None])
