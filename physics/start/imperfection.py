"""A perfectly straight rod under thrust has no way to choose where it buckles to. Nature decides by an imperfection;
so do we: half a sine wave, a ten-thousandth of an edge high, down where the rod lies across gravity, else along its own
frame. Rods that are bent at all, pulled or at ease are left as they are, and those held at both ends, which have no
room to buckle; what rounding leaves of tensions is no thrust.

Rods that have to buckle, for they are to be longer between what holds them, are taken for straight where nobody sees
that they are not: within their own radius. What is drawn by hand, or rounded, is never straight, and the side of what
nobody sees grows as far as the length asks for: a rope would begin as an arc upwards.
"""

import numpy as np

from ..arithmetic.fixed_order import dot, norm
from ..model import Model, State
from ..rods.chain import hinges_of
from ..rods.straightness import next_straight

HEIGHT = 1e-4  # of an edge
AT_EASE = 1e-9  # of B/l², a tenth of the thrust under which one edge alone would buckle
ACROSS = 0.1  # of gravity: less than that across a rod does not tell where it sags to


def imperfect(model: Model, state: State, always: np.ndarray | None = None, *, beside: bool = False) -> None:
    """Bend each straight rod that is under thrust, or among `always` (R,) bool, a little, in place; beside: the latter
    across gravity too.
    """
    _bend_all(model, state, AT_EASE)
    if always is not None:
        _bend_all(model, state, -np.inf, always, beside)


def straighten(model: Model, state: State, own: np.ndarray) -> None:
    """Make those of the rods `own` (R,) bool straight, in place, that seem so."""
    rods = model.rods
    for r in np.flatnonzero(own & ~rods["closed"]):
        nodes = slice(rods["first"][r], rods["last"][r] + 1)
        x = state.x[nodes]
        if norm(x[-1] - x[0]) > 0.0:
            aside = _aside(x)
            if np.all(np.linalg.norm(aside, axis=1) <= model.nodes["radius"][nodes]):
                x -= (state.w[nodes] > 0.0)[:, None] * aside


def _bend_all(model: Model, state: State, ease: float, own: np.ndarray | None = None, beside: bool = False) -> None:
    """Bend what `next_straight` finds, or those of it that are among `own` (R,)."""
    r = next_straight(model, state, 0, ease)
    while r >= 0:
        if own is None or own[r]:
            _bend(model, state, r, beside)
        r = next_straight(model, state, r + 1, ease)


def _bend(model: Model, state: State, r: int, beside: bool) -> None:
    """Bend rod r, if it has not been."""
    rods = model.rods
    own = slice(rods["first"][r], rods["last"][r] + 1)
    x, height = state.x[own], HEIGHT * rods["shortest"][r]
    if np.linalg.norm(_aside(x), axis=1).max() < 0.5 * height:
        wave = np.sin(np.linspace(0.0, np.pi, len(x)))
        t = (x[1] - x[0]) / norm(x[1] - x[0])
        x += height * (wave * (state.w[own] > 0.0))[:, None] * _side(model, state, r, t, beside)


def _aside(x: np.ndarray) -> np.ndarray:
    """(n, 3) [m]: from the line between their ends to the points x (n, 3)."""
    away, along = x - x[0], (x[-1] - x[0]) / norm(x[-1] - x[0])
    return away - np.outer(dot(away, along), along)


def _side(model: Model, state: State, r: int, t: np.ndarray, beside: bool) -> np.ndarray:
    """The direction (3,), across the unit vector t, that rod r gives way to; beside: across gravity."""
    gravity = model.world["gravity"][0] * model.nodes["gravity"][model.rods["first"][r]]
    side = gravity - dot(gravity, t) * t
    if norm(side) <= ACROSS * norm(gravity):
        u = state.u[hinges_of(model.rods, r, state.ghosts)[0] + r]
        side = u - dot(u, t) * t
    elif beside:
        side = np.cross(side, t)
    return side / norm(side)
