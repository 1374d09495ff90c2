"""The equations of an implicit step for one chain, and their derivatives.

Of positions x, tensions λ of the edges and angles θ of the material frames, with the time s that a step sees,

    M (x − y)/s² + ∂E/∂x + Gᵀ λ = f,     |e| − l r(λ) = 0,     ∂E/∂θ (+ I θ/s²) = 0,

with G = ∂|e|/∂x. An edge of infinite stiffness keeps its length, r = 1; one that stretches has λ = EA ∂W/∂r (see
elements/stretching): one law for both, through the compliance l/(EA ∂²W/∂r²) on λ, 0 of the first. Frames are carried
by parallel transport while their edges turn, and θ counts from there (Bergou 2010, *Discrete Viscous Threads*), so what
a hinge adds is its gradient and Hessian. They have no inertia I, unless that is asked for.

Where contact alone holds a rod bent, the matrix has negative eigenvalues too many: the rod would leap. Bending's energy
is convex in x where edges count by their rest lengths, which changes nothing but what is called tension: by as much as
the hinges' moments M press an edge of length l with at their angles φ, λ' = λ − Σ M/l tan φ/2. So the matrix is convex
where λ' is left out of it where it is thrust (TENSE). Where rest curvatures or twist spoil it still, moments are left
out as well (CONVEX).

The unknowns of vertex i follow one another: x_i, the tension of the edge before it, the angle of the frame behind it.
A tension comes after both vertices of its edge, for its pivot would vanish before; in its place vertex 0 has the angle
of the frame before it. So no hinge couples unknowns that are more than 12 apart.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Matrix, Vector, plus, plus_dyad, scaled, vector
from ..elements.hinge_lanes import (
    COUNT,
    curved_gradients,
    curved_hessians,
    gather_edge,
    gather_hinge,
    gather_turning,
    gradients,
    hessians,
)
from ..elements.stretching import stress
from ..linear.block_border import block_border
from ..linear.block_ldl import block_elimination
from ..linear.block_sides import block_sides
from ..model import PANEL, Model, State
from .chain import Course, angle_before, bind, course_of, edge_of, frame_of, hinge_blocks, node_of
from .loads import push_on, resistance
from .scratch import BLOCK, COLUMNS, MET, SPAN, TIED, YIELD, ImplicitScratch
from .straight_rod import NONE, NOTHING, raised

eliminate, resolve, substitute = block_elimination(BLOCK, MET)
solve_sides, find_rest = block_sides(BLOCK, MET, COLUMNS)
eliminate_border, resolve_border, substitute_border = block_border(BLOCK, MET, PANEL, few=2)
EXACT, TENSE, CONVEX = range(3)
Edge = tuple[Vector, float, float, float, float]
# (its direction along the chain, its tension [N], and that in the matrix over its length [N/m], what it misses of its
# length [m], its pivot [m/N])
NO_EDGE, GIVEN_EDGE = (NONE, 0.0, 0.0, 0.0, 0.0), (NONE, 0.0, 0.0, 0.0, -1.0)
SPIN = 1e-9  # of a hinge's stiffness, in the matrix alone: a straight rod may spin, and nothing holds it


@kernel
def assemble(model: Model, state: State, work: ImplicitScratch, c: int, s: float, form: int) -> None:
    """Write the band matrix and minus the residual of chain c at the iterate: state.x, work.pull and where `carry`
    brought its edges' directions and frames.

    s [s]; form: EXACT, or what is left out of the matrix of what may spoil its inertia.
    """
    chain = model.chain_system.chains[c]
    lay(model, state, work, c, s, (True, form))
    push_hinges(model, state, work, c, s, (True, form))
    if form == TENSE:
        tighten(model, work, c)
    given = work.given[chain.row : chain.row + work.given_count[c]]
    bind(given, work.matrix[chain.row :], work.unknown[chain.row :], BLOCK)


@kernel
def push(model: Model, state: State, work: ImplicitScratch, c: int, s: float) -> None:
    """Write minus the residual of chain c alone."""
    chain = model.chain_system.chains[c]
    lay(model, state, work, c, s, (False, EXACT))
    push_hinges(model, state, work, c, s, (False, EXACT))
    for j in work.given[chain.row : chain.row + work.given_count[c]]:
        work.unknown[chain.row + j] = 0.0


@kernel
def lay(model: Model, state: State, work: ImplicitScratch, c: int, s: float, made: tuple[bool, int]) -> None:
    """Write minus the residual of chain c, and if asked for its matrix of that form, but for what hinges add: each row
    once.
    """
    chain, (matrix, form) = model.chain_system.chains[c], made
    course, first, end = course_of(model.rods, chain), chain.own[0], chain.own[1]
    a, y, behind = work.matrix[chain.row :], work.unknown[chain.row :], NO_EDGE
    for block in range(chain.blocks):
        i, before, force, m, more, along = BLOCK * block, behind, NONE, 0.0, 0.0, NONE
        behind = edge_before(model, state, work, chain, course, block + 1, form, s)
        (t, drawn, taut, missing, pivot), (u, pull, firm, _, _) = before, behind
        torque, spin = spin_before(model, state, work, chain, course, block + 1)
        if block == 0:
            missing, pivot = spin_before(model, state, work, chain, course, 0)
        if first <= block < end:
            node = node_of(course, block)
            force, (m, more, along) = push_on(state.x, work, node, s), resistance(state.x, work, node, s)
        y[i], y[i + 1], y[i + 2] = plus(plus(force, pull, u), -drawn, t)
        y[i + 3], y[i + 4] = missing, torque
        if matrix:
            own = plus_dyad(raised(NOTHING, m + taut + firm), more, along, along)
            own = plus_dyad(plus_dyad(own, -taut, t, t), -firm, u, u)
            lay_vertex(a, i, own, plus_dyad(raised(NOTHING, -firm), firm, u, u), t, u)
            lay_alone(a[i + 3].value, 3, pivot)
            lay_alone(a[i + 4].value, 4, spin)


@kernel
def lay_vertex(a: np.ndarray, i: int, own: Matrix, coupling: Matrix, t: Vector, u: Vector) -> None:
    """Rows from i on: how a vertex goes with itself, the next one, and edges in the directions t before and u behind
    it.
    """
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = own
    lay_row(a[i].value, (xx, xy, xz), t[0], coupling[0], -u[0])
    lay_row(a[i + 1].value, (0.0, yy, yz), t[1], coupling[1], -u[1])
    lay_row(a[i + 2].value, (0.0, 0.0, zz), t[2], coupling[2], -u[2])


@kernel
def lay_row(row: np.ndarray, own: Vector, before: float, coupling: Vector, behind: float) -> None:
    """A row of a vertex."""
    row[0], row[1], row[2] = own
    row[3], row[4] = before, 0.0
    row[5], row[6], row[7] = coupling
    row[8], row[9] = behind, 0.0
    row[10] = row[11] = row[12] = 0.0


@kernel
def lay_alone(row: np.ndarray, k: int, value: float) -> None:
    """A row that has nothing but its diagonal, column k."""
    for q in range(SPAN):
        row[q] = 0.0
    row[k] = value


@kernel
def edge_before(
    model: Model, state: State, work: ImplicitScratch, chain: np.record, course: Course, block: int, form: int, s: float
) -> Edge:
    """The Edge before a block of a chain."""
    row = chain.row + BLOCK * block
    if not chain.edge[0] <= block < chain.edge[1]:
        return NO_EDGE
    if work.bound[row + 3]:
        return GIVEN_EDGE
    j, f, tied = edge_of(course, block), frame_of(course, block), model.chain_system.tied
    pull, inverse, t, edge = work.pull[j], work.inverse[f], vector(work.t[f]), model.edges[j]
    size, stretchable, compliance = 1.0 / inverse, model.rods[chain.rod].stretchable, 0.0
    if stretchable:
        _, stiffness = stress(size / edge.length)
        compliance = edge.length / (edge.stretch * stiffness)
    soft = TIED if tied[row - BLOCK] >= 0 and tied[row] >= 0 else YIELD
    give = mobility(model, state, node_of(course, block - 1)) + mobility(model, state, node_of(course, block))
    firm = inverse * (max(pull, 0.0) if form == CONVEX else pull)
    missing = -missed(edge, pull, size, stretchable)
    return t if course[4] > 0 else scaled(-1.0, t), pull, firm, missing, -compliance - soft * s * s * give


@kernel
def push_lengths(model: Model, work: ImplicitScratch, c: int) -> None:
    """Write by how much edges of chain c, with frames, miss their lengths, alone."""
    rods, chain = model.rods, model.chain_system.chains[c]
    course = course_of(rods, chain)
    for j in range(chain.row, chain.row + BLOCK * chain.blocks):
        work.unknown[j] = 0.0
    for block in range(chain.edge[0], chain.edge[1]):
        row, j, f = chain.row + BLOCK * block + 3, edge_of(course, block), frame_of(course, block)
        if not work.bound[row]:
            size = 1.0 / work.inverse[f]
            work.unknown[row] = -missed(model.edges[j], work.pull[j], size, rods[chain.rod].stretchable)


@kernel
def missed(edge: np.record, pull: float, size: float, stretchable: bool) -> float:
    """How much longer an edge is [m] than its tension `pull` [N] makes it, at the length `size` [m]."""
    if not stretchable:
        return size - edge.length
    force, stiffness = stress(size / edge.length)
    return edge.length / (edge.stretch * stiffness) * (edge.stretch * force - pull)


@kernel
def tighten(model: Model, work: ImplicitScratch, c: int) -> None:
    """Leave out of chain c's matrix what tensions are less than the least with which it is convex."""
    chain, a, rods = model.chain_system.chains[c], work.matrix[model.chain_system.chains[c].row :], model.rods
    course = course_of(rods, chain)
    for block in range(chain.edge[0], chain.edge[1]):
        i, j, f = BLOCK * (block - 1), edge_of(course, block), frame_of(course, block)
        more = work.inverse[f] * (work.least[j] - work.pull[j])
        if work.bound[chain.row + i + BLOCK + 3] or not more > 0.0:
            continue
        for d in range(3):
            for q in range(3):
                value = more * ((1.0 if d == q else 0.0) - work.t[f, d] * work.t[f, q])
                if q >= d:
                    a[i + d].value[q] += value
                    a[i + BLOCK + d].value[q] += value
                a[i + d].value[BLOCK + q] -= value


