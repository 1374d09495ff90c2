"""A perfectly straight rod under thrust has no way to choose where it buckles to. Nature decides by an imperfection;
so do we: half a sine wave, a ten-thousandth of an edge high, down where the rod lies across gravity, else along its own
frame. Rods that are bent at all, pulled or at ease are left as they are, and those held at both ends, which have no
room to buckle; what rounding leaves of tensions is no thrust.
"""

import numpy as np

from ..fixed_order import dot, norm
from ..model import Model, State
from ..rods.chain import hinges_of
from ..rods.straightness import next_straight

HEIGHT = 1e-4  # of an edge
AT_EASE = 1e-9  # of B/l², a tenth of the thrust under which one edge alone would buckle
ACROSS = 0.1  # of gravity: less than that across a rod does not tell where it sags to


def imperfect(model: Model, state: State, always: np.ndarray | None = None) -> None:
    """Bend each straight rod that is under thrust, or among `always` (R,) bool, a little, in place."""
    _bend_all(model, state, AT_EASE, None)
    if always is not None:
        _bend_all(model, state, -np.inf, always)


def _bend_all(model: Model, state: State, ease: float, own: np.ndarray | None) -> None:
    """Bend what `next_straight` finds, or those of it that are among `own` (R,)."""
    r = next_straight(model, state, 0, ease)
    while r >= 0:
        if own is None or own[r]:
            _bend(model, state, r)
        r = next_straight(model, state, r + 1, ease)


def _bend(model: Model, state: State, r: int) -> None:
    """Bend rod r, if it has not been."""
    rods = model.rods
    own = slice(rods["first"][r], rods["last"][r] + 1)
    x, height = state.x[own], HEIGHT * rods["shortest"][r]
    if _deviation(x) < 0.5 * height:
        wave = np.sin(np.linspace(0.0, np.pi, len(x)))
        t = (x[1] - x[0]) / norm(x[1] - x[0])
        x += height * (wave * (state.w[own] > 0.0))[:, None] * _side(model, state, r, t)


def _deviation(x: np.ndarray) -> float:
    """Largest distance [m] of the points x (n, 3) from the line between their ends."""
    away, along = x - x[0], (x[-1] - x[0]) / norm(x[-1] - x[0])
    return np.linalg.norm(away - np.outer(dot(away, along), along), axis=1).max()


def _side(model: Model, state: State, r: int, t: np.ndarray) -> np.ndarray:
    """The direction (3,), across the unit vector t, that rod r gives way to."""
    gravity = model.world["gravity"][0] * model.nodes["gravity"][model.rods["first"][r]]
    side = gravity - dot(gravity, t) * t
    if norm(side) <= ACROSS * norm(gravity):
        u = state.u[hinges_of(model.rods, r, state.ghosts)[0] + r]
        side = u - dot(u, t) * t
    return side / norm(side)
