"""Advances a State over a stretch of time by implicit steps: as long as is asked for, with frames that resist, then a
half, a quarter … of that where a step cannot be taken, from where they grow again.
"""

from math import floor, inf

from .._jit import entry, kernel
from ..contact.renewed_list import has_ample_room
from ..contact.surprise import are_missed
from ..implicit.chain import has_frames
from ..implicit.frames import take_frames
from ..model import Model, State
from ..rods.director_motion import lay_material_frames
from ..rods.elastic_forces import elastic_forces
from .bdf2 import accept, attempt, bends_far, hits, look_back
from .energy_look import QUARTERS, begin_look, catch_up, is_looked_at, note, wins
from .even_division import steps_in
from .step_limit import fastest_approach, fastest_pair, fastest_strike
from .symplectic_euler import (
    DONE,
    GAINS,
    PAIRS_FULL,
    TOO_DEEP,
    TOO_FAR,
    TOUCHES,
    TWIST_LOST,
    fastest_rod,
    fastest_thing,
    keep,
    take_back,
)
from .verify import verify
from .workspace import Workspace

FINEST = 2.0**-20  # of what is asked for
HOPELESS = 1000  # tries that fail in a usual step, in Preview in a whole stretch
GROWTH, HASTY = 1.2, 1.5  # a step, the latter in Preview: there one does not look back on a shorter one
LESS = 0.25  # of a step that found no end twice, in Preview
SHORT = 1.0 / 16.0
BRIEF = 1.0 / 64.0  # of a usual step: what is near in one no longer than that may be near at once
FOLDING = 1.0 / 64.0  # of a usual step: in longer ones no hinge folds or unfolds at once
FRICTION_SHARE = 0.5  # of friction's moments that are left that acts in a usual step


def implicit_steps(
    model: Model, state: State, work: Workspace, duration: float, longest: float, third: float = 0.0
) -> tuple[int, int, int, int, int]:
    """Go on by `duration` [s] in even steps of at most `longest` [s]; third: weight of the third difference, see bdf2.

    Returns (status, the rod it concerns, the other one, steps taken, iterations); TOUCHES where a Cosserat rod does, or
    may in a step, which explicit steps have to take. Raises ValueError of a Model that was assembled for explicit
    steps.
    """
    if not len(model.chain_system.chains):
        raise ValueError("This Model has no chains: it was assembled for explicit steps.")
    return even_steps(model, state, work, duration, longest, third)


@entry
def even_steps(
    model: Model, state: State, work: Workspace, duration: float, longest: float, third: float
) -> tuple[int, int, int, int, int]:
    """What `implicit_steps` does."""
    ended = go_on(model, state, work, duration, longest, third)
    lay_material_frames(model, state, work.elastic)
    return ended


@kernel
def go_on(
    model: Model, state: State, work: Workspace, duration: float, longest: float, third: float
) -> tuple[int, int, int, int, int]:
    """What `implicit_steps` does, but for the frames of Cosserat rods."""
    failed = elastic_forces(model, state, work.elastic) if any_framed(model) else -1
    if failed >= 0:
        return TWIST_LOST, failed, failed, 0, 0
    for r in range(len(model.rods)):
        if has_frames(model, r):
            take_frames(model, state, work.implicit, r, state.x)
    begin_look(model, state, work)
    count = steps_in(duration, longest)
    usual, hasty = duration / count, model.world[0].hasty
    taken, iterations, growth = 0, 0, HASTY if hasty else GROWTH
    parts = 1 if hasty else count  # so few steps would be made fewer than by halves only where all are divided anew
    for _ in range(parts):
        left, resist, failures, quarters = duration / parts, False, 0, 0
        h = longer(state.clock[0].step, usual, growth) if state.clock[0].step > 0.0 else usual
        while left > 0.5 * FINEST * usual:
            h = left / steps_in(left, contact_step(model, state, h))
            keep(state, work.old)
            status, rod, other, rounds = step(
                model, state, work, h, usual, third, resist, quarters < QUARTERS and 0.25 * h >= FINEST * usual
            )
            iterations += rounds
            if status == DONE:
                taken, quarters = taken + 1, 0
                left -= h
                h = longer(h, usual, growth)
                resist = resist and h < usual
                continue
            take_back(state, work.old)
            state.clock[0].past = min(state.clock[0].past, 0)
            if status == PAIRS_FULL and h > BRIEF * usual and has_ample_room(model, state):
                status = TOO_FAR
            if status in (PAIRS_FULL, TOUCHES):
                return status, rod, other, taken, iterations
            if status == GAINS:
                h, quarters = 0.25 * h, quarters + 1
                continue
            if resist or hasty or status in (TOO_FAR, TOO_DEEP):
                h *= LESS if hasty and resist and status not in (TOO_FAR, TOO_DEEP) else 0.5
            resist, failures = True, failures + 1
            if h < FINEST * usual or failures == HOPELESS:
                return status, rod, other, taken, iterations
    return DONE, 0, 0, taken, iterations


