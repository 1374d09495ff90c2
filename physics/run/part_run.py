"""What a run of a part of the scene is: one model and one state, or, of those coupled, several."""

import numpy as np

from ..model import Model, State
from .kept import Keeper, Kept


class PartRun:
    """Has a `model` and a `state`."""

    model: Model
    state: State
    begun: Kept | None = None  # the state as the frame began; None: as it is
    _keepers: tuple[Keeper, ...] = ()

    @property
    def stuck(self) -> bool:
        """Whether it could not go on to the end of the frame."""
        raise NotImplementedError

    @property
    def x(self) -> np.ndarray:
        """(N, 3) [m] of its part's nodes."""
        return self.state.x

    @property
    def states(self) -> tuple[State, ...]:
        """What a checkpoint holds,"""
        return (self.state,)

    def kept(self) -> tuple[Kept, ...]:
        """these as they are now: the first is also what the next frame begins with."""
        states = self.states
        if [id(keeper.state) for keeper in self._keepers] != [*map(id, states)]:
            self._keepers = tuple(map(Keeper, states))
        own = tuple(keeper.keep() for keeper in self._keepers)
        self.begun = own[0]
        return own

    @property
    def models(self) -> tuple[Model, ...]:
        """and what that is of."""
        return (self.model,)
