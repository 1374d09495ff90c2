"""An implicit step of a Cosserat rod: where its segments would turn to by themselves, Newton's method on its
equations (see spinning_rod) where it touches nothing, and what the next step looks back on.
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
from ..rods.director_forces import bends_of, edges_of, lay_axes, prescribe, segment_of, turn_ghosts
from ..rods.director_motion import leave_directors
from ..rods.scratch import ElasticScratch
from .inertia_correction import DIVERGED, is_over, is_whole, lower_shift, part_of, raise_shift
from .inertia_correction import begin as start
from .line_search import go_to_rest
from .loads import Times, Weights
from .rod_equations import EXACT
from .scratch import SEVEN, ImplicitScratch
from .spinning_rod import assemble, bind, eliminate, substitute
from .wall_contact import add_walls, keep_walls, settled

ROUNDS = 40
CALM = 1e-5  # rad, what edges may still turn by where walls press
MOST = 1.5  # rad, in a step: half of what two steps may look back on, which tell turns up to half of one
SLIGHT = 0.01  # of the energy of the motion that a solution is, what it may leave of elastic energy


@entry
def end(model: Model, state: State, elastic: ElasticScratch, own: ImplicitScratch, r: int, s: float) -> bool:
    """How segments of rod r are, and spin, at the end of a step: elastic.turned and omega, for the State's stay until
    it is accepted. Returns whether none has turned too far.
    """
    rod, near = model.rods[r], True
    for k in range(rod.segment, rod.segment + rod.last - rod.first + 2):
        psi = vector(own.segments[k].turn)
        near = near and dot(psi, psi) < MOST * MOST
        omega = spin_of(psi, scaled(1.0 / s, plus(psi, -1.0, vector(own.segments[k].before))))
        for c in range(3):
            elastic.omega[k, c] = omega[c]
        for c in range(4):
            elastic.turned[k, c], state.q[k, c] = state.q[k, c], own.segments[k].q[c]
    return near


@entry
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
    for k in range(rod.segment, rod.segment + rod.last - rod.first + 2):
        own.frames[rod.frame + k - rod.segment].turn = own.segments[k].turn[2]
        own.segments[k].borne = False
        for c in range(2):
            own.segments[k].mobility[c] = elastic.mobility[k, c]
    for weld in model.welds:
        if weld.rod == r and (weld.ghost >= 0 or weld.clamp >= 0):
            own.segments[segment_of(rod, weld.frame)].borne = True
    first, last = edges_of(rod)
    for k in range(first, last):
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
        taken = not rod.closed and (side == 0 or v == rod.last) and not old.ghosts[2 * r + side].held
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


@entry
def newton(
    model: Model, state: State, own: ImplicitScratch, contacts: np.ndarray, x0: np.ndarray, c: int, times: Times
) -> int:
    """Solve for state.x and q, own.tension and segments of chain c, a Cosserat rod that touches walls alone, if
    anything; x0 (N, 3): the old positions. Returns how many iterations it took, or DIVERGED.
    """
    run, chain, (s, h), touches = own.newton[0], model.chain_system.chains[c], times, own.wall[c] >= 0
    a, y, count = own.matrix[chain.row :], own.unknown[chain.row :], SEVEN * chain.blocks
    start(run, EXACT)
    if touches:
        bind(model, state, own, c)
    for rounds in range(ROUNDS):
        while solve(model, state, own, contacts, x0, c, times, (run.shift, False)) != 0 and raise_shift(run):
            pass
        substitute(a, y, count)
        turned, left = judge(model, own, c, s)
        if not turned < inf:
            return DIVERGED
        part = part_of(turned, 0.0)
        if touches:
            part = go_to_rest(model, state.x, x0, own, contacts, h, part, c)
        move(model, state, own, c, part)
        follow(model, state, own, chain.rod)
        done = turned < (CALM if touches else model.world[0].last_turn) and left <= SLIGHT
        if done and touches:
            missing = keep_walls(state.x, x0, own, contacts, c, h, is_whole(run, part))
            done = settled(missing, rounds, model.world[0].preview)
        if done and is_over(run):
            return rounds + 1
        if not run.polishing:
            lower_shift(run)
    return DIVERGED


@kernel
def solve(
    model: Model, state: State, own: ImplicitScratch, contacts: np.ndarray, x0: np.ndarray, c: int, times: Times,
    given: tuple[float, bool],
) -> int:  # fmt: skip
    """Lay and eliminate chain c, with what walls press with; given: as `assemble` has it. Returns how many eigenvalues
    too many are negative.
    """
    chain = model.chain_system.chains[c]
    a, y, count = own.matrix[chain.row :], own.unknown[chain.row :], SEVEN * chain.blocks
    assemble(model, state, own, c, times[0], given, a)
    add_walls(model, state.x, x0, own, contacts, c, times[1])
    for j in range(count if len(contacts) > 0 else 0):
        own.side[chain.row + j] = y[j]
    return eliminate(a, y, count) - (chain.blocks - 1)


@kernel
def judge(model: Model, own: ImplicitScratch, c: int, s: float) -> tuple[float, float]:
    """(by how much [rad] the edge or segment of chain c turns that turns most in the solution, elastic energy that it
    leaves over that of the motion that it is in a step).

    Where segments turn by φ and the joint between them bends by χ, the solution, which is linear, misses the joint's
    angle by ½ φ χ, and the strain of an edge that turns by φ by ½ φ².
    """
    chain = model.chain_system.chains[c]
    rod, y = model.rods[chain.rod], own.unknown[chain.row :]
    furthest, left, moved, before = 0.0, 0.0, 0.0, 0.0
    n = rod.last - rod.first + 1
    for v in range(chain.vertex, chain.vertex + chain.blocks):
        row, turns, change, edge, square = SEVEN * (v - chain.vertex), 0.0, 0.0, 0.0, 0.0
        for d in range(3):
            square += y[row + d] ** 2
            turns += y[row + 4 + d] ** 2
            if v > chain.vertex:
                change += (y[row + 4 + d] - y[row - SEVEN + 4 + d]) ** 2
                edge += (y[row + d] - y[row - SEVEN + d]) ** 2
        node, k = rod.first + v, rod.segment + 1 + v
        if v < n and model.mobility[k, 0] > 0.0:
            moved += turns / (model.mobility[k, 0] * s * s)
        if 0 <= v < n:
            moved += own.inertia[node] * square
        if v > 0:
            bend = model.bends[rod.bend + v - int(rod.closed)]
            stiff = max(bend.stiffness[0], bend.stiffness[1], bend.stiffness[2]) / bend.length
            length = model.edges[node - 1].length
            edge /= length * length
            left += stiff * max(turns, before) * change + model.segments[k - 1].stretch * length * edge * edge
        before = turns
        for way in (turns, edge):
            if not way <= furthest:
                furthest = way
    return sqrt(furthest), 0.25 * left / moved if moved > 0.0 else 0.0


@kernel
def move(model: Model, state: State, own: ImplicitScratch, c: int, scale: float) -> None:
    """Chain c, a Cosserat rod, goes with the solution, or part of it."""
    chain = model.chain_system.chains[c]
    r, y = chain.rod, own.unknown[chain.row :]
    rod = model.rods[r]
    for i in range(rod.last - rod.first + 1):
        row, node, k = SEVEN * (i - chain.vertex), rod.first + i, rod.segment + 1 + i
        for d in range(3 if model.nodes[node].slave < 0 else 0):
            state.x[node, d] += scale * y[row + d]
        if own.segments[k].mobility[1] > 0.0:
            way = (scale * y[row + 4], scale * y[row + 5], scale * y[row + 6])
            q = product(quaternion(state.q[k]), exponential(way))
            unit = 1.5 - 0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
            for d in range(4):
                state.q[k, d] = unit * q[d]
            psi = turn_between(quaternion(own.segments[k].q), quaternion(state.q[k]))
            for d in range(3):
                own.segments[k].turn[d] = psi[d]
            own.frames[node + r + 1].turn = psi[2]
    for v in range(1, chain.vertex + chain.blocks):
        own.tension[rod.first + v - 1] += scale * y[SEVEN * (v - chain.vertex) + 3]


@kernel
def follow(model: Model, state: State, own: ImplicitScratch, r: int) -> None:
    """Segments of rod r that rigid bodies carry, or that turn freely, go with these and with what they are beside."""
    rod = model.rods[r]
    for weld in model.welds:
        if weld.rod == r and weld.clamp >= 0:
            k = segment_of(rod, weld.frame)
            one, frame = model.segments[k], vector(state.clamp_frame[weld.clamp])
            if weld.ghost >= 0:
                lay_axes(state.ghosts[weld.ghost].edge, frame, state.q[k])
            else:
                edge = own.e[weld.frame]
                edge[0], edge[1], edge[2] = plus(vector(state.x[one.head]), -1.0, vector(state.x[one.tail]))
                lay_axes(edge, frame, state.q[k])
    if not rod.closed:
        turn_ghosts(model, r, state)


@entry
def leave_spinning(model: Model, state: State, elastic: ElasticScratch, own: ImplicitScratch, r: int, h: float) -> bool:
    """Segments of rod r at the end of a step of h [s], and what the next one looks back on. Returns whether it may not,
    for a joint has slipped.
    """
    rod = model.rods[r]
    for k in range(rod.segment, rod.segment + rod.last - rod.first + 2):
        if model.mobility[k, 1] == 0.0:
            continue
        # what is led has a past as well, for when it is let go
        psi, omega = turn_between(quaternion(own.segments[k].q), quaternion(elastic.turned[k])), vector(state.omega[k])
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
