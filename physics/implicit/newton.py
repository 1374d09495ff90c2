"""Newton's method on the equations of chains: the frames go with their edges, long steps are cut short.

A chain without ties is solved by itself; those with ties, and the bodies they are tied to, together. Near a solution
the matrix has as many negative eigenvalues as there are tensions. Where it has others, as under thrust or where contact
alone holds a rod bent, masses are made heavier in it until it has not; at the last what spoils it is left out of it.
"""

from math import inf, sqrt

import numpy as np

from .._jit import kernel
from ..model import Model, OldState, State
from ..rigid_bodies.scatter_gather import carry as swing
from ..rigid_bodies.scratch import WeldedScratch
from ..rigid_bodies.slaves import place_slaves, put_arms, turn_welds
from . import border, rod_equations, straight_rod
from .body_equations import add_bodies, compare, measure_turning, move_body
from .chain import bind_given, node_of
from .frames import carry
from .pair_contact import NEAR, measure, push_back, settle, way_of, weigh
from .response import clear_side, meet, respond, solve_group
from .scratch import BLOCK, ImplicitScratch
from .ties import condense, lay_ties, scatter
from .wall_contact import add_walls, keep_walls, surplus

HEAVIEST = 3.0**7  # times what things weigh, in the matrix alone
TURNED = 1e-3  # rad, of the edge that turns most in the last iteration: Newton squares it
FAR = 0.7  # rad, in one iteration
ROUNDS = 40
SPUN = 10.0  # times what a frame of a tied rod turns about its edge counts: that Newton does not square
UNFINISHED = 1e6  # times what gyroscopic terms leave of a body's turn counts
HALVINGS = 12
FLAT = 1e-6
PRECISION = 1e-10  # of the radius: what may be missing where things touch at rest,
HASTE = 1e-5  # and where they hit each other, after PATIENCE iterations,
PATIENCE = 12
CALM = 1e-5  # rad, and by what edges may still turn
DIVERGED, FULL = -1, -2

Times = tuple[float, float]  # (s, h) [s]: what a step sees, and its length


@kernel
def newton(
    model: Model, state: State, work: ImplicitScratch, contacts: np.ndarray, x0: np.ndarray, c: int, times: Times
) -> int:
    """Solve for state.x, work.pull, m1 and turn of chain c, a whole rod that nothing ties, from where they are; x0
    (N, 3): the old positions.

    Returns how many iterations it took, or DIVERGED.
    """
    chain, heavier, again = model.chain_system.chains[c], 0.0, False
    if chain.size == BLOCK:
        bind_given(model, state, work, c)
    for rounds in range(ROUNDS):
        while not solve(model, state, work, contacts, x0, c, times, heavier):
            heavier = make_heavier(heavier, again)
            if heavier > HEAVIEST:
                return DIVERGED
        turned = furthest_turn(model, work, c)
        scale = FAR / turned if turned > FAR else 1.0
        if chain.size == BLOCK and len(contacts) > 0:
            scale = go_to_rest(model, state.x, x0, work, contacts, times[1], scale, c)
        move(model, state, work, c, scale)
        if chain.size == BLOCK:
            turned = max(turned, 0.1 * carry(model, state, work, chain.rod, scale))
        calm = turned < (CALM if len(contacts) > 0 else TURNED)
        if calm and keep_walls(model, state.x, x0, work, contacts, c, times[1]) < precision(rounds):
            if heavier == 0.0 or again:
                return rounds + 1
            heavier, again = 0.0, True  # heavy things hardly move, though nothing turns
        if not turned < inf:
            return DIVERGED
    return DIVERGED


