"""A rod that two exact pins draw straight: any way aside would take more length than it has. Explicit steps, which see
only where its edges were, cannot hold it; implicit ones do.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from ..scene import Pin, Rod, Scene

SLACK = 1e-8  # of the length between two pins: with more explicit steps hold it too


def drawn_straight(scene: Scene) -> Rod | None:
    """The first one, by its pins' samples in time; None: there is none."""
    for r, rod in enumerate(scene.rods):
        exact = [pin for pin in scene.pins if pin.rod == r and pin.max_force == np.inf]
        if rod.stretchable or rod.closed or len(exact) < 2:
            continue
        arc = np.append(0.0, np.cumsum(np.linalg.norm(rod.edges(), axis=1)))
        for one, other in pairwise(sorted(exact, key=lambda pin: pin.vertex)):
            length = arc[other.vertex] - arc[one.vertex]
            if any(distance > (1.0 - SLACK) * length for distance in distances(one, other)) and length > 0.0:
                return rod
    return None


def distances(one: Pin, other: Pin) -> Iterator[float]:
    """How far [m] two pins are apart at each sample of either."""
    for time in np.union1d(one.times, other.times):
        yield float(np.linalg.norm(place(one, time) - place(other, time)))


def place(pin: Pin, time: float) -> np.ndarray:
    """(3,) [m] at `time` [s]."""
    return np.array([np.interp(time, pin.times, pin.position[:, c]) for c in range(3)])
