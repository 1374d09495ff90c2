"""The largest stable step of explicit schemes, 2/ω of the fastest vibration, by power iteration on M⁻¹K, M lumped.

K u is a difference of forces, at x + εu and at x: no Hessian is needed, and what holds and pulls is in it. The length
of M⁻¹K u over that of u, in the norm of M, never is more than ω², and nears it from below.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..forces.pressure import pressure_forces
from ..model import Model, State
from ..sheets.motion import bend, try_mode
from .constraints import spring_forces
from .forces import elastic_forces
from .scratch import SolidScratch

EPSILON = 1e-6  # of an element's height, by which nodes are moved at most
GAIN = 0.001  # of ω²: an iteration that gains less is the last,
ITERATIONS, AGAIN = 60, 6  # or this one; where steps have been taken, a mode is known, which has changed little


@kernel
def applied_forces(model: Model, own: SolidScratch, state: State, time: float, f: np.ndarray) -> None:
    """f (N, 3) [N] of elasticity, springs and gas at state.x and a time [s], torques of directors, and own.jacobian."""
    find_applied(model, state.x, state.directors, time, f, own.jacobian)


@kernel
def find_applied(
    model: Model, x: np.ndarray, directors: np.ndarray, time: float, f: np.ndarray, jacobian: np.ndarray
) -> None:
    """The same at x (N, 3), with directors (E,), and det F of each TETRAHEDRON (T,)."""
    elastic_forces(model.solids, x, f, jacobian)
    bend(model.solids, x, directors, f)
    spring_forces(model, x, time, f)
    pressure_forces(model, x, time, f)


@kernel
def critical_step(model: Model, own: SolidScratch, state: State) -> float:
    """2/ω [s] at state.x, whose forces are in own.force; state.mode (N, 3), and directors', becomes the vibration."""
    x, w, mode, directors, edges = state.x, state.w, state.mode, state.directors, model.solids.plate_edges
    square, time = 0.0, state.clock[0].time
    for _ in range(AGAIN if state.clock[0].step > 0.0 else ITERATIONS):
        scale = longest(mode, own.height, directors)
        if not scale > 0.0:
            break
        for i in range(len(x)):
            for c in range(3):
                own.trial[i, c] = x[i, c] + EPSILON / scale * mode[i, c]
        try_mode(model.solids, own.trial, directors, EPSILON / scale, own.directors)
        find_applied(model, own.trial, own.directors, time, own.answer, own.trial_jacobian)
        before, after, last = 0.0, 0.0, square
        for i in range(len(x)):
            if w[i] > 0.0:
                for c in range(3):
                    push = w[i] * (own.force[i, c] - own.answer[i, c]) * (scale / EPSILON)
                    before += mode[i, c] * mode[i, c] / w[i]
                    after += push * push / w[i]
                    mode[i, c] = push
        for e in range(len(directors)):
            push = edges[e].w * (directors[e].torque - own.directors[e].torque) * (scale / EPSILON)
            before += directors[e].mode * directors[e].mode / edges[e].w
            after += push * push / edges[e].w
            directors[e].mode = push
        square = sqrt(after / before)
        for i in range(len(x)):
            for c in range(3):
                mode[i, c] /= square
        for e in range(len(directors)):
            directors[e].mode /= square
        if square <= (1.0 + GAIN) * last:
            break
    return 2.0 / sqrt(square)


@kernel
def longest(mode: np.ndarray, height: np.ndarray, directors: np.ndarray) -> float:
    """Largest part of a height (N,) by which a mode (N, 3) moves a node, or angle [rad] that it turns a director by."""
    square = 0.0
    for i in range(len(mode)):
        here = (mode[i, 0] ** 2 + mode[i, 1] ** 2 + mode[i, 2] ** 2) / (height[i] * height[i])
        square = max(square, here)
    for e in range(len(directors)):
        square = max(square, directors[e].mode * directors[e].mode)
    return sqrt(square)
