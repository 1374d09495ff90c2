"""What an implicit step did otherwise than expected, and whether rods may have met by that unseen.

A step's contacts are the listed pairs that may close by the way things were expected to go against each other, and a
margin. Whether they went so is known when the step is solved. Where something hit, or was whipped, they often did not;
but seldom so that a pair that was left out has had the way to meet: pairs are listed by that. A step of half the length
surprises less.
"""

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.arrays import subtract
from ..model import CAPSULES, Model, State
from .capsule_pairs import capsule_pairs
from .detect import capsules_meet
from .pair_list import reckon, spread
from .scratch import ContactScratch

MARGIN = 0.5  # mean radii


@kernel
def margin_left(world: np.record) -> float:
    """By how much [m] two edges may come nearer than expected until that is looked into."""
    return MARGIN * world.radius


@entry
def are_missed(model: Model, state: State, x0: np.ndarray, work: ContactScratch) -> bool:
    """Whether pairs have had the way to meet in a step from x0 (N, 3) to state.x that are no contacts of it, or
    there is no room to tell.
    """
    listing, things = state.listings[CAPSULES], (model.capsules, model.rods)
    subtract(state.x, x0, work.done)
    strayed = 2.0 * spread(work.done, work.foreseen) > margin_left(model.world[0])
    if not strayed and 2.0 * spread(state.x, state.listed, listing.age_at_step_end) <= listing.near:
        return False
    reckon(x0, work.done, 1.0, work.reckoned)
    count = capsule_pairs(
        *things, model.joined, model.collision_filter, work.reckoned, (0.0, 1.0, 0.0), work.runs, work.found
    )
    if count > len(work.found):
        listing.asked = count
        return True
    for p in range(count):
        pair = work.found[p]
        if capsules_meet(*things, pair, x0, work.done, True, 0.0, work.spare[0]) and not is_contact(
            model, state, pair, x0, work
        ):
            return True
    return False


@kernel
def is_contact(model: Model, state: State, pair: np.record, x0: np.ndarray, work: ContactScratch) -> bool:
    """Whether a PAIR is listed, and was expected to be able to meet in a step from x0 (N, 3)."""
    listing = state.listings[CAPSULES]
    for p in range(listing.count):
        own = state.pairs[p]
        if own.i == pair.i and own.j == pair.j:
            margin = margin_left(model.world[0])
            return own.gap <= listing.near + listing.age_at_step_end * own.closing and capsules_meet(
                model.capsules, model.rods, own, x0, work.foreseen, True, margin, work.spare[0]
            )
    return False
