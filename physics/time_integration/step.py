"""Steps of symplectic Euler, as short as they have to be: each is looked at before it counts."""

from math import inf

from .._jit import entry, kernel
from ..contact.room import asks_too_much
from ..model import CAPSULES, Model, State
from ..rods.elastic_forces import elastic_forces
from . import symplectic_euler as euler
from .energy_look import note, wins
from .halving import BRIEF, halving
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
    fastest_thing,
    keep,
)
from .verify import verify
from .workspace import Workspace

PREDICTED = 4.0  # times as far as it may end things may seem to move, before the projection brings them back
FINEST = 2.0**-20  # of a usual step: none is shorter, lest it turns the projection's residue into velocity;
PRESSED = 2.0**-14  # nor shorter than this because things are pressed together,
STUCK = 2.0**-12  # or because lengths have no solution, or no finite one


Own = tuple[Model, State, Workspace]


@kernel
def begin(own: Own) -> tuple[int, int, float]:
    """Elastic forces, and how far [m] things may approach each other: see `halving`."""
    model, state, work = own
    failed = elastic_forces(model, state, work.elastic)
    if failed >= 0:
        return TWIST_LOST, failed, 0.0
    keep(state, work.old)
    return DONE, 0, clearance(model.world[0].radius, state.listings[CAPSULES].count, state.listings[CAPSULES].skin)


@kernel
def attempt(own: Own, h: float, usual: float, clear: float, last: bool) -> tuple[int, int, int]:
    """One of h [s], verified and accepted: see `halving`."""
    model, state, work = own
    status, rod, count, moved = euler.attempt(model, state, work, h, PREDICTED * clear)
    if status != DONE:
        return status, rod, rod
    status, rod, other = verify(model, state, work, clear, moved, count, h)
    if status != DONE:
        return status, rod, other
    won = wins(model, state, work, work.contact.contacts[:count], h, usual, 1.0 / (h * h))
    if won and not last:
        return GAINS, rod, other
    note(state, work, h, won, fastest_thing(model, state, work.old)[0] if won else 0)
    accept(model, state, work, count, h)
    return DONE, 0, 0


@kernel
def take_back(own: Own) -> None:
    """To where it began."""
    euler.take_back(own[1], own[2].old)


@kernel
def shorter(own: Own, status: int, h: float, usual: float) -> float:
    """What to try next [s], or 0: see `halving`."""
    model, state, _ = own
    return shortened(status, h, shortest(status, asks_too_much(model, state)) * usual)


@kernel
def shortened(status: int, h: float, least: float) -> float:
    """A quarter of h [s] behind one that won energy, or half of it; or 0 where that is less than `least` [s]."""
    h *= 0.25 if status == GAINS else 0.5
    return h if h >= least else 0.0


halved = halving(begin, attempt, take_back, shorter)


@entry
def step(model: Model, state: State, work: Workspace, h: float, usual: float) -> tuple[int, int, int, float]:
    """One step of h [s], or of a half, a quarter … of it, down to a part of a usual one [s]: see `halving`."""
    return halved((model, state, work), h, usual)


@kernel
def shortest(status: int, too_much: bool) -> float:
    """Below which part of a usual step one that ended so is not tried again; too_much: see `asks_too_much`."""
    if status in (TOO_FAR, GAINS):
        return FINEST
    if status == TOO_DEEP:
        return PRESSED
    if status in (OVERSTRETCHED, NOT_FINITE):
        return STUCK
    if status == PAIRS_FULL and too_much:
        return BRIEF
    return inf
