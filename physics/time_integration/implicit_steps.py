"""Advances a State over a stretch of time by implicit steps: as long as is asked for, with frames that resist, then a
half, a quarter … of that where a step cannot be taken, from where they grow again.
"""

from math import floor, inf

from .._jit import entry, kernel
from ..constraints.reeling import reel_step
from ..contact.room import asks_too_much, lacks_room
from ..contact.surprise import are_missed
from ..implicit.chain import has_frames
from ..implicit.frames import take_frames
from ..model import SURFACES, Model, State
from ..rods.director_motion import lay_material_frames
from ..rods.elastic_forces import elastic_forces
from ..rods.keyed_numbers import lay_numbers
from . import bdf2
from .bdf2 import bends_far, hits, look_back, turns_far
from .energy_look import begin_look, catch_up, is_looked_at, note, pass_by, wins
from .even_division import driver, steps_in
from .halving import BRIEF, halving
from .step_limit import fastest_approach, fastest_pair, fastest_strike
from .symplectic_euler import (
    DONE,
    GAINS,
    PAIRS_FULL,
    TOO_DEEP,
    TOO_FAR,
    TWIST_LOST,
    fastest_rod,
    fastest_thing,
    keep,
)
from .symplectic_euler import take_back as put_back
from .verify import verify
from .workspace import Workspace

FINEST = 2.0**-20  # of what is asked for
HOPELESS = 1000  # tries that fail in a usual step, in Preview in a whole stretch
GROWTH, HASTY = 1.2, 1.5  # a step, the latter in Preview: there one does not look back on a shorter one
LESS = 0.25  # of a step that found no end twice, in Preview
SHORT = 1.0 / 16.0
WEARY = 100  # of these, behind which steps may win: a clamp that takes hold turned right round has each of them win
FOLDING = 1.0 / 64.0  # of a usual step: in longer ones no hinge folds or unfolds at once
FRICTION_SHARE = 0.5  # of friction's moments that are left that acts in a usual step
Own = tuple[Model, State, Workspace, float, float]  # the usual step [s], and the third difference's weight


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
    if state.listings[SURFACES].count > 0:
        rate = fastest_strike(model, state, rate)
    if model.world[0].skin > 0.0:
        rate = fastest_pair(model, state, fastest_approach(state.v, model.nodes), rate, True)
    return 1.0 / rate if rate > least else longest


@kernel
def longest(own: Own, _taken: int, _halved: bool, _kept: float) -> tuple[float, float]:
    """The longest step now [s]: see even_division.driver."""
    model, state, _, usual, _ = own
    before = state.clock[0].step
    growth = HASTY if model.world[0].preview else GROWTH
    limit = contact_step(model, state, longer(before, usual, growth) if before > 0.0 else usual)
    return reel_step(model, state.clock[0].time, limit), 0.0


@kernel
def begin(own: Own) -> tuple[int, int, float]:
    """What an attempt changes is remembered: see `halving`."""
    keep(own[1], own[2].old)
    return DONE, 0, 0.0


@kernel
def needed(own: Own, status: int, h: float) -> int:
    """The status, or where lists ask for more than is ample, that a step was too long: a shorter one needs less."""
    too_long = status == PAIRS_FULL and h > BRIEF * own[3] and asks_too_much(own[0], own[1])
    return TOO_FAR if too_long else status


@kernel
def attempt(own: Own, h: float, _usual: float, _begun: float, last: bool) -> tuple[int, int, int]:
    """One of h [s], taken again without a past where things hit each other, verified and accepted: see `halving`."""
    model, state, work, usual, third = own
    tried, impact = work.tried[0], False
    if len(model.keyed.keyed) > 0:
        lay_numbers(model, state.clock[0].time + h)
        look_now(model, state, work)
    while True:
        of = look_back(model, state, h, third, impact)
        status, rod, rounds, count = bdf2.attempt(model, state, work, h, of, tried.resists)
        tried.rounds += rounds
        if status != DONE:
            return needed(own, status, h), rod, rod
        rod = bends_far(model, state.x, work.old.x) if h > FOLDING * usual else -1
        if rod >= 0:
            return TOO_FAR, rod, rod
        contacts = work.contact.contacts[:count]
        if impact or not hits(state, work.old, contacts, work.contact.pushes, h, usual):
            break
        impact = True
        if state.clock[0].past <= 0:
            break  # it did not count anyway
        put_back(state, work.old)
    if model.world[0].skin > 0.0 and are_missed(model, state, work.old.x, work.contact):
        rod = fastest_rod(model.rods, state.x, work.old.x)
        return needed(own, PAIRS_FULL if lacks_room(state) else TOO_FAR, h), rod, rod
    status, rod, other = verify(model, state, work, inf, inf, count, h)
    if status != DONE:
        return needed(own, status, h), rod, other
    if is_looked_at(model, work) or whips(model, state, h):
        if not work.look[0].known:
            catch_up(model, state, work)
        won = wins(model, state, work, contacts, h, usual, 1.0)
        if won and not last and tried.failed < WEARY:
            return GAINS, rod, other
        note(state, work, h, won, fastest_thing(model, state, work.old)[0] if won else 0)
    else:
        pass_by(state, work, h)
    bdf2.accept(model, state, work, contacts, of, h, FRICTION_SHARE * h / usual, impact)
    tried.resists = tried.resists and longer(h, usual, HASTY) < usual
    return DONE, 0, 0


