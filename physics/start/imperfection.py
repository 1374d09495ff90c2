"""A perfectly straight rod under thrust has no way to choose where it buckles to. Nature decides by an imperfection;
so do we: half a sine wave, a ten-thousandth of an edge high, down where the rod lies across gravity, else along its own
frame. Rods that are bent at all, pulled or at ease are left as they are, and those held at both ends, which have no
room to buckle; what rounding leaves of tensions is no thrust.
"""

import numpy as np

from ..model import Model, State
from ..rods.chain import hinges_of

HEIGHT = 1e-4  # of an edge
AT_EASE = 1e-9  # of B/l², a tenth of the thrust under which one edge alone would buckle
STRAIGHT = 1e-14  # 1 − cos of the largest turning angle
ACROSS = 0.1  # of gravity: less than that across a rod does not tell where it sags to


def imperfect(model: Model, state: State, always: bool | np.ndarray = False) -> None:
    """Bend each straight rod that is under thrust (or `always`, one for all or (R,)) a little, in place."""
    rods = model.rods
    if not len(rods):
        return
    slight = AT_EASE * rods["bend_max"] / rods["shortest"] ** 3
    pushed = np.maximum.reduceat(state.tension, rods["first"]) > slight
    pushed &= (state.w[rods["first"]] > 0.0) | (state.w[rods["last"]] > 0.0)
    pushed |= always
    if not np.any(pushed):
        return
    for r in np.flatnonzero(pushed & _straight(rods, state.x)):
        own = slice(rods["first"][r], rods["last"][r] + 1)
        x, height = state.x[own], HEIGHT * rods["shortest"][r]
        if _deviation(x) < 0.5 * height:
            wave = np.sin(np.linspace(0.0, np.pi, len(x)))
            t = (x[1] - x[0]) / np.linalg.norm(x[1] - x[0])
            x += height * (wave * (state.w[own] > 0.0))[:, None] * _side(model, state, r, t)


def _straight(rods: np.ndarray, x: np.ndarray) -> np.ndarray:
    """(R,) whether a rod is open, and no edge of it turns from the one before."""
    e = np.diff(x, axis=0)
    size, turns = np.linalg.norm(e, axis=1), np.zeros(len(x), dtype=bool)
    turns[1:-1] = np.einsum("ij,ij->i", e[1:], e[:-1]) <= (1.0 - STRAIGHT) * size[1:] * size[:-1]
    turns[rods["first"]] = turns[rods["last"]] = False  # no edge, or another rod's, is before or behind
    return ~(rods["closed"] | np.logical_or.reduceat(turns, rods["first"]))


def _deviation(x: np.ndarray) -> float:
    """Largest distance [m] of the points x (n, 3) from the line between their ends."""
    away, along = x - x[0], (x[-1] - x[0]) / np.linalg.norm(x[-1] - x[0])
    return np.linalg.norm(away - np.outer(away @ along, along), axis=1).max()


def _side(model: Model, state: State, r: int, t: np.ndarray) -> np.ndarray:
    """The direction (3,), across the unit vector t, that rod r gives way to."""
    gravity = model.world["gravity"][0] * model.nodes["gravity"][model.rods["first"][r]]
    side = gravity - (gravity @ t) * t
    if np.linalg.norm(side) <= ACROSS * np.linalg.norm(gravity):
        u = state.u[hinges_of(model.rods, r, state.ghosts)[0] + r]
        side = u - (u @ t) * t
    return side / np.linalg.norm(side)
