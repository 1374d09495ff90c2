"""What a run of a part of the scene is: one model and one state, or, of those coupled, several."""

import numpy as np

from ..model import Model, State, copied


class PartRun:
    """Has a `model` and a `state`."""

    model: Model
    state: State
    begun: State  # as the frame began: its own, or the state itself, of which there is no copy yet

    @property
    def x(self) -> np.ndarray:
        """(N, 3) [m] of its part's nodes."""
        return self.state.x

    @property
    def states(self) -> tuple[State, ...]:
        """What a checkpoint holds,"""
        return (self.state,)

    def kept(self) -> tuple[State, ...]:
        """Copies of these, that nothing changes: the first is also what the next frame begins with."""
        own = tuple(copied(state) for state in self.states)
        self.begun = own[0]
        return own

    @property
    def models(self) -> tuple[Model, ...]:
        """and what that is of."""
        return (self.model,)
