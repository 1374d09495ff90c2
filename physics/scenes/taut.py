"""How long cables have to be for all that their pins do: as long as they are, at most, where they find their own length
(cables/own_length), pulled as hard as what holds a taut cable may pull.
"""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from ..arithmetic.fixed_order import norm
from ..scene import Rod, Scene
from .without_cables import cables_of, without_cables

STRENGTH = 100.0  # times weight and buckling load: of what holds a taut cable, which then lacks 4e-6 of its length
EULER = 4.0 * np.pi**2  # times B/L²: the load that buckles a clamped strut, which bowed cables press with


def strength_of(rod: Rod, gravity: np.ndarray) -> float:
    """[N] of what holds it."""
    length = float(norm(rod.edges()).sum()) * rod.rest_length_factor
    weight = float(norm(gravity) * rod.mass.sum())
    pulled = sum(float(norm(np.asarray(load.force, float)).max()) for load in rod.loads)
    return STRENGTH * (weight + pulled + EULER * float(rod.bend_stiffness.mean()) / length**2)


def taut(scene: Scene, numbers: Collection[int]) -> Scene:
    """The scene with these of its cables alone, on which nothing hangs, as taut as that: without all else, where no
    rigid body leads them. Around what they meet they are longer by about a part B/TL² of what they turn by.
    """
    bare = without_cables(scene, numbers)
    rods = tuple(_taut(rod, scene.gravity) if rod.model == "cable" else rod for rod in bare.rods)
    cables = cables_of(bare)
    if any(weld.rod in cables for weld in bare.welds):
        return replace(bare, rods=rods)
    number = {old: new for new, old in enumerate(cables)}
    return replace(
        bare, rods=tuple(rods[k] for k in cables), welds=(), bodies=(), solids=(), holds=(), ties=(), fields=(),
        pins=tuple(replace(pin, rod=number[pin.rod]) for pin in bare.pins if pin.rod in number), solver="EXPLICIT",
    )  # fmt: skip


def _taut(rod: Rod, gravity: np.ndarray) -> Rod:
    bend = float(rod.bend_stiffness.mean())
    return replace(
        rod, tautness=float(np.sqrt(bend / strength_of(rod, gravity))), stretchable=False, friction=0.0, bend_limit=0.0,
        tension_limit=0.0, transverse_limit=0.0,
    )  # fmt: skip
