"""What moves by a solution, or by part of it: vertices and tensions of chains, frames with them, bodies and what these
carry.
"""

from math import sqrt

from .._jit import kernel
from ..arithmetic.vectors import dot
from ..model import Model, OldState, State
from ..rigid_bodies.scatter_gather import carry as swing
from ..rigid_bodies.slaves import place_slaves, turn_welds
from . import spinning_step
from .body_equations import measure_turning, move_body
from .chain import course_of, edge_of, hinge_blocks, node_of, unknowns_of
from .frames import carry
from .scratch import SEVEN, ImplicitScratch

SPUN = 10.0  # times what a frame of a tied rod turns about its edge counts: that Newton does not square
UNFINISHED = 1e6  # times what gyroscopic terms leave of a body's turn counts


@kernel
def move(model: Model, state: State, work: ImplicitScratch, c: int, scale: float) -> None:
    """Change positions and tensions of chain c by the solution, or by part of it; slaves go with their bodies."""
    chain, nodes, x = model.chain_system.chains[c], model.nodes, state.x
    y, size, course = work.unknown[chain.row :], unknowns_of(chain, work), course_of(model.rods, chain)
    for i in range(chain.own[0], chain.own[1]):
        node = node_of(course, i)
        if nodes[node].slave < 0:
            for d in range(3):
                x[node, d] += scale * y[size * i + d]
    for i in range(chain.edge[0], chain.edge[1]):
        work.pull[edge_of(course, i)] += scale * y[size * i + 3]


@kernel
def move_together(model: Model, state: State, old: OldState, work: ImplicitScratch, scale: float, s: float) -> float:
    """Chains and bodies go with the solution, or part of it. Returns by how much frames and bodies turn [rad]."""
    chains, turned = model.chain_system.chains, 0.0
    for c in range(len(chains)):
        if work.together[c] and chains[c].size == SEVEN:
            spinning_step.move(model, state, work, c, scale)
        elif work.together[c]:
            move(model, state, work, c, scale)
    for b in range(len(model.bodies)):
        left = sqrt(dot(work.bodies[b].omega, work.bodies[b].omega)) * s * work.bodies[b].share * UNFINISHED
        turned = max(turned, max(left, 1.0) * move_body(model, state, work, b, old.bodies[b].q, scale, s))
    hold_welds(model, state, work, s)
    last = -1
    for c in range(len(chains)):
        if work.together[c] and chains[c].size == SEVEN:
            spinning_step.follow(model, state, work, chains[c].rod)
        if work.together[c] and chains[c].rod != last and chains[c].size != SEVEN:
            last = chains[c].rod
            turned = max(turned, SPUN * carry(model, state, work, last, scale))
    return turned


@kernel
def hold_welds(model: Model, state: State, work: ImplicitScratch, s: float) -> None:
    """What bodies carry is where they hold it."""
    for b in range(len(model.bodies)):
        place_slaves(model.slaves[model.bodies[b].first_slave : model.bodies[b].end_slave], state.bodies[b], state.x)
        measure_turning(work, b, s)
    turn_welds(model.welds, state)
    for k in range(len(model.welds)):
        if model.welds[k].ghost >= 0:
            ghost = state.ghosts[model.welds[k].ghost]
            swing(work.bodies[model.welds[k].body].omega, ghost.edge, ghost.rate)


@kernel
def furthest_turn(model: Model, work: ImplicitScratch, c: int) -> float:
    """By how much [rad] the edge of chain c turns that turns most in the solution."""
    chain, square = model.chain_system.chains[c], 0.0
    y, size, course = work.unknown[chain.row :], unknowns_of(chain, work), course_of(model.rods, chain)
    for i in range(chain.edge[0], chain.edge[1]):
        own, length = 0.0, model.edges[edge_of(course, i)].length
        for d in range(3):
            own += (y[size * i + d] - y[size * (i - 1) + d]) ** 2
        own /= length * length
        if not own <= square:
            square = own
    return sqrt(square)


@kernel
def strain_left(model: Model, state: State, work: ImplicitScratch, c: int) -> float:
    """Elastic energy that the solution of chain c leaves, over that of the motion that it is in a step.

    Where an edge turns by φ and a hinge beside it bends by ψ, the solution, which is linear, misses the hinge's angle
    by ½ φ ψ and the edge's strain by ½ φ²: of what is stiff, B/2l (½ φ ψ)² and ½ EA l (½ φ²)² may be far more than
    ½ m |Δx|²/s². So they are where a clamp stops a stiff rod, or a stiff one that is curved turns as a whole.
    """
    chain, left, moved = model.chain_system.chains[c], 0.0, 0.0
    (begin, end), stretchable = hinge_blocks(model.rods, state.ghosts, chain), model.rods[chain.rod].stretchable
    y, size, course = work.unknown[chain.row :], unknowns_of(chain, work), course_of(model.rods, chain)
    for i in range(chain.own[0], chain.own[1]):
        node, j, before, behind, bent = node_of(course, i), size * i, 0.0, 0.0, 0.0
        one = 1.0 / model.edges[edge_of(course, i)].length if i >= chain.edge[0] else 0.0
        other = 1.0 / model.edges[edge_of(course, i + 1)].length if i + 1 < chain.edge[1] else 0.0
        for d in range(3):
            a = one * (y[j + d] - y[j - size + d]) if one > 0.0 else 0.0
            b = other * (y[j + size + d] - y[j + d]) if other > 0.0 else 0.0
            before, behind, bent = before + a * a, behind + b * b, bent + (b - a) ** 2
            moved += work.inertia[node] * y[j + d] ** 2
        if begin <= i < end:
            left += model.hinges[node].bend * max(before, behind) * bent
        if stretchable and one > 0.0:
            left += 4.0 * model.edges[edge_of(course, i)].stretch / one * before**2
    return 0.0625 * left / moved if moved > 0.0 else 0.0


@kernel
def furthest_twist(model: Model, work: ImplicitScratch, r: int) -> float:
    """By how much [rad] the twist of that hinge of rod r changes that changes most in the solution, frames' own turns
    alone.
    """
    angle, most = model.chain_system.angle, 0.0
    for f in range(model.rods[r].frame, model.rods[r].last + r + 1):
        if angle[f] >= 0 and angle[f + 1] >= 0:
            most = max(most, abs(work.unknown[angle[f + 1]] - work.unknown[angle[f]]))
    return most
