"""Advances a State over a stretch of time by even steps. The very first step is a small one, for nothing tells yet how
hard forces pull: after it, what moved at v would turn too far in √(d h/v) where d/v is what motion allows.
"""

from math import inf, sqrt

import numpy as np

from .._jit import entry, kernel
from ..constraints.pulleys import loosen
from ..model import Model, State
from ..rods.director_motion import lay_material_frames
from ..rods.elastic_forces import elastic_forces
from ..rods.keyed_numbers import lay_numbers
from .even_division import driver
from .step import step
from .step_limit import motion_step, stable_step
from .symplectic_euler import DONE, OVERSTRETCHED, TWIST_LOST, accept, attempt, fastest_rod, keep
from .workspace import Workspace

REDIVIDE = 1.3  # how much of the chosen fraction of the stable step a state may claim before the rest is divided anew
GENTLE = 0.02  # of the stable step: the very first one
TIMID = 0.25  # below this part of what is allowed, steps grow again,
PATIENCE = 32  # which is looked at every so many steps
Own = tuple[Model, State, Workspace, float, float]  # the fraction of the stable step, and max_step [s]


@kernel
def longest(own: Own, _taken: int, _halved: bool, first: float) -> tuple[float, float]:
    """The longest step now [s], behind the very `first` one [s] or any other, 0: see even_division.driver."""
    model, state, _, fraction, max_step = own
    limit = motion_step(model, state, min(fraction * stable_step(model, state), max_step))
    if first > 0.0:
        limit = min(limit, sqrt(motion_step(model, state) * state.clock[0].step))
    return limit, 0.0


@kernel
def one_step(own: Own, h: float, usual: float) -> tuple[int, int, int, float]:
    """One step: see `step`."""
    model, state, work, _, _ = own
    return step(model, state, work, h, usual)


go_on = driver(longest, one_step, REDIVIDE, TIMID, PATIENCE)


@entry
def advance(
    model: Model, state: State, work: Workspace, duration: float, fraction: float, max_step: float
) -> tuple[int, int, int, int, float]:
    """Go on by `duration` [s] in even steps of at most `fraction` of the stable step and max_step [s], to where
    material frames can be read.

    Returns (status, rod, the other rod, steps taken, time left undone [s]); OVERSTRETCHED also where nothing gives way,
    so that forces run away, and steps with them.
    """
    first = 0.0
    lay_numbers(model, state.clock[0].time)
    loosen(model, state, work.constraints, state.clock[0].time)
    if state.clock[0].step == 0.0:
        first = min(GENTLE * stable_step(model, state), motion_step(model, state), max_step)
    status, rod, other, taken, left = go_on((model, state, work, fraction, max_step), duration, first, first)
    if rod < 0:
        rod = other = fastest(model, state, work.old.x)
        status = OVERSTRETCHED
    lay_material_frames(model, state, work.elastic)
    return status, rod, other, taken, left


@kernel
def fastest(model: Model, state: State, x0: np.ndarray) -> int:
    """The number of the rod that has moved furthest from x0 (N, 3), or of the first body where there are none."""
    return fastest_rod(model.rods, state.x, x0) if len(model.rods) > 0 else len(model.surfaces.colliders)


@entry
def take_steps(model: Model, state: State, work: Workspace, h: float, steps: int) -> tuple[int, int]:
    """`steps` steps of exactly h [s], whatever the limits say and however they end. Returns (status, rod)."""
    lay_numbers(model, state.clock[0].time)
    loosen(model, state, work.constraints, state.clock[0].time)
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
