"""Room for contact pairs: lists that are full grow between two stretches, for kernels must not allocate."""

import numpy as np

from ..model import LISTS, PAIR, Model, State, listed
from ..time_integration.workspace import Workspace, workspace


def crowded(state: State) -> list[str]:
    """Names of the lists of contact pairs that are more than half full."""
    return [name for name in LISTS if 2 * len(listed(state, name)) > len(getattr(state, name))]


def grown(model: Model, state: State) -> tuple[State, Workspace]:
    """State and Workspace with room for four times as many contact pairs: in lists more than half full, or, if none is,
    in all of them.
    """
    of_rods = {name for name, met in (("pairs", model.capsules), ("surface_pairs", model.surfaces.faces)) if len(met)}
    lists = {name: getattr(state, name) for name in LISTS}
    lists = {name: own for name, own in lists.items() if len(own) or name in of_rods}
    full = crowded(state) or lists
    state = state._replace(**{name: roomier(lists[name]) for name in full})
    return state, workspace(model, state)


def roomier(pairs: np.ndarray) -> np.ndarray:
    """The same with four times the room."""
    room = np.zeros(4 * max(len(pairs), 1), PAIR)
    room[: len(pairs)] = pairs
    return room
