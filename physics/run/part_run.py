"""What a run of a part of the scene is: one model and one state, or, of those coupled, several."""

import numpy as np

from ..model import Model, State


class PartRun:
    """Has a `model` and a `state`."""

    model: Model
    state: State

    @property
    def x(self) -> np.ndarray:
        """(N, 3) [m] of its part's nodes."""
        return self.state.x

    @property
    def states(self) -> tuple[State, ...]:
        """What a checkpoint holds,"""
        return (self.state,)

    @property
    def models(self) -> tuple[Model, ...]:
        """and what that is of."""
        return (self.model,)
