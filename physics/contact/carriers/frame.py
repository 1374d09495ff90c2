"""The material frames of rods that roll, at whose surface things touch: an edge that turns by φ about its tangent t
takes the point at the arm −a n from its centre line by −a φ t × n, and a push f there turns it by −a f·(t × n)/I.

A vertex turns both edges at it, half each. Between two answers of a rod its frames turn as if they were alone, by which
they never turn too little: together, through their twist, they turn less (see rods/spinning).
"""

from math import sqrt

import numpy as np

from ..._jit import entry, kernel
from ...arithmetic.vectors import Vector, cross, dot, vector
from ...model import CAPSULES, Model, State
from ...rods.chain import edges_at, hinges_of, is_given
from ...rods.director_motion import turn_directors
from ...rods.scratch import ElasticScratch
from ...rods.spinning import begin_turn, inertia, solve_turn, turn_frames
from ..friction_moments import arm_of, edge_of
from ..scratch import FRAMES


@kernel
def prepare(model: Model, state: State, elastic: ElasticScratch, frames: np.ndarray, h: float) -> None:
    """How frames turn in a step of h [s] that nothing touches: frames, FRAME_PUSH (M,). elastic: as the elastic forces
    left it.
    """
    for r in range(len(model.rods)):
        if model.rods[r].rolls:
            prepare_rod(model, r, state, elastic, frames, h)


@entry
def prepare_rod(model: Model, r: int, state: State, elastic: ElasticScratch, frames: np.ndarray, h: float) -> None:
    """The same of rod r."""
    i, j = hinges_of(model.rods, r, state.ghosts)
    begin_turn(model, r, state, elastic, h)
    for f in range(i + r, j + r + 1):
        own, given = inertia(model, r, f), is_given(model.rods[r], state.fixed, f)
        frames[f].w = 1.0 / own if own > 0.0 and not given else 0.0
        frames[f].turn = frames[f].answered = elastic.rows[4, f]
        frames[f].moment = 0.0


@kernel
def take(model: Model, state: State, x: np.ndarray, row: np.record, frames: np.ndarray) -> None:
    """Which frames move the points of a CONTACT, vertices being at x (N, 3), and how easily."""
    if row.rod[0] < 0:
        return
    if row.listing != CAPSULES:
        take_one(model, state, x, row, arm_of(model, row))
    else:
        pair = state.pairs[row.pair]
        for side in range(2):
            r, tail, head = row.rod[side], row.node[2 * side], row.node[2 * side + 1]
            if model.rods[r].rolls:
                radius = model.capsules[pair.i if side == 0 else pair.j].radius
                lay(model, state, x, row, 2 * side, (r, tail, head), radius + 0.5 * row.gap)
    ease(row, frames)


@kernel
def take_one(model: Model, state: State, x: np.ndarray, row: np.record, arm: float) -> None:
    """Which frames of a rod that touches what is no rod, at this arm [m], move the first point of a CONTACT."""
    r, i, k = row.rod[0], row.node[0], edge_of(model, row)
    if not model.rods[r].rolls:
        return
    if k >= 0:
        lay(model, state, x, row, 0, (r, i, k), arm)
        return
    before, behind = edges_at(model.rods[r], i)
    part = 0.5 * arm if before >= 0 and behind >= 0 else arm
    if before >= 0:
        lay(model, state, x, row, 0, (r, before, i), part)
    if behind >= 0:
        lay(model, state, x, row, 1, (r, i, behind), part)


@kernel
def ease(row: np.record, frames: np.ndarray) -> None:
    """How easily the frames of a CONTACT move its points."""
    for k in range(4):
        if row.frame[k] >= 0:
            row.carrier[k // 2] |= FRAMES
            row.slide += dot(row.lever[k], row.lever[k]) * frames[row.frame[k]].w


@kernel
def lay(
    model: Model, state: State, x: np.ndarray, row: np.record, k: int, edge: tuple[int, int, int], arm: float
) -> None:
    """Number k of a CONTACT's frames is that of an edge, (rod, tail, head), unless that is held."""
    r, tail, head = edge
    f = tail + r + 1
    if is_given(model.rods[r], state.fixed, f):
        return
    e = x[head, 0] - x[tail, 0], x[head, 1] - x[tail, 1], x[head, 2] - x[tail, 2]
    across, size = cross(e, vector(row.n)), sqrt(dot(e, e))
    row.frame[k] = f
    for c in range(3):
        row.lever[k, c] = -arm * across[c] / size


@kernel
def moved(row: np.record, frames: np.ndarray) -> Vector:
    """How far [m] frames have moved the first point of a CONTACT against the second."""
    x = y = z = 0.0
    for k in range(4):
        if row.frame[k] >= 0:
            turn, lever = frames[row.frame[k]].turn, row.lever[k]
            x, y, z = x + turn * lever[0], y + turn * lever[1], z + turn * lever[2]
    return x, y, z


@kernel
def push(row: np.record, frames: np.ndarray, f: Vector) -> None:
    """Turn the frames of a CONTACT by the impulse f [kg m] on its first point and its reaction."""
    for k in range(4):
        if row.frame[k] >= 0:
            own, moment = frames[row.frame[k]], dot(row.lever[k], f)
            own.moment += moment
            own.turn += own.w * moment


@kernel
def answer(model: Model, state: State, elastic: ElasticScratch, frames: np.ndarray, h: float) -> None:
    """Frames take what they have been pushed, all of a rod together, in a step of h [s]."""
    for r in range(len(model.rods)):
        if model.rods[r].rolls:
            answer_rod(model, r, state, elastic, frames, h)


@entry
def answer_rod(model: Model, r: int, state: State, elastic: ElasticScratch, frames: np.ndarray, h: float) -> None:
    """The same of rod r."""
    i, j = hinges_of(model.rods, r, state.ghosts)
    a, b = i + r, j + r + 1
    gradient = elastic.rows[0, a:b]
    for f in range(a, b):
        gradient[f - a] = -frames[f].moment / (h * h)
    if model.rods[r].closed:
        gradient[0] += gradient[j - i]
    solve_turn(model, r, state, elastic)
    for f in range(a, b):
        frames[f].answered += elastic.rows[4, f]
        frames[f].turn, frames[f].moment = frames[f].answered, 0.0


@kernel
def turn(model: Model, state: State, elastic: ElasticScratch, frames: np.ndarray, h: float) -> None:
    """How frames turn in a step of h [s] is known: into elastic.rows[4], and where it takes the directors of Cosserat
    rods.
    """
    for r in range(len(model.rods)):
        if model.rods[r].rolls:
            i, j = hinges_of(model.rods, r, state.ghosts)
            for f in range(i + r, j + r + 1):
                elastic.rows[4, f] = frames[f].turn
            if model.rods[r].cosserat:
                turn_directors(model, r, state, elastic, h)


@kernel
def leave(model: Model, state: State, elastic: ElasticScratch, frames: np.ndarray, h: float) -> None:
    """Frames are where they have turned to at the end of a step of h [s]."""
    for r in range(len(model.rods)):
        if model.rods[r].rolls:
            leave_rod(model, r, state, elastic, frames, h)


@entry
def leave_rod(model: Model, r: int, state: State, elastic: ElasticScratch, frames: np.ndarray, h: float) -> None:
    """The same of rod r."""
    i, j = hinges_of(model.rods, r, state.ghosts)
    for f in range(i + r, j + r + 1):
        state.spin[f] = frames[f].turn / h
    turn_frames(model, r, state, elastic, h)
