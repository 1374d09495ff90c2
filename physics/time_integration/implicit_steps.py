"""Advances a State over a stretch of time by implicit steps: as long as is asked for, with frames that resist, then a
half, a quarter … of that where a step cannot be taken, and twice as long again after one that could.
"""

from math import ceil

from .._jit import entry
from ..model import Model, State
from ..rods.elastic_forces import elastic_forces
from .bdf2 import accept, attempt
from .symplectic_euler import DONE, TWIST_LOST, keep, take_back
from .workspace import Workspace

FINEST = 2.0**-20  # of what is asked for


@entry
def implicit_steps(
    model: Model, state: State, work: Workspace, duration: float, longest: float
) -> tuple[int, int, int, int]:
    """Go on by `duration` [s] in even steps of at most `longest` [s].

    Returns (status, the rod it concerns, steps taken, iterations).
    """
    failed = elastic_forces(model, state, work.elastic)
    if failed >= 0:
        return TWIST_LOST, failed, 0, 0
    count = max(1, ceil(duration / longest * (1.0 - 1e-9)))
    usual = duration / count
    taken = iterations = 0
    for _ in range(count):
        left, h, resist = usual, usual, False
        while left > 0.5 * FINEST * usual:
            h = min(h, left)
            keep(state, work.old)
            status, rod, rounds = attempt(model, state, work, h, resist)
            iterations += rounds
            if status == DONE:
                accept(model, state, work, h)
                taken += 1
                left -= h
                h *= 2.0
                continue
            take_back(state, work.old)
            state.clock[0].smooth = False
            if resist:
                h *= 0.5
            resist = True
            if h < FINEST * usual:
                return status, rod, taken, iterations
    return DONE, 0, taken, iterations
