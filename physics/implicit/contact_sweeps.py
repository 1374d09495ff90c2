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
from ..arithmetic.vectors import Vector, dot, vector
from ..contact.carriers.points import carriers
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
    count, last, most, moves = len(contacts), 0.0, 1.0, 3 * own.begin[len(own.begin) - 1]
    push, push_before, push_lead = own.push[: 3 * count], own.push_before[: 3 * count], own.push_lead[: 3 * count]
    shift, shift_before, shift_lead = own.shift[:moves], own.shift_before[:moves], own.shift_lead[:moves]
    begin(push, push_before, push_lead)
    begin(shift, shift_before, shift_lead)
    enough, rolls = CLOSE * world.last_turn, False
    for q in range(count):
        rolls = rolls or carriers(contacts[q]) & FRAMES != 0
    sweeps = FIRST_SWEEPS if rolls and begins else HASTY if world.preview and not rolls else SWEEPS
    to_and_fro = back = False
    for k in range(sweeps):
        largest = sweep(contacts, own, h, back)
        if k == 0 and rolls:
            enough = LEAST if begins else min(enough, max(PART * largest, LEAST))
        if largest < enough or k == sweeps - 1:
            return
        back = to_and_fro and not back
        if back:
            continue
        changed = 0.0
        for i in range(3 * count):
            changed += contacts[i // 3].weight * (push[i] - push_before[i]) ** 2
        if not rolls:
            most = most * FADE if changed >= WORSE * last > 0.0 else min(most * RECOVER, 1.0)
            to_and_fro = to_and_fro or most < ASTRAY
        part, last = min(changed / last, most) if changed < last else 0.0, changed
        for q in range(count):
            lead_forces(contacts[q], part, push_lead[3 * q : 3 * q + 3])
        lead(part, push, push_before, push_lead)
        lead(part, shift, shift_before, shift_lead)


@kernel
def begin(now: np.ndarray, before: np.ndarray, lead: np.ndarray) -> None:
    """Nothing has changed yet."""
    for i in range(len(now)):
        now[i] = before[i] = lead[i] = 0.0


@kernel
def lead(part: float, now: np.ndarray, before: np.ndarray, lead: np.ndarray) -> None:
    """From where a sweep ended to where the next one begins; lead: by how much that is further than where it began."""
    for i in range(len(now)):
        further = part * lead[i]
        lead[i] = now[i] + further - before[i]
        before[i] = now[i] = now[i] + further


@kernel
def lead_forces(row: np.record, part: float, lead: np.ndarray) -> None:
    """The same of a CONTACT's force."""
    n, up = row.n, 0.0
    for d in range(3):
        up += n[d] * part * lead[d]
    row.normal += up
    for d in range(3):
        row.along[d] += part * lead[d] - up * n[d]


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
                for d in range(3):
                    own.push[3 * q + d] += f[d]
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
