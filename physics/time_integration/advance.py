"""Advances a State over a stretch of time by even steps. The very first step is a small one, for nothing tells yet how
hard forces pull: after it, what moved at v would turn too far in √(d h/v) where d/v is what motion allows.
"""

from math import inf, sqrt

import numpy as np

from .._jit import entry, kernel
from ..model import Model, State
from ..rods.director_motion import lay_material_frames
from ..rods.elastic_forces import elastic_forces
from .even_division import GROWTH, gone_on, steps_in
from .step import step
from .step_limit import motion_step, stable_step
from .symplectic_euler import DONE, OVERSTRETCHED, TWIST_LOST, accept, attempt, fastest_rod, keep
from .workspace import Workspace

REDIVIDE = 1.3  # how much of the chosen fraction of the stable step a state may claim before the rest is divided anew

GENTLE = 0.02  # of the stable step: the very first one
TIMID = 0.25  # below this part of what is allowed, steps grow again,
PATIENCE = 32  # which is looked at every so many steps
SUNK = 2.0**-12  # of the usual step: what counts as usual falls no lower, so that forces that run away are seen:
HOPELESS = 2**12  # steps shorter than that, which together are no usual one, get nowhere


@entry
def advance(
    model: Model, state: State, work: Workspace, duration: float, fraction: float, max_step: float
) -> tuple[int, int, int, int, float]:
    """Go on by `duration` [s], as `go_on`, to where material frames can be read."""
    ended = go_on(model, state, work, duration, fraction, max_step)
    lay_material_frames(model, state, work.elastic)
    return ended


@kernel
def go_on(
    model: Model, state: State, work: Workspace, duration: float, fraction: float, max_step: float
) -> tuple[int, int, int, int, float]:
    """Go on by `duration` [s] in even steps of at most `fraction` of the stable step and max_step [s].

    Returns (status, rod, the other rod, steps taken, time left undone [s]); OVERSTRETCHED also where nothing gives way,
    so that forces run away, and steps with them.
    """
    left, taken, proven, usual, sunk, short, count = duration, 0, inf, inf, 0.0, 0, 0
    first, h = state.clock[0].step == 0.0, 0.0
    if first:
        h = min(GENTLE * stable_step(model, state), motion_step(model, state), max_step, duration)
        status, rod, other, h = step(model, state, work, h, h)
        if status != DONE:
            return status, rod, other, taken, left
        left, taken = left - h, 1
    while left > 1e-12 * duration:
        limit = motion_step(model, state, min(fraction * stable_step(model, state), max_step))
        if first:
            first, limit = False, min(limit, sqrt(motion_step(model, state) * h))
        allowed, usual = min(limit, proven), max(min(limit, GROWTH * usual), sunk)
        timid = (taken % PATIENCE == 0 and h < TIMID * allowed) or (proven < inf and 2.0 * h <= allowed)
        if count == 0 or h > REDIVIDE * allowed or timid:
            count, sunk = steps_in(left, allowed), max(sunk, SUNK * usual)
            h = left / count
        status, rod, other, gone = step(model, state, work, h, usual)
        if status != DONE:
            return status, rod, other, taken, left
        taken, short = taken + 1, short + int(gone < sunk)
        count, left, proven = gone_on(count, left, h, gone, proven)
        if short == HOPELESS:
            rod = fastest(model, state, work.old.x)
            return OVERSTRETCHED, rod, rod, taken, left
    return DONE, 0, 0, taken, left


@kernel
def fastest(model: Model, state: State, x0: np.ndarray) -> int:
    """The number of the rod that has moved furthest from x0 (N, 3), or of the first body where there are none."""
    return fastest_rod(model.rods, state.x, x0) if len(model.rods) > 0 else len(model.surfaces.colliders)


@entry
def take_steps(model: Model, state: State, work: Workspace, h: float, steps: int) -> tuple[int, int]:
    """`steps` steps of exactly h [s], whatever the limits say and however they end. Returns (status, rod)."""
    for _ in range(steps):
        failed = elastic_forces(model, state, work.elastic)
        if failed >= 0:
            return TWIST_LOST, failed
        keep(state, work.old)
        status, rod, count, _ = attempt(model, state, work, h, inf)
        if status != DONE:
            return status, rod
        accept(model, state, work, count, h)
    lay_material_frames(model, state, work.elastic)
    return DONE, 0
