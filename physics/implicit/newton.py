"""Newton's method on the equations of chains: the frames go with their edges, long steps are cut short.

A chain without ties is solved by itself; those with ties, the bodies they are tied to, and what touches, together.
"""

from math import inf

import numpy as np

from .._jit import entry, kernel
from ..constraints.scratch import ConstraintScratch
from ..contact.frozen_normals import come_nearer
from ..model import Model, OldState, State
from ..rigid_bodies.scratch import WeldedScratch
from . import spinning_rod
from .chain import bind_given, unknowns_of
from .contact_correction import any_left_out, bring_forward, find_response, press_apart
from .contact_stiffness import NO_ROOM, STIFFENED, WRONG, held_back, is_stiff, stiffen
from .frames import carry
from .inertia_correction import DIVERGED, begin, is_over, is_whole, lower_shift, part_of, raise_shift
from .internal_damping import lay_damping_anew
from .kept_lengths import fit_lengths, fit_lengths_together, keeps_lengths
from .line_search import go_to_rest
from .loads import turn_edges
from .moves import furthest_turn, furthest_twist, move, move_together, strain_left
from .newton_step import Times, solve, solve_again, solve_together
from .pair_contact import lay_torques
from .rod_equations import CONVEX, EXACT, TENSE
from .scratch import BLOCK, SEVEN, ImplicitScratch
from .spinning_step import CALM, SLIGHT, judge
from .wall_contact import keep_walls, settled

# rad, by what edges may have turned since Newton's matrix was made: it multiplies their turn by that
MATRIX_KEPT = 0.05
RESPONSE_KEPT = 0.3  # rad, the same where contact alone holds a rod bent, and of the response of what touches
ROUNDS, HASTY = 40, 16  # the latter in Preview, of what touches or is tied: two halves are cheaper then
AT_ONCE = 0.5  # of what edges may turn by in the last iteration where that is the first one
FULL = -2
FOUND = 0


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
    chain, run = model.chain_system.chains[c], work.newton[0]
    framed, in_haste = unknowns_of(chain, work) == BLOCK, model.world[0].preview and work.wall[c] < 0
    begin(run, EXACT)
    if framed:
        bind_given(model, state, work, c)
    for rounds in range(HASTY if in_haste else ROUNDS):
        if rounds > 0:
            lay_anew(model, state, work, chain.rod, rounds)
        run.kept = run.since < MATRIX_KEPT and run.shift == 0.0
        while not solve(model, state, work, contacts, x0, c, times):
            if run.kept:
                run.kept = False
            elif in_haste and run.form < CONVEX:
                run.form += 1  # EXACT, TENSE, CONVEX
            elif not raise_shift(run):
                return DIVERGED
        turned = furthest_turn(model, work, c)
        part = part_of(turned, furthest_twist(model, work, chain.rod) if framed else 0.0)
        if framed and len(contacts) > 0:
            part = go_to_rest(model, state.x, x0, work, contacts, times[1], part, c)
            run.since = part * turned + (run.since if run.kept else 0.0)
        move(model, state, work, c, part)
        if framed:
            turned = max(turned, 0.1 * carry(model, state, work, chain.rod, part))
        if len(contacts) == 0:
            done = turned < model.world[0].last_turn and strain_left(model, state, work, c) <= SLIGHT
            done = done and fit_lengths(model, state, work, spare, c, times[0])
        else:
            done = turned < CALM and keeps_lengths(model, state, c)
            if done:  # walls press on by that
                left = keep_walls(state.x, x0, work, contacts, c, times[1], is_whole(run, part))
                done = settled(left, rounds, model.world[0].preview)
        if done and is_over(run):
            return rounds + 1
        if not turned < inf:
            return DIVERGED
        if not run.polishing:
            lower_shift(run)
    return DIVERGED