@kernel
def newton_together(
    model: Model,
    state: State,
    old: OldState,
    welded: WeldedScratch,
    work: ImplicitScratch,
    contacts: np.ndarray,
    spare: np.ndarray,
    times: Times,
) -> int:
    """The same for all chains of work.together, and the bodies. contacts: CONTACT, those of edges first; spare:
    CONTACT (1,). FULL: there is no room for their response.
    """
    chains, pairs, near, known = model.chain_system.chains, 0, 0, False
    while pairs < len(contacts) and not contacts[pairs].wall:
        pairs += 1
    for c in range(len(chains)):
        if work.together[c]:
            bind_given(model, state, work, c)
    heavier, again = 0.0, False
    for rounds in range(ROUNDS):
        while not solve_together(model, state, old, welded, work, contacts, times, heavier):
            heavier = make_heavier(heavier, again)
            if heavier > HEAVIEST:
                return DIVERGED
        if pairs > 0:
            before, near = near, bring_forward(model, state.x, old.x, work, contacts[:pairs], spare, near)
            known = known and near == before
            if near > 0:
                if not known and not find_response(model, work, contacts[:near]):
                    return FULL
                known = True
                press_apart(model, state.x, old.x, work, contacts[:near], times[1])
        turned = 0.0
        for c in range(len(chains)):
            if work.together[c]:
                turned = max(turned, furthest_turn(model, work, c))
        scale = FAR / turned if turned > FAR else 1.0
        if len(contacts) > pairs:
            scale = go_to_rest(model, state.x, old.x, work, contacts, times[1], scale, -1)
        turned = max(turned, move_together(model, state, old, work, scale, times[0]))
        if turned < (CALM if len(contacts) > pairs else TURNED):
            left = 0.0
            for c in range(len(chains)):
                if work.together[c]:
                    left = max(left, keep_walls(model, state.x, old.x, work, contacts, c, times[1]))
            if left < precision(rounds):
                if heavier == 0.0 or again:
                    return rounds + 1
                heavier, again = 0.0, True
        if not turned < inf:
            return DIVERGED
    return DIVERGED


@kernel
def go_to_rest(
    model: Model,
    x: np.ndarray,
    x0: np.ndarray,
    work: ImplicitScratch,
    contacts: np.ndarray,
    h: float,
    most: float,
    only: int,
) -> float:
    """The part, at most `most`, of the solution of a chain, or of all of work.together (−1), at which the slope along
    it vanishes: see wall_contact.
    """
    steep = 0.0
    for c in range(len(work.together)):
        if c == only or (only < 0 and work.together[c]):
            steep += steepness(model, work, c)
    if only < 0:
        for k in range(len(work.border)):
            steep += work.border[k] * work.border_side[k]
    low, high = 0.0, most
    for k in range(HALVINGS):
        part = most if k == 0 else 0.5 * (low + high)
        slope = (part - 1.0) * steep
        for c in range(len(work.together)):
            if c == only or (only < 0 and work.together[c]):
                slope += surplus(model, x, x0, work, contacts, c, h, part)
        if slope <= FLAT * steep:
            low = part
            if k == 0:
                return most
        else:
            high = part
    return high


@kernel
def steepness(model: Model, work: ImplicitScratch, c: int) -> float:
    """dx·A dx of chain c's solution."""
    chain, total = model.chain_system.chains[c], 0.0
    for j in range(chain.row, chain.row + chain.size * chain.blocks):
        total += work.side[j] * work.unknown[j]
    for i in range(chain.edge[0], chain.edge[1]):
        j = chain.row + chain.size * i + 3
        total -= 2.0 * work.side[j] * work.unknown[j]
    return total


@kernel
def precision(rounds: int) -> float:
    """What may be missing after so many iterations, over the radius."""
    return PRECISION if rounds < PATIENCE else HASTE


@kernel
def move_together(model: Model, state: State, old: OldState, work: ImplicitScratch, scale: float, s: float) -> float:
    """Chains and bodies go with the solution, or part of it. Returns by how much frames and bodies turn [rad]."""
    chains, turned = model.chain_system.chains, 0.0
    for c in range(len(chains)):
        if work.together[c]:
            move(model, state, work, c, scale)
    for b in range(len(model.bodies)):
        left = sqrt(square(work.bodies[b].omega)) * s * work.bodies[b].share * UNFINISHED
        turned = max(turned, max(left, 1.0) * move_body(model, state, work, b, old.bodies[b].q, scale, s))
    hold_welds(model, state, work, s)
    last = -1
    for c in range(len(chains)):
        if work.together[c] and chains[c].rod != last:
            last = chains[c].rod
            turned = max(turned, SPUN * carry(model, state, work, last, scale))
    return turned


