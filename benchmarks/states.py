"""The moving state of a figure's scene, and fresh copies of it to run from."""

from tendril.physics.assemble import assemble
from tendril.physics.assemble.room import grown
from tendril.physics.model import State
from tendril.physics.start.settle import settled
from tendril.physics.time_integration.advance import take_steps
from tendril.physics.time_integration.symplectic_euler import DONE, PAIRS_FULL
from tendril.physics.time_integration.workspace import workspace

CHUNK = 500  # steps


def in_motion(figure):
    """(Model, State) of a figure after its lead, in steps of its own. Raises RuntimeError if it fails."""
    model, state, work = assemble(figure.scene)
    if figure.scene.settle:
        state, work, _ = settled(figure.scene, model, state, lambda _: None)
    left = round(figure.lead / figure.step)
    while left > 0:
        before = copy(state)
        status, rod = take_steps(model, state, work, figure.step, min(CHUNK, left))
        if status == PAIRS_FULL:
            state, work = grown(model, before)
            continue
        if status != DONE:
            raise RuntimeError(f"'{figure.scene.rods[rod].name}' stopped with status {status}")
        left -= CHUNK
    return model, state


def with_room(run, model, state):
    """The State with room for all pairs that `run` lists. Raises RuntimeError if it fails."""
    while status := run(*fresh(model, state)):
        if status != PAIRS_FULL:
            raise RuntimeError(f"It stopped with status {status}")
        state, _ = grown(model, copy(state))
    return state


def copy(state):
    return State(*(array.copy() for array in state))


def fresh(model, state):
    """Arguments of a run: the model, a copy of the state, a workspace."""
    return model, copy(state), workspace(model, state)
