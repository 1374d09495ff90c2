"""Internal damping in an implicit step: at every hinge a moment η dφ/dt against the rate of its turning angle φ (see
rods/internal_damping), where a hinge stays bent by backward differences of angles,

    dφ/dt = (φ − φ̄)/s,    φ̄ of what φ was in steps before as x̄ is of x (see time_integration/bdf2),

so that no rigid motion is damped or bends anything, however far it turns in a step. φ is linear in the edges e about
those that it was laid for, where edges are expected and in each iteration anew, e' with the angle φ': as no length
changes an angle, ∂φ/∂e·e' = 0, and

    φ − φ̄ = φ' − φ̄ + ∂φ/∂e·e.

Where a hinge's bend changes far, as where it swings through straight and its angle has no gradient, ∂φ/∂e·(e − ē)
stands for that, laid once: by it nothing is asked of what stays where it is, right or wrong as ∂φ/∂e may be.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.turns import shortest_turn
from ..arithmetic.vectors import Vector, dot, plus, scaled, vector
from ..model import Model, OldState, State
from ..rods.chain import chain_edges, hinges_of
from ..rods.internal_damping import gradient_between
from .loads import Weights
from .scratch import ImplicitScratch

TURNS, CHANGES = 0.7, 0.1  # of its bend, by which that of a hinge that stays bent may turn and change in a step,
STAYS = 0.25  # and do both in an iteration,
ANEW = 6  # of so many at most: Newton sees nothing of how gradients change


@kernel
def lay_damping(
    model: Model, state: State, old: OldState, own: ImplicitScratch, r: int, of: Weights, h: float, ahead: np.ndarray
) -> None:
    """How the turning angles of rod r's hinges go with its edges, about those at `ahead` (N, 3) [m], in a step of h
    [s]: own.hinges; and by how much they differ there from φ̄, or would if ∂φ/∂e held so far.
    """
    (now, ago, earlier, s), rods, ghosts = of, model.rods, state.ghosts
    begin, end = hinges_of(rods, r, ghosts)
    chain_edges(rods, r, old.ghosts, old.x, own.expected)
    begin_clamps(state, old, own, rods[r], r, h)
    for k in range(begin, end):
        bend = shortest_turn(vector(own.expected[k + r]), vector(own.expected[k + r + 1]))
        own.hinges[k].bend[0], own.hinges[k].bend[1], own.hinges[k].bend[2] = bend
    chain_edges(rods, r, ghosts, own.rest, own.laid)
    if not rods[r].closed:
        for side in range(2):
            f = rods[r].last + r + 1 if side == 1 else rods[r].frame
            for c in range(3):
                own.laid[f, c] -= s * ghosts[2 * r + side].rate[c]
    chain_edges(rods, r, ghosts, ahead, own.expected)
    behind = direction(own.expected[begin + r])
    for k in range(begin, end):
        f, b, before, earliest = k + r, vector(own.hinges[k].bend), state.past_bend[k, 0], state.past_bend[k, 1]
        front, behind = behind, direction(own.expected[f + 1])
        bend = shortest_turn(vector(own.expected[f]), vector(own.expected[f + 1]))
        lay_angle(own, k, f, front, behind, bend)
        own.hinges[k].stays = is_as_large(bend, b) and is_near(bend, b, TURNS)
        if own.hinges[k].stays:
            idle = now * sqrt(dot(b, b)) - ago * sqrt(dot(before, before)) + earlier * sqrt(dot(earliest, earliest))
            own.hinges[k].idle, own.hinges[k].turned = idle, sqrt(dot(bend, bend)) - idle
        else:
            own.hinges[k].turned = turned_so_far(own, k, f)


@kernel
def lay_damping_anew(model: Model, state: State, own: ImplicitScratch, r: int, rounds: int) -> None:
    """The same of rod r's hinges that stay bent, about where they are after so many iterations; not for ever."""
    begin, end = hinges_of(model.rods, r, state.ghosts)
    for h in range(begin, end):
        if own.hinges[h].stays:
            chain_edges(model.rods, r, state.ghosts, state.x, own.expected)
            break
    for h in range(begin, end):
        if not own.hinges[h].stays:
            continue
        f = h + r
        bend = shortest_turn(vector(own.expected[f]), vector(own.expected[f + 1]))
        own.hinges[h].stays = rounds < ANEW and is_near(bend, vector(own.hinges[h].laid), STAYS)
        if own.hinges[h].stays:
            lay_angle(own, h, f, direction(own.expected[f]), direction(own.expected[f + 1]), bend)
            own.hinges[h].turned = sqrt(dot(bend, bend)) - own.hinges[h].idle
        else:
            own.hinges[h].turned = turned_so_far(own, h, f)


