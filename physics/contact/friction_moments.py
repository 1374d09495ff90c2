"""Moments of friction about rods' tangents: it acts where surfaces meet, not on centre lines.

A force f on the first of two things that touch, at the arm −a n from its centre line, and −f on the second, at +b n,
turn their edges by −a n × f and −b n × f; a + b = n·(x₁ − x₂), half of a gap to each. What is no rod is pushed at its
surface, or a soft body on its faces, which its thickness is around: to there a reaches. The part about an edge's
tangent turns its frame. What turns a vertex turns the edges at it, half each. The part across tangents is left out: for
friction along it a rope is thin, as in the law of the capstan.

They act in the steps that follow, a share s of what is left in each, an eighth of explicit ones, M ← M + s (m − M).
That damps what friction leaves to alternate from step to step to s/(2 − s), a fifteenth; all in all as much acts as
without.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, cross, dot
from ..model import CAPSULES, Model, State
from ..rods.chain import edges_at
from ..rods.edge_torques import is_turned

SHARE = 0.125  # of what is left that acts in an explicit step
SLIGHT = 1e-12  # rad: moments that turn an edge by no more are over, for frames are not known any better


@kernel
def keep_moments(model: Model, state: State, contacts: np.ndarray, unit: float, share: float) -> None:
    """Remember the moments of friction in a step for the next ones, in which this share of what is left acts each; unit
    [N]: of the contacts' impulses. On rods that roll they have acted already (see carriers/frame).
    """
    rods = model.rods
    for r in range(len(rods)):
        if state.rods[r].loaded:
            fade(rods[r], r, share, state)
    add_moments(model, state, contacts, share * unit)


@kernel
def add_moments(model: Model, state: State, contacts: np.ndarray, k: float) -> None:
    """Add those of these contacts, times k."""
    rods = model.rods
    for q in range(len(contacts)):
        row = contacts[q]
        if dot(row.along, row.along) == 0.0 or row.rod[0] < 0:
            continue
        if row.listing != CAPSULES:
            turn_one(model, state, row, k * arm_of(model, row))
            continue
        turn, pair = cross(row.along, row.n), state.pairs[row.pair]
        for side in range(2):
            r, radius = row.rod[side], model.capsules[pair.i if side == 0 else pair.j].radius
            tail, head = row.node[2 * side], row.node[2 * side + 1]
            if not rods[r].rolls:
                turn_edge(r, tail, head, k * (radius + 0.5 * row.gap), turn, state)


@kernel
def arm_of(model: Model, row: np.record) -> float:
    """[m] from a rod's centre line to the surface, or a soft body's faces, of what is no rod, in a CONTACT."""
    nodes, i, k = model.nodes, row.node[0], edge_of(model, row)
    radius = nodes[i].radius
    if k >= 0:
        radius += row.share[1] * (nodes[k].radius - radius)
    radius += row.gap
    return radius + row.around if row.around > 0.0 else radius


@kernel
def edge_of(model: Model, row: np.record) -> int:
    """The end of the edge of a rod that touches what is no rod, −1: its vertex does."""
    return row.node[1] if row.share[1] > 0.0 and row.node[1] < len(model.nodes) else -1


@kernel
def turn_one(model: Model, state: State, row: np.record, arm: float) -> None:
    """Turn what of a rod touches what is no rod, in a CONTACT, at an arm [m] times the unit of its impulses."""
    r, i, k, turn = row.rod[0], row.node[0], edge_of(model, row), cross(row.along, row.n)
    if model.rods[r].rolls:
        return
    if k >= 0:
        turn_edge(r, i, k, arm, turn, state)
    else:
        turn_vertex(model.rods[r], r, i, arm, turn, state)


@kernel
def fade(rod: np.record, r: int, share: float, state: State) -> None:
    """What of the moments on the edges of a ROD is left: none that is slight, for numbers that fade on and on end where
    processors are slow.
    """
    left, slight = is_turned(rod, state.fields), SLIGHT * rod.bend_max / rod.longest
    for j in range(rod.frame, rod.last + r + 2):
        state.moment[j] *= 1.0 - share
        if abs(state.moment[j]) > slight:
            left = True
        else:
            state.moment[j] = 0.0
    if left:
        return
    state.rods[r].loaded = False
    for j in range(rod.frame, rod.last + r + 2):
        state.torque[j] = 0.0


@kernel
def turn_vertex(rod: np.record, r: int, i: int, arm: float, turn: Vector, state: State) -> None:
    """Turn the edges at vertex i of a ROD: an end of an open one has but one."""
    before, behind = edges_at(rod, i)
    share = 0.5 * arm if before >= 0 and behind >= 0 else arm
    if before >= 0:
        turn_edge(r, before, i, share, turn, state)
    if behind >= 0:
        turn_edge(r, i, behind, share, turn, state)


@kernel
def turn_edge(r: int, tail: int, head: int, arm: float, turn: Vector, state: State) -> None:
    """Add arm times the part of a vector about the tangent to the moment on an edge of rod r."""
    a, b = state.x[tail], state.x[head]
    e = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    state.moment[tail + r + 1] += arm * dot(turn, e) / sqrt(dot(e, e))
    state.rods[r].loaded = True
