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
from ..arithmetic.vectors import Matrix, Vector, dot, plus, plus_dyad, scaled, vector
from ..linear.block_ldl import block_elimination
from ..model import Model, State
from ..rods.chain import hinges_of
from .chain import release
from .loads import push_on, resistance
from .scratch import PLAIN as BLOCK
from .scratch import REACH, YIELD, ImplicitScratch

WIDE = 12  # numbers of a row that count, and one that is none
FOLDED = 0.999  # u from which on a hinge gets no stiffer, for Newton to come back from there
NONE = (0.0, 0.0, 0.0)
NOTHING = (NONE, NONE, NONE)

Edge = tuple[float, Vector, Vector, float, float]
# (1/l, t, itself [m], its tension, and that in the matrix [N])
Hinge = tuple[Matrix, Vector, float, float, Vector, Vector]
# (S, ½ k g′ w; of its damping the stiffness and the moment [N m], and how its angle goes with either edge [1/m])
Load = tuple[Vector, tuple[float, float, Vector]]  # on a vertex: what pushes it, and by what it resists that, see loads
Waiting = tuple[Matrix, Matrix, Matrix, Vector, Vector]
# (how a vertex goes with itself, the next one with itself, and both; forces on it, and on the next one)
NO_HINGE, NO_LOAD = (NOTHING, NONE, 0.0, 0.0, NONE, NONE), (NONE, (0.0, 0.0, NONE))
NOTHING_WAITS = NOTHING, NOTHING, NOTHING, NONE, NONE

eliminate, resolve, substitute = block_elimination(BLOCK, BLOCK + REACH)


@kernel
def assemble(model: Model, state: State, work: ImplicitScratch, chain: int, s: float, convex: bool) -> None:
    """Write the band matrix and minus the residual of a chain, a whole rod, at the iterate, state.x and work.pull; s
    [s].

    convex: thrust, which alone can spoil the matrix's inertia, is left out of it.
    """
    row, r = model.chain_system.chains[chain].row, model.chain_system.chains[chain].rod
    first, last = model.rods[r].first, model.rods[r].last
    a, y, x = work.matrix[row:], work.unknown[row:], state.x
    begin, end = hinges_of(model.rods, r, state.ghosts)
    behind, waiting = ghost_edge(state, r, 0), NOTHING_WAITS
    lay_ends(a, y, BLOCK * (last - first))
    for v in range(first, last + 2):
        i, before, hinge, load = BLOCK * (v - first), behind, NO_HINGE, NO_LOAD
        behind = edge_from(model, x, work, v, convex) if v < last else ghost_edge(state, r, 1)
        if begin <= v < end:
            hinge = hinge_at(model, work, r, v, before, behind, s)
        if v <= last:
            load = push_on(x, work, v, s), resistance(x, work, v, s)
        waiting = lay_next(a, y, i, waiting, (before, behind), hinge, load)
        if v < last:
            lay_edge(a, y, i, behind[1], 0.5 * model.edges[v].length, YIELD / work.inertia[v])
    for v in range(first, last + 1):
        if state.w[v] == 0.0:
            i = BLOCK * (v - first)
            for j in range(i, i + 3):
                release(a, y, j, BLOCK)
            if v > first and state.w[v - 1] == 0.0:  # nothing couples this tension any more
                a[i + 3].value[3], y[i + 3] = -1.0, 0.0


@kernel(forceinline=True)
def lay_next(
    a: np.ndarray, y: np.ndarray, i: int, waiting: Waiting, edges: tuple[Edge, Edge], hinge: Hinge, load: Load
) -> Waiting:
    """Add what a vertex bears and its hinge, between two edges, to the rows from i on that are waiting, and write those
    of the vertex before, if there is one: what they wait for last is this hinge, so each row is written once.
    """
    ((p, t, _, drawn, firm), (q, u, _, pull, taut)), (push, (heavy, more, along)) = edges, load
    (own, next_own, coupling, force, next_force), (stiff, bent, k, moment, b, c) = waiting, hinge
    o, d = -p - q, plus(b, -1.0, c)
    if i > 0:
        own = joined(own, p * p, stiff, k, b, b)
        coupling, far = joined(coupling, p * o, stiff, -k, b, d), joined(NOTHING, p * q, stiff, -k, b, c)
        lay_vertex(a, y, i - BLOCK, (own, coupling, far), plus(plus(force, -p, bent), moment, b))
    own = plus_dyad(joined(raised(next_own, heavy + firm + taut), o * o, stiff, k, d, d), more, along, along)
    force = plus(plus(plus(next_force, -o, bent), -moment, d), 1.0, push)
    return (
        own, joined(NOTHING, q * q, stiff, k, c, c), joined(raised(NOTHING, -taut), o * q, stiff, k, d, c),
        plus(plus(force, pull, u), -drawn, t), plus(scaled(-q, bent), -moment, c),
    )  # fmt: skip