@kernel
def mobility(model: Model, state: State, i: int) -> float:
    """Inverse mass [1/kg] of node i, or of the body that it is a slave of."""
    if state.w[i] > 0.0:
        return state.w[i]
    slave = model.nodes[i].slave
    return 0.0 if slave < 0 else model.bodies[model.slaves[slave].body].w


@kernel
def spin_before(
    model: Model, state: State, work: ImplicitScratch, chain: np.record, course: Course, i: int
) -> tuple[float, float]:
    """(what turns the frame before block i of a chain about its edge besides hinges, and its inertia there where it
    counts, over s²) [N m].
    """
    f = turned_frame(course, i)
    if f < 0 or model.chain_system.angle[f] != chain.row + angle_before(i):
        return 0.0, 0.0
    own = work.frames[f]
    torque = own.torque + (state.torque[f] if state.rods[chain.rod].loaded else 0.0)
    if own.inertia == 0.0:
        return torque, 0.0
    return torque - own.inertia * (own.turn - own.before), own.inertia


@kernel
def turned_frame(course: Course, i: int) -> int:
    """The frame before block i; of a closed rod's last edge, the second of its two; −1: there is none."""
    _, n, frame, _, _, closed = course
    f = frame_of(course, i)
    if closed:
        return f + n if f == frame else f
    return f if frame <= f <= frame + n else -1


