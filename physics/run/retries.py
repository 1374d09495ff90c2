"""What is tried when a stretch of time fails although its steps were halved: it is taken again, with room for more
contact pairs, with kinematic bodies that yield, or with an imperfection and smaller steps throughout. So is one in
which an exact pin that is led pushed harder than a yielding one would: from there on it yields.
"""

import numpy as np

from ..assemble.chain_system import no_chains
from ..assemble.room import crowded, grown
from ..model import HELD, YIELDING, Model, State, alike, changed
from ..scene import LONGEST_STEPS, REACHES, Scene
from ..start.imperfection import imperfect
from ..start.settle import unlist
from ..time_integration.advance import advance
from ..time_integration.implicit_steps import implicit_steps
from ..time_integration.symplectic_euler import DONE, OVERSTRETCHED, PAIRS_FULL, TOO_DEEP, TOO_FAR, TOUCHES
from ..time_integration.workspace import Workspace, workspace
from .kept import Keeper, Kept

RETRIES = 2
SMALLER = 0.25  # steps, each time
LET_GO = (OVERSTRETCHED, TOO_FAR, TOO_DEEP)  # what kinematic bodies that yield can cure


def persist(
    scene: Scene,
    model: Model,
    state: State,
    work: Workspace,
    led: np.ndarray,
    end: float,
    before: Kept | None = None,
) -> tuple[State, Workspace, tuple[int, int, int] | None]:
    """Advance to the time `end` [s]. led (P,) bool: pins that stand for welds to kinematic bodies; before: what is kept
    of `state`, if anything is; its fields stay as they are.

    Returns (State, Workspace, None), or (those before what failed for good, its (status, rod, the other rod)).
    """
    retries, smaller = np.zeros(len(model.rods) + len(model.surfaces.colliders) + len(model.bodies), dtype=int), 1.0
    if crowded(model, state):  # before a stretch, lest it has to be taken again
        state, work, before = *_with_room(model, state, work), None
    while end - state.clock["time"][0] > 1e-12 * max(end, scene.frame_duration):
        before = before or Keeper(state).keep()
        state.holds["push"] = 0.0
        left = end - state.clock["time"][0]
        status, rod, other = go_on(scene, model, state, work, left, smaller)
        overloaded = too_strong(model, state)
        if status == DONE and not overloaded.any():
            break
        failed, state, before = state, alike(state, before.copy()._replace(fields=state.fields)), None
        if status == PAIRS_FULL:  # from where it begins, or how it is divided into steps would go by the room there was
            state, work = _with_room(model, state, work, failed)
            continue
        if status == DONE:
            state.holds["state"][overloaded] = YIELDING
            continue
        own = _concerned(model, rod, len(retries))
        yielding = led & own[model.pins["rod"]]
        if status in LET_GO and not np.all(state.holds["state"][yielding] == YIELDING):
            state.holds["state"][yielding] = YIELDING
        elif retries[rod] < RETRIES:
            retries[own] += 1
            smaller = SMALLER ** retries.max()
            imperfect(model, state, always=own[: len(model.rods)])
        else:
            return state, work, (status, rod, other)
    state.clock["time"][0] = end
    return state, work, None


def too_strong(model: Model, state: State) -> np.ndarray:
    """(P,) bool: exact pins that pushed harder than where yielding ones yield."""
    return (state.holds["state"] == HELD) & (state.holds["push"] > model.pins["max_force"])


def _with_room(model: Model, state: State, work: Workspace, failed: State | None = None) -> tuple[State, Workspace]:
    """State and Workspace with more room for pairs, which `failed` lacked; where vertices have been stays."""
    state, wider = grown(model, state, failed)
    return state, wider._replace(low=work.low, high=work.high)


def _concerned(model: Model, rod: int, things: int) -> np.ndarray:
    """(T,) bool: what may have part in what failed at a rod, or a body: all, or it alone where they only are side by
    side. Rods, colliders and bodies are counted one behind the other.
    """
    if len(model.capsules) or len(model.bodies):
        return np.ones(things, dtype=bool)
    return np.arange(things) == rod


def go_on(
    scene: Scene, model: Model, state: State, work: Workspace, duration: float, smaller: float
) -> tuple[int, int, int]:
    """Advance by `duration` [s] as the scene's solver does, in steps smaller than usual by that factor; with Cosserat
    rods, by implicit steps until one comes to touch anything, and from there on by explicit ones.

    Returns (status, the rod it concerns, the other one).
    """
    if scene.solver != "IMPLICIT" or not len(model.rods):  # bodies alone take explicit steps
        return advance(model, state, work, duration, smaller * scene.fraction, scene.max_step)[:3]
    longest, end = smaller * min(LONGEST_STEPS[scene.quality], scene.max_step), state.clock["time"][0] + duration
    status, rod, other, _, _ = implicit_steps(model, state, work, duration, longest, scene.third_difference)
    if status != TOUCHES:
        return status, rod, other
    world = changed(model.world, reach=REACHES["GOOD"])
    bare = model._replace(world=world, chain_system=no_chains())
    own = workspace(bare, state)._replace(low=work.low, high=work.high)
    unlist(state)
    left = end - state.clock["time"][0]
    status, rod, other, _, _ = advance(bare, state, own, left, smaller * scene.fraction, scene.max_step)
    unlist(state)  # what explicit steps list, implicit ones have no use for, nor the other way round
    return status, rod, other
