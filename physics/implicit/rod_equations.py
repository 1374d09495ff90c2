"""The equations of an implicit step for one chain, and their derivatives.

Of positions x, tensions λ of the edges and angles θ of the material frames, with the time s that a step sees,

    M (x − y)/s² + ∂E/∂x + Gᵀ λ = f,     |e| − l r(λ) = 0,     ∂E/∂θ (+ I θ/s²) = 0,

with G = ∂|e|/∂x. An edge of infinite stiffness keeps its length, r = 1; one that stretches has λ = EA ∂W/∂r (see
rods/stretching): one law for both, through the compliance l/(EA ∂²W/∂r²) on λ, 0 of the first. The frames are carried
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

from math import inf

import numpy as np

from .._jit import kernel
from ..model import Model, State
from ..rods.stretching import stress
from .band_ldl import band_elimination
from .chain import Course, angle_before, bind, course_of, edge_of, frame_of, hinge_blocks, node_of
from .hinge_lanes import COUNT, gather_damping, gather_edge, gather_hinge, gradients, hessians
from .loads import add_inertia, push_vertices, turning
from .scratch import BLOCK, SPAN, TIED, YIELD, ImplicitScratch

eliminate, resolve, substitute = band_elimination(BLOCK)
EXACT, TENSE, CONVEX = range(3)
SPIN = 1e-9  # of a hinge's stiffness, in the matrix alone: a straight rod may spin, and nothing holds it


@kernel
def assemble(model: Model, state: State, work: ImplicitScratch, c: int, s: float, form: int) -> None:
    """Write the band matrix and minus the residual of chain c at the iterate: state.x, work.pull and where `carry`
    brought its edges' directions and frames.

    s [s]; form: EXACT, or what is left out of the matrix of what may spoil its inertia.
    """
    chain = model.chain_system.chains[c]
    a, y, count = work.matrix[chain.row :], work.unknown[chain.row :], BLOCK * chain.blocks
    for j in range(count):
        for k in range(SPAN):
            a[j].value[k] = 0.0
    push_all(model, state, work, c, s, True, 0.0 if form == CONVEX else 1.0)
    add_inertia(model, state.x, work, c, s)
    add_lengths(model, state, work, c, form, s)
    add_spin(model, work, c)
    bind(work.bound[chain.row : chain.row + count], a, y, BLOCK)


@kernel
def push(model: Model, state: State, work: ImplicitScratch, c: int, s: float) -> None:
    """Write minus the residual of chain c alone."""
    push_all(model, state, work, c, s, False, 0.0)


@kernel
def push_all(model: Model, state: State, work: ImplicitScratch, c: int, s: float, matrix: bool, share: float) -> None:
    """Write minus the residual of chain c, and if asked for add its hinges, with that share of their moments, to the
    matrix.
    """
    chain = model.chain_system.chains[c]
    for j in range(chain.row, chain.row + BLOCK * chain.blocks):
        work.unknown[j] = 0.0
    push_vertices(model, state.x, work, c, s)
    push_edges(model, work, c)
    push_hinges(model, state, work, c, s, matrix, share)
    push_frames(model, state, work, c)
    for j in range(chain.row, chain.row + BLOCK * chain.blocks):
        if work.bound[j]:
            work.unknown[j] = 0.0


@kernel
def push_edges(model: Model, work: ImplicitScratch, c: int) -> None:
    """The edges' tensions, and by how much they miss their lengths."""
    rods, edges, chain = model.rods, model.edges, model.chain_system.chains[c]
    y, stretchable, course = work.unknown[chain.row :], rods[chain.rod].stretchable, course_of(rods, chain)
    for block in range(chain.edge[0], chain.edge[1]):
        i = BLOCK * (block - 1)
        if work.bound[chain.row + i + BLOCK + 3]:
            continue
        j, f = edge_of(course, block), frame_of(course, block)
        pull, t = work.pull[j], work.t[f]
        y[i + BLOCK + 3] = -missed(edges[j], pull, 1.0 / work.inverse[f], stretchable)
        for d in range(3):
            push = chain.step * pull * t[d]
            y[i + d] += push
            y[i + BLOCK + d] -= push


@kernel
def push_lengths(model: Model, work: ImplicitScratch, c: int) -> None:
    """By how much they miss their lengths, alone."""
    rods, chain = model.rods, model.chain_system.chains[c]
    course = course_of(rods, chain)
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
def add_lengths(model: Model, state: State, work: ImplicitScratch, c: int, form: int, s: float) -> None:
    """The same in the matrix."""
    rods, edges, system, chain = model.rods, model.edges, model.chain_system, model.chain_system.chains[c]
    a, stretchable, course = work.matrix[chain.row :], rods[chain.rod].stretchable, course_of(rods, chain)
    for block in range(chain.edge[0], chain.edge[1]):
        i = BLOCK * (block - 1)
        row = i + BLOCK + 3
        if work.bound[chain.row + row]:
            a[row].value[3] = -1.0
            continue
        one, other = node_of(course, block - 1), node_of(course, block)
        j, f = edge_of(course, block), frame_of(course, block)
        length, pull = edges[j].length, work.pull[j]
        t, compliance = work.t[f], 0.0
        if stretchable:
            _, stiffness = stress(1.0 / (work.inverse[f] * length))
            compliance = length / (edges[j].stretch * stiffness)
        tied = system.tied[chain.row + i] >= 0 and system.tied[chain.row + i + BLOCK] >= 0
        give = (TIED if tied else YIELD) * s * s * (mobility(model, state, one) + mobility(model, state, other))
        a[row].value[3] = -compliance - give
        least = -inf if form == EXACT else work.least[j] if form == TENSE else 0.0
        geometric = max(pull, least) * work.inverse[f]
        for d in range(3):
            along = chain.step * t[d]
            a[i + d].value[BLOCK + 3], a[i + BLOCK + d].value[3] = -along, along
            for q in range(3):
                value = geometric * ((1.0 if d == q else 0.0) - t[d] * t[q])
                if q >= d:
                    a[i + d].value[q] += value
                    a[i + BLOCK + d].value[q] += value
                a[i + d].value[BLOCK + q] -= value


