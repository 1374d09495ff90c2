"""Moments of friction on edges: it acts where surfaces meet, not on centre lines.

A force f on the first of two things that touch, at the arm −a n from its centre line, and −f on the second, at +b n,
turn their edges by −a n × f and −b n × f. With a + b = n·(x₁ − x₂), half of a gap to each, these are what the pair of
forces on the centre lines lacks of no moment at all. What turns a vertex turns the edges at it, half each.

They act in the steps that follow, an eighth of what is left in each: M ← M + s (m − M). So what friction leaves to
alternate from step to step is damped to s/(2 − s), a fifteenth, and a couple may answer what raised it by up to
√(2/s − 1) = 3.9 times: by μ a/|e|, for it presses the surfaces together. All in all as much acts as without.
"""

import numpy as np

from .._jit import kernel
from ..model import Model, State
from ..rods.vectors import Vector, cross, dot

SHARE = 0.125  # of what is left that acts in a step
SLIGHT = 1e-12  # rad: moments that turn an edge by no more are over


@kernel
def keep_moments(model: Model, state: State, contacts: np.ndarray, h: float) -> None:
    """Remember the moments of friction in a step of h [s] for the next ones."""
    rods, moment, k = model.rods, state.moment, SHARE / (h * h)
    for r in range(len(rods)):
        if state.rods[r].loaded:
            fade(rods[r], r, state)
    for q in range(len(contacts)):
        row = contacts[q]
        if dot(row.along, row.along) == 0.0:
            continue
        turn, r = cross(row.along, row.n), row.rod[0]
        state.rods[r].loaded = True
        if row.wall:
            i = state.plane_pairs[row.pair].i
            turn_vertex(rods[r], r, i, k * (model.nodes[i].radius + row.gap), turn, moment)
            continue
        pair = state.pairs[row.pair]
        turn_edge(moment[row.node[0] + r + 1], k * (model.capsules[pair.i].radius + 0.5 * row.gap), turn)
        r = row.rod[1]
        state.rods[r].loaded = True
        turn_edge(moment[row.node[2] + r + 1], k * (model.capsules[pair.j].radius + 0.5 * row.gap), turn)


@kernel
def fade(rod: np.record, r: int, state: State) -> None:
    """What of the moments on the edges of a ROD is left."""
    largest, slight = 0.0, SLIGHT * rod.bend_max / rod.longest
    for j in range(rod.frame, rod.last + r + 2):
        for c in range(3):
            state.moment[j, c] *= 1.0 - SHARE
            largest = max(largest, abs(state.moment[j, c]))
    if largest > slight:
        return
    state.rods[r].loaded = False
    for j in range(rod.frame, rod.last + r + 2):
        state.torque[j] = state.moment[j, 0] = state.moment[j, 1] = state.moment[j, 2] = 0.0


@kernel
def turn_vertex(rod: np.record, r: int, i: int, arm: float, turn: Vector, moment: np.ndarray) -> None:
    """Turn the edges at vertex i of a ROD: an end of an open one has but one."""
    before, behind = i + r, i + r + 1
    if i == rod.first:
        before = rod.last + r + 1 if rod.closed else behind
    elif i == rod.last and not rod.closed:
        behind = before
    turn_edge(moment[before], 0.5 * arm, turn)
    turn_edge(moment[behind], 0.5 * arm, turn)


@kernel
def turn_edge(moment: np.ndarray, arm: float, turn: Vector) -> None:
    """Add arm times a vector to the moment (3,) on an edge."""
    for c in range(3):
        moment[c] += arm * turn[c]
