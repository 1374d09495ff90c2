"""A rod that two exact pins draw straight: any way aside would take more length than it has. Explicit steps, which see
only where its edges were, cannot hold it; implicit ones do.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from ..cost import apart
from ..scene import Pin, Rod, Scene

SLACK = 1e-8  # of the length between two pins: with more explicit steps hold it too


def drawn_straight(scene: Scene) -> Rod | None:
    """The first one; None: there is none."""
    return next((scene.rods[r] for r in straight_rods(scene)), None)


def straight_rods(scene: Scene) -> Iterator[int]:
    """Numbers of all of them, by their pins' samples in time."""
    exact: dict[int, list[Pin]] = {}
    for pin in scene.pins:
        if pin.max_force == np.inf:
            exact.setdefault(pin.rod, []).append(pin)
    for r, pins in sorted(exact.items()):
        rod = scene.rods[r]
        if rod.stretchable or rod.closed:
            continue
        arc = np.append(0.0, np.cumsum(np.linalg.norm(rod.edges(), axis=1)))
        for one, other in pairwise(sorted(pins, key=lambda pin: pin.vertex)):
            length = arc[other.vertex] - arc[one.vertex]
            times = np.union1d(one.times, other.times)
            if apart(one, other, times).max() > (1.0 - SLACK) * length > 0.0:
                yield r
                break
