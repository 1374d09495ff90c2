"""Contacts that hold a rod bent. Without them it would leap: the matrix A of Newton's step has more negative
eigenvalues than there are tensions. It has as many as it should where the points that press on each other are held
together, A + Nᵀ P k P N (augmented Lagrangian), with P = 1 for a contact that sticks, and the normal of one that slides
with a part of what is across it, as little as does. With D = N A⁻¹ Nᵀ that answers (Woodbury)

    D' = D − D P S⁻¹ P D,   S = 1/k + P D P,

and S has as many negative eigenvalues as A has too many (Haynsworth 1968). What k multiplies is what the points move by
in an iteration: where that ends, nought.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import vector
from ..contact.friction_cone import clipped
from ..linear.dense import eliminate, forward
from ..model import Model
from .response import moved, push
from .scratch import ContactResponse, ImplicitScratch

STIFFER = 100.0  # than what touches answers by itself
WITHIN = 0.999  # of its cone friction holds
LEAST, MORE = 0.1, 1.4  # part of P across the normal of what slides, and times as much
STIFFENED, WRONG, NO_ROOM = range(3)


@kernel
def stiffen(own: ContactResponse, contacts: np.ndarray, surplus: int) -> int:
    """Change the response of contacts to D', of all of them together, where the matrix then has the inertia it should,
    of which without it `surplus` eigenvalues too many are negative: STIFFENED, WRONG where it has not, or NO_ROOM.
    """
    all_of, g = 3 * len(contacts), len(own.begin) - 2
    own.pressed[0] = list_pressed(contacts, own)
    size = 3 * own.pressed[0]
    own.asked[0] = own.square[g] + all_of * all_of + size * (size + all_of)
    if own.asked[0] > len(own.entries):
        return NO_ROOM
    d, _, _ = parts(own, all_of, size)
    gather(own, all_of, d)
    largest = 0.0
    for i in range(all_of):
        largest = max(largest, abs(d[all_of * i + i]))
    own.stiffness[0], own.stiffness[1] = STIFFER / largest, 0.5 * own.stiffness[1]
    while lay(contacts, own, all_of, size) != surplus:
        if own.stiffness[1] == 1.0:
            return WRONG
        own.stiffness[1] = min(max(LEAST, MORE * own.stiffness[1]), 1.0)
    answer_held(own, all_of, size)
    for q in range(len(contacts)):
        e = own.begin[g] + q
        own.meeting[q, 0], own.meeting[q, 1], own.contact[e], own.group[e] = e, -1, q, g
    own.begin[g + 1], own.square[g + 1] = own.begin[g] + len(contacts), own.square[g] + all_of * all_of
    return STIFFENED


@kernel
def lay(contacts: np.ndarray, own: ContactResponse, all_of: int, size: int) -> int:
    """D P and S, eliminated; returns how many of its eigenvalues are negative."""
    d, s, l = parts(own, all_of, size)
    for i in range(all_of):
        row = l[size * i : size * i + size]
        for j in range(size):
            row[j] = d[all_of * i + 3 * own.pressed[1 + j // 3] + j % 3]
        project(contacts, own, row)
    for i in range(size):
        row = s[size * i : size * i + size]
        for j in range(size):
            row[j] = l[size * (3 * own.pressed[1 + j // 3] + j % 3) + i]
        project(contacts, own, row)
        row[i] += 1.0 / own.stiffness[0]
    return eliminate(s.reshape(size, size))


@kernel
def list_pressed(contacts: np.ndarray, own: ContactResponse) -> int:
    """Write those that press into own.pressed, from 1 on, and which of them stick; returns how many there are."""
    count = 0
    for q in range(len(contacts)):
        row = contacts[q]
        if row.normal > 0.0:
            own.sticks[count] = clipped(vector(row.along), WITHIN * row.friction * row.normal)[1] == 1.0
            count += 1
            own.pressed[count] = q
    return count


@kernel
def parts(own: ContactResponse, all_of: int, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(D (all_of²,), S (size²,), the rows of D P that L⁻¹ has gone forward in (all_of · size,))."""
    first = own.square[len(own.begin) - 2]
    second = first + all_of * all_of
    third = second + size * size
    return own.entries[first:second], own.entries[second:third], own.entries[third : third + all_of * size]