@kernel
def look_now(model: Model, state: State, work: Workspace) -> None:
    """What rods hold now, before a step, by their frames."""
    for r in range(len(model.rods)):
        if has_frames(model, r):
            take_frames(model, state, work.implicit, r, state.x)
    begin_look(model, state, work)


@kernel
def whips(model: Model, state: State, h: float) -> bool:
    """Whether any rod's edge has turned far in a step of h [s]: there one may win, whatever rods are like."""
    for r in range(len(model.rods)):
        if turns_far(model, state, r, h):
            return True
    return False


@kernel
def take_back(own: Own) -> None:
    """To where it began, without a past."""
    _, state, work, _, _ = own
    put_back(state, work.old)
    state.clock[0].past = min(state.clock[0].past, 0)


@kernel
def shorter(own: Own, status: int, h: float, _usual: float) -> float:
    """What to try next [s], or 0: see `halving`. As long a step, the first time that Newton's method found no end."""
    model, _, work, usual, _ = own
    tried, hasty, least = work.tried[0], model.world[0].preview, FINEST * usual
    if status == GAINS:
        tried.failed += 1
        return 0.25 * h if 0.25 * h >= least else 0.0
    if status == PAIRS_FULL:
        return 0.0
    too_long = status in (TOO_FAR, TOO_DEEP)
    if tried.resists or hasty or too_long:
        h *= LESS if hasty and tried.resists and not too_long else 0.5
    tried.resists, tried.failed = True, tried.failed + 1
    return h if h >= least and tried.failed < HOPELESS else 0.0


go_on = driver(longest, halving(begin, attempt, take_back, shorter), 0.0, 0.0, 1, inf)


def implicit_steps(
    model: Model, state: State, work: Workspace, duration: float, longest: float, third: float = 0.0
) -> tuple[int, int, int, int, int]:
    """Go on by `duration` [s] in even steps of at most `longest` [s]; third: weight of the third difference, see bdf2.

    Returns (status, the rod it concerns, the other one, steps taken, iterations). Raises ValueError of a Model that was
    assembled for explicit steps.
    """
    if not len(model.chain_system.chains):
        raise ValueError("This Model has no chains: it was assembled for explicit steps.")
    return even_steps(model, state, work, duration, longest, third)


@entry
def even_steps(
    model: Model, state: State, work: Workspace, duration: float, longest: float, third: float
) -> tuple[int, int, int, int, int]:
    """What `implicit_steps` does."""
    lay_numbers(model, state.clock[0].time)
    failed = elastic_forces(model, state, work.elastic) if any_framed(model) else -1
    if failed >= 0:
        return TWIST_LOST, failed, failed, 0, 0
    look_now(model, state, work)
    count, tried, total = steps_in(duration, longest), work.tried[0], 0
    parts = 1 if model.world[0].preview else count  # few steps are made fewer than by halves only where all are divided
    own, status, rod, other, tried.rounds = (model, state, work, duration / count, third), DONE, 0, 0, 0
    for _ in range(parts):
        tried.failed, tried.resists = 0, False
        status, rod, other, taken, _ = go_on(own, duration / parts, 0.0, 0.0)
        total += taken
        if status != DONE:
            break
    if rod < 0:
        rod = other = fastest_rod(model.rods, state.x, work.old.x)
    lay_material_frames(model, state, work.elastic)
    return status, rod, other, total, tried.rounds