@entry
def newton_together(
    model: Model,
    state: State,
    old: OldState,
    welded: WeldedScratch,
    work: ImplicitScratch,
    contacts: np.ndarray,
    spares: tuple[np.ndarray, ConstraintScratch],
    times: Times,
) -> int:
    """The same for all chains of work.together, and the bodies. contacts: CONTACT, those of edges and bodies first;
    spares: a CONTACT (1,), and what finds lengths, which are overwritten. FULL: there is no room for their response.
    """
    (spare, lengths), run, world = spares, work.newton[0], model.world[0]
    begin_together(model, state, work, contacts)
    pairs = run.pairs
    for rounds in range(HASTY if world.preview else ROUNDS):
        if rounds > 0:
            lay_together_anew(model, state, work, rounds)
        lay_torques(state, old, work, contacts[:pairs])
        found = find_step(model, state, old, welded, work, contacts, spare, times)
        if found != FOUND:
            return found
        if run.near > 0:
            press_apart(model, state, old, work, contacts[: run.near], times[1])
        turned, part = take_step(model, state, old, work, contacts, times)
        slides = goes_on(model, run, len(contacts), rounds)
        enough = world.accept_turn if rounds > 0 else AT_ONCE * world.accept_turn
        leaves = slides and run.shift == 0.0 and turned < enough and run.left <= SLIGHT
        if world.preview and run.of_rods and come_nearer(model, state, contacts[:pairs], times[1], True):
            leaves = leaves and rounds + 1 == world.give_up_after
        if leaves and fit_lengths_together(model, state, old, welded, work, lengths, times[0]):
            return rounds + 1
        if is_calm(model, run, turned, len(contacts)):
            if len(contacts) == 0 and run.shift == 0.0:
                done = fit_lengths_together(model, state, old, welded, work, lengths, times[0])
            else:
                left = missing(model, state, old, work, contacts, times[1], is_whole(run, part))
                done = settled(left, rounds, world.preview)
            done = done and run.left <= SLIGHT
            if done and not any_left_out(state, old, work, contacts[run.near : pairs]) and is_over(run):
                return rounds + 1
        if not turned < inf or (slides and rounds + 1 == world.give_up_after):
            return DIVERGED
    return DIVERGED


@kernel
def begin_together(model: Model, state: State, work: ImplicitScratch, contacts: np.ndarray) -> None:
    """Begin with the forces with which these contacts were left, those of edges and bodies first."""
    world, run, chains = model.world[0], work.newton[0], model.chain_system.chains
    presses = False
    for row in contacts[: run.pairs]:
        presses = presses or row.normal > 0.0
    for c in range(len(chains)):
        if work.together[c] and chains[c].size == SEVEN:
            spinning_rod.bind(model, state, work, c)
        elif work.together[c]:
            bind_given(model, state, work, c)
    run.of_rods = len(model.surfaces.faces) + len(model.bodies) == 0 and (world.preview or len(model.planes) == 0)
    begin(run, TENSE if world.preview and run.of_rods and presses else EXACT)
    # without forces, which each iteration then changes, so that it squares nothing
    run.begins, run.near, run.known, run.aged = state.clock[0].step == 0.0, 0, False, 0.0
    work.response.stiffness[1] = 0.0


@kernel
def find_step(
    model: Model, state: State, old: OldState, welded: WeldedScratch, work: ImplicitScratch, contacts: np.ndarray,
    spare: np.ndarray, times: Times,
) -> int:  # fmt: skip
    """The change of all unknowns, without what edges and bodies that touch answer to it, and their response: by the
    last matrix while that is near enough, else by one that has the inertia it should. FOUND, DIVERGED or FULL.
    """
    run, pairs, touching = work.newton[0], work.newton[0].pairs, contacts[: work.newton[0].pairs]
    run.kept = run.shift == 0.0 and len(contacts) == pairs
    if pairs == 0:
        run.kept = run.kept and run.since < MATRIX_KEPT
    else:
        run.kept = run.kept and run.form == TENSE and run.known and run.since < RESPONSE_KEPT
    if run.kept:
        solve_again(model, state, welded, work, times[0], False)
        before, run.near = run.near, bring_forward(model, state, old, work, touching, spare, run.near)
        return FOUND if run.near == before or find_response(model, work, contacts[: run.near], before) else FULL
    while True:
        surplus = solve_together(model, state, old, welded, work, contacts, times)
        if surplus > 0 and pairs > 0 and run.of_rods and run.form == EXACT:
            run.form, run.known = TENSE, False
            continue
        if pairs > 0 and (surplus == 0 or (surplus > 0 and run.shift == 0.0)):
            held = answer(model, state, old, work, touching, spare, surplus)
            if held == NO_ROOM:
                return FULL
            if held == STIFFENED:
                return FOUND
        if surplus == 0:
            return FOUND
        if not raise_shift(run):
            return DIVERGED


