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
from ..rods.hinge import Shape, Strains, axes_of, curvatures, hinge_gradient, hinge_hessian, shape_of
from ..rods.stretching import stress
from ..rods.vectors import dot, vector
from .band_ldl import band_elimination
from .chain import angle_before, bind, frame_of, hinge_blocks, node_of
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
    push(model, state, work, c, s)
    for j in range(count):
        for k in range(SPAN):
            a[j].value[k] = 0.0
    add_inertia(model, state.x, work, c, s)
    add_lengths(model, state, work, c, form, s)
    add_hinges(model, state, work, c, s, form == CONVEX)
    add_spin(model, work, c)
    bind(work.bound[chain.row : chain.row + count], a, y, BLOCK)


@kernel
def push(model: Model, state: State, work: ImplicitScratch, c: int, s: float) -> None:
    """Write minus the residual of chain c alone."""
    chain = model.chain_system.chains[c]
    for j in range(chain.row, chain.row + BLOCK * chain.blocks):
        work.unknown[j] = 0.0
    push_vertices(model, state.x, work, c, s)
    push_edges(model, work, c)
    push_hinges(model, state, work, c, s)
    push_frames(model, state, work, c)
    for j in range(chain.row, chain.row + BLOCK * chain.blocks):
        if work.bound[j]:
            work.unknown[j] = 0.0


@kernel
def push_edges(model: Model, work: ImplicitScratch, c: int) -> None:
    """The edges' tensions, and by how much they miss their lengths."""
    rods, edges, chain = model.rods, model.edges, model.chain_system.chains[c]
    y, stretchable = work.unknown[chain.row :], rods[chain.rod].stretchable
    for block in range(chain.edge[0], chain.edge[1]):
        i = BLOCK * (block - 1)
        if work.bound[chain.row + i + BLOCK + 3]:
            continue
        j, f = node_of(rods, chain, block - 1), frame_of(rods, chain, block - 1)
        pull, t = work.pull[j], work.t[f]
        y[i + BLOCK + 3] = -missed(edges[j], pull, 1.0 / work.inverse[f], stretchable)
        for d in range(3):
            y[i + d] += pull * t[d]
            y[i + BLOCK + d] -= pull * t[d]


@kernel
def push_lengths(model: Model, work: ImplicitScratch, c: int) -> None:
    """By how much they miss their lengths, alone."""
    rods, chain = model.rods, model.chain_system.chains[c]
    for block in range(chain.edge[0], chain.edge[1]):
        row, j, f = chain.row + BLOCK * block + 3, node_of(rods, chain, block - 1), frame_of(rods, chain, block - 1)
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
    a, stretchable = work.matrix[chain.row :], rods[chain.rod].stretchable
    for block in range(chain.edge[0], chain.edge[1]):
        i = BLOCK * (block - 1)
        row = i + BLOCK + 3
        if work.bound[chain.row + row]:
            a[row].value[3] = -1.0
            continue
        j, k = node_of(rods, chain, block - 1), node_of(rods, chain, block)
        length, pull = edges[j].length, work.pull[j]
        f = frame_of(rods, chain, block - 1)
        t, compliance = work.t[f], 0.0
        if stretchable:
            _, stiffness = stress(1.0 / (work.inverse[f] * length))
            compliance = length / (edges[j].stretch * stiffness)
        tied = system.tied[chain.row + i] >= 0 and system.tied[chain.row + i + BLOCK] >= 0
        give = (TIED if tied else YIELD) * s * s * (mobility(model, state, j) + mobility(model, state, k))
        a[row].value[3] = -compliance - give
        least = -inf if form == EXACT else work.least[j] if form == TENSE else 0.0
        geometric = max(pull, least) * work.inverse[f]
        for d in range(3):
            a[i + d].value[BLOCK + 3], a[i + BLOCK + d].value[3] = -t[d], t[d]
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
    """Inertia of the turning of chain c's frames about their edges, where it counts, and what friction turns
    them with.
    """
    chain = model.chain_system.chains[c]
    rod, y, loaded = model.rods[chain.rod], work.unknown, state.rods[chain.rod].loaded
    for f in range(rod.frame + int(rod.closed), rod.frame + rod.last - rod.first + 2):
        row = model.chain_system.angle[f]
        if chain.row <= row < chain.row + BLOCK * chain.blocks:
            torque = work.moment[f] + (state.torque[f] if loaded else 0.0)
            y[row] += torque - work.spin[f] * (work.spun[f] - work.freely[f])


