"""Sweeps over the edges that touch: Gauss–Seidel on their response D.

Each begins further on by β of the way that things went, as those of `conjugate_sweeps` do. What slides answers as if D
were not symmetric, and so begun, sweeps may go round for ever, as where a rope is drawn around a post: β may be no more
than half as large from each on that changes twice as much as the last, and a tenth more from each that does not. Where
it fades all the same, sweeps go to and fro, and begin further on after both: a change of force runs along a rope at
once where contacts come in that order. (What rolls ends more precisely without any of that.)
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, dot, plus, scaled, vector
from ..contact.carriers.points import carriers
from ..contact.conjugate_sweeps import begin_sweeps, changed_by, go_further
from ..contact.kept_forces import pressing
from ..contact.scratch import FRAMES
from .pair_contact import answer
from .scratch import ContactResponse

SWEEPS, HASTY = 60, 30  # in an iteration, the latter in Preview: what is missing then is left to the next one,
FIRST_SWEEPS = 600  # but in the first step, which begins with no forces, would roll what they are to hold
CLOSE = 0.01  # of the smaller radius, over what edges may turn by in Newton's last iteration: what a sweep may change,
PART = 0.1  # and where something rolls of what the first one changes: else what rests creeps;
WORSE, FADE, RECOVER = 2.0, 0.5, 1.1  # of what the last sweep changed, by which β fades, to what part, and back
ASTRAY = 0.3  # the most that β may be, below which sweeps go to and fro
LEAST = 3e-8  # but no less than this of the radius, and in the first step no more: a heap would begin to come apart


@kernel
def settle(contacts: np.ndarray, own: ContactResponse, h: float, world: np.record, begins: bool) -> None:
    """Sweeps over all contacts of a step, which begins without forces or not, until little changes, by what edges may
    turn by in Newton's last iteration: forces in the rows, and their changes in own.push.
    """
    last, most, moves = 0.0, 1.0, 3 * own.begin[len(own.begin) - 1]
    shift, before, further = own.shift[:moves], own.shift_before[:moves], own.shift_lead[:moves]
    begin_sweeps(contacts)
    for i in range(moves):
        shift[i] = before[i] = further[i] = 0.0
    enough, rolls = CLOSE * world.last_turn, False
    for q in range(len(contacts)):
        own.push[q, 0], own.push[q, 1], own.push[q, 2] = scaled(-1.0, pressing(contacts[q]))
        rolls = rolls or carriers(contacts[q]) & FRAMES != 0
    sweeps = FIRST_SWEEPS if rolls and begins else HASTY if world.preview and not rolls else SWEEPS
    to_and_fro = back = False
    for k in range(sweeps):
        largest = sweep(contacts, own, h, back)
        if k == 0 and rolls:
            enough = LEAST if begins else min(enough, max(PART * largest, LEAST))
        if largest < enough or k == sweeps - 1:
            break
        back = to_and_fro and not back
        if back:
            continue
        changed = changed_by(contacts)
        if not rolls:
            most = most * FADE if changed >= WORSE * last > 0.0 else min(most * RECOVER, 1.0)
            to_and_fro = to_and_fro or most < ASTRAY
        part, last = min(changed / last, most) if changed < last else 0.0, changed
        for q in range(len(contacts)):
            go_further(contacts[q], part)
        for i in range(moves):
            now = shift[i] + part * further[i]
            further[i], before[i], shift[i] = now - before[i], now, now
    for q in range(len(contacts)):
        f = plus(vector(own.push[q]), 1.0, pressing(contacts[q]))
        own.push[q, 0], own.push[q, 1], own.push[q, 2] = f


@kernel
def sweep(contacts: np.ndarray, own: ContactResponse, h: float, back: bool) -> float:
    """What each contact answers in turn, the last one first on the way back. Returns the largest way by a change of
    force, over the smaller radius.
    """
    largest = 0.0
    for i in range(len(contacts)):
        q = len(contacts) - 1 - i if back else i
        row = contacts[q]
        if row.weight > 0.0:
            f = answer(row, way_now(q, own), own.block[q], h)
            size = sqrt(dot(f, f))
            if size > 0.0:
                largest = max(largest, size * row.weight / row.radius)
                spread(q, f, own)
    return largest


@kernel
def way_now(q: int, own: ContactResponse) -> Vector:
    """The way of contact q, with all changes of forces."""
    x, y, z = vector(own.way[q])
    for side in range(2):
        i = 3 * own.meeting[q, side]
        if i >= 0:
            x, y, z = x + own.shift[i], y + own.shift[i + 1], z + own.shift[i + 2]
    return x, y, z


@kernel
def spread(q: int, f: Vector, own: ContactResponse) -> None:
    """A force on contact q moves all that meet it."""
    for side in range(2):
        e = own.meeting[q, side]
        if e < 0:
            continue
        g = own.group[e]
        begin, size = own.begin[g], 3 * (own.begin[g + 1] - own.begin[g])
        i, shift = own.square[g] + 3 * size * (e - begin), own.shift[3 * begin : 3 * begin + size]
        x, y, z = own.entries[i : i + size], own.entries[i + size : i + 2 * size], own.entries[i + 2 * size :]
        for l in range(size):
            shift[l] += x[l] * f[0] + y[l] * f[1] + z[l] * f[2]
