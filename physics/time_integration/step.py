"""One step: attempted, verified, and accepted or halved. Whatever drives it, its end is looked at before it counts."""

from math import inf

from .._jit import entry, kernel
from ..contact.renewed_list import has_ample_room
from ..model import Model, State
from ..rods.elastic_forces import elastic_forces
from .energy_look import QUARTERS, note, wins
from .step_limit import clearance
from .symplectic_euler import (
    DONE,
    GAINS,
    NOT_FINITE,
    OVERSTRETCHED,
    PAIRS_FULL,
    TOO_DEEP,
    TOO_FAR,
    TWIST_LOST,
    accept,
    attempt,
    fastest_thing,
    keep,
    take_back,
)
from .verify import verify
from .workspace import Workspace

PREDICTED = 4.0  # times as far as it may end things may seem to move, before the projection brings them back
FINEST = 2.0**-20  # of a usual step: none is shorter, lest it turns the projection's residue into velocity;
PRESSED = 2.0**-14  # nor shorter than this because things are pressed together,
STUCK = 2.0**-12  # or because lengths have no solution, or no finite one,
BRIEF = 2.0**-6  # or because lists of pairs, whose room is ample, are full: in a shorter one things are near at once


@entry
def step(model: Model, state: State, work: Workspace, h: float, usual: float) -> tuple[int, int, int, float]:
    """One step of h [s], or of a half, a quarter … of it, down to a part of a usual one [s].

    Returns (status, the rod it concerns, the other one, how long the step was [s]). Not DONE: the state is as it was.
    """
    failed = elastic_forces(model, state, work.elastic)
    if failed >= 0:
        return TWIST_LOST, failed, failed, 0.0
    keep(state, work.old)
    clear = clearance(model.world[0].radius, state.listing[0].count, state.listing[0].skin)
    quarters = 0
    while True:
        status, rod, count, moved = attempt(model, state, work, h, PREDICTED * clear)
        other = rod
        if status == DONE:
            status, rod, other = verify(model, state, work, clear, moved, count, h)
        touching = work.contact.contacts[:count]
        won = status == DONE and wins(model, state, work, touching, h, usual, 1.0 / (h * h))
        if won and quarters < QUARTERS and 0.25 * h >= FINEST * usual:
            status, quarters = GAINS, quarters + 1
        if status == DONE:
            note(state, work, h, won, fastest_thing(model, state, work.old)[0] if won else 0)
            accept(model, state, work, count, h)
            return DONE, 0, 0, h
        take_back(state, work.old)
        h *= 0.25 if status == GAINS else 0.5
        least = shortest(status, has_ample_room(model, state)) * usual
        if not (h >= least and h > 0.0):  # nor is one of no length, or of none that is a number
            return status, rod, other, 0.0


@kernel
def shortest(status: int, ample: bool) -> float:
    """Below which part of a usual step one that ended so is not tried again; ample: see `has_ample_room`."""
    if status in (TOO_FAR, GAINS):
        return FINEST
    if status == TOO_DEEP:
        return PRESSED
    if status in (OVERSTRETCHED, NOT_FINITE):
        return STUCK
    if status == PAIRS_FULL and ample:
        return BRIEF
    return inf
