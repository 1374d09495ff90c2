"""Room for contact pairs: lists that are full grow between two stretches, for kernels must not allocate."""

import numpy as np

from ..model import PAIR, Model, State
from ..time_integration.workspace import Workspace, workspace


def grown(model: Model, state: State) -> tuple[State, Workspace]:
    """State and Workspace with room for twice as many contact pairs."""
    of_rods = {"pairs", "surface_pairs"} if len(model.rods) else set()
    lists = {name: getattr(state, name) for name in ("pairs", "surface_pairs", "shape_pairs", "soft_pairs")}
    state = state._replace(**{name: twice(own) for name, own in lists.items() if len(own) or name in of_rods})
    return state, workspace(model, state)


def twice(pairs: np.ndarray) -> np.ndarray:
    """The same with as much room again."""
    room = np.zeros(2 * max(len(pairs), 1), PAIR)
    room[: len(pairs)] = pairs
    return room