@kernel
def add_spin(model: Model, work: ImplicitScratch, c: int) -> None:
    """The same in the matrix."""
    chain = model.chain_system.chains[c]
    rod = model.rods[chain.rod]
    for f in range(rod.frame + int(rod.closed), rod.frame + rod.last - rod.first + 2):
        row = model.chain_system.angle[f]
        if chain.row <= row < chain.row + BLOCK * chain.blocks:
            work.matrix[row].value[(row - chain.row) % BLOCK] += work.spin[f]


@kernel
def push_hinges(model: Model, state: State, work: ImplicitScratch, c: int, s: float) -> None:
    """Bending, twisting and damping at all hinges of chain c."""
    rods, hinges, chain, y = model.rods, model.hinges, model.chain_system.chains[c], work.unknown
    begin, end = hinge_blocks(rods, state.ghosts, chain)
    for block in range(chain.edge[0], chain.edge[1]):
        work.least[node_of(rods, chain, block - 1)] = 0.0
    for block in range(begin, end):
        h = node_of(rods, chain, block)
        f, i, g = h + chain.rod, chain.row + BLOCK * block, work.gradient
        shape = shape_of(vector(work.t[f]), vector(work.t[f + 1]), work.inverse[f], work.inverse[f + 1])
        axes = axes_of(shape, work.m1[f : f + 2])
        hinge_gradient(shape, axes, moments(hinges[h], curvatures(shape[5], axes), work.turn[h]), g)
        if block > 0:
            work.least[node_of(rods, chain, block - 1)] -= shape[4] * dot(vector(g[:3]), shape[1])
        if block + 1 < chain.blocks:
            work.least[h] -= shape[4] * dot(vector(g[3:6]), shape[0])
        if rods[chain.rod].damped:
            resist(hinges[h].viscosity * turning(model, state, work, chain.rod, h, s), work, h)
        y[chain.row + angle_before(block)] -= g[6]
        y[i + 4] -= g[7]
        for d in range(3):
            before, behind = g[d] if block > 0 else 0.0, g[3 + d] if block + 1 < chain.blocks else 0.0
            y[i + d] -= before - behind
            if block > 0:
                y[i - BLOCK + d] += before
            if block + 1 < chain.blocks:
                y[i + BLOCK + d] -= behind


@kernel
def moments(hinge: np.record, w: tuple[float, float, float, float], turn: float) -> Strains:
    """Those of a hinge [N m] at the curvatures w and the twist `turn`."""
    k, rest = hinge.bending, hinge.rest_curvature
    return (
        k[0] * (w[0] - rest[0]),
        k[1] * (w[1] - rest[1]),
        k[2] * (w[2] - rest[2]),
        k[3] * (w[3] - rest[3]),
        hinge.twist_rate * (turn - hinge.rest_twist),
    )


@kernel
def resist(moment: float, work: ImplicitScratch, h: int) -> None:
    """Kelvin–Voigt damping of hinge h, a moment [N m] against its turning, into its gradient: see
    rods/internal_damping.
    """
    for c in range(3):
        work.gradient[c] += moment * work.before[h, c]
        work.gradient[3 + c] += moment * work.behind[h, c]


@kernel
def add_hinges(model: Model, state: State, work: ImplicitScratch, c: int, s: float, convex: bool) -> None:
    """The same in the matrix."""
    rods, hinges, chain = model.rods, model.hinges, model.chain_system.chains[c]
    a = work.matrix[chain.row :]
    begin, end = hinge_blocks(rods, state.ghosts, chain)
    for block in range(begin, end):
        h = node_of(rods, chain, block)
        f, i = h + chain.rod, BLOCK * block  # the frame before it; behind it is f + 1
        shape = shape_of(vector(work.t[f]), vector(work.t[f + 1]), work.inverse[f], work.inverse[f + 1])
        bend(hinges[h], shape, work.m1[f : f + 2], work.turn[h], convex, work.hessian)
        if rods[chain.rod].damped:
            damp(hinges[h].viscosity / s, work, h)
        if block == 0:
            leave_out(work, 0)
        if block + 1 == chain.blocks:
            leave_out(work, 3)
        place_angles(work, angle_before(block), i, block > 0, a)
        place_edges(work, i, block > 0, a)


