"""Newton's method on the equations of chains: the frames go with their edges, long steps are cut short.

A chain without ties is solved by itself; those with ties, the bodies they are tied to, and what touches, together.
"""

from math import inf, sqrt

import numpy as np

from .._jit import entry, kernel
from ..constraints.fast_projection import edge_vectors, newton_open
from ..constraints.scratch import ConstraintScratch
from ..model import Model, OldState, State
from ..rigid_bodies.scatter_gather import carry as swing
from ..rigid_bodies.scratch import WeldedScratch
from ..rigid_bodies.slaves import place_slaves, turn_welds
from .body_equations import measure_turning, move_body
from .chain import bind_given, is_free, node_of
from .contact_correction import bring_forward, find_response, press_apart
from .contact_stiffness import NO_ROOM, WRONG, held_back, is_stiff, stiffen
from .frames import carry
from .line_search import go_to_rest
from .newton_step import (
    HEAVIEST,
    Times,
    make_heavier,
    make_lighter,
    solve,
    solve_again,
    solve_lengths,
    solve_lengths_together,
    solve_together,
)
from .rod_equations import EXACT, TENSE
from .scratch import BLOCK, ImplicitScratch
from .wall_contact import keep_walls

KEPT = 0.05  # rad, by what edges may have turned since Newton's matrix was made: it multiplies their turn by that;
SLOW = 0.5  # and is made anew where it does so by more than this
FAR = 0.7  # rad, in one iteration
ROUNDS = 40
SPUN = 10.0  # times what a frame of a tied rod turns about its edge counts: that Newton does not square
UNFINISHED = 1e6  # times what gyroscopic terms leave of a body's turn counts
PRECISION = 1e-10  # of the radius: what may be missing where things touch at rest,
HASTE = 1e-5  # and where they hit each other, after PATIENCE iterations,
PATIENCE = 12
LENGTHS = 1e-6  # to which an edge keeps its length
CALM = 1e-5  # rad, and by what edges may still turn
HELD = 0.3  # rad, the same as KEPT where contact alone holds a rod bent
SLIDING = 5  # iterations: what then still turns there, by no more than
LEFT = 0.1  # rad in the last one, goes on in the next step,
FITS = 3  # once at most so many solves for lengths alone have kept them
ENDLESS = 16  # iterations, after which it is taken to turn for good
DIVERGED, FULL = -1, -2