@kernel
def push_hinges(model: Model, state: State, work: ImplicitScratch, c: int, s: float, made: tuple[bool, int]) -> None:
    """Bending, twisting and damping at all hinges of chain c; and if asked for in the matrix of that form."""
    rods, chain, here, a = model.rods, model.chain_system.chains[c], work.lanes[0], work.matrix
    (begin, end), course, (matrix, form) = hinge_blocks(rods, state.ghosts, chain), course_of(rods, chain), made
    along, share = course[4] > 0, 0.0 if form == CONVEX else 1.0
    if form == TENSE:
        for block in range(chain.edge[0], chain.edge[1]):
            work.least[edge_of(course, block)] = 0.0
    for first in range(begin, end, COUNT):
        last, curved = min(first + COUNT, end), False
        for block in range(first, last + 1):
            gather_edge_before(model, work, c, course, block, block - first)
        for block in range(first, last):
            h = node_of(course, block)
            gather_hinge(model.hinges[h], work.turn[h], along, s, here, block - first)
            curved = curved or model.hinges[h].bent > 0.0
            damped = work.hinges[h]
            before, behind = (damped.before, damped.behind) if along else (damped.behind, damped.before)
            gather_turning(before, behind, damped.turned, here, block - first)
        if curved:
            curved_gradients(here)
        else:
            gradients(here)
        for block in range(first, last):
            push_hinge(model, work, c, block, block - first)
            if form == TENSE:
                press_edges(model, work, c, course, block, block - first)
        if matrix:
            if curved:
                curved_hessians(here, share)
            else:
                hessians(here, share)
            for block in range(first, last):
                i = BLOCK * block
                place_angles(here, block - first, angle_before(block), i, block > 0, a[chain.row :])
                place_edges(here, block - first, i, block > 0, a[chain.row :])


