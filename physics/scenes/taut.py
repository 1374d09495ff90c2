"""How long cables have to be for all that their pins do: as long as they are, at most, where they find their own length
(cables/own_length), pulled as hard as what holds a taut cable may pull.
"""

from dataclasses import replace

import numpy as np

from ..arithmetic.fixed_order import norm
from ..scene import Rod, Scene
from .without_cables import cables_of

STRENGTH = 100.0  # times weight and buckling load: of what holds a taut cable, which then lacks 4e-6 of its length
EULER = 4.0 * np.pi**2  # times B/L²: the load that buckles a clamped strut, which bowed cables press with


def strength_of(rod: Rod, gravity: np.ndarray) -> float:
    """[N] of what holds it."""
    length = float(norm(rod.edges()).sum()) * rod.rest_length_factor
    weight = float(norm(gravity) * rod.mass.sum())
    return STRENGTH * (weight + EULER * float(rod.bend_stiffness.mean()) / length**2)


def taut(scene: Scene) -> Scene:
    """The scene's cables alone, as taut as that, where no rigid body leads them; else with all that there is. Around
    what they meet they are longer by about a part B/TL² of what they turn by.
    """
    numbers = cables_of(scene)
    rods = [_taut(rod, scene.gravity) if k in set(numbers) else rod for k, rod in enumerate(scene.rods)]
    if any(weld.rod in numbers for weld in scene.welds):
        return replace(scene, rods=tuple(rods))
    number = {old: new for new, old in enumerate(numbers)}
    return replace(
        scene, rods=tuple(rods[k] for k in numbers), welds=(), bodies=(), solids=(), holds=(), ties=(), fields=(),
        pins=tuple(replace(pin, rod=number[pin.rod]) for pin in scene.pins if pin.rod in number), solver="EXPLICIT",
    )  # fmt: skip


def _taut(rod: Rod, gravity: np.ndarray) -> Rod:
    bend = float(rod.bend_stiffness.mean())
    return replace(rod, tautness=float(np.sqrt(bend / strength_of(rod, gravity))), stretchable=False)
