"""An implicit step of an open Cosserat rod that touches nothing: where its segments would turn to by themselves,
Newton's method on its equations (see spinning_rod), and what the next step looks back on.
"""

from math import inf, sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.turns import exponential, logarithm, product, quaternion, spin_of, turn_between, turned
from ..arithmetic.vectors import dot, plus, scaled, vector
from ..elements.bending_and_torsion import rodrigues, turn
from ..elements.stretching import stress
from ..model import Model, OldState, State
from ..rods.chain import chain_edges
from ..rods.director_forces import bends_of, edges_of, prescribe
from ..rods.director_motion import leave_directors
from ..rods.scratch import ElasticScratch
from .inertia_correction import DIVERGED, is_over, lower_shift, part_of, raise_shift
from .inertia_correction import begin as start
from .loads import Weights
from .rod_equations import EXACT
from .scratch import SEVEN, ImplicitScratch
from .spinning_rod import assemble, substitute

ROUNDS = 40
MOST = 1.5  # rad, in a step: half of what two steps may look back on, which tell turns up to half of one
SLIGHT = 0.01  # of the energy of the motion that a solution is, what it may leave of elastic energy
TURNED_FAR = -2


@entry
def spin(
    model: Model, state: State, old: OldState, elastic: ElasticScratch, own: ImplicitScratch, r: int, of: Weights,
    h: float,
) -> int:  # fmt: skip
    """Solve for state.x of rod r, from where vertices are, and for how its segments are, and spin, at the end of a step
    of h [s]: elastic.turned and omega, for the State's stay until it is accepted. Returns how many iterations it took,
    DIVERGED, or TURNED_FAR: a segment has.
    """
    begin(model, state, old, elastic, own, r, of, h)
    rounds = newton(model, state, elastic, own, r, of[3])
    rod = model.rods[r]
    for k in range(rod.segment, rod.segment + rod.last - rod.first + 2):
        psi = vector(own.segments[k].turn)
        if not dot(psi, psi) < MOST * MOST and rounds > 0:
            rounds = TURNED_FAR
        omega = spin_of(psi, scaled(1.0 / of[3], plus(psi, -1.0, vector(own.segments[k].before))))
        for c in range(3):
            elastic.omega[k, c] = omega[c]
        for c in range(4):
            elastic.turned[k, c], state.q[k, c] = state.q[k, c], own.segments[k].q[c]
    return rounds


@kernel
def begin(
    model: Model, state: State, old: OldState, elastic: ElasticScratch, own: ImplicitScratch, r: int, of: Weights,
    h: float,
) -> None:  # fmt: skip
    """ψ̄ and L̄ of all segments, what friction asks for, and an iterate: where segments get to as they spin, and tensions
    of the edges where the step begins.
    """
    rod, (now, ago, earlier, _) = model.rods[r], of
    past = state.clock[0].past > 0 and ago != 0.0
    for k in range(rod.segment, rod.segment + rod.last - rod.first + 2):
        step = own.segments[k]
        for c in range(4):
            step.q[c] = state.q[k, c]
        for c in range(3):
            step.turn[c] = 0.0
        if model.mobility[k, 1] == 0.0:
            continue
        across, about = 1.0 / model.mobility[k, 0], 1.0 / model.mobility[k, 1]
        was, older = state.past_segments[k, 0], state.past_segments[k, 1]
        omega = vector(state.omega[k])
        kept = (across * omega[0], across * omega[1], about * omega[2])
        momentum = plus(scaled(now, kept), -ago, vector(was.momentum))
        momentum = plus(momentum, earlier, vector(older.momentum))
        rest = plus(scaled(-ago, vector(was.turn)), earlier, vector(older.turn))
        guess = scaled(h, omega)
        if past:
            more, gained = 0.5 * h * h / state.clock[0].step, plus(kept, -1.0, vector(was.momentum))
            guess = plus(guess, more, (gained[0] / across, gained[1] / across, gained[2] / about))
        step.spin = now * omega[2] - ago * was.spin + earlier * older.spin
        q = product(quaternion(step.q), exponential(guess))
        for c in range(3):
            own.segments[k].momentum[c], own.segments[k].before[c], own.segments[k].turn[c] = (
                momentum[c],
                rest[c],
                guess[c],
            )
        for c in range(4):
            state.q[k, c] = q[c]
    chain_edges(model.rods, r, state.ghosts, state.x, elastic.e)
    prescribe(model, r, state, elastic)
    first, end = edges_of(rod)
    for k in range(first, end):
        one = model.segments[k]
        own.tension[one.tail] = one.stretch * stress(stretch(old.x, one))[0]
        if rod.damped:
            own.segments[k].ratio = now * stretch(old.x, one) - ago * stretch(state.past_x[:, 0], one)
            own.segments[k].ratio += earlier * stretch(state.past_x[:, 1], one)
    if rod.damped:
        rub(model, state, old, own, r, of)


