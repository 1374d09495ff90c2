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
def lacks_room(state: State) -> bool:
    """Whether a list of what touches rods or bodies lacks room."""
    if state.listing[0].asked > len(state.pairs) or state.surface_listing[0].asked > len(state.surface_pairs):
        return True
    return state.shape_listing[0].asked > len(state.shape_pairs)


@kernel
def asks_too_much(model: Model, state: State) -> bool:
    """Whether lists lack room, and each of these asked for more than is ample."""
    pairs, surface, shape = state.listing[0].asked, state.surface_listing[0].asked, state.shape_listing[0].asked
    ample = model.world[0].ample
    if not lacks_room(state) or (len(state.pairs) < pairs <= ample):
        return False
    return not (len(state.surface_pairs) < surface <= ample or len(state.shape_pairs) < shape <= ample)


@kernel
def has_rows(state: State, rows: int, count: int) -> bool:
    """Whether there is room for so many contacts in so many rows, the last of which is for what has none; it is asked
    for.
    """
    state.clock[0].rows = max(state.clock[0].rows, count)
    return count < rows
