"""The equations of an implicit step for a rod that is round and straight at rest, untwisted and keeps its lengths.

Then bending alone resists, and no frames are needed. With t_j = (x_{j+1} − x_j)/l_j of the rest lengths, the change of
direction w_i = t_i − t_{i−1} and u = |w|²/4, which is sin² of half the turning angle where lengths are kept,

    E_i = k g(u), g = u/(1 − u), k = 4α/l_i        (Bergou 2008, §7.1, special case: tan² of half the angle)
    ∂E/∂x_p = ½ k g′ a_p w,    ∂²E/∂x_p∂x_q = a_p a_q S,    S = k (½ g′ 1 + ¼ g″ w wᵀ),    a = ∂w/∂x,

which is convex in x. Beyond an end that a clamp holds, t is the ghost edge's direction.
The unknowns of vertex i are x_i and the tension of the edge before it, which comes after both of that edge's vertices.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..model import Model, State
from ..rods.chain import hinges_of
from .band_ldl import band_elimination
from .chain import release
from .loads import add_inertia, push_vertices, turning
from .scratch import SPAN, YIELD, ImplicitScratch

BLOCK = 4  # unknowns of a vertex
FOLDED = 0.999  # u from which on a hinge gets no stiffer, for Newton to come back from there


@kernel
def bending(k: float, w: np.ndarray) -> tuple[float, float]:
    """(½ k g′, ¼ k g″) of the change of direction w (3,)."""
    u = min(0.25 * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), FOLDED)
    r = 1.0 / (1.0 - u)
    return 0.5 * k * r * r, 0.5 * k * r * r * r


eliminate, _, substitute = band_elimination(BLOCK)


@kernel
def assemble(model: Model, state: State, work: ImplicitScratch, chain: int, s: float, convex: bool) -> None:
    """Write the band matrix and minus the residual of a chain, a whole rod, at the iterate, state.x and work.pull; s
    [s].

    convex: thrust, which alone can spoil the matrix's inertia, is left out of it.
    """
    row, r = model.chain_system.chains[chain].row, model.chain_system.chains[chain].rod
    first, n = model.rods[r].first, model.rods[r].last - model.rods[r].first + 1
    a, y, x = work.matrix[row:], work.unknown[row:], state.x
    for j in range(BLOCK * n):
        y[j] = 0.0
        for k in range(SPAN):
            a[j].value[k] = 0.0
    push_vertices(model, x, work, chain, s)
    add_inertia(model, x, work, chain, s)
    a[3].value[3] = 1.0
    for v in range(first, first + n - 1):
        add_edge(x, v, model.edges[v].length, work.pull[v], convex, a[BLOCK * (v - first) :], y[BLOCK * (v - first) :])
        a[BLOCK * (v - first) + BLOCK + 3].value[3] = -YIELD / work.inertia[v]
    for h in range(1, n - 1):
        v = first + h
        before, behind = 1.0 / model.edges[v - 1].length, 1.0 / model.edges[v].length
        for c in range(3):
            work.w[c] = behind * (x[v + 1, c] - x[v, c]) - before * (x[v, c] - x[v - 1, c])
        add_hinge(0.5 * model.hinges[v].bend, (before, -before - behind, behind), work.w, a, y, BLOCK * (h - 1))
    for side in range(2):
        add_wall(model, state, work, r, side, a, y)
    if model.rods[r].damped:
        for h in range(*hinges_of(model.rods, r, state.ghosts)):
            k = model.hinges[h].viscosity / s
            moment = k * s * turning(model, state, work, r, h, s)
            damp(k, moment, work.before[h], work.behind[h], a, y[: BLOCK * n], BLOCK * (h - first))
    for i in range(n):
        if state.w[first + i] == 0.0:
            for j in range(BLOCK * i, BLOCK * i + 3):
                release(a, y, j, BLOCK)
            if i > 0 and state.w[first + i - 1] == 0.0:  # nothing couples this tension any more
                a[BLOCK * i + 3].value[3], y[BLOCK * i + 3] = -1.0, 0.0


@kernel
def add_edge(x: np.ndarray, v: int, length: float, pull: float, convex: bool, a: np.ndarray, y: np.ndarray) -> None:
    """The length of the edge from v on; a, y from the unknowns of v on."""
    inverse, square = 1.0 / length, 0.0
    tension = (max(pull, 0.0) if convex else pull) * inverse
    for c in range(3):
        t = inverse * (x[v + 1, c] - x[v, c])
        square += t * t
        a[c].value[BLOCK + 3], a[BLOCK + c].value[3] = -t, t
        y[c] += pull * t
        y[BLOCK + c] -= pull * t
        a[c].value[c] += tension
        a[BLOCK + c].value[c] += tension
        a[c].value[BLOCK + c] -= tension
    y[BLOCK + 3] = 0.5 * length * (1.0 - square)


@kernel
def add_hinge(k: float, arms: tuple[float, float, float], w: np.ndarray, a: np.ndarray, y: np.ndarray, j: int) -> None:
    """Bending by w (3,) at the vertex between two whose unknowns are one block before and behind: rows from j on."""
    slope, rise = bending(k, w)
    p, o, q = arms
    for c in range(3):
        pull = slope * w[c]
        y[j + c] -= p * pull
        y[j + BLOCK + c] -= o * pull
        y[j + 2 * BLOCK + c] -= q * pull
        for d in range(c, 3):
            value = rise * w[c] * w[d] + (slope if c == d else 0.0)
            a[j + c].value[d] += p * p * value
            a[j + BLOCK + c].value[d] += o * o * value
            a[j + 2 * BLOCK + c].value[d] += q * q * value
        for d in range(3):
            value = rise * w[c] * w[d] + (slope if c == d else 0.0)
            a[j + c].value[BLOCK + d] += p * o * value
            a[j + BLOCK + c].value[BLOCK + d] += o * q * value
            a[j + c].value[2 * BLOCK + d] += p * q * value


@kernel
def add_wall(
    model: Model, state: State, work: ImplicitScratch, r: int, side: int, a: np.ndarray, y: np.ndarray
) -> None:
    """Bending against the ghost edge at the start (side 0) or the end (1) of rod r, where a clamp holds."""
    ghost, x, w = state.ghosts[2 * r + side], state.x, work.w
    if not ghost.held:
        return
    first, last = model.rods[r].first, model.rods[r].last
    v, tail = (first, first) if side == 0 else (last, last - 1)
    e, sign, inverse = ghost.edge, 1.0 - 2.0 * side, 1.0 / model.edges[tail].length
    size = 1.0 / sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2])
    for c in range(3):
        w[c] = sign * (inverse * (x[tail + 1, c] - x[tail, c]) - size * e[c])
    slope, rise = bending(0.5 * model.hinges[v].bend, w)
    j = BLOCK * (tail - first)
    for c in range(3):
        pull = sign * slope * inverse * w[c]
        y[j + c] += pull
        y[j + BLOCK + c] -= pull
        for d in range(3):
            value = inverse * inverse * (rise * w[c] * w[d] + (slope if c == d else 0.0))
            if d >= c:
                a[j + c].value[d] += value
                a[j + BLOCK + c].value[d] += value
            a[j + c].value[BLOCK + d] -= value


@kernel
def damp(k: float, moment: float, before: np.ndarray, behind: np.ndarray, a: np.ndarray, y: np.ndarray, j: int) -> None:
    """Kelvin–Voigt damping of a hinge: k [N m], its moment [N m], the gradient (3,) of its turning angle by the edge
    before and behind it; the unknowns of its vertex begin at j.
    """
    first, last = j == 0, j + BLOCK == len(y)  # a ghost edge does not go with the vertex
    u, w = (0.0 if first else 1.0), (0.0 if last else 1.0)
    for c in range(3):
        p, o, q = -before[c], u * before[c] - w * behind[c], behind[c]
        y[j + c] -= moment * o
        if not first:
            y[j - BLOCK + c] -= moment * p
        if not last:
            y[j + BLOCK + c] -= moment * q
        for d in range(3):
            own, next_one = u * before[d] - w * behind[d], behind[d]
            if d >= c:
                a[j + c].value[d] += k * o * own
                if not first:
                    a[j - BLOCK + c].value[d] += k * p * -before[d]
                if not last:
                    a[j + BLOCK + c].value[d] += k * q * next_one
            if not first:
                a[j - BLOCK + c].value[BLOCK + d] += k * p * own
            if not last:
                a[j + c].value[BLOCK + d] += k * o * next_one
            if not (first or last):
                a[j - BLOCK + c].value[2 * BLOCK + d] += k * p * next_one