@kernel
def bring_forward(
    model: Model,
    x: np.ndarray,
    x0: np.ndarray,
    work: ImplicitScratch,
    contacts: np.ndarray,
    spare: np.ndarray,
    near: int,
) -> int:
    """Put the contacts that press, or are near by the solution, before the others; `near` of them are already there.
    Returns how many there are.
    """
    wanted, part = near, 0.0 if near > 0 else NEAR
    for q in range(near, len(contacts)):
        row = contacts[q]
        gap = row.gap
        for d in range(3):
            gap += row.n[d] * way_of(model, x, x0, work, row, d)
        if row.normal > 0.0 or gap < part * row.radius:
            spare[0] = contacts[wanted]
            contacts[wanted] = contacts[q]
            contacts[q] = spare[0]
            wanted += 1
    return wanted


@kernel
def find_response(model: Model, work: ImplicitScratch, contacts: np.ndarray) -> bool:
    """D of these contacts; false when there is no room for it. The solution stays as it is."""
    if meet(model, contacts, work.response) > len(work.response.blocks):
        return False
    keep_solution(model, work)
    respond(model, work, contacts, work.response)
    weigh(contacts, work.response)
    for j in range(len(work.free)):
        work.unknown[j] = work.free[j]
    for k in range(len(work.border)):
        work.border[k] = work.free_border[k]
    return True


@kernel
def keep_solution(model: Model, work: ImplicitScratch) -> None:
    """Remember the solution."""
    for j in range(len(work.free)):
        work.free[j] = work.unknown[j]
    for k in range(len(work.border)):
        work.free_border[k] = work.border[k]


@kernel
def press_apart(
    model: Model, x: np.ndarray, x0: np.ndarray, work: ImplicitScratch, contacts: np.ndarray, h: float
) -> None:
    """Add to the solution what these contacts answer to it."""
    response, groups = work.response, model.chain_system.groups
    measure(model, x, x0, work, contacts, response)
    settle(contacts, response, h)
    keep_solution(model, work)
    for g in range(len(groups)):
        if response.begin[g + 1] > response.begin[g]:
            clear_side(model, work, g)
    push_back(model, work, contacts, response)
    for g in range(len(groups)):
        if response.begin[g + 1] == response.begin[g]:
            continue
        for c in range(groups[g].first, groups[g].end):
            chain = model.chain_system.chains[c]
            for j in range(chain.row, chain.row + BLOCK * chain.blocks):
                work.side[j] += work.unknown[j]
        solve_group(model, work, g)
        for c in range(groups[g].first, groups[g].end):
            chain = model.chain_system.chains[c]
            for j in range(chain.row, chain.row + BLOCK * chain.blocks):
                work.unknown[j] += work.free[j]
        if model.chain_system.chains[groups[g].first].columns > 0:
            for k in range(len(work.border)):
                work.free_border[k] += work.border[k]
    for k in range(len(work.border)):
        work.border[k] = work.free_border[k]


@kernel
def square(a: np.ndarray) -> float:
    """|a|² of a vector (3,)."""
    return a[0] * a[0] + a[1] * a[1] + a[2] * a[2]


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
def solve(
    model: Model,
    state: State,
    work: ImplicitScratch,
    contacts: np.ndarray,
    x0: np.ndarray,
    c: int,
    times: Times,
    heavier: float,
) -> bool:
    """The change of chain c's unknowns into work.unknown; whether its matrix, with masses so much heavier in it than
    they are, has the inertia it should.
    """
    convex = heavier == HEAVIEST
    chain, none, side = model.chain_system.chains[c], work.cells[:0, :0], work.own_side[:0]
    a, y, count = work.matrix[chain.row :], work.unknown[chain.row :], chain.size * chain.blocks
    if chain.size == BLOCK:
        rod_equations.assemble(model, state, work, c, times[0], convex)
        add_mass(model, work, c, heavier)
        add_walls(model, state.x, x0, work, contacts, c, times[1])
        for j in range(count):
            work.side[chain.row + j] = y[j]
        negative = rod_equations.eliminate(a, y, count, none, work.own[:0, :0], side)
        rod_equations.substitute(a, y, count, none, side)
    else:
        straight_rod.assemble(model, state, work, c, times[0], convex)
        negative = straight_rod.eliminate(a, y, count, none, work.own[:0, :0], side)
        straight_rod.substitute(a, y, count, none, side)
    return negative == chain.edge[1] - chain.edge[0]