@kernel
def keep_bends(model: Model, state: State, own: ImplicitScratch, r: int) -> None:
    """A step is over: the bends with which it began are those a step ago."""
    for h in range(model.rods[r].first, model.rods[r].last + 1):
        for c in range(3):
            state.past_bend[h, 1, c], state.past_bend[h, 0, c] = state.past_bend[h, 0, c], own.hinges[h].bend[c]


@kernel
def begin_clamps(state: State, old: OldState, own: ImplicitScratch, rod: np.record, r: int, h: float) -> None:
    """A hinge that a clamp makes in this step of h [s], at an end of a rod, r, was ever bent as it takes it up."""
    for side in range(2):
        ghost = state.ghosts[2 * r + side]
        if rod.closed or not ghost.held or old.ghosts[2 * r + side].held:
            continue
        f, k = (rod.last + r, rod.last) if side == 1 else (rod.frame, rod.first)
        for c in range(3):
            own.expected[f + side, c] = ghost.edge[c] - h * ghost.rate[c]
        b = shortest_turn(vector(own.expected[f]), vector(own.expected[f + 1]))
        for c in range(3):
            state.past_bend[k, 0, c] = state.past_bend[k, 1, c] = b[c]


@kernel
def direction(e: np.ndarray) -> tuple[Vector, float]:
    """That of an edge (3,), and its inverse length."""
    k = 1.0 / sqrt(dot(e, e))
    return scaled(k, vector(e)), k


@kernel
def lay_angle(
    own: ImplicitScratch, h: int, f: int, before: tuple[Vector, float], behind: tuple[Vector, float], bend: Vector
) -> None:
    """How the angle of hinge h goes with its edges, f and f + 1 of own.expected, of these directions, between which it
    bends so.
    """
    (ta, p), (tb, q) = before, behind
    ra = plus(vector(own.expected[f]), -1.0, vector(own.laid[f]))
    rb = plus(vector(own.expected[f + 1]), -1.0, vector(own.laid[f + 1]))
    gradient_between(ta, tb, p, q, ra, rb, own.hinges[h].before, own.hinges[h].behind)
    own.hinges[h].laid[0], own.hinges[h].laid[1], own.hinges[h].laid[2] = bend


@kernel
def turned_so_far(own: ImplicitScratch, h: int, f: int) -> float:
    """−∂φ/∂e·ē [rad] of hinge h, between the edges f and f + 1."""
    return -dot(own.hinges[h].before, own.laid[f]) - dot(own.hinges[h].behind, own.laid[f + 1])


@kernel
def is_as_large(bend: Vector, other: Vector) -> bool:
    """Whether another bend is as large as this one, about."""
    one, size = dot(bend, bend), dot(other, other)
    return (1.0 - CHANGES) ** 2 * one < size < (1.0 + CHANGES) ** 2 * one


@kernel
def is_near(bend: Vector, other: Vector, part: float) -> bool:
    """Whether another bend differs by less than such a part of this one."""
    change = plus(bend, -1.0, other)
    return dot(change, change) < part * part * dot(bend, bend)
