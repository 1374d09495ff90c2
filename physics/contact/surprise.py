"""What an implicit step did otherwise than expected, and whether rods may have met by that unseen.

A step's contacts are the listed pairs that may close by the way things were expected to go against each other, and a
margin. Whether they went so is known when the step is solved. Where something hit, or was whipped, they often did not;
but seldom so that a pair that was left out has had the way to meet. A step of half the length surprises less.
"""

import numpy as np

from .._jit import entry, kernel
from ..arrays import subtract
from ..model import Model, State
from .detect import capsules_meet
from .pair_list import spread
from .scratch import ContactScratch

MARGIN, HASTY_MARGIN = 0.5, 1.0  # mean radii; in Preview, whose steps are longer


@kernel
def margin_left(world: np.record) -> float:
    """By how much [m] two edges may come nearer than expected until that is looked into."""
    return (HASTY_MARGIN if world.hasty else MARGIN) * world.radius


@entry
def are_missed(model: Model, state: State, x0: np.ndarray, work: ContactScratch) -> bool:
    """Whether pairs may have met in a step from x0 (N, 3) to state.x that are no contacts, or not even listed."""
    listing, margin = state.listing[0], margin_left(model.world[0])
    subtract(state.x, x0, work.done)
    near = 2.0 * spread(state.x, state.listed, listing.late)
    if near <= listing.near and 2.0 * spread(work.done, work.foreseen) <= margin:
        return False
    return near > listing.skin or is_any_missed(model, state, x0, work, near)


@kernel
def is_any_missed(model: Model, state: State, x0: np.ndarray, work: ContactScratch, near: float) -> bool:
    """Whether a listed pair may have met in a step from x0 (N, 3) that is no contact. near [m]: how wide gaps were at
    most, when listed, that may have closed by more than was expected then.
    """
    things, listing, margin = (model.capsules, model.rods), state.listing[0], margin_left(model.world[0])
    for p in range(listing.count):
        pair, gone = state.pairs[p], listing.late * state.pairs[p].clear
        if pair.gap > near + gone or not capsules_meet(*things, pair, x0, work.done, True, 0.0, work.spare[0]):
            continue
        if pair.gap > listing.near + gone:
            return True
        if not capsules_meet(*things, pair, x0, work.foreseen, True, margin, work.spare[0]):
            return True
    return False
