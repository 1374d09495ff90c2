"""Effective mass of rods in a linearly implicit step, that of soft bodies, in which they take part.

With K = ∂²E of bending at x₀ and of tension, Newmark's method (1959, his β = ½) with one iteration of Newton's is the
explicit step with the effective mass M + β h² K in place of M,

    (M + β h² K) (x₁ − x₀ − h v₀) + γ h² K h v₀ = h² F(x₀),    β = ½ (1 + γ):

what accelerates slowly goes as without K; what a step does not resolve goes slower, as if it were heavier, and γ calms
it, but for what of v₀ is rigid. Stable whatever K is, while it is no less than half of what forces change by. K moves
no translation, so momentum is kept, and equilibria do not depend on it. As an equation of what the explicit step would
do, x* = x₀ + h v₀ + h² M⁻¹ F,

    (M + s² K) (x₁ − y) = M (x* − y),    s² = β h²,    y = x₀ + (1 − γ/β) h v₀,

together with the lengths of edges, in the directions of x₀: see implicit/straight_rod for the band of vertex by vertex,
and implicit/closed_chain for that of a closed rod.
What touches sees it through the mobility of a point and the answer to impulses.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Matrix, Vector, cross, dot, plus, plus_dyad, scaled, vector
from ..constraints.fast_projection import edge_vectors
from ..linear.dense import invert
from ..model import Model, OldState, State
from ..rods.chain import hinges_of
from .calming import CALM
from .chain import release
from .closed_chain import bring_together, close, close_inverse, end_of, node_at, row_of, rows_of, solve
from .scratch import CLOSURES, WIDTH, YIELD, EffectiveMass
from .straight_rod import (
    BLOCK,
    NO_HINGE,
    NONE,
    NOTHING,
    NOTHING_WAITS,
    Edge,
    bending,
    eliminate,
    ghost_edge,
    lay_edge,
    lay_ends,
    lay_next,
    stiffness,
    substitute,
)  # fmt: skip

ALL = 1.0  # γ where a step is longer than the last one by more than
LONGER = 1.11  # times: backward Euler's, for what neither resolves would go on as far as the longer one takes it
SLENDER = 1e-6  # of its inertia that a straight rod has about itself, for it to have any
BEHIND = 11  # columns of a band from its block's first on


@kernel
def begin(
    model: Model, state: State, old: OldState, o: np.ndarray, multiplier: np.ndarray, own: EffectiveMass, h: float
) -> None:
    """Bring all rods that go on so from where the explicit step of h [s] leads to where this one does, with edges of
    their lengths to first order; o (N, 3), multiplier (N,): edges where the step began, and what holds their lengths.
    """
    calm = CALM if h <= LONGER * state.clock[0].step else ALL
    share = 0.5 * (1.0 + calm)
    own.square[0] = share * h * h
    for r in range(len(model.rods)):
        if not model.rods[r].implicit:
            continue
        rod = model.rods[r]
        first, last, row, count = rod.first, rod.last, row_of(rod), rows_of(rod)
        a, y = own.matrix[row:], own.unknown[row:]
        for i in range(first, last + 1):
            multiplier[i] = 0.0
        expect(model, old, r, calm / share, h, own)
        edge_vectors(old.x[first : last + 1], rod.closed, o[first : last + int(rod.closed)])
        lay_matrix(model, state, old.x, r, own)
        lay_side(model, state, own.place, r, own)
        for v in range(first, end_of(rod) + 1):
            i = node_at(rod, v)
            if state.w[i] == 0.0:
                hold(a, y, BLOCK * (v - first), vector(state.x[i]), vector(own.place[i]))
                if v > first and state.w[node_at(rod, v - 1)] == 0.0:  # nothing couples this tension any more
                    j = BLOCK * (v - first) + 3
                    a[j].value[3], y[j] = -1.0, 0.0
        eliminate(a, y, count)
        substitute(a, y, count)
        close(rod, own)
        bring_together(rod, own, y, CLOSURES)
        take(model, state, own.place, r, multiplier, own)


@kernel
def answer(model: Model, state: State, multiplier: np.ndarray, answered: np.ndarray, own: EffectiveMass) -> None:
    """What these rods answer to what has moved vertices since they `answered` (N, 3) [m], by their masses alone."""
    for r in range(len(model.rods)):
        if model.rods[r].implicit:
            lay_side(model, state, answered, r, own)
            solve(model.rods[r], own)
            take(model, state, answered, r, multiplier, own)


@kernel
def expect(model: Model, old: OldState, r: int, part: float, h: float, own: EffectiveMass) -> None:
    """y of rod r: so large a part of how its vertices go, but as a rigid body, is calmed. (K is that of straight rods:
    it would hold a bent one from turning.)
    """
    first, last, x, v, turn = model.rods[r].first, model.rods[r].last, old.x, old.v, own.turn
    mass, centre, speed, momentum = 0.0, NONE, NONE, NONE
    for i in range(first, last + 1):
        m = model.nodes[i].mass
        mass, centre, speed = mass + m, plus(centre, m, vector(x[i])), plus(speed, m, vector(v[i]))
    centre, speed = scaled(1.0 / mass, centre), scaled(1.0 / mass, speed)
    for c in range(3):
        for d in range(3):
            turn[c, d] = 0.0
    for i in range(first, last + 1):
        m, p = model.nodes[i].mass, plus(vector(x[i]), -1.0, centre)
        momentum = plus(momentum, m, cross(p, plus(vector(v[i]), -1.0, speed)))
        for c in range(3):
            turn[c, c] += (1.0 + SLENDER) * m * dot(p, p)
            for d in range(3):
                turn[c, d] -= m * p[c] * p[d]
    invert(turn)
    omega = dot(turn[0], momentum), dot(turn[1], momentum), dot(turn[2], momentum)
    for i in range(first, last + 1):
        rigid = plus(speed, 1.0, cross(omega, plus(vector(x[i]), -1.0, centre)))
        for c in range(3):
            own.place[i, c] = x[i, c] + h * (v[i, c] - part * (v[i, c] - rigid[c]))


@kernel
def lay_side(model: Model, state: State, begun: np.ndarray, r: int, own: EffectiveMass) -> None:
    """The right-hand side of rod r: how vertices were moved from `begun` (N, 3), and edges miss their lengths there."""
    rod, w, x = model.rods[r], state.w, state.x
    y = own.unknown[row_of(rod) :]
    for v in range(rod.first, end_of(rod) + 1):
        i, before, j = node_at(rod, v), node_at(rod, v - 1), BLOCK * (v - rod.first)
        k = 1.0 / (w[i] * own.square[0]) if w[i] > 0.0 and v <= rod.last else 0.0
        for c in range(3):
            y[j + c] = k * (x[i, c] - begun[i, c])
        y[j + 3] = 0.0
        if rod.first < v <= last_edge(rod) and not rod.stretchable and w[i] + w[before] > 0.0:
            length, e = model.edges[before].length, plus(vector(begun[i]), -1.0, vector(begun[before]))
            y[j + 3] = 0.5 * (length - dot(e, e) / length)


@kernel
def take(model: Model, state: State, begun: np.ndarray, r: int, multiplier: np.ndarray, own: EffectiveMass) -> None:
    """Vertices of rod r are where the solution brings them from `begun`; what holds lengths is added up."""
    rod = model.rods[r]
    y = own.unknown[row_of(rod) :]
    for i in range(rod.first, rod.last + 1):
        j = BLOCK * (i - rod.first)
        if state.w[i] > 0.0:
            for c in range(3):
                state.x[i, c] = begun[i, c] + y[j + c]
    for i in range(rod.first, last_edge(rod)):
        if not rod.stretchable:
            multiplier[i] -= own.square[0] * y[BLOCK * (i + 1 - rod.first) + 3] / model.edges[i].length


@kernel
def last_edge(rod: np.record) -> int:
    """The vertex of a rod's chain at which its last edge ends."""
    return rod.last + 1 if rod.closed else rod.last


