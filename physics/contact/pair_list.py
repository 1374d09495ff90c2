"""The list of pairs that may touch, made anew only when something has strayed by half the skin from the straight way
that it was expected to go, or an edge has grown by more than the list allows for: which places of a rod can touch
goes by how far apart they are along it.
"""

from math import sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.vectors import Vector, dot, plus, vector
from ..model import CAPSULES, Model, State
from .capsule_pairs import capsule_pairs
from .renewed_list import renew
from .scratch import ContactScratch

WIDER = 4.0  # times the skin that an empty list tries next: what goes d further apart makes log₄ d lists
# Margins that a list lasts for. Of these the step takes one, and each that went before it 2/ADDED: (6 − 1) ADDED/2 = 6
# steps. Of edges side by side there are as many pairs as the skin's square: so no more than so many of the world's.
LASTING, ROOMY = 6.0, 3.0
STEPS = 4.0  # that a list lasts for where it goes by velocities, the next one among them: `step_limit` looks ahead
ADDED, SLACK = 2.4, 0.1  # times `moved`, and parts of the skin: `verify` takes back a step that closes gaps by more
# The part by which edges may grow while a list is good, besides what they do in the next step. Places of a straight rod
# that come to be half a turn apart by that are (1 − 1/48) πr apart or more, and count as π/48 r nearer. Their gap is
# then still more than a radius, the skin of implicit steps: of such a rod nothing is listed, however fine it is.
STRETCH = 1.0 / 48.0


@kernel
def spread(x: np.ndarray, y: np.ndarray, late: float = 0.0) -> float:
    """Largest distance [m] of x (n, 3) from y (n, 3), or from where y (n, 6) [m, m/s] leads in so long [s], but for its
    mean: motion as a whole brings nothing nearer.
    """
    n, total, square = len(x), (0.0, 0.0, 0.0), 0.0
    for i in range(n):
        total = plus(total, 1.0, way_from(x, y, late, i))
    mean = total[0] / n, total[1] / n, total[2] / n
    for i in range(n):
        d = plus(way_from(x, y, late, i), -1.0, mean)
        if dot(d, d) > square:
            square = dot(d, d)
    return sqrt(square)


@kernel(forceinline=True)
def way_from(x: np.ndarray, y: np.ndarray, late: float, i: int) -> Vector:
    """Of row i: see `spread`."""
    d = x[i, 0] - y[i, 0], x[i, 1] - y[i, 1], x[i, 2] - y[i, 2]
    return d if late == 0.0 else (d[0] - late * y[i, 3], d[1] - late * y[i, 4], d[2] - late * y[i, 5])


@kernel
def stretched(capsules: np.ndarray, rods: np.ndarray, x: np.ndarray, y: np.ndarray) -> float:
    """The largest part by which an edge of a rod that stretches is longer at x (N, 3) than at y (N, 3 or more)."""
    most = 1.0
    for i in range(len(capsules)):
        if rods[capsules[i].rod].stretchable:
            a, b = capsules[i].tail, capsules[i].head
            e, f = plus(vector(x[b]), -1.0, vector(x[a])), plus(vector(y[b]), -1.0, vector(y[a]))
            square, before = dot(e, e), dot(f, f)
            if square > most * before:
                most = square / before
    return sqrt(most) - 1.0


@kernel
def contact_margin(world: np.record, moved: float) -> float:
    """Gap [m] below which a pair may close in a step in which nothing moves further than `moved` [m] from the mean:
    twice that, and a fifth of it for what the projection adds.
    """
    return ADDED * moved + SLACK * world.skin


@kernel
def reckon(x0: np.ndarray, moves: np.ndarray, h: float, found: np.ndarray) -> None:
    """Positions x0 (N, 3) [m], and the velocities of moves (N, 3) [m] in h [s], 0 in none: found (N, 6)."""
    k = 1.0 / h if h > 0.0 else 0.0
    for i in range(len(x0)):
        for c in range(3):
            found[i, c], found[i, 3 + c] = x0[i, c], k * moves[i, c]


@kernel
def pairs_within(model: Model, skin: float, lasting: float, longer: float, work: ContactScratch) -> int:
    """Fill work.found with those that come nearer than `skin` [m] in so long [s], while edges grow by no more than such
    a part; returns how many there are.
    """
    things = model.capsules, model.rods, model.joined, model.collision_filter
    return capsule_pairs(*things, work.reckoned, (skin, lasting, longer), work.runs, work.found)


@entry
def list_pairs(model: Model, state: State, x0: np.ndarray, work: ContactScratch, margin: float, h: float) -> bool:
    """Keep the list of pairs complete for a step from x0 (N, 3) to about state.x: for gaps below `margin` [m], and what
    they close by in h [s], by the moves work.foreseen; of no h: wherever that leads. False when it has no room: then it
    is as it was.
    """
    listing, world, time, things = (
        state.listings[CAPSULES],
        model.world[0],
        state.clock[0].time,
        (model.capsules, model.rods),
    )
    if listing.count >= 0:
        late = time - listing.time if h > 0.0 else 0.0
        stray = spread(x0, state.listed, late)
        if h > 0.0:
            stray = max(stray, spread(state.x, state.listed, late + h))
        listing.near, listing.age_at_step_end = 2.0 * stray + margin, late + h
        good = listing.near <= listing.skin and late + 2.0 * h <= listing.valid_for
        good = good and stretched(*things, x0, state.listed) <= listing.longer
        if good and stretched(*things, state.x, state.listed) <= listing.longer:
            return True
    skin = max(world.skin, 2.0 * margin, min(LASTING * margin, ROOMY * world.skin))
    wide, lasting, longer = min(WIDER * listing.skin, world.widest_skin), STEPS * h, STRETCH
    longer += stretched(*things, state.x, x0)
    reckon(x0, work.foreseen, h, work.reckoned)
    if listing.count <= 0 and wide > skin and pairs_within(model, wide, lasting, longer, work) == 0:
        skin, count = wide, 0
    else:
        count = pairs_within(model, skin, lasting, longer, work)
    if not renew(state.pairs, listing, count, work):
        return False
    reckon(x0, work.foreseen, h, state.listed)
    listing.skin, listing.near = skin, margin
    listing.time, listing.age_at_step_end, listing.valid_for, listing.longer = time, h, lasting, longer
    return True
