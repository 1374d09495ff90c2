"""Room for pairs, contacts and their response: a step that lacks some says for how much it asks, and is taken again
with that and a part more, so that what grows evenly asks seldom. Where it asks for more than is ample, it went too far,
past most of what it asks for: a shorter one is tried first. So motion goes by what is asked for, never by the room.
"""

from .._jit import kernel
from ..model import Model, State

PART, FEW = 4, 4  # of what was asked for is left free as well, and so many


def room_for(asked: int) -> int:
    """How much room is made where so much was asked for."""
    return asked + asked // PART + FEW if asked else 0


@kernel
def forget(state: State) -> None:
    """What lists asked for before a step."""
    for k in range(len(state.listings)):
        state.listings[k].asked = 0


@kernel
def lacking(state: State, ample: int) -> tuple[bool, bool]:
    """(Whether a list lacks room, whether one does that asked for no more than is ample)."""
    rooms, any_does, any_little = (len(state.pairs), len(state.surface_pairs), len(state.feature_pairs)), False, False
    for k in range(len(rooms)):
        if state.listings[k].asked > rooms[k]:
            any_does, any_little = True, any_little or state.listings[k].asked <= ample
    return any_does, any_little


@kernel
def lacks_room(state: State) -> bool:
    """Whether a list of what touches lacks room."""
    return lacking(state, 0)[0]


@kernel
def asks_too_much(model: Model, state: State) -> bool:
    """Whether lists lack room, and each of these asked for more than is ample."""
    any_does, any_little = lacking(state, model.world[0].ample)
    return any_does and not any_little


@kernel
def has_rows(state: State, rows: int, count: int) -> bool:
    """Whether there is room for so many contacts in so many rows, the last of which is for what has none; it is asked
    for.
    """
    state.clock[0].rows = max(state.clock[0].rows, count)
    return count < rows
