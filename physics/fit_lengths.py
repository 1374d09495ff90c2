"""Before the first step: bring rods whose rest lengths differ from what is drawn to their lengths, little by little and
without velocity. Pins that yield may be drawn along; they go back under their own force.
"""

import numpy as np

from .constraints.fast_projection import TOLERANCE, edge_vectors, fast_projection
from .validate import SimulationError

PORTION = 0.01  # largest relative change of an edge at once


def fit_lengths(scene, model, state):
    """Fit all inextensible rods, state.x in place; SimulationError when pins hold one too far apart or too close."""
    rods, pins = model.rods, model.pins
    w = rods.w.copy()
    w[pins.node] = np.where(np.isinf(pins.max_force), 0.0, 1.0 / pins.mass)
    for r in np.flatnonzero(~rods.stretchable):
        own = slice(rods.first[r], rods.last[r] + 1)
        x, closed = state.x[own], bool(rods.closed[r])
        m = len(x) if closed else len(x) - 1
        rest = rods.length[own][:m]
        drawn, o = np.zeros(m), np.zeros((m, 3))
        edge_vectors(x, closed, o)
        drawn[:] = np.linalg.norm(o, axis=1)
        portions = int(np.ceil(np.abs(drawn / rest - 1.0).max() / PORTION))
        if np.abs(drawn / rest - 1.0).max() < TOLERANCE:
            continue
        for k in range(1, portions + 1):
            length = drawn + k / portions * (rest - drawn)
            edge_vectors(x, closed, o)
            if not fast_projection(x, o, w[own], length, closed, np.zeros(m), *np.zeros((3, m))):
                name = scene.rods[r].name
                raise SimulationError(name, f"'{name}' cannot take its rest length between its pins: move them.")
        _close(state.x, rods, r)
    for p in np.flatnonzero(pins.hinged):
        state.x[pins.ghost[p]] = state.x[pins.node[p]] + pins.offset[p]


def _close(x, rods, r):
    """Repeat a closed rod's first two vertices at its end."""
    if rods.closed[r]:
        a, b = rods.start[r], rods.start[r + 1]
        x[b - 2 : b] = x[a : a + 2]
