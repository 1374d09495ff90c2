"""Edges, and bodies, that touch in an implicit step: how they have moved against each other, and what each answers,
with Coulomb's cone (Jean & Moreau's nonsmooth contact dynamics; conditions as in contact/inequality_constraints).
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, cross, dot, plus, scaled, vector
from ..contact.carriers.body_surface import arm_at, gone
from ..contact.carriers.points import carriers
from ..contact.friction_cone import friction_along
from ..contact.inequality_constraints import missing_gap
from ..contact.kept_forces import pressing
from ..contact.scratch import BODY, FRAMES
from ..model import Model, OldState, State
from . import wall_contact
from .response import moved, push
from .scratch import ContactResponse, ImplicitScratch


@kernel
def way_of(model: Model, state: State, old: OldState, work: ImplicitScratch, row: np.record) -> Vector:
    """How far [m] the points of a CONTACT move against each other from the old positions, and by the solution."""
    x, y, z = way_gone(state, old, work, row)
    if carriers(row) & BODY:
        turn_arms(row, state, old)
    return x + moved(model, work, row, -1, 0), y + moved(model, work, row, -1, 1), z + moved(model, work, row, -1, 2)


@kernel
def way_gone(state: State, old: OldState, work: ImplicitScratch, row: np.record) -> Vector:
    """How far [m] they have moved so far."""
    x, y, z = wall_contact.way_of(row, state.x, old.x, work.frames)
    for side in range(2):
        b = row.body[side]
        if b >= 0:
            x, y, z = plus((x, y, z), 1.0 - 2.0 * side, gone(row, side, state.bodies[b], old.bodies[b]))
    return x, y, z


@kernel
def turn_arms(row: np.record, state: State, old: OldState) -> None:
    """The arms of a CONTACT as its bodies are turned now."""
    for side in range(2):
        b = row.body[side]
        if b >= 0:
            arm = arm_at(row, side, state.bodies[b], old.bodies[b])
            row.arm_now[side, 0], row.arm_now[side, 1], row.arm_now[side, 2] = arm


@kernel
def lay_torques(state: State, old: OldState, work: ImplicitScratch, contacts: np.ndarray) -> None:
    """What contacts turn bodies by: their forces at their arms as these are now. Changes of forces summed at the arms
    of each iteration would leave a torque from nowhere.
    """
    for b in range(len(state.bodies)):
        torque = work.bodies[b].torque
        torque[0] = torque[1] = torque[2] = 0.0
    for row in contacts:
        turn_arms(row, state, old)
        f = pressing(row)
        for side in range(2):
            if row.body[side] >= 0:
                torque, sign = cross(vector(row.arm_now[side]), f), 1.0 - 2.0 * side
                for d in range(3):
                    work.bodies[row.body[side]].torque[d] += sign * torque[d]


@kernel
def measure(
    model: Model, state: State, old: OldState, work: ImplicitScratch, contacts: np.ndarray, own: ContactResponse
) -> None:
    """How far [m] the points of each contact move against each other from the old positions and by the solution:
    own.way.
    """
    for q in range(len(contacts)):
        own.way[q, 0], own.way[q, 1], own.way[q, 2] = way_of(model, state, old, work, contacts[q])


@kernel
def weigh(contacts: np.ndarray, own: ContactResponse) -> None:
    """Mobilities of each contact, from its blocks of D."""
    for q in range(len(contacts)):
        row, n = contacts[q], vector(contacts[q].n)
        block = own.block[q]
        for d in range(3):
            for e in range(3):
                block[d, e] = 0.0
        for side in range(2):
            e = own.meeting[q, side]
            if e >= 0:
                g = own.group[e]
                size, i = 3 * (own.begin[g + 1] - own.begin[g]), 3 * (e - own.begin[g])
                for d in range(3):
                    for f in range(3):
                        block[d, f] += own.entries[own.square[g] + size * (i + d) + i + f]
        row.weight = dot(n, times(block, n))
        row.slide = max(block[0, 0] + block[1, 1] + block[2, 2] - row.weight, row.weight)


@kernel
def times(a: np.ndarray, v: Vector) -> Vector:
    """a v of a matrix (3, 3)."""
    return dot(a[0], v), dot(a[1], v), dot(a[2], v)


@kernel
def answer(row: np.record, way: Vector, block: np.ndarray, h: float) -> Vector:
    """The change of a CONTACT's force, where its points have moved by way (3,) against each other."""
    n, old, before = vector(row.n), vector(row.along), row.normal
    missing = missing_gap(row, dot(n, way), h) - row.give * row.weight * before
    now = max(0.0, before + missing / row.weight)
    row.normal, change = now, now - before
    if now == 0.0 and change == 0.0:
        return 0.0, 0.0, 0.0
    pressed = scaled(change, n)
    along, _ = friction_along(row, plus(way, 1.0, times(block, pressed)), 1.0 / row.slide, now)
    row.along[0], row.along[1], row.along[2] = along
    return plus(plus(pressed, 1.0, along), -1.0, old)


@kernel
def push_back(model: Model, work: ImplicitScratch, contacts: np.ndarray, own: ContactResponse) -> None:
    """All changes of forces as a right-hand side, and among what acts on vertices."""
    for q in range(len(contacts)):
        row = contacts[q]
        for d in range(3):
            push(model, work, row, -1, d, own.push[q, d])
        load(work, row, vector(own.push[q]))


@kernel
def load(work: ImplicitScratch, row: np.record, f: Vector) -> None:
    """Add the force f [N] on a CONTACT to what acts from outside, but for what it turns bodies by: `lay_torques`."""
    for k in range(4):
        if row.share[k] != 0.0:
            for d in range(3):
                work.force[row.node[k], d] += row.share[k] * f[d]
        if carriers(row) & FRAMES and row.frame[k] >= 0:
            work.frames[row.frame[k]].torque += dot(row.lever[k], f)
    for side in range(2):
        b = row.body[side]
        if b >= 0:
            for d in range(3):
                work.bodies[b].force[d] += (1.0 - 2.0 * side) * f[d]