@kernel
def lay_matrix(model: Model, state: State, x: np.ndarray, r: int, own: EffectiveMass) -> None:
    """The band of rod r with vertices at x (N, 3), as straight_rod's."""
    rod, w, square = model.rods[r], state.w, own.square[0]
    first, last, lap = rod.first, end_of(rod), end_of(rod) - rod.last
    a, y = own.matrix[row_of(rod) :], own.unknown[row_of(rod) :]
    begin, end = hinges_of(model.rods, r, state.ghosts)
    if rod.closed:  # the one at the first vertex is met where it is met again
        begin, end = begin + 1, end + 1
    stiffer = 1.0 + state.rods[r].torque * rod.shortest / rod.bend_max  # by twist: see time_integration/step_limit
    behind, waiting = ghost_edge(state, r, 0), NOTHING_WAITS
    lay_ends(a, y, BLOCK * (last - first))
    for j in range(BLOCK * (last - first + 1), BLOCK * (last - first + 1) + WIDTH):  # behind the last there is nothing
        y[j] = 0.0
        for k in range(WIDTH):
            a[j].value[k] = 0.0
    for v in range(first, last + 2):
        i, node, before, hinge, heavy = BLOCK * (v - first), node_at(rod, v), behind, NO_HINGE, 0.0
        behind = edge_from(model, state, x, rod, v) if v < last else ghost_edge(state, r, 1)
        if begin <= v < end:
            hinge = bent_at(model, state, r, node, (before[1], behind[1]), stiffer), NONE, 0.0, 0.0, NONE, NONE
        if v <= last and w[node] > 0.0:
            twice = v < first + lap or v > rod.last
            heavy = (0.5 if twice else 1.0) / (w[node] * square)
        waiting = lay_next(a, y, i, waiting, (before, behind), hinge, (NONE, (heavy, 0.0, NONE)))
        if v < last:
            give = YIELD * square * max(w[node], w[node_at(rod, v + 1)])
            if rod.stretchable:
                give += model.edges[node].length / model.edges[node].stretch
            if v <= rod.last:
                lay_edge(a, y, i, behind[1], 0.0, give)
            else:  # met again
                lay_edge(a, y, i, NONE, 0.0, 1.0)


