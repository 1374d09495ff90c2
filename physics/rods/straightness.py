"""Rods that are perfectly straight, and under thrust: none of them has a way to choose where it buckles to."""

from math import sqrt

import numpy as np

from .._jit import entry, kernel
from ..model import Model, State

STRAIGHT = 1e-14  # 1 − cos of the largest turning angle


@entry
def next_straight(model: Model, state: State, first: int, ease: float) -> int:
    """The first rod from number `first` on that is open and straight, or −1: of those with room to buckle and an edge
    under more thrust than ease B/l², or of all where that is negative.
    """
    rods, w = model.rods, state.w
    for r in range(first, len(rods)):
        loose = w[rods[r].first] > 0.0 or w[rods[r].last] > 0.0
        slight = ease * rods[r].bend_max / rods[r].shortest ** 3
        pushed = loose and largest(state.tension[rods[r].first : rods[r].last + 1]) > slight
        if (pushed or ease < 0.0) and is_straight(rods[r], state.x):
            return r
    return -1


@kernel
def largest(tension: np.ndarray) -> float:
    """Of those (k,) of a rod's edges, [N/m]."""
    found = 0.0
    for pull in tension:
        found = max(found, pull)
    return found


@kernel
def is_straight(rod: np.record, x: np.ndarray) -> bool:
    """Whether a ROD is open, and no edge of it turns from the one before, at x (N, 3)."""
    if rod.closed:
        return False
    for j in range(rod.first + 1, rod.last):
        dot = one = other = 0.0
        for c in range(3):
            d, e = x[j, c] - x[j - 1, c], x[j + 1, c] - x[j, c]
            dot, one, other = dot + d * e, one + d * d, other + e * e
        if dot <= (1.0 - STRAIGHT) * sqrt(one * other):
            return False
    return True