@kernel
def newton(
    model: Model,
    state: State,
    work: ImplicitScratch,
    spare: ConstraintScratch,
    contacts: np.ndarray,
    x0: np.ndarray,
    c: int,
    times: Times,
) -> int:
    """Solve for state.x, work.pull, m1 and turn of chain c, a whole rod that nothing ties, from where they are; x0
    (N, 3): the old positions; spare: its o, multiplier and elimination are overwritten.

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
        close = len(contacts) == 0 and turned < model.world[0].last_turn
        if close and fit_own_lengths(model, state, work, spare, c, times[0]):
            if heavier == 0.0 or again:
                return rounds + 1
            heavier, again = 0.0, True  # heavy things hardly move, though nothing turns
        calm = len(contacts) > 0 and turned < CALM and keeps_lengths(model, state, c)
        if calm and keep_walls(state.x, x0, work, contacts, c, times[1], believed(heavier, scale)) < precision(rounds):
            if heavier == 0.0 or again:
                return rounds + 1
            heavier, again = 0.0, True
        if not turned < inf:
            return DIVERGED
        if not again:
            heavier = make_lighter(heavier)
    return DIVERGED


@entry
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
    """The same for all chains of work.together, and the bodies. contacts: CONTACT, those of edges and bodies first;
    spare: CONTACT (1,). FULL: there is no room for their response.
    """
    chains, pairs, near, known = model.chain_system.chains, 0, 0, False
    while pairs < len(contacts) and not contacts[pairs].in_band:
        pairs += 1
    for c in range(len(chains)):
        if work.together[c]:
            bind_given(model, state, work, c)
    close = model.world[0].last_turn ** 2
    rods_alone = len(model.planes) + len(model.surfaces.faces) + len(model.bodies) == 0
    heavier, again, form, work.response.stiffness[1] = 0.0, False, EXACT, 0.0
    since, before = turned_since(model, state, old, work, times[0]) if len(contacts) == 0 else inf, 0.0
    work.made[0].turned = inf
    for rounds in range(ROUNDS):
        kept = heavier == 0.0 and (since < KEPT if len(contacts) == 0 else form == TENSE and known and since < HELD)
        if kept:
            solve_again(model, state, welded, work, times[0])
            known_near, near = near, bring_forward(model, state, old, work, contacts[:pairs], spare, near)
            if near > known_near and not find_response(model, work, contacts[:near]):
                return FULL
        while not kept:
            surplus = solve_together(model, state, old, welded, work, contacts, times, (heavier, form))
            if surplus > 0 and pairs > 0 and rods_alone and form == EXACT:
                form, known = TENSE, False
                continue
            if pairs > 0 and (surplus == 0 or (surplus > 0 and heavier == 0.0)):
                known_near, near = near, bring_forward(model, state, old, work, contacts[:pairs], spare, near)
                known = known and near == known_near and surplus == 0
                if near > 0 and not known and not find_response(model, work, contacts[:near]):
                    return FULL
                known = surplus == 0
                held = WRONG if near == 0 or surplus == 0 else stiffen(work.response, contacts[:near], surplus)
                if held == NO_ROOM:
                    return FULL
                if held != WRONG:
                    break
            if surplus == 0:
                break
            heavier = make_heavier(heavier, again)
            if heavier > HEAVIEST:
                return DIVERGED
        if near > 0:
            press_apart(model, state, old, work, contacts[:near], times[1])
        turned = 0.0
        for c in range(len(chains)):
            if work.together[c]:
                turned = max(turned, furthest_turn(model, work, c))
        scale = FAR / turned if turned > FAR else 1.0
        if len(contacts) > pairs and not (near > 0 and is_stiff(work.response)):
            scale = go_to_rest(model, state.x, old.x, work, contacts, times[1], scale, -1)
        turned = max(turned, move_together(model, state, old, work, scale, times[0]))
        if near > 0 and is_stiff(work.response):
            turned *= held_back(work.response)
        since = turned + (since if kept else 0.0)
        slower = since
        if kept:
            slower = 2.0 * turned / before if before > 0.0 else KEPT
        before = turned
        slides = rods_alone and form == TENSE and rounds >= SLIDING
        if slides and heavier == 0.0 and turned < LEFT and fit_lengths(model, state, old, welded, work, times[0]):
            return rounds + 1
        if turned < CALM if len(contacts) > pairs else turned * (turned if pairs > 0 else slower) < close:
            alone = len(contacts) == 0 and heavier == 0.0
            left = 0.0 if not alone or fit_lengths(model, state, old, welded, work, times[0]) else inf
            for c in range(len(chains)):
                if work.together[c] and not alone:
                    left = left if keeps_lengths(model, state, c) else inf
                    left = max(left, keep_walls(state.x, old.x, work, contacts, c, times[1], believed(heavier, scale)))
            if left < precision(rounds):
                if heavier == 0.0 or again:
                    work.made[0].turned = since if alone else inf
                    return rounds + 1
                heavier, again, since = 0.0, True, inf
        if kept and slower > SLOW:
            since = inf
        if not turned < inf or (slides and rounds + 1 == ENDLESS):
            return DIVERGED
    return DIVERGED


@kernel
def turned_since(model: Model, state: State, old: OldState, work: ImplicitScratch, s: float) -> float:
    """By how much [rad] edges and bodies have turned since the matrix was made that is still there; ∞: it is another
    one's.
    """
    made, given = work.made[0], 0
    for k in range(len(work.bound)):
        given = 31 * given + int(work.bound[k])
    turned = made.turned if made.s == s and made.given == given else inf
    made.s, made.given = s, given
    if turned == inf:
        return inf
    square = 0.0
    for c in range(len(model.chain_system.chains)):
        if work.together[c]:
            square = max(square, furthest_move(model, state.x, old.x, c))
    for b in range(len(model.bodies)):
        turn = work.bodies[b].turn
        square = max(square, turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2])
    return turned + sqrt(square)


@kernel
def furthest_move(model: Model, x: np.ndarray, x0: np.ndarray, c: int) -> float:
    """The square of the largest turn [rad] of an edge of chain c from x0 (N, 3) to x."""
    chain, most = model.chain_system.chains[c], 0.0
    for i in range(chain.edge[0], chain.edge[1]):
        j, k, square = node_of(model.rods, chain, i - 1), node_of(model.rods, chain, i), 0.0
        for d in range(3):
            square += (x[k, d] - x0[k, d] - x[j, d] + x0[j, d]) ** 2
        most = max(most, square / model.edges[j].length ** 2)
    return most


@kernel
def fit_own_lengths(
    model: Model, state: State, work: ImplicitScratch, spare: ConstraintScratch, c: int, s: float
) -> bool:
    """Whether the edges of chain c have the lengths they keep, if need be once they alone are solved for; of a straight
    rod by its inertia alone.
    """
    chain = model.chain_system.chains[c]
    for k in range(FITS + 1):
        if keeps_lengths(model, state, c):
            return True
        if k == FITS:
            break
        if chain.size == BLOCK:
            solve_lengths(model, work, c)
            move(model, state, work, c, 1.0)
            carry(model, state, work, chain.rod, 1.0)
        else:
            project(model, state, work, spare, chain.rod, s)
    return False


@kernel
def project(model: Model, state: State, work: ImplicitScratch, spare: ConstraintScratch, r: int, s: float) -> None:
    """Fast projection's step towards the lengths of rod r; tensions [N] are what its impulses are, over s²."""
    first, last = model.rods[r].first, model.rods[r].last
    x, o, multiplier = state.x[first : last + 1], spare.o[first:last], spare.multiplier[first:last]
    edge_vectors(x, False, o)
    for j in range(len(multiplier)):
        multiplier[j] = 0.0
    lengths = model.edges["length"][first:last]
    newton_open(x, o, state.w[first : last + 1], lengths, multiplier, spare.elimination[first:last])
    for j in range(first, last):
        work.pull[j] -= multiplier[j - first] * model.edges[j].length / (s * s)


