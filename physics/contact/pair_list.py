"""The list of pairs that may touch, made anew only when something has moved by half the skin."""

from math import sqrt

from .._jit import njit
from ..arrays import copy_rows, fill
from .capsule_pairs import capsule_pairs
from .inequality_constraints import inherit

WIDER = (
    4.0  # a list that was empty tries a skin so many times as wide, so that what is far apart may move far in a step
)


@njit
def spread(x, y):
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


@njit
def contact_margin(capsules, moved):
    """Gap [m] below which a pair may close in a step in which nothing moves further than `moved` [m] from the mean; a
    little more, for what the projection adds.
    """
    return 2.4 * moved + 0.1 * capsules.skin[0]


@njit
def pairs_within(capsules, x, skin, state, work):
    """Fill state.pairs with the pairs nearer than `skin` [m]; returns how many there are."""
    fill(skin, work.skin)
    return capsule_pairs(capsules, x, work.skin, work.boxes, state.pairs)


@njit
def list_pairs(model, state, work, margin):
    """Keep the list of pairs complete for gaps below `margin`; false when it has no room: then it is as it was."""
    capsules = model.capsules
    if state.pair_count[0] >= 0 and 2.0 * spread(work.x0, state.listed) + margin <= state.clock[2]:
        return True
    known = max(state.pair_count[0], 0)
    for p in range(known):
        for c in range(2):
            work.old_pairs[p, c] = state.pairs[p, c]
        for c in range(4):
            work.old_force[p, c] = state.pair_force[p, c]
    skin = max(capsules.skin[0], 2.0 * margin)
    wide = min(WIDER * state.clock[2], capsules.widest_skin[0])
    if known == 0 and wide > skin and pairs_within(capsules, work.x0, wide, state, work) == 0:
        skin, count = wide, 0
    else:
        count = pairs_within(capsules, work.x0, skin, state, work)
        if count > len(state.pairs):
            for p in range(known):
                for c in range(2):
                    state.pairs[p, c] = work.old_pairs[p, c]
            return False
    copy_rows(work.x0, state.listed)
    state.clock[2], state.pair_count[0] = skin, count
    inherit(work.old_pairs, work.old_force, known, state.pairs, count, work.first, work.following, state.pair_force)
    return True