@kernel
def mobility(model: Model, state: State, i: int) -> float:
    """Inverse mass [1/kg] of node i, or of the body that it is a slave of."""
    slave = model.nodes[i].slave
    return state.w[i] if slave < 0 else model.bodies[model.slaves[slave].body].w


@kernel
def push_frames(model: Model, state: State, work: ImplicitScratch, c: int) -> None:
    """Inertia of the turning of chain c's frames about their edges, where it counts, and what friction turns them
    with.
    """
    chain, angle = model.chain_system.chains[c], model.chain_system.angle
    y, loaded, course = work.unknown, state.rods[chain.rod].loaded, course_of(model.rods, chain)
    for i in range(chain.blocks + 1):
        f, row = turned_frame(course, i), chain.row + angle_before(i)
        if f >= 0 and angle[f] == row:
            torque = work.moment[f] + (state.torque[f] if loaded else 0.0)
            y[row] += torque - work.spin[f] * (work.spun[f] - work.freely[f])


@kernel
def add_spin(model: Model, work: ImplicitScratch, c: int) -> None:
    """The same in the matrix."""
    chain, angle = model.chain_system.chains[c], model.chain_system.angle
    course = course_of(model.rods, chain)
    for i in range(chain.blocks + 1):
        f, row = turned_frame(course, i), chain.row + angle_before(i)
        if f >= 0 and angle[f] == row:
            work.matrix[row].value[angle_before(i) % BLOCK] += work.spin[f]


@kernel
def turned_frame(course: Course, i: int) -> int:
    """The frame before block i; of a closed rod's last edge, the second of its two; −1: there is none."""
    _, n, frame, _, _, closed = course
    f = frame_of(course, i)
    if closed:
        return f + n if f == frame else f
    return f if frame <= f <= frame + n else -1


@kernel
def push_hinges(
    model: Model, state: State, work: ImplicitScratch, c: int, s: float, matrix: bool, share: float
) -> None:
    """Bending, twisting and damping at all hinges of chain c; and in the matrix, with that share of the moments."""
    rods, chain, here, a = model.rods, model.chain_system.chains[c], work.lanes[0], work.matrix
    (begin, end), course = hinge_blocks(rods, state.ghosts, chain), course_of(rods, chain)
    for block in range(chain.edge[0], chain.edge[1]):
        work.least[edge_of(course, block)] = 0.0
    for first in range(begin, end, COUNT):
        last = min(first + COUNT, end)
        for block in range(first, last):
            gather(model, state, work, c, course, s, block, block - first)
        gradients(here)
        for block in range(first, last):
            push_hinge(model, work, c, course, block, block - first)
        if matrix:
            hessians(here, share)
            for block in range(first, last):
                i = BLOCK * block
                place_angles(here, block - first, angle_before(block), i, block > 0, a[chain.row :])
                place_edges(here, block - first, i, block > 0, a[chain.row :])


@kernel
def gather(
    model: Model, state: State, work: ImplicitScratch, c: int, course: Course, s: float, block: int, l: int
) -> None:
    """The hinge at a block of chain c to lane l, edges in the order of the chain."""
    chain, here = model.chain_system.chains[c], work.lanes[0]
    h, along = node_of(course, block), course[4] > 0
    f, hinge = h + chain.rod, model.hinges[h]
    one, other = (f, f + 1) if along else (f + 1, f)
    gather_edge(work.t[one], work.inverse[one] if block > 0 else 0.0, work.m1[one], 0, along, here, l)
    last = block + 1 == chain.blocks
    gather_edge(work.t[other], 0.0 if last else work.inverse[other], work.m1[other], 1, along, here, l)
    gather_hinge(hinge, work.turn[h], along, here, l)
    if model.rods[chain.rod].damped:
        moment = hinge.viscosity * turning(model, state, work, chain.rod, h, s)
        before, behind = (work.before[h], work.behind[h]) if along else (work.behind[h], work.before[h])
        gather_damping(before, behind, moment, hinge.viscosity / s, here, l)
    else:
        gather_damping(work.w, work.w, 0.0, 0.0, here, l)


@kernel
def push_hinge(model: Model, work: ImplicitScratch, c: int, course: Course, block: int, l: int) -> None:
    """Forces of the hinge in lane l."""
    chain, here, y = model.chain_system.chains[c], work.lanes[0], work.unknown
    i, before, behind = chain.row + BLOCK * block, edge_of(course, block), edge_of(course, block + 1)
    if block > 0 and before >= 0:
        work.least[before] -= here.thrust[0, l]
    if block + 1 < chain.blocks and behind >= 0:
        work.least[behind] -= here.thrust[1, l]
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