@kernel
def answer(
    model: Model, state: State, old: OldState, work: ImplicitScratch, contacts: np.ndarray, spare: np.ndarray,
    surplus: int,
) -> int:  # fmt: skip
    """Find the response of those contacts that are near, by a new matrix of which so many eigenvalues too many are
    negative: STIFFENED where contacts hold what is bent so, WRONG where they cannot or need not, or NO_ROOM.
    """
    run, in_haste = work.newton[0], model.world[0].preview
    there = run.near if run.known and surplus == 0 and run.aged < RESPONSE_KEPT else 0  # whose response is known
    listed = there if in_haste and run.of_rods else run.near  # in haste the others are judged again
    run.near = bring_forward(model, state, old, work, contacts, spare, listed)
    run.aged = run.aged if there > 0 else 0.0
    if run.near > there and not find_response(model, work, contacts[: run.near], there):
        return NO_ROOM
    run.known = surplus == 0
    return WRONG if run.near == 0 or surplus == 0 else stiffen(work.response, contacts[: run.near], surplus)


@kernel
def take_step(
    model: Model, state: State, old: OldState, work: ImplicitScratch, contacts: np.ndarray, times: Times
) -> tuple[float, float]:
    """Go with the solution, or with part of it. Returns (by how much things turn [rad], that part)."""
    chains, run, turned, wound, last = model.chain_system.chains, work.newton[0], 0.0, 0.0, -1
    run.left = 0.0
    for c in range(len(chains)):
        if work.together[c] and chains[c].size == SEVEN:
            own, left = judge(model, work, c, times[0])
            turned, run.left = max(turned, own), max(run.left, left)
        elif work.together[c]:
            turned = max(turned, furthest_turn(model, work, c))
            if chains[c].rod != last:
                last = chains[c].rod
                wound = max(wound, furthest_twist(model, work, last))
    part, stiff = part_of(turned, wound), run.near > 0 and is_stiff(work.response)
    if len(contacts) > run.pairs and not stiff:
        part = go_to_rest(model, state.x, old.x, work, contacts, times[1], part, -1)
    turned = max(turned, move_together(model, state, old, work, part, times[0]))
    if stiff:
        turned *= held_back(work.response)
    run.since, run.aged = turned + (run.since if run.kept else 0.0), turned + run.aged
    return turned, part


@kernel
def goes_on(model: Model, run: np.record, count: int, rounds: int) -> bool:
    """Whether what slides may go on in the next step, after so many iterations, where contact alone holds a rod bent:
    none of all `count` contacts is in the band.
    """
    hasty = model.world[0].preview
    loose = count == run.pairs and (run.of_rods or (hasty and len(model.bodies) == 0))
    loose = loose and rounds >= model.world[0].accept_after and not run.begins
    return loose and (run.form == TENSE or (hasty and run.near > 0))


@kernel
def is_calm(model: Model, run: np.record, turned: float, count: int) -> bool:
    """Whether edges that turned by so much [rad] will turn by no more than they may in the last iteration: what
    contacts in the band, of all `count`, leave is not squared by it.
    """
    if count > run.pairs or (run.near > 0 and run.begins):
        return turned < CALM
    return turned * (turned if run.pairs > 0 else run.since) < model.world[0].last_turn ** 2


@kernel
def lay_anew(model: Model, state: State, work: ImplicitScratch, r: int, rounds: int) -> None:
    """What acts on rod r, of Kirchhoff's, otherwise after so many iterations, and is no part of the matrix."""
    turn_edges(model, state, work, r)
    if model.rods[r].damped:
        lay_damping_anew(model, state, work, r, rounds)


@kernel
def lay_together_anew(model: Model, state: State, work: ImplicitScratch, rounds: int) -> None:
    """The same of all rods of work.together."""
    chains, last = model.chain_system.chains, -1
    for c in range(len(chains)):
        if work.together[c] and chains[c].rod != last:
            last = chains[c].rod
            if chains[c].size != SEVEN:
                lay_anew(model, state, work, last, rounds)


@kernel
def missing(
    model: Model, state: State, old: OldState, work: ImplicitScratch, contacts: np.ndarray, h: float, whole: bool
) -> tuple[float, float]:
    """What is missing at walls of the chains of work.together, as `keep_walls` has it; ∞ where lengths are."""
    off = doubted = 0.0
    for c in range(len(model.chain_system.chains)):
        if work.together[c]:
            own = keep_walls(state.x, old.x, work, contacts, c, h, whole)
            off, doubted = max(off, own[0]), max(doubted, own[1])
            if not keeps_lengths(model, state, c):
                off = inf
    return off, doubted