@kernel
def gather(own: ContactResponse, size: int, d: np.ndarray) -> None:
    """D of all contacts, from those of groups."""
    for i in range(len(d)):
        d[i] = 0.0
    for g in range(len(own.begin) - 2):
        begin, meetings = own.begin[g], own.begin[g + 1] - own.begin[g]
        for e in range(3 * meetings):
            row = own.entries[own.square[g] + 3 * meetings * e :]
            i = 3 * own.contact[begin + e // 3] + e % 3
            for f in range(3 * meetings):
                d[size * i + 3 * own.contact[begin + f // 3] + f % 3] += row[f]


@kernel
def project(contacts: np.ndarray, own: ContactResponse, v: np.ndarray) -> None:
    """P v of a vector (3 C,) of those that press."""
    for p in range(own.pressed[0]):
        n, part = contacts[own.pressed[1 + p]].n, own.stiffness[1]
        if own.sticks[p]:
            continue
        up = (1.0 - part) * (n[0] * v[3 * p] + n[1] * v[3 * p + 1] + n[2] * v[3 * p + 2])
        for c in range(3):
            v[3 * p + c] = up * n[c] + part * v[3 * p + c]


@kernel
def answer_held(own: ContactResponse, all_of: int, size: int) -> None:
    """D becomes D'."""
    d, s, l = parts(own, all_of, size)
    for i in range(all_of):
        forward(s.reshape(size, size), l[size * i : size * i + size])
    for i in range(all_of):
        one = l[size * i : size * i + size]
        for j in range(i + 1):
            other, value = l[size * j : size * j + size], d[all_of * i + j]
            for k in range(size):
                value -= one[k] * other[k] * s[size * k + k]
            d[all_of * i + j] = d[all_of * j + i] = value


@kernel
def move_held(model: Model, work: ImplicitScratch, contacts: np.ndarray) -> None:
    """What the points of contacts move by in the solution becomes what they move by where they are held together:
    own.way, and own.more of those that press.
    """
    own, all_of, size = work.response, 3 * len(contacts), 3 * work.response.pressed[0]
    _, s, l = parts(own, all_of, size)
    v = own.hold[:size]
    for j in range(size):
        own.more[j] = v[j] = moved(model, work, contacts[own.pressed[1 + j // 3]], -1, j % 3)
    project(contacts, own, v)
    forward(s.reshape(size, size), v)
    for j in range(size):
        v[j] *= s[size * j + j]
    for i in range(all_of):
        row, change = l[size * i : size * i + size], 0.0
        for k in range(size):
            change += row[k] * v[k]
        own.way[i // 3, i % 3] -= change
    for j in range(size):
        i, change = 3 * own.pressed[1 + j // 3] + j % 3, 0.0
        row = l[size * i : size * i + size]
        for k in range(size):
            change += row[k] * v[k]
        own.more[j] -= change


@kernel
def hold(model: Model, work: ImplicitScratch, contacts: np.ndarray) -> None:
    """Add what holds points together, once changes of forces are found, to the right-hand side."""
    own = work.response
    first, size = 3 * own.begin[len(own.begin) - 2], 3 * own.pressed[0]
    v = own.hold[:size]
    for j in range(size):
        v[j] = -own.stiffness[0] * (own.more[j] + own.shift[first + 3 * own.pressed[1 + j // 3] + j % 3])
    project(contacts, own, v)
    project(contacts, own, v)
    for j in range(size):
        push(model, work, contacts[own.pressed[1 + j // 3]], -1, j % 3, v[j])


@kernel
def held_back(own: ContactResponse) -> float:
    """At most so many times as far as it went what slides may have yet to go, for it was held as well."""
    return 1.0 + STIFFER * own.stiffness[1] ** 2


@kernel
def is_stiff(own: ContactResponse) -> bool:
    """Whether the response is D'."""
    g = len(own.begin) - 2
    return own.begin[g + 1] > own.begin[g]