@kernel
def stretch(x: np.ndarray, one: np.record) -> float:
    """The edge of a SEGMENT over its length, vertices at x (N, 3)."""
    e = plus(vector(x[one.head]), -1.0, vector(x[one.tail]))
    return sqrt(dot(e, e)) / one.length


@kernel
def rub(model: Model, state: State, old: OldState, own: ImplicitScratch, r: int, of: Weights) -> None:
    """Stiffness and rest strain of rod r's joints with friction. What a clamp has just taken up was as it is."""
    rod, (now, ago, earlier, s) = model.rods[r], of
    i, j = bends_of(model.rods, r, state.ghosts)
    for b in range(i, j):
        bend, here, v = model.bends[b], own.bends[b], rod.first + b - rod.bend
        side = 0 if b == rod.bend else 1
        taken = (side == 0 or v == rod.last) and not old.ghosts[2 * r + side].held
        one, other = quaternion(own.segments[bend.before].q), quaternion(own.segments[bend.behind].q)
        if taken:
            one, other = quaternion(state.q[bend.before]), quaternion(state.q[bend.behind])
        u = turn(rodrigues(one, other, bend.sign))
        for c in range(3):
            own.hinges[v].bend[c] = u[c]
            if taken:
                state.past_bend[v, 0, c] = state.past_bend[v, 1, c] = u[c]
            was = now * u[c] - ago * state.past_bend[v, 0, c] + earlier * state.past_bend[v, 1, c]
            slow = bend.viscosity[c] / s
            here.stiffness[c] = bend.stiffness[c] + slow
            here.rest[c] = (bend.stiffness[c] * bend.rest[c] + slow * was / bend.length) / here.stiffness[c]


@kernel
def newton(model: Model, state: State, elastic: ElasticScratch, own: ImplicitScratch, r: int, s: float) -> int:
    """Solve for state.x and q, own.tension and segments of rod r. Returns how many iterations it took, or DIVERGED."""
    run, n = own.newton[0], model.rods[r].last - model.rods[r].first + 1
    start(run, EXACT)
    for rounds in range(ROUNDS):
        while assemble(model, state, own, elastic.mobility, r, s, run.shift) != n - 1 and raise_shift(run):
            pass
        substitute(own.blocks, own.sides, SEVEN * n)
        turned, left = judge(model, own, r, s)
        if not turned < inf:
            return DIVERGED
        move(model, state, elastic, own, r, part_of(turned, 0.0))
        if turned < model.world[0].last_turn and left <= SLIGHT and is_over(run):
            return rounds + 1
        if not run.polishing:
            lower_shift(run)
    return DIVERGED