@kernel
def edge_from(model: Model, state: State, x: np.ndarray, rod: np.record, v: int) -> Edge:
    """The edge from vertex v of a rod's chain on, of which the matrix alone counts; it pulls where it is met first."""
    i = node_at(rod, v)
    e = plus(vector(x[node_at(rod, v + 1)]), -1.0, vector(x[i]))
    q = 1.0 / model.edges[i].length
    return q, scaled(q, e), e, 0.0, max(-state.tension[i], 0.0) if v <= rod.last else 0.0


@kernel
def bent_at(model: Model, state: State, r: int, v: int, t: tuple[Vector, Vector], stiffer: float) -> Matrix:
    """∂²E by the change of direction between two edges along t at vertex v of rod r, so many times: of round rods as in
    straight_rod, of others about both material axes, as of small angles, times what a round one's grows by.
    """
    w, hinge = plus(t[1], -1.0, t[0]), model.hinges[v]
    if not model.rods[r].general:
        slope, rise = bending(0.5 * stiffer * hinge.bend, w)
        return stiffness(slope, rise, w)
    slope, rise = bending(2.0 * stiffer, w)
    k, found = slope + rise * dot(w, w), NOTHING
    for side in range(2):
        f = v + r + side
        along, u, theta = vector(state.t[f]), vector(state.u[f]), state.theta[f]
        one = plus(scaled(np.cos(theta), u), np.sin(theta), cross(along, u))
        other = cross(along, one)
        found = plus_dyad(found, k * hinge.bending[2 * side], one, one)
        found = plus_dyad(found, k * hinge.bending[2 * side + 1], other, other)
    return found


