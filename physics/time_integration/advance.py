"""Advances a State over a stretch of time, divided evenly: a sliver of a last step would turn the projection's
residue into velocity. The very first step is a small one, for nothing tells yet how hard forces pull: after it, what
moved at v would turn too far in √(d h/v) where d/v is what motion allows.
"""

from math import ceil, sqrt

from .._jit import njit
from .step_limit import motion_step, stable_step
from .symplectic_euler import DONE, step

REDIVIDE = 1.3  # how much of the chosen fraction of the stable step a state may claim before the rest is divided anew

GENTLE = 0.02  # of the stable step: the very first one
TIMID = 0.25  # below this part of what is allowed, steps grow again,
PATIENCE = 32  # which is looked at every so many steps


@njit
def advance(model, state, work, duration, fraction, max_step):
    """Go on by `duration` [s] in even steps of at most `fraction` of the stable step and max_step [s].

    Returns (status, rod, steps taken, time left undone [s]).
    """
    left, taken = duration, 0
    first = state.clock[1] == 0.0
    if first:
        h = min(GENTLE * stable_step(model, state), motion_step(model, state), max_step, duration)
        status, rod = step(model, state, work, h)
        if status != DONE:
            return status, rod, taken, left
        left, taken = left - h, 1
    while left > 1e-12 * duration:
        allowed = min(fraction * stable_step(model, state), motion_step(model, state), max_step)
        if first:
            first, allowed = False, min(allowed, sqrt(motion_step(model, state) * h))
        count = max(1, ceil(left / allowed * (1.0 - 1e-9)))
        h = left / count
        for k in range(count):
            status, rod = step(model, state, work, h)
            if status != DONE:
                return status, rod, taken, left
            taken += 1
            left -= h
            allowed = min(fraction * stable_step(model, state), motion_step(model, state), max_step)
            if k + 1 < count and (h > REDIVIDE * allowed or (taken % PATIENCE == 0 and h < TIMID * allowed)):
                break
        else:
            left = 0.0
    return DONE, 0, taken, left


@njit
def take_steps(model, state, work, h, count):
    """`count` steps of exactly h [s], whatever the limits say. Returns (status, rod)."""
    for _ in range(count):
        status, rod = step(model, state, work, h)
        if status != DONE:
            return status, rod
    return DONE, 0
