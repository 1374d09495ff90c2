"""What a winch does to a rod's vertices: those that it has reeled in lie at it, those that come out or go in are put to
other places of the same rod. See rods/winch.

Both are done where a step begins, at places and velocities of then, so they are no motion: a vertex that comes out is
put onto the straight edge from the winch to what was the first vertex that was out, with the velocity of that place and
that of the rod along it; one that goes in is put to the winch.

A vertex that goes in leaves slack where the rod had a kink φ there: one straight edge is in the place of two, and ½ φ²
of that vertex's distance from the winch shorter than both. To push the rod out by that at once would be a blow. So the
edge at the winch is given as much less length, which it gets back as the rod is paid out: AGAIN of that comes out more.
As the rod is reeled in, its slack goes in first.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, dot, plus, scaled, vector
from ..model import Model, OldState, State
from ..rods.keyed_numbers import PAID_OUT, number, time_of
from ..rods.winch import edge, first_out, vertex

AGAIN = 0.25  # of what is paid out: so much faster than the winch lets it the rod comes out while there is slack
PIECE = 0.5  # of the shortest edge, in a step: pieces come and go one by one, and none in every step
SLACK = 1e-6  # of the edge at the winch: less is what lengths are left with


@kernel
def reel(model: Model, state: State, old: OldState, h: float) -> None:
    """At the begin of a step of h [s], the numbers at whose end the Model has: vertices come out and go in, in `state`
    and in `old`.
    """
    for q in range(len(model.keyed.keyed)):
        row = model.keyed.keyed[q]
        if row.reels != 0:
            reel_rod(model, state, old, row)
            if not model.rods[row.rod].stretchable:
                leave_slack(model, state, row, h)


@kernel
def reel_rod(model: Model, state: State, old: OldState, row: np.record) -> None:
    """Those of a KEYED."""
    rod, reels = model.rods[row.rod], row.reels
    f, n = first_out(rod, reels), rod.last - rod.first
    a = f
    while a < n and state.w[vertex(rod, reels, a)] == 0.0:
        a += 1
    begin, end = vertex(rod, reels, 0), vertex(rod, reels, a)
    whole, far, way = 0.0, 0.0, plus(vector(state.x[end]), -1.0, vector(state.x[begin]))
    for k in range(a):
        whole += model.edges[edge(rod, reels, k)].length
    size = sqrt(dot(way, way))
    for k in range(1, a):
        i = vertex(rod, reels, k)
        far += model.edges[edge(rod, reels, k - 1)].length
        if k >= f:
            share = max(far - (whole - size), 0.5 * far) / size
            put(state, old, i, begin, end, way, (share, 1.0 - share))
        else:  # laid towards where the rod leaves now: so in a step it does not turn
            state.w[i] = old.w[i] = 0.0  # there to stay: a shorter step tried next has to let it out again
            put(state, old, i, begin, end, way, (far / size, 0.0))
    for k in range(f, min(a + 2, n)):
        i = vertex(rod, reels, k)
        state.w[i] = model.nodes[i].w


@kernel
def reel_step(model: Model, time: float, longest: float) -> float:
    """The longest step [s], up to `longest`, in which no winch reels more than PIECE of a rod's shortest edge."""
    for q in range(len(model.keyed.keyed)):
        row = model.keyed.keyed[q]
        if row.reels != 0:
            longest = time_of(model.keyed.keys, row, PAID_OUT, time, PIECE * model.rods[row.rod].shortest, longest)
    return longest


@kernel
def leave_slack(model: Model, state: State, row: np.record, h: float) -> None:
    """The edge at the winch gets no longer than that is paid out in a step of h [s], and AGAIN."""
    rod, reels, keys, time = model.rods[row.rod], row.reels, model.keyed.keys, state.clock[0].time
    f = first_out(rod, reels)
    way = plus(vector(state.x[vertex(rod, reels, f)]), -1.0, vector(state.x[vertex(rod, reels, f - 1)]))
    change = number(keys, row, PAID_OUT, time + h) - number(keys, row, PAID_OUT, time)
    most = sqrt(dot(way, way)) + (1.0 + AGAIN) * max(change, 0.0)
    here = model.edges[edge(rod, reels, f - 1)]
    if most < (1.0 - SLACK) * here.length:
        here.length = most


@kernel
def put(state: State, old: OldState, i: int, begin: int, end: int, way: Vector, shares: tuple[float, float]) -> None:
    """Put node i by a share of the way [m] from one node to another, at that share of how one moves against the other,
    and a second share of that along the way.
    """
    place = plus(vector(state.x[begin]), shares[0], way)
    speed = between(vector(state.v[begin]), vector(state.v[end]), way, shares)
    for c in range(3):
        state.x[i, c] = old.x[i, c] = place[c]
        state.v[i, c] = old.v[i, c] = speed[c]
    for k in range(2):
        one = plus(vector(state.x[begin]), -1.0, vector(state.past_x[begin, k]))
        other = plus(vector(state.x[end]), -1.0, vector(state.past_x[end, k]))
        came = between(one, other, way, shares)
        speed = between(vector(state.past_v[begin, k]), vector(state.past_v[end, k]), way, shares)
        for c in range(3):
            state.past_x[i, k, c], state.past_v[i, k, c] = place[c] - came[c], speed[c]


@kernel
def between(one: Vector, other: Vector, way: Vector, shares: tuple[float, float]) -> Vector:
    """Of how two nodes move, what a node between them does."""
    more = plus(other, -1.0, one)
    return plus(plus(one, shares[0], more), shares[1] * dot(more, way) / dot(way, way), way)


@kernel
def stow(model: Model, state: State, x0: np.ndarray) -> None:
    """What is reeled in goes with the winch, laid towards where the rod leaves it at x0 (N, 3)."""
    for q in range(len(model.keyed.keyed)):
        row = model.keyed.keyed[q]
        if row.reels == 0:
            continue
        rod, reels = model.rods[row.rod], row.reels
        f, begin = first_out(rod, reels), vertex(rod, reels, 0)
        way = plus(vector(x0[vertex(rod, reels, f)]), -1.0, vector(x0[begin]))
        way, far = scaled(1.0 / sqrt(dot(way, way)), way), 0.0
        for k in range(1, f):
            far += model.edges[edge(rod, reels, k - 1)].length
            place = plus(vector(state.x[begin]), far, way)
            i = vertex(rod, reels, k)
            state.x[i, 0], state.x[i, 1], state.x[i, 2] = place