@kernel
def edge_from(model: Model, x: np.ndarray, work: ImplicitScratch, v: int, convex: bool) -> Edge:
    """The edge from vertex v on."""
    q, pull = 1.0 / model.edges[v].length, work.pull[v]
    e = plus(vector(x[v + 1]), -1.0, vector(x[v]))
    return q, scaled(q, e), e, pull, q * (max(pull, 0.0) if convex else pull)


@kernel
def ghost_edge(state: State, r: int, side: int) -> Edge:
    """The edge that rod r has beyond its start (side 0) or its end (1) where a clamp holds: no vertex moves it."""
    e = vector(state.ghosts[2 * r + side].edge)
    return 0.0, scaled(1.0 / sqrt(dot(e, e)), e), e, 0.0, 0.0


@kernel
def bending(k: float, w: Vector) -> tuple[float, float]:
    """(½ k g′, ¼ k g″) of the change of direction w."""
    u = min(0.25 * dot(w, w), FOLDED)
    r = 1.0 / (1.0 - u)
    return 0.5 * k * r * r, 0.5 * k * r * r * r


@kernel
def stiffness(slope: float, rise: float, w: Vector) -> Matrix:
    """S of the change of direction w, of its `bending`."""
    x, y, z = w
    xy, xz, yz = rise * x * y, rise * x * z, rise * y * z
    return (slope + rise * x * x, xy, xz), (xy, slope + rise * y * y, yz), (xz, yz, slope + rise * z * z)


@kernel
def hinge_at(model: Model, work: ImplicitScratch, r: int, v: int, before: Edge, behind: Edge, s: float) -> Hinge:
    """The hinge at vertex v of rod r, between two edges."""
    w = plus(behind[1], -1.0, before[1])
    slope, rise = bending(0.5 * model.hinges[v].bend, w)
    stiff, bent = stiffness(slope, rise, w), scaled(slope, w)
    if not model.rods[r].damped:
        return stiff, bent, 0.0, 0.0, NONE, NONE
    k, own = model.hinges[v].viscosity / s, work.hinges[v]
    b, c = vector(own.before), vector(own.behind)
    moment = k * (dot(b, before[2]) + dot(c, behind[2]) + own.turned)
    if v == model.rods[r].first:
        b = NONE  # a ghost edge does not go with the vertex
    if v == model.rods[r].last:
        c = NONE
    return stiff, bent, k, moment, b, c


@kernel
def raised(a: Matrix, k: float) -> Matrix:
    """A + k 1."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = a
    return (xx + k, xy, xz), (yx, yy + k, yz), (zx, zy, zz + k)


@kernel
def joined(a: Matrix, f: float, stiff: Matrix, k: float, u: Vector, v: Vector) -> Matrix:
    """A + f S + k u vᵀ."""
    return plus_dyad((plus(a[0], f, stiff[0]), plus(a[1], f, stiff[1]), plus(a[2], f, stiff[2])), k, u, v)


@kernel
def lay_ends(a: np.ndarray, y: np.ndarray, i: int) -> None:
    """No edge is before the first vertex, nor behind the last one, whose rows begin at i."""
    for k in range(WIDE):
        a[3].value[k] = 0.0
    a[3].value[3], y[3] = 1.0, 0.0
    for j in range(3):
        a[j].value[3] = a[i + j].value[7] = 0.0


@kernel
def lay_vertex(a: np.ndarray, y: np.ndarray, i: int, rows: tuple[Matrix, Matrix, Matrix], force: Vector) -> None:
    """Rows from i on: how a vertex goes with itself and with the next two."""
    own, coupling, far = rows
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = own
    lay(a[i].value, (xx, xy, xz), coupling[0], far[0])
    lay(a[i + 1].value, (0.0, yy, yz), coupling[1], far[1])
    lay(a[i + 2].value, (0.0, 0.0, zz), coupling[2], far[2])
    y[i], y[i + 1], y[i + 2] = force


@kernel
def lay(row: np.ndarray, own: Vector, coupling: Vector, far: Vector) -> None:
    """A row, but for what it has with tensions."""
    row[0], row[1], row[2] = own
    row[4], row[5], row[6] = coupling
    row[8], row[9], row[10] = far
    row[11] = 0.0


@kernel
def lay_edge(a: np.ndarray, y: np.ndarray, i: int, t: Vector, half: float, give: float) -> None:
    """The tension of the edge behind a vertex whose rows begin at i, and the edge's length, half of it `half`."""
    for k in range(WIDE):
        a[i + 7].value[k] = 0.0
    a[i].value[7], a[i + 1].value[7], a[i + 2].value[7] = -t[0], -t[1], -t[2]
    a[i + 4].value[3], a[i + 5].value[3], a[i + 6].value[3] = t
    a[i + 7].value[3], y[i + 7] = -give, half * (1.0 - dot(t, t))
