"""Before the first step: bring rods whose rest lengths differ from what is drawn to their lengths, little by little and
without velocity. Pins that yield may be drawn along; they go back under their own force. Rigid bodies are drawn along
by the rods they hang on.
"""

import numpy as np

from .constraints.articulation import project_articulation, set_up
from .constraints.fast_projection import TOLERANCE, edge_vectors, fast_projection
from .rigid_bodies.slaves import put_arms, turn_clamps
from .validate import SimulationError

PORTION = 0.01  # largest relative change of an edge at once


def fit_lengths(scene, model, state, work):
    """Fit all inextensible rods, state.x in place; SimulationError when pins hold one too far apart or too close."""
    rods, pins = model.rods, model.pins
    w = rods.w.copy()
    w[pins.node] = np.where(np.isinf(pins.max_force), 0.0, 1.0 / pins.mass)
    for r in np.flatnonzero(~rods.stretchable & ~rods.articulated):
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
                _refuse(scene, r)
    _fit_articulation(scene, model, state._replace(w=w), work)
    for r in np.flatnonzero(rods.closed):
        _close(state.x, rods, r)
    for p in np.flatnonzero(pins.hinged):
        state.x[pins.ghost[p]] = state.x[pins.node[p]] + pins.offset[p]


def _fit_articulation(scene, model, state, work):
    """Fit the welded rods together with their bodies."""
    rods, bodies, articulation = model.rods, model.bodies, model.articulation
    tail, head = articulation.tail, articulation.head
    rest, drawn = rods.length[tail], np.linalg.norm(state.x[head] - state.x[tail], axis=1)
    stretch = np.abs(drawn / rest - 1.0).max(initial=0.0)
    if stretch < TOLERANCE:
        return
    momentum, velocity = state.body_l.copy(), state.body_v.copy()
    portions = int(np.ceil(stretch / PORTION))
    for k in range(1, portions + 1):
        length = rods.length.copy()
        length[tail] = drawn + k / portions * (rest - drawn)
        state.body_l[:] = 0.0
        work.body_q0[:] = state.body_q
        put_arms(bodies, state.body_q, work.arm)
        work.o[tail] = state.x[head] - state.x[tail]
        set_up(articulation, bodies, state, work)
        if not project_articulation(articulation, rods._replace(length=length), bodies, state, work, 1.0):
            _refuse(scene, int(np.flatnonzero(rods.articulated)[0]))
    state.body_l[:], state.body_v[:] = momentum, velocity
    turn_clamps(bodies, state)


def _refuse(scene, r):
    name = scene.rods[r].name
    raise SimulationError(name, f"'{name}' cannot take its rest length between its pins: move them.")


def _close(x, rods, r):
    """Repeat a closed rod's first two vertices at its end."""
    a, b = rods.start[r], rods.start[r + 1]
    x[b - 2 : b] = x[a : a + 2]
