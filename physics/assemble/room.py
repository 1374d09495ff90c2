"""Room for contact pairs: lists that are full grow between two stretches, for kernels must not allocate."""

import numpy as np

from ..model import PAIR, Model, State
from ..time_integration.workspace import Workspace, workspace


def grown(model: Model, state: State) -> tuple[State, Workspace]:
    """State and Workspace with room for twice as many contact pairs."""
    state = state._replace(pairs=twice(state.pairs), surface_pairs=twice(state.surface_pairs))
    beside = {name: getattr(state, name) for name in ("shape_pairs", "soft_pairs")}
    state = state._replace(**{name: twice(pairs) for name, pairs in beside.items() if len(pairs)})
    return state, workspace(model, state)


def twice(pairs: np.ndarray) -> np.ndarray:
    """The same with as much room again."""
    room = np.zeros(2 * max(len(pairs), 1), PAIR)
    room[: len(pairs)] = pairs
    return room
