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
from .chain import bind_given, unknowns_of
from .contact_correction import any_left_out, bring_forward, find_response, press_apart
from .contact_stiffness import NO_ROOM, WRONG, held_back, is_stiff, stiffen
from .frames import carry
from .internal_damping import lay_damping_anew
from .kept_lengths import fit_lengths, fit_lengths_together, keeps_lengths
from .line_search import go_to_rest
from .moves import furthest_turn, furthest_twist, move, move_together, strain_left
from .newton_step import HEAVIEST, Times, make_heavier, make_lighter, solve, solve_again, solve_together
from .pair_contact import lay_torques
from .rod_equations import CONVEX, EXACT, TENSE
from .scratch import BLOCK, ImplicitScratch
from .wall_contact import keep_walls

KEPT = 0.05  # rad, by what edges may have turned since Newton's matrix was made: it multiplies their turn by that
FAR = 0.7  # rad, in one iteration
WOUND = 1.5  # rad, the same of a hinge's twist: by half a turn or more none tells which way it went
ROUNDS, HASTY = 40, 16  # the latter in Preview, of what touches or is tied: two halves are cheaper then
PRECISION = 1e-10  # of the radius: what may be missing where things touch at rest, or by forces that are yet in doubt,
HASTE = 1e-5  # and where they hit each other, after PATIENCE iterations, whatever the forces
PATIENCE = 12
DOUBT = 1e-3  # by which in Preview what is in doubt may be missing before that
CALM = 1e-5  # rad, and by what edges may still turn
HELD = 0.3  # rad, the same as KEPT where contact alone holds a rod bent, and of the response of what touches
SLIGHT = 0.01  # of the energy of the motion that a solution is, what it may leave of elastic energy
AT_ONCE = 0.5  # of what edges may turn by in the last iteration where that is the first one
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
    chain, heavier, again, since, form = model.chain_system.chains[c], 0.0, False, inf, EXACT
    framed = unknowns_of(chain, work) == BLOCK
    if framed:
        bind_given(model, state, work, c)
    hasty = model.world[0].hasty
    for rounds in range(HASTY if hasty and work.wall[c] < 0 else ROUNDS):
        if rounds > 0 and model.rods[chain.rod].damped:
            lay_damping_anew(model, state, work, chain.rod, rounds)
        kept = since < KEPT and heavier == 0.0
        while not solve(model, state, work, contacts, x0, c, times, (heavier, kept, form)):
            if kept:
                kept = False
                continue
            if form < CONVEX and hasty and work.wall[c] < 0:
                form += 1  # EXACT, TENSE, CONVEX
                continue
            heavier = make_heavier(heavier, again)
            if heavier > HEAVIEST:
                return DIVERGED
        turned = furthest_turn(model, work, c)
        scale = FAR / turned if turned > FAR else 1.0
        if framed:
            scale = unwound(scale, furthest_twist(model, work, chain.rod))
        if framed and len(contacts) > 0:
            scale = go_to_rest(model, state.x, x0, work, contacts, times[1], scale, c)
        if framed and len(contacts) > 0:
            since = scale * turned + (since if kept else 0.0)
        move(model, state, work, c, scale)
        if framed:
            turned = max(turned, 0.1 * carry(model, state, work, chain.rod, scale))
        if len(contacts) == 0:
            done = turned < model.world[0].last_turn and strain_left(model, state, work, c) <= SLIGHT
            done = done and fit_lengths(model, state, work, spare, c, times[0])
        else:
            done = turned < CALM and keeps_lengths(model, state, c)
            if done:  # walls press on by that
                left = keep_walls(state.x, x0, work, contacts, c, times[1], is_whole(heavier, scale))
                done = settled(left, rounds, hasty)
        if done:
            if heavier == 0.0 or again:
                return rounds + 1
            heavier, again = 0.0, True  # heavy things hardly move, though nothing turns
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
    spares: tuple[np.ndarray, ConstraintScratch],
    times: Times,
) -> int:
    """The same for all chains of work.together, and the bodies. contacts: CONTACT, those of edges and bodies first;
    spares: a CONTACT (1,), and what finds lengths, which are overwritten. FULL: there is no room for their response.
    """
    spare, lengths = spares
    chains, pairs, near, known = model.chain_system.chains, 0, 0, False
    while pairs < len(contacts) and not contacts[pairs].in_band:
        pairs += 1
    for c in range(len(chains)):
        if work.together[c]:
            bind_given(model, state, work, c)
    world = model.world[0]
    close = world.last_turn**2
    of_rods = len(model.surfaces.faces) + len(model.bodies) == 0 and (world.hasty or len(model.planes) == 0)
    form = TENSE if world.hasty and of_rods and presses(contacts[:pairs]) else EXACT
    heavier, again, since, aged, work.response.stiffness[1] = 0.0, False, inf, 0.0, 0.0
    # without forces, which each iteration then changes, so that it squares nothing
    begins = state.clock[0].step == 0.0
    for rounds in range(HASTY if world.hasty else ROUNDS):
        if rounds > 0:
            lay_damping_together(model, state, work, rounds)
        lay_torques(state, old, work, contacts[:pairs])
        kept = heavier == 0.0 and (since < KEPT if len(contacts) == 0 else form == TENSE and known and since < HELD)
        kept = kept and len(contacts) == pairs
        if kept:
            solve_again(model, state, welded, work, times[0])
            before, near = near, bring_forward(model, state, old, work, contacts[:pairs], spare, near)
            if near > before and not find_response(model, work, contacts[:near], before):
                return FULL
        while not kept:
            surplus = solve_together(model, state, old, welded, work, contacts, times, (heavier, form))
            if surplus > 0 and pairs > 0 and of_rods and form == EXACT:
                form, known = TENSE, False
                continue
            if pairs > 0 and (surplus == 0 or (surplus > 0 and heavier == 0.0)):
                there = near if known and surplus == 0 and aged < HELD else 0  # those whose response is known
                listed = there if world.hasty and of_rods else near  # in haste the others are judged again
                near = bring_forward(model, state, old, work, contacts[:pairs], spare, listed)
                aged = aged if there > 0 else 0.0
                if near > there and not find_response(model, work, contacts[:near], there):
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
        turned, wound, last = 0.0, 0.0, -1
        for c in range(len(chains)):
            if work.together[c]:
                turned = max(turned, furthest_turn(model, work, c))
                if chains[c].rod != last:
                    last = chains[c].rod
                    wound = max(wound, furthest_twist(model, work, last))
        scale = unwound(FAR / turned if turned > FAR else 1.0, wound)
        if len(contacts) > pairs and not (near > 0 and is_stiff(work.response)):
            scale = go_to_rest(model, state.x, old.x, work, contacts, times[1], scale, -1)
        turned = max(turned, move_together(model, state, old, work, scale, times[0]))
        if near > 0 and is_stiff(work.response):
            turned *= held_back(work.response)
        since, aged = turned + (since if kept else 0.0), turned + aged
        slides = (of_rods or (world.hasty and len(model.bodies) == 0)) and len(contacts) == pairs
        slides = slides and rounds >= world.sliding and not begins
        slides = slides and (form == TENSE or (world.hasty and near > 0))
        leaves = slides and heavier == 0.0 and turned < (world.left if rounds > 0 else AT_ONCE * world.left)
        if world.hasty and of_rods and come_nearer(model, state, contacts[:pairs], times[1], True):
            leaves = leaves and rounds + 1 == world.endless
        if leaves and fit_lengths_together(model, state, old, welded, work, lengths, times[0]):
            return rounds + 1
        calm = len(contacts) > pairs or (near > 0 and begins)
        if turned < CALM if calm else turned * (turned if pairs > 0 else since) < close:
            if len(contacts) == 0 and heavier == 0.0:
                done = fit_lengths_together(model, state, old, welded, work, lengths, times[0])
            else:
                left = missing(model, state, old, work, contacts, times[1], is_whole(heavier, scale))
                done = settled(left, rounds, world.hasty)
            if done and not any_left_out(state, old, work, contacts[near:pairs]):
                if heavier == 0.0 or again:
                    return rounds + 1
                heavier, again, since = 0.0, True, inf
        if not turned < inf or (slides and rounds + 1 == world.endless):
            return DIVERGED
    return DIVERGED