@kernel
def any_framed(model: Model) -> bool:
    """Whether material frames of any rod are unknowns, which have to begin at their equilibrium."""
    for r in range(len(model.rods)):
        if has_frames(model, r):
            return True
    return False


@kernel
def longer(h: float, usual: float, growth: float) -> float:
    """The step after one of h [s] that could be taken: BDF2 goes on from it, but where it is very short, or one of few
    by which a usual one is divided evenly, of which there is to be one fewer. growth: times as long, at most.
    """
    pieces = floor(usual / h + 0.5)
    if pieces <= 2.0:
        return usual
    return min(max((growth if h > SHORT * usual else 2.0) * h, usual / (pieces - 1.0)), usual)


@kernel
def contact_step(model: Model, state: State, longest: float) -> float:
    """Largest step [s], of those up to the longest, by what is near and moves."""
    least = rate = 1.0 / longest
    if state.surface_listing[0].count > 0:
        rate = fastest_strike(model, state, rate)
    if model.world[0].skin > 0.0:
        rate = fastest_pair(model, state, fastest_approach(state.v, model.nodes), rate, True)
    return 1.0 / rate if rate > least else longest


@kernel
def step(
    model: Model, state: State, work: Workspace, h: float, usual: float, third: float, resist: bool, looked: bool
) -> tuple[int, int, int, int]:
    """One step of h [s], of `usual` ones [s], taken again without a past where things hit each other. looked: one that
    wins energy is none, GAINS.

    Returns (status, the rod it concerns, the other one, iterations).
    """
    total, impact = 0, False
    while True:
        of = look_back(model, state, h, third, impact)
        status, rod, rounds, count = attempt(model, state, work, h, of, resist)
        total += rounds
        if status != DONE:
            return status, rod, rod, total
        rod = bends_far(model, state.x, work.old.x) if h > FOLDING * usual else -1
        if rod >= 0:
            return TOO_FAR, rod, rod, total
        contacts = work.contact.contacts[:count]
        if impact or not hits(state, work.old, contacts, work.contact.pushes, h, usual):
            break
        impact = True
        if state.clock[0].past <= 0:
            break  # it did not count anyway
        take_back(state, work.old)
    if model.world[0].skin > 0.0 and are_missed(model, state, work.old.x, work.contact):
        rod = fastest_rod(model.rods, state.x, work.old.x)
        return TOO_FAR, rod, rod, total
    status, rod, other = verify(model, state, work, inf, inf, count, h)
    if status != DONE:
        return status, rod, other, total
    looked_at = is_looked_at(model, work)
    if looked_at:
        if not work.look[0].known:
            catch_up(model, state, work)
        won = wins(model, state, work, contacts, h, usual, 1.0)
        if won and looked:
            return GAINS, rod, other, total
        note(state, work, h, won, fastest_thing(model, state, work.old)[0] if won else 0)
    else:
        work.look[0].known, state.clock[0].given = False, 0.0
    accept(model, state, work, contacts, of, h, FRICTION_SHARE * h / usual, impact)
    return status, rod, other, total
