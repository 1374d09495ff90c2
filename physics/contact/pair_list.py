"""The list of pairs that may touch, made anew only when something has moved by half the skin."""

from math import sqrt

import numpy as np

from .._jit import entry, kernel
from ..arrays import copy_rows
from ..model import Model, State
from .capsule_pairs import capsule_pairs
from .inequality_constraints import inherit
from .scratch import ContactScratch

WIDER = 4.0  # times the skin that an empty list tries next, so that what is far apart may move far in a step

LASTING = 6.0  # margins that a list is to last for: some eight steps,
ROOMY = 3.0  # where that takes no more than so many of the world's skins


@kernel
def spread(x: np.ndarray, y: np.ndarray) -> float:
    """Largest distance of x − y (n, 3) from its mean [m]: motion as a whole brings nothing nearer."""
    n = len(x)
    a = b = c = 0.0
    for i in range(n):
        a, b, c = a + x[i, 0] - y[i, 0], b + x[i, 1] - y[i, 1], c + x[i, 2] - y[i, 2]
    a, b, c = a / n, b / n, c / n
    square = 0.0
    for i in range(n):
        d = (x[i, 0] - y[i, 0] - a) ** 2 + (x[i, 1] - y[i, 1] - b) ** 2 + (x[i, 2] - y[i, 2] - c) ** 2
        if d > square:
            square = d
    return sqrt(square)


@kernel
def contact_margin(world: np.record, moved: float) -> float:
    """Gap [m] below which a pair may close in a step in which nothing moves further than `moved` [m] from the mean; a
    little more, for what the projection adds.
    """
    return 2.4 * moved + 0.1 * world.skin


@kernel
def pairs_within(model: Model, x: np.ndarray, skin: float, state: State, work: ContactScratch) -> int:
    """Fill state.pairs with the pairs nearer than `skin` [m]; returns how many there are."""
    things = model.capsules, model.rods, model.joined, model.strangers
    return capsule_pairs(*things, x, skin, work.boxes, state.pairs)


@entry
def list_pairs(model: Model, state: State, x0: np.ndarray, work: ContactScratch, margin: float) -> bool:
    """Keep the list of pairs complete for gaps below `margin` [m] at x0 (N, 3); false when it has no room: then it is
    as it was.
    """
    listing, world = state.listing[0], model.world[0]
    if listing.count >= 0:
        listing.near = 2.0 * spread(x0, state.listed) + margin
        if listing.near <= listing.skin:
            return True
    known = max(listing.count, 0)
    for p in range(known):
        work.old_pairs[p] = state.pairs[p]
    skin = max(world.skin, 2.0 * margin, min(LASTING * margin, ROOMY * world.skin))
    wide = min(WIDER * listing.skin, world.widest_skin)
    if known == 0 and wide > skin and pairs_within(model, x0, wide, state, work) == 0:
        skin, count = wide, 0
    else:
        count = pairs_within(model, x0, skin, state, work)
        if count > len(state.pairs):
            for p in range(known):
                state.pairs[p] = work.old_pairs[p]
            return False
    copy_rows(x0, state.listed)
    listing.skin, listing.count, listing.near = skin, count, margin
    inherit(work.old_pairs, known, state.pairs, count, work.first, work.following)
    return True
