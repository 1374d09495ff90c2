"""Room for contact pairs: a list that is full grows between two stretches, for kernels must not allocate."""

import numpy as np

from ..assemble import workspace


def grown(model, state):
    """State and Workspace with room for twice as many contact pairs."""
    room = 2 * max(len(state.pairs), 1)
    pairs, force = np.zeros((room, 2), np.int64), np.zeros((room, 4))
    pairs[: len(state.pairs)], force[: len(state.pairs)] = state.pairs, state.pair_force
    state = state._replace(pairs=pairs, pair_force=force)
    return state, workspace(model, state)