@kernel
def solve_together(
    model: Model,
    state: State,
    old: OldState,
    welded: WeldedScratch,
    work: ImplicitScratch,
    contacts: np.ndarray,
    times: Times,
    heavier: float,
) -> bool:
    """The same of all chains of work.together, and of the bodies."""
    chains, convex = model.chain_system.chains, heavier == HEAVIEST
    border.clear(work)
    put_arms(model.slaves, state.bodies, welded.slaves)
    lay_ties(model, state, welded, work)
    add_bodies(model, state, work, times[0])
    for c in range(len(chains)):
        if not work.together[c]:
            continue
        row, count, k = chains[c].row, BLOCK * chains[c].blocks, chains[c].columns
        own, side, cells = work.own[:k, :k], work.own_side[:k], work.cells[row : row + count * min(k, 1), :k]
        rod_equations.assemble(model, state, work, c, times[0], convex)
        add_mass(model, work, c, heavier)
        add_walls(model, state.x, old.x, work, contacts, c, times[1])
        condense(model, state, welded, work, c, convex, cells)
        a, y = work.matrix[row:], work.unknown[row:]
        for j in range(count):
            work.side[row + j] = y[j]
        if rod_equations.eliminate(a, y, count, cells, own, side) != chains[c].edge[1] - chains[c].edge[0]:
            return False
        for j in range(row, row + count):
            if work.bound[j]:
                work.matrix[j, 0] = 0.0  # no force moves what is given
        border.add(model, work, chains[c].border, chains[c].slot, own, side)
    compare(model, work)
    for k in range(len(work.border)):
        work.border_side[k] = work.border[k]
    if border.eliminate(model, work) != 0:
        return False
    border.substitute(model, work)
    for c in range(len(chains)):
        if not work.together[c]:
            continue
        row, count, k = chains[c].row, BLOCK * chains[c].blocks, chains[c].columns
        border.read(model, work, chains[c].border, work.own_side[:k])
        cells = work.cells[row : row + count * min(k, 1), :k]
        rod_equations.substitute(work.matrix[row:], work.unknown[row:], count, cells, work.own_side[:k])
        scatter(model, work, c)
    return True


@kernel
def make_heavier(heavier: float, again: bool) -> float:
    """What is tried next; again: things are where they shall be, but for how far heavy ones have yet to move."""
    if again:
        return max(HEAVIEST, 3.0 * heavier)
    return 3.0 * heavier if heavier > 0.0 else 3.0


@kernel
def add_mass(model: Model, work: ImplicitScratch, c: int, heavier: float) -> None:
    """Make chain c so much heavier in its matrix, as if the step were shorter: it stays where it solves to."""
    chain = model.chain_system.chains[c]
    if heavier == 0.0 or heavier == HEAVIEST:
        return
    for block in range(chain.own[0], chain.own[1]):
        row, mass = chain.row + chain.size * block, work.inertia[node_of(model.rods, chain, block)]
        for d in range(3):
            work.matrix[row + d, 0] += heavier * mass


@kernel
def furthest_turn(model: Model, work: ImplicitScratch, c: int) -> float:
    """By how much [rad] the edge of chain c turns that turns most in the solution."""
    chain, square = model.chain_system.chains[c], 0.0
    y, size = work.unknown[chain.row :], chain.size
    for i in range(chain.edge[0], chain.edge[1]):
        own, length = 0.0, model.edges[node_of(model.rods, chain, i - 1)].length
        for d in range(3):
            own += (y[size * i + d] - y[size * (i - 1) + d]) ** 2
        own /= length * length
        if not own <= square:
            square = own
    return sqrt(square)


@kernel
def move(model: Model, state: State, work: ImplicitScratch, c: int, scale: float) -> None:
    """Change positions and tensions of chain c by the solution, or by part of it; slaves go with their bodies."""
    chain, nodes, x = model.chain_system.chains[c], model.nodes, state.x
    y, size = work.unknown[chain.row :], chain.size
    for i in range(chain.own[0], chain.own[1]):
        node = node_of(model.rods, chain, i)
        if nodes[node].slave < 0:
            for d in range(3):
                x[node, d] += scale * y[size * i + d]
    for i in range(chain.edge[0], chain.edge[1]):
        work.pull[node_of(model.rods, chain, i - 1)] += scale * y[size * i + 3]
