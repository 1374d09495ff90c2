"""How hard pins pull rods that they draw straight.

Between two pins that are d apart a rod of length L and weight W that is nearly straight hangs in a flat arc, whose
tension is W/8 / √(3/8 (1 − d/L)). By a force F pins yield F S r/W, with S of pin_force, so that it is no more than
W (L/48Sr)^⅓ where d = L; where they ask for more length than there is, it grows with that to all they have. What
stretches is limited by that.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..constraints.pin_force import SAG, automatic_force
from ..scene import Pin, Rod, Scene

MOMENTS = 65  # of a bake, at which pins are looked at
LAG = 0.02  # of an edge, by which a pin yields at most that pulls by all it has


def pulls(scene: Scene, loads: np.ndarray) -> np.ndarray:
    """(R,) [N], the square of the mean root of the tension, for explicit steps go by that. loads (R,) [kg] hang on the
    rods.
    """
    found, gravity = np.zeros(len(scene.rods)), float(np.linalg.norm(scene.gravity))
    holds: dict[int, list[Pin]] = {}
    for pin in scene.pins:
        holds.setdefault(pin.rod, []).append(pin)
    times = np.linspace(0.0, scene.frame_count * scene.frame_duration, MOMENTS)
    for r, own in holds.items():
        rod = scene.rods[r]
        if len(own) > 1 and not (rod.closed or rod.stretchable):
            weight = gravity * float(rod.mass.sum() + loads[r])
            found[r] = np.sqrt(_tension(rod, own, weight, times)).mean() ** 2
    return found


def apart(one: Pin, other: Pin, times: np.ndarray) -> np.ndarray:
    """(T,) [m] how far two pins lead what they hold apart at `times` (T,) [s]."""
    first, second = (
        np.stack([np.interp(times, pin.times, pin.position[:, c]) for c in range(3)], axis=1) for pin in (one, other)
    )
    return np.linalg.norm(first - second, axis=1)


def _tension(rod: Rod, pins: Sequence[Pin], weight: float, times: np.ndarray) -> np.ndarray:
    """(T,) [N] the largest between two pins that follow each other along a rod."""
    edges = rod.lengths()
    arc, sag, most = np.append(0.0, np.cumsum(edges)), SAG * rod.radius.min(), np.zeros(len(times))
    for one, other in pairwise(sorted(pins, key=lambda pin: pin.vertex)):
        length = arc[other.vertex] - arc[one.vertex]
        if length <= 0.0:
            continue
        force = min(_force(pin, automatic_force(rod, weight)) for pin in (one, other))
        own, slack = weight * length / arc[-1], 1.0 - apart(one, other, times) / length
        flat = own / 8.0 / np.sqrt(0.375 * np.maximum(slack, 1e-300))
        arched = np.minimum(flat, own * np.cbrt(length / (48.0 * sag)))
        asked = -0.5 * slack * length * max(weight / sag, force / (LAG * edges.min()))
        most = np.maximum(most, np.minimum(np.maximum(arched, asked), force))
    return most


def _force(pin: Pin, automatic: float) -> float:
    """How hard [N] a pin pulls at most, an exact one as hard as one whose force is chosen."""
    return automatic if pin.max_force is None or np.isinf(pin.max_force) else pin.max_force