@kernel
def judge(model: Model, own: ImplicitScratch, r: int, s: float) -> tuple[float, float]:
    """(by how much [rad] the edge or segment of rod r turns that turns most in the solution, elastic energy that it
    leaves over that of the motion that it is in a step).

    Where segments turn by φ and the joint between them bends by χ, the solution, which is linear, misses the joint's
    angle by ½ φ χ, and the strain of an edge that turns by φ by ½ φ².
    """
    rod, y = model.rods[r], own.sides
    furthest, left, moved, before = 0.0, 0.0, 0.0, 0.0
    for i in range(rod.last - rod.first + 1):
        row, turns, change, edge, square = SEVEN * i, 0.0, 0.0, 0.0, 0.0
        for c in range(3):
            square += y[row + c] ** 2
            turns += y[row + 4 + c] ** 2
            if i > 0:
                change += (y[row + 4 + c] - y[row - SEVEN + 4 + c]) ** 2
                edge += (y[row + c] - y[row - SEVEN + c]) ** 2
        node, k = rod.first + i, rod.segment + 1 + i
        if model.mobility[k, 0] > 0.0:
            moved += turns / (model.mobility[k, 0] * s * s)
        moved += own.inertia[node] * square
        bend = model.bends[rod.bend + i]
        stiff = max(bend.stiffness[0], bend.stiffness[1], bend.stiffness[2]) / bend.length
        if i > 0:
            length = model.edges[node - 1].length
            edge /= length * length
            left += stiff * max(turns, before) * change + model.segments[k - 1].stretch * length * edge * edge
        before = turns
        for way in (turns, edge):
            if not way <= furthest:
                furthest = way
    return sqrt(furthest), 0.25 * left / moved if moved > 0.0 else 0.0


@kernel
def move(model: Model, state: State, elastic: ElasticScratch, own: ImplicitScratch, r: int, scale: float) -> None:
    """Rod r goes with the solution, or part of it."""
    rod, y = model.rods[r], own.sides
    for i in range(rod.last - rod.first + 1):
        row, node, k = SEVEN * i, rod.first + i, rod.segment + 1 + i
        for c in range(3):
            state.x[node, c] += scale * y[row + c]
        if i > 0:
            own.tension[node - 1] += scale * y[row + 3]
        if elastic.mobility[k, 1] > 0.0:
            way = (scale * y[row + 4], scale * y[row + 5], scale * y[row + 6])
            q = product(quaternion(state.q[k]), exponential(way))
            unit = 1.5 - 0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
            for c in range(4):
                state.q[k, c] = unit * q[c]
            psi = turn_between(quaternion(own.segments[k].q), quaternion(state.q[k]))
            for c in range(3):
                own.segments[k].turn[c] = psi[c]
    for side in range(2):
        frame = rod.frame if side == 0 else rod.last + r + 1
        if state.ghosts[2 * r + side].held and not state.fixed[frame]:  # which goes where nothing twists it
            prescribe(model, r, state, elastic)
            break


@entry
def leave_spinning(model: Model, state: State, elastic: ElasticScratch, own: ImplicitScratch, r: int, h: float) -> bool:
    """Segments of rod r at the end of a step of h [s], and what the next one looks back on. Returns whether it may not,
    for a joint has slipped.
    """
    rod = model.rods[r]
    for k in range(rod.segment, rod.segment + rod.last - rod.first + 2):
        if elastic.mobility[k, 1] == 0.0:
            continue
        psi, omega = vector(own.segments[k].turn), vector(state.omega[k])
        was, older = state.past_segments[k, 0], state.past_segments[k, 1]
        across, about, back = 1.0 / model.mobility[k, 0], 1.0 / model.mobility[k, 1], exponential(scaled(-1.0, psi))
        earlier = logarithm(product(back, exponential(vector(was.turn))))
        kept = turned(back, vector(was.momentum))
        momentum = turned(back, (across * omega[0], across * omega[1], about * omega[2]))
        older.spin, was.spin = was.spin, omega[2]
        for c in range(3):
            older.turn[c], was.turn[c] = earlier[c], -psi[c]
            older.momentum[c], was.momentum[c] = kept[c], momentum[c]
    if rod.damped:
        for v in range(rod.first, rod.last + 1):
            for c in range(3):
                state.past_bend[v, 1, c], state.past_bend[v, 0, c] = state.past_bend[v, 0, c], own.hinges[v].bend[c]
    return leave_directors(model, r, state, elastic, h)