@kernel
def lay_damping_together(model: Model, state: State, work: ImplicitScratch, rounds: int) -> None:
    """What `lay_damping_anew` does, of all rods of work.together."""
    chains, last = model.chain_system.chains, -1
    for c in range(len(chains)):
        if work.together[c] and chains[c].rod != last:
            last = chains[c].rod
            if model.rods[last].damped:
                lay_damping_anew(model, state, work, last, rounds)


@kernel
def presses(contacts: np.ndarray) -> bool:
    """Whether any of them does, as the last step left it."""
    for q in range(len(contacts)):
        if contacts[q].normal > 0.0:
            return True
    return False


@kernel
def unwound(scale: float, wound: float) -> float:
    """So much of a solution, at most, that by itself twists a hinge by `wound` [rad]."""
    return WOUND / wound if scale * wound > WOUND else scale


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


@kernel
def settled(left: tuple[float, float], rounds: int, hasty: bool) -> bool:
    """Whether after so many iterations what is left to do at walls may be left, as `keep_walls` has it."""
    off, doubted = left
    if rounds >= PATIENCE:
        return off < HASTE
    return off < HASTE and doubted < DOUBT if hasty else max(off, doubted) < PRECISION


@kernel
def is_whole(heavier: float, scale: float) -> bool:
    """Whether things have gone all of a solution, of what they weigh: then the forces that it asks for hold."""
    return scale == 1.0 and (heavier == 0.0 or heavier == HEAVIEST)