@kernel
def fit_lengths(
    model: Model, state: State, old: OldState, welded: WeldedScratch, work: ImplicitScratch, s: float
) -> bool:
    """Whether edges have the lengths they keep, if need be once they alone are solved for."""
    for k in range(FITS + 1):
        kept = True
        for c in range(len(model.chain_system.chains)):
            if work.together[c]:
                kept = kept and keeps_lengths(model, state, c)
        if kept:
            return True
        if k < FITS:
            solve_lengths_together(model, state, welded, work, s)
            move_together(model, state, old, work, 1.0, s)
    return False


@kernel
def precision(rounds: int) -> float:
    """What may be missing after so many iterations, over the radius."""
    return PRECISION if rounds < PATIENCE else HASTE


@kernel
def believed(heavier: float, scale: float) -> float:
    """How much of the forces that a part of a solution asks for holds: none where they would move heavier things."""
    return scale if heavier == 0.0 or heavier == HEAVIEST else 0.0


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
def keeps_lengths(model: Model, state: State, c: int) -> bool:
    """Whether the edges of chain c have the lengths they keep: where tensions jump, not after one iteration."""
    rods, chain, x = model.rods, model.chain_system.chains[c], state.x
    if rods[chain.rod].stretchable:
        return True
    for i in range(chain.edge[0], chain.edge[1]):
        j, k, square = node_of(rods, chain, i - 1), node_of(rods, chain, i), 0.0
        for d in range(3):
            square += (x[k, d] - x[j, d]) ** 2
        if is_free(model, state, j, k) and not abs(square / model.edges[j].length ** 2 - 1.0) < 2.0 * LENGTHS:
            return False
    return True


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