@kernel
def hold(a: np.ndarray, y: np.ndarray, i: int, x: Vector, begun: Vector) -> None:
    """The vertex whose rows begin at i goes from `begun` to x, whatever that takes: what it pulls at goes to the right-
    hand side.
    """
    for k in range(3):
        j, way = i + k, x[k] - begun[k]
        for m in range(BEHIND):
            if m > k:
                y[i + m] -= a[j].value[m] * way
        for m in range(i, j):
            y[m] -= a[m].value[k] * way
        for back in (BLOCK, 2 * BLOCK):
            for m in range(max(i - back, 0), max(i - back + BLOCK, 0)):
                y[m] -= a[m].value[k + back] * way
        release(a, y, j, BLOCK)
        y[j] = way
    for k in range(3):
        y[i + k] = x[k] - begun[k]


@kernel
def find_inverse(model: Model, w: np.ndarray, own: EffectiveMass) -> None:
    """The band of the inverse, from what elimination left (Takahashi, Fagan & Chin 1973): with A = L D Lᵀ, row by row
    from the last, Z_ji = −Σ_k L_kj Z_ki, Z_jj = 1/D_j − Σ_k L_kj Z_kj, k > j.
    """
    for r in range(len(model.rods)):
        if not model.rods[r].implicit:
            continue
        rod, count = model.rods[r], rows_of(model.rods[r])
        a, z = own.matrix[row_of(rod) :], own.inverse[row_of(rod) :]
        for j in range(count - 1, -1, -1):
            base = j - j % BLOCK
            end, d = min(base + BEHIND, count), a[j].value[j - base]
            for i in range(end - 1, j, -1):
                total = 0.0
                for k in range(j + 1, end):
                    low, high = min(i, k), max(i, k)
                    total += a[j].value[k - base] * z[low].value[high - low + low % BLOCK]
                z[j].value[i - base] = -d * total
            total = 0.0
            for k in range(j + 1, end):
                total += a[j].value[k - base] * z[j].value[k - base]
            z[j].value[j - base] = d - d * total
        close_inverse(rod, own)
        for v in range(rod.first, end_of(rod) + 1):
            if w[node_at(rod, v)] == 0.0:
                for c in range(3):
                    z[BLOCK * (v - rod.first) + c].value[c] = 0.0


@kernel
def put_mobilities(model: Model, w: np.ndarray, own: EffectiveMass) -> None:
    """Until `put_masses`, inverse masses w (N,) are about as easily as vertices move: so far pushes take them."""
    for r in range(len(model.rods)):
        if model.rods[r].implicit:
            for i in range(model.rods[r].first, model.rods[r].last + 1):
                j = row_of(model.rods[r]) + BLOCK * (i - model.rods[r].first)
                trace = own.inverse[j].value[0] + own.inverse[j + 1].value[1] + own.inverse[j + 2].value[2]
                own.w[i] = w[i]
                if w[i] > 0.0:
                    w[i] = 0.5 * trace / own.square[0]


@kernel
def put_masses(model: Model, w: np.ndarray, own: EffectiveMass) -> None:
    """The inverse masses w (N,) again."""
    for r in range(len(model.rods)):
        if model.rods[r].implicit:
            for i in range(model.rods[r].first, model.rods[r].last + 1):
                w[i] = own.w[i]


@kernel
def mobility(rod: np.record, own: EffectiveMass, i: int, s: float, n: Vector) -> float:
    """How easily [1/kg] the point (1 − s) x_i + s x_{i+1} of a rod moves along n, by impulses times a step."""
    z, total, j = own.inverse[row_of(rod) :], 0.0, BLOCK * (i - rod.first)
    for c in range(3):
        for d in range(3):
            low, high = min(c, d), max(c, d)
            own_part = (1.0 - s) * (1.0 - s) * z[j + low].value[high]
            if s > 0.0:
                own_part += 2.0 * s * (1.0 - s) * z[j + c].value[BLOCK + d]
                own_part += s * s * z[j + BLOCK + low].value[high]
            total += n[c] * n[d] * own_part
    return total / own.square[0]
