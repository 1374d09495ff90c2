"""Room for contact pairs: a list that is full grows between two stretches, for kernels must not allocate."""

import numpy as np

from ..model import PAIR, Model, State
from ..time_integration.workspace import Workspace, workspace


def grown(model: Model, state: State) -> tuple[State, Workspace]:
    """State and Workspace with room for twice as many contact pairs."""
    pairs = np.zeros(2 * max(len(state.pairs), 1), PAIR)
    pairs[: len(state.pairs)] = state.pairs
    state = state._replace(pairs=pairs)
    return state, workspace(model, state)