@kernel
def gather_edge_before(model: Model, work: ImplicitScratch, c: int, course: Course, block: int, l: int) -> None:
    """The edge before a block of chain c, or behind its last one, to lane l."""
    f, along = frame_of(course, block), course[4] > 0
    inside = 0 < block < model.chain_system.chains[c].blocks
    gather_edge(work.t[f], work.inverse[f] if inside else 0.0, work.m1[f], work.e[f], along, work.lanes[0], l)


@kernel
def push_hinge(model: Model, work: ImplicitScratch, c: int, block: int, l: int) -> None:
    """Forces of the hinge in lane l."""
    chain, here, y = model.chain_system.chains[c], work.lanes[0], work.unknown
    i = chain.row + BLOCK * block
    y[chain.row + angle_before(block)] -= here.torque[0, l]
    y[i + 4] -= here.torque[1, l]
    for d in range(3):
        one, other = here.force[0, d, l], here.force[1, d, l]
        y[i + d] -= one - other
        if block > 0:
            y[i - BLOCK + d] += one
        if block + 1 < chain.blocks:
            y[i + BLOCK + d] -= other


@kernel
def press_edges(model: Model, work: ImplicitScratch, c: int, course: Course, block: int, l: int) -> None:
    """What the hinge in lane l takes of the least tension of its edges."""
    chain, thrust = model.chain_system.chains[c], work.lanes[0].thrust
    before, behind = edge_of(course, block), edge_of(course, block + 1)
    if block > 0 and before >= 0:
        work.least[before] -= thrust[0, l]
    if block + 1 < chain.blocks and behind >= 0:
        work.least[behind] -= thrust[1, l]


@kernel
def place_edges(here: np.record, l: int, i: int, before: bool, a: np.ndarray) -> None:
    """What the hinge in lane l, at the vertex whose unknowns begin at i, adds to it and to its neighbours; before:
    there is one before it.
    """
    for c in range(3):
        own, behind = a[i + c].value, a[i + BLOCK + c].value
        for k in range(c, 3):
            own[k] += here.own[c, k, l]
            behind[k] += here.behind[c, k, l]
        for k in range(3):
            own[BLOCK + k] += here.to_behind[c, k, l]
    if before:
        for c in range(3):
            row = a[i - BLOCK + c].value
            for k in range(c, 3):
                row[k] += here.before[c, k, l]
            for k in range(3):
                row[BLOCK + k] += here.to_own[c, k, l]
                row[2 * BLOCK + k] += here.across[c, k, l]


@kernel
def place_angles(here: np.record, l: int, one: int, i: int, before: bool, a: np.ndarray) -> None:
    """What its frames add: the angle before it in row `one`, behind it in row i + 4."""
    other, k, column, together = i + 4, one % BLOCK, here.column, here.angle[2, l]
    a[one].value[k] += here.angle[0, l] - SPIN * together
    a[other].value[4] += here.angle[1, l] - SPIN * together
    a[one].value[k + other - one] += together
    for c in range(3):
        a[i + c].value[4] += column[1, 1, c, l]
        a[other].value[BLOCK + c] += column[1, 2, c, l]
        if before:
            a[one].value[BLOCK + c] += column[0, 1, c, l]
            a[i - BLOCK + c].value[4] += column[0, 0, c, l]
            a[i - BLOCK + c].value[BLOCK + 4] += column[1, 0, c, l]
            a[one].value[2 * BLOCK + c] += column[0, 2, c, l]
        else:
            a[i + c].value[3] += column[0, 1, c, l]
            a[one].value[BLOCK + c] += column[0, 2, c, l]