@kernel
def bend(hinge: np.record, shape: Shape, m1: np.ndarray, turn: float, convex: bool, hessian: np.ndarray) -> None:
    """Hessian (8, 8), see rods/hinge, of a hinge with first material axes m1 (2, 3)."""
    k, axes, moment = hinge.bending, axes_of(shape, m1), (0.0, 0.0, 0.0, 0.0, 0.0)
    if not convex:
        moment = moments(hinge, curvatures(shape[5], axes), turn)
    hinge_hessian(shape, axes, moment, (k[0], k[1], k[2], k[3], hinge.twist_rate), hessian)


@kernel
def damp(k: float, work: ImplicitScratch, h: int) -> None:
    """Kelvin–Voigt damping, k [N m] against the angle [rad] that hinge h turns by, into its Hessian."""
    a, b = work.before[h], work.behind[h]
    for c in range(3):
        for d in range(3):
            work.hessian[c, d] += k * a[c] * a[d]
            work.hessian[c, 3 + d] += k * a[c] * b[d]
            work.hessian[3 + c, 3 + d] += k * b[c] * b[d]


@kernel
def leave_out(work: ImplicitScratch, edge: int) -> None:
    """The edge of a hinge whose coordinates begin there is a clamp's, and does not go with a vertex."""
    for c in range(edge, edge + 3):
        for k in range(8):
            work.hessian[c, k] = 0.0
        for k in range(3):
            work.hessian[k, c] = 0.0


@kernel
def place_edges(work: ImplicitScratch, i: int, before: bool, a: np.ndarray) -> None:
    """What the edges of a hinge at the vertex whose unknowns begin at i add to it and to its neighbours; before: there
    is one before it.
    """
    h = work.hessian
    for c in range(3):
        for k in range(c, 3):
            a[i + c].value[k] += h[c, k] - h[c, 3 + k] - h[k, 3 + c] + h[3 + c, 3 + k]
            a[i + BLOCK + c].value[k] += h[3 + c, 3 + k]
        for k in range(3):
            a[i + c].value[BLOCK + k] += h[c, 3 + k] - h[3 + c, 3 + k]
    if before:
        for c in range(3):
            for k in range(c, 3):
                a[i - BLOCK + c].value[k] += h[c, k]
            for k in range(3):
                a[i - BLOCK + c].value[BLOCK + k] += h[c, 3 + k] - h[c, k]
                a[i - BLOCK + c].value[2 * BLOCK + k] -= h[c, 3 + k]


@kernel
def place_angles(work: ImplicitScratch, one: int, i: int, before: bool, a: np.ndarray) -> None:
    """What the frames of such a hinge add: the angle before it in row `one`, behind it in row i + 4."""
    h, other, k = work.hessian, i + 4, one % BLOCK
    a[one].value[k] += h[6, 6] - SPIN * h[6, 7]
    a[other].value[4] += h[7, 7] - SPIN * h[6, 7]
    a[one].value[k + other - one] += h[6, 7]
    for c in range(3):
        a[i + c].value[4] += h[c, 7] - h[3 + c, 7]
        a[other].value[BLOCK + c] += h[3 + c, 7]
        if before:
            a[one].value[BLOCK + c] += h[c, 6] - h[3 + c, 6]
            a[i - BLOCK + c].value[4] -= h[c, 6]
            a[i - BLOCK + c].value[BLOCK + 4] -= h[c, 7]
            a[one].value[2 * BLOCK + c] += h[3 + c, 6]
        else:
            a[i + c].value[3] += h[c, 6] - h[3 + c, 6]
            a[one].value[BLOCK + c] += h[3 + c, 6]
