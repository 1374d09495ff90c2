"""Edges of rods that run through pulleys (see constraints/pulleys): no straight line joins their ends."""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, cross, dot, plus, scaled, vector
from ..model import Model, State

BACK = 1e-6  # square of the sum of two unit vectors that are opposite ones: any vector across halves their turn


@kernel
def runs_through(pulleys: np.ndarray, i: int) -> bool:
    """Whether the edge that leaves node i is in one of `pulleys`, PULLEY_STATE (Y,)."""
    for q in range(len(pulleys)):
        if pulleys[q].edge == i and not pulleys[q].out:
            return True
    return False


@kernel
def bend_over(model: Model, state: State, r: int, e: np.ndarray) -> None:
    """In rod r's edges e (M, 3) those in pulleys point half way between the edges beside them, which may lie on each
    other: frames are carried along them, and no hinge beside them has any stiffness.
    """
    rod = model.rods[r]
    for q in range(len(model.pulleys)):
        now = state.pulleys[q]
        if model.pulleys[q].rod != r or now.out or now.edge < rod.first or now.edge > rod.last:
            continue
        f, length = now.edge + r + 1, model.edges[now.edge].length
        closes = rod.closed and now.edge == rod.last
        one, other = direction(e[f - 1]), direction(e[rod.first + r + 1 if closes else f + 1])
        middle = plus(one, 1.0, other)
        if dot(middle, middle) < BACK:
            middle = cross(one, (0.0, 0.0, 1.0) if abs(one[2]) < 0.7 else (1.0, 0.0, 0.0))
        size = length / sqrt(dot(middle, middle))
        e[f, 0], e[f, 1], e[f, 2] = scaled(size, middle)
        if closes:
            k = rod.first + r
            e[k, 0], e[k, 1], e[k, 2] = e[f, 0], e[f, 1], e[f, 2]


@kernel
def direction(e: np.ndarray) -> Vector:
    """Of an edge (3,)."""
    v = vector(e)
    return scaled(1.0 / sqrt(dot(v, v) + 1e-300), v)
