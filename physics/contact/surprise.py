"""What an implicit step did otherwise than expected, and whether rods may have met by that unseen.

A step's contacts are the listed pairs that may close by the way things were expected to go against each other, and a
margin. Whether they went so is known when the step is solved. Where something hit, or was whipped, they often did not;
but seldom so that a pair that was left out has had the way to meet. A step of half the length surprises less.
"""

from math import inf

import numpy as np

from .._jit import entry, kernel
from ..model import Model, State
from .detect import capsules_meet
from .pair_list import spread
from .passage import relative_motion
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
    near = 2.0 * spread(state.x, state.listed, listing.late)
    if near <= listing.near and 2.0 * spread(state.x, work.expected) <= margin:
        return False
    return near > listing.skin or is_any_missed(model, state, x0, work, margin, near)


@kernel
def is_any_missed(model: Model, state: State, x0: np.ndarray, work: ContactScratch, margin: float, near: float) -> bool:
    """Whether a listed pair may have met in a step from x0 (N, 3) that is no contact. margin [m]: of contacts; near:
    how wide gaps were at most, when listed, that may have closed by more than was expected then.
    """
    capsules, pairs, listing, row = model.capsules, state.pairs, state.listing[0], work.spare[0]
    for p in range(listing.count):
        gone = listing.late * pairs[p].clear
        if pairs[p].gap > near + gone:
            continue
        one, two = capsules[pairs[p].i], capsules[pairs[p].j]
        ends, foreseen = (one.tail, one.head, two.tail, two.head), -inf
        if pairs[p].gap <= listing.near + gone:
            foreseen = margin + relative_motion(work.expected, x0, *ends)
        went = relative_motion(state.x, x0, *ends)
        if went > foreseen and capsules_meet(capsules, model.rods, pairs[p], x0, went, row) and row.gap > foreseen:
            return True
    return False
