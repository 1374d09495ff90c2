"""The equations of an implicit step for one Cosserat rod, and their derivatives. What touches it pushes its
vertices, and turns its segments about d₃.

Of positions x, tensions T of the edges and turns ψ of the segments from where they are when the step begins, each in
the segment's own axes, with the time s that a step sees (see time_integration/bdf2),

    M (x − y)/s² + ∂V/∂x + Gᵀ T = f,    |e| − l r(T) = 0,    (I ω − R̄ᵀ L̄)/s + ∂V/∂δ = 0,    ω of ψ' = (ψ − ψ̄)/s,

with V of the parallel constraint, of bending and torsion (elements/spinning_segment, bending_and_torsion), G = ∂|e|/∂x
and the tension as an unknown of its own: however stiff an edge is, what turns it does not stretch it. ψ̄ is where the
segment would be turned to without spin, L̄ its angular momentum without torques, which stays in space while R̄ = exp ψ
turns (arithmetic/turns). A turn has three unknowns: the quaternion q exp(ψ/2) is a unit one whatever they are, where
four with |q| = 1 would add an equation and a multiplier for each. A symmetric top keeps its spin ω₃ by itself: about
d₃ stands I₃ (ω₃ − ω̄₃)/s, for by R̄ᵀ L̄, in which I₁ is far larger than I₃, one iteration would leave an error of first
order there. In the matrix the segment's inertia is I/s²: what else is gyroscopic is left to the iteration.

Internal friction of τ, moments γ (u − ū)/s with ū of what strains were (as x̄ is of x), is that of a rod with the
stiffness K + γ/s and the rest strain (K û + γ ū/s)/(K + γ/s), and of an edge likewise: it leaves rigid motion alone.

The unknowns of vertex i follow one another: x_i, the tension of the edge before it, the turn of the segment behind it,
seven. A tension comes after both vertices of its edge, for its pivot, the compliance, is next to nothing before. A ring
is cut at its first vertex, which it comes round to again: what it and the turn behind it are coupled with is told of
both, once. Where a rigid body carries a ghost before the first vertex, a block before has its turn alone.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.turns import exponential, quaternion, spin_of, turned
from ..arithmetic.vectors import Matrix, Vector, dot, plus, plus_dyad, plus_rows, scaled, transposed, vector
from ..constraints.pins import is_held
from ..elements.bending_and_torsion import joint_hessian, moments, onto_before, onto_behind, rodrigues
from ..elements.spinning_segment import stretched_gradient, stretched_hessian
from ..elements.stretching import stress
from ..linear.block_border import block_border
from ..linear.block_ldl import block_elimination
from ..linear.block_sides import block_sides
from ..model import PANEL, Model, State
from ..rods.director_forces import bends_of
from ..rods.edge_torques import on_directors
from .chain import list_given
from .loads import push_on, resistance
from .scratch import ABOUT, COLUMNS, SEVEN, ImplicitScratch
from .straight_rod import NONE, NOTHING, raised

eliminate, resolve, substitute = block_elimination(SEVEN, SEVEN)
solve_sides, find_rest = block_sides(SEVEN, SEVEN, COLUMNS)
eliminate_border, resolve_border, substitute_border = block_border(SEVEN, SEVEN, PANEL, few=4)
Edge = tuple[Vector, Vector, Vector, Matrix, Matrix, Matrix, float, float]
# (its direction, force on its head [N], torque on its segment [N m], ∂²V by itself, by itself and the turn, by the
# turn, what it misses of its length [m], its compliance [m/N])
Joint = tuple[Vector, Vector, Matrix, Matrix, Matrix]
# (torques on the segments before and behind [N m], ∂²V by their turns: before, behind, both)
NO_EDGE, NO_JOINT = (NONE, NONE, NONE, NOTHING, NOTHING, NOTHING, 0.0, -1.0), (NONE, NONE, NOTHING, NOTHING, NOTHING)
ONE = raised(NOTHING, 1.0)
WIDE = 15  # numbers of a row: its own block, the next one, and a column of zeros


@kernel
def assemble(
    model: Model, state: State, own: ImplicitScratch, c: int, s: float, given: tuple[float, bool], a: np.ndarray
) -> None:
    """Write the band a and minus the residual, own.unknown, of chain c, a Cosserat rod, at the iterate: state.x and q,
    own.tension and segments. given: (so many times more masses count in the matrix, whether thrust is left out of it).
    """
    chain, heavier = model.chain_system.chains[c], given[0]
    r, y, rod = chain.rod, own.unknown[chain.row :], model.rods[chain.rod]
    first, n = rod.first, rod.last - rod.first + 1
    begin, end = bends_of(model.rods, r, state.ghosts)
    edge, joint, held = NO_EDGE, NO_JOINT, chain.vertex < 0 or is_held(model, state, first)
    if begin == rod.bend < end and chain.vertex == 0 and not rod.closed:
        joint = joint_at(model, state, own, r, 0)
    for i in range(chain.blocks):
        row, v = SEVEN * i, chain.vertex + i
        node, k, once = first + max(v, 0) % n, segment_behind(rod, v), 0 <= v < n
        before, bent, fixed = edge, joint, held
        edge, joint, held = NO_EDGE, NO_JOINT, True
        if i + 1 < chain.blocks:
            held = is_held(model, state, first + (v + 1) % n)
            if v >= 0:
                edge = edge_behind(model, state, own, r, node, k, s, given[1])
            if rod.closed or rod.bend + v + 1 < end:
                joint = joint_at(model, state, own, r, v + 1 - int(rod.closed))
        (t, drawn, _, stiff, _, _, missing, compliance), led = before, is_led(own, k)
        u, force, torque, firm, across, turns, _, _ = edge
        lay_side(y, row, NONE, -missing)
        if fixed:
            lay_three(a, row, ONE, NONE, NOTHING, NOTHING, NONE)
            t = NONE
        else:
            push, m, more, along = NONE, 0.0, 0.0, NONE
            if once:
                push, (m, more, along) = push_on(state.x, own, node, s), resistance(state.x, own, node, s)
                m += heavier * own.inertia[node]
            y[row], y[row + 1], y[row + 2] = plus(plus(push, 1.0, drawn), -1.0, force)
            mass = plus_dyad(raised(plus_rows(stiff, 1.0, firm), m), more, along, along)
            there, turned = NOTHING if held else firm, NOTHING if led else across
            lay_three(a, row, mass, t, turned, there, u)
        lay_row(a[row + 3].value, -compliance)
        if led:
            lay_turn(a, row + 4, ONE, NOTHING, NOTHING)
        else:
            spin, across_inertia, inertia = (
                resist(own, k, s) if once and not own.segments[k].borne else (NONE, 0.0, 0.0)
            )
            grown = (1.0 + heavier) / (s * s)
            push = plus(plus(torque, 1.0, spin), 1.0, plus(bent[1], 1.0, joint[0]))
            if once:
                push = plus(push, 1.0, on_directors(state.fields[node], state.q[k]))
            y[row + 4], y[row + 5], y[row + ABOUT] = push
            y[row + ABOUT] += own.frames[node + r + 1].torque if once else 0.0
            p, q = grown * across_inertia, grown * inertia
            whole = plus_rows(plus_rows(turns, 1.0, bent[3]), 1.0, joint[2])
            whole = plus_rows(whole, 1.0, ((p, 0.0, 0.0), (0.0, p, 0.0), (0.0, 0.0, q)))
            to_turn = NOTHING if i + 1 < chain.blocks and is_led(own, segment_behind(rod, v + 1)) else joint[4]
            lay_turn(a, row + 4, whole, NOTHING if held else transposed(across), to_turn)


@kernel
def segment_behind(rod: np.record, v: int) -> int:
    """Number of the segment behind vertex v of a rod; that of a ghost before the first one: −1."""
    return rod.segment + 1 + (v % (rod.last - rod.first + 1) if v >= 0 else -1)


@kernel
def is_led(own: ImplicitScratch, k: int) -> bool:
    """Whether segment k turns as it is led by pins, or is a ghost that nothing holds."""
    return own.segments[k].mobility[1] == 0.0 and not own.segments[k].borne


@kernel
def bind(model: Model, state: State, own: ImplicitScratch, c: int) -> None:
    """Tell which unknowns of chain c, a Cosserat rod, are given: by pins, or because they are led."""
    chain = model.chain_system.chains[c]
    rod = model.rods[chain.rod]
    for i in range(chain.blocks):
        v, bound = chain.vertex + i, own.bound[chain.row + SEVEN * i :]
        bound[0] = bound[1] = bound[2] = v < 0 or is_held(model, state, rod.first + v % (rod.last - rod.first + 1))
        bound[4] = bound[5] = bound[ABOUT] = is_led(own, segment_behind(rod, v))
        bound[3] = False
    for k in range(chain.tie[0], chain.tie[1]):
        own.bound[model.chain_system.ties[k].row] = False
    own.given_count[c] = list_given(own.bound[chain.row : chain.row + SEVEN * chain.blocks], own.given[chain.row :])
    own.live[c, 0], own.live[c, 1] = 0, SEVEN * chain.blocks


@kernel
def lay_side(y: np.ndarray, row: int, push: Vector, missing: float) -> None:
    """The side of a block: of its vertex, its tension, and nothing of its turn."""
    y[row], y[row + 1], y[row + 2] = push
    y[row + 3], y[row + 4], y[row + 5], y[row + 6] = missing, 0.0, 0.0, 0.0


@kernel
def lay_row(row: np.ndarray, tension: float) -> None:
    """A row of a tension, which has nothing but its diagonal."""
    for q in range(WIDE):
        row[q] = 0.0
    row[3] = tension


@kernel
def lay_three(a: np.ndarray, i: int, own: Matrix, t: Vector, across: Matrix, firm: Matrix, u: Vector) -> None:
    """The rows of a vertex: with itself, the tension before it along t, the turn and the edge behind it along u."""
    for c in range(3):
        row = a[i + c].value
        for d in range(3):
            row[d], row[4 + d], row[SEVEN + d] = own[c][d], -across[c][d], -firm[c][d]
            row[11 + d] = 0.0
        row[3], row[10] = t[c], -u[c]
        row[14] = 0.0


@kernel
def lay_turn(a: np.ndarray, i: int, own: Matrix, across: Matrix, behind: Matrix) -> None:
    """The rows of a turn: with itself, the vertex behind it and the next turn."""
    for c in range(3):
        row = a[i + c].value
        for d in range(3):
            row[4 + d], row[SEVEN + d], row[11 + d] = own[c][d], across[c][d], behind[c][d]
        row[10] = row[14] = 0.0


@kernel
def edge_behind(
    model: Model, state: State, own: ImplicitScratch, r: int, node: int, k: int, s: float, tense: bool
) -> Edge:
    """The Edge from a node of rod r on, whose segment is k; tense: without thrust in the matrix."""
    one, q = model.segments[k], quaternion(state.q[k])
    e = plus(vector(state.x[one.head]), -1.0, vector(state.x[one.tail]))
    size, tension = sqrt(dot(e, e)), own.tension[node]
    t, ratio = scaled(1.0 / size, e), size / one.length
    _, force, torque = stretched_gradient(e, q, (ratio, 0.0, 0.0), one.length, 0.0, one.parallel)
    own_stiffness, across, turns = stretched_hessian(e, q, (0.0, 0.0), one.length, 0.0, one.parallel)
    pull, rate = elastic(model, own, r, k, ratio, s)
    firm = (max(tension, 0.0) if tense else tension) / size
    return (
        t, plus(force, -tension, t), torque, raised(plus_dyad(own_stiffness, -firm, t, t), firm), across, turns,
        one.length / rate * (pull - tension), one.length / rate,
    )  # fmt: skip


@kernel
def elastic(model: Model, own: ImplicitScratch, r: int, k: int, ratio: float, s: float) -> tuple[float, float]:
    """(tension [N] of the edge of segment k at `ratio` times its length, its derivative)."""
    one = model.segments[k]
    pull, rate = stress(ratio)
    if not model.rods[r].damped:
        return one.stretch * pull, one.stretch * rate
    slow = one.viscosity / s
    return one.stretch * pull + slow * (ratio - own.segments[k].ratio), one.stretch * rate + slow


@kernel
def joint_at(model: Model, state: State, own: ImplicitScratch, r: int, i: int) -> Joint:
    """The i-th Joint of rod r. What turns freely about a ghost edge is where nothing twists it, so that it
    resists no twist.
    """
    rod = model.rods[r]
    bend = own.bends[rod.bend + i] if rod.damped else model.bends[rod.bend + i]
    sigma = rodrigues(quaternion(state.q[bend.before]), quaternion(state.q[bend.behind]), bend.sign)
    rest, stiffness = vector(bend.rest), vector(bend.stiffness)
    moment = moments(sigma, bend.length, rest, stiffness)[1]
    end = rod.first + i == rod.last
    if not rod.closed and ((i == 0 and not state.fixed[rod.frame]) or (end and not state.fixed[rod.last + r + 1])):
        stiffness = (stiffness[0], stiffness[1], 0.0)
    before, behind, both = joint_hessian(sigma, bend.length, rest, stiffness)
    return onto_before(sigma, moment), scaled(-1.0, onto_behind(sigma, moment)), before, behind, both


@kernel
def resist(own: ImplicitScratch, k: int, s: float) -> tuple[Vector, float, float]:
    """((R̄ᵀ L̄ − I ω)/s [N m] of segment k, about d₃ I₃ (ω̄₃ − ω₃)/s; I₁, I₃ [kg m²])."""
    one = own.segments[k]
    across, about = 1.0 / one.mobility[0], 1.0 / one.mobility[1]
    psi = vector(one.turn)
    omega = spin_of(psi, scaled(1.0 / s, plus(psi, -1.0, vector(one.before))))
    kept = turned(exponential(scaled(-1.0, psi)), vector(one.momentum))
    x, y, z = kept[0] - across * omega[0], kept[1] - across * omega[1], about * (one.spin - omega[2])
    return (x / s, y / s, z / s), across, about
