"""An island of rods or rigid bodies and soft bodies on its way from frame to frame."""

from functools import cached_property
from typing import NoReturn

import numpy as np

from ..assemble.coupled import coupled
from ..assemble.room import grown, lacking
from ..assemble.solids import in_force
from ..cost import rod_steps
from ..model import YIELDING, Model, State
from ..scene import FRACTIONS, Notice
from ..time_integration.coupled_step import coupled_steps
from ..time_integration.symplectic_euler import DONE, PAIRS_FULL
from .felt_fields import FeltBySolids
from .island_run import IslandRun
from .kept import Keeper
from .parts import Part
from .retries import LET_GO, RETRIES, SMALLER, too_strong
from .solid_run import stretches, torn

TRIES = [(again, SMALLER**k) for again in (False, True) for k in range(1, RETRIES + 1)]  # from the start, smaller steps
BRAKED = 0.7  # of the critical step: leapfrog is stable below it whatever drag there is (forces/surface_drag)


class CoupledRun(IslandRun):
    """Advances an island, whose rods and bodies are an IslandRun's, by common steps: explicit ones, but of rods
    that are implicit.

    models, states: those of the rods and bodies, of the soft bodies, and of what is between them.
    """

    def __init__(self, part: Part, models: tuple[Model, ...], states: tuple[State, ...], led: np.ndarray) -> None:
        """Begin with `states`, which become its own. led: as an IslandRun's."""
        self.soft_model, self.between_model = models[1:]
        self.rest = states[1:]
        self.felt = FeltBySolids(part, self.soft_model)
        super().__init__(part, models[0], states[0], led)

    def begin(self, *states: State) -> None:
        """Go on from these states, or from the first with the others as they are."""
        self._share(states if len(states) == 3 else (states[0], *self.rest))
        self.begun = self.failed = None

    def _share(self, states: tuple[State, ...]) -> None:
        self.held = in_force(self.soft_model, states[1], False)
        self.coupled = coupled((self.stepped, self.held, self.between_model), states)
        self.state, self.work = self.coupled.rods.state, self.coupled.rods.work
        self.rest = self.coupled.soft.state, self.coupled.state

    @property
    def stepped(self) -> Model:
        """That of the rods and bodies in its steps."""
        return self.model

    @cached_property
    def _longest(self) -> float:
        """[s] that no step is longer than: that of rods at rest too, against which it is judged how short a step is."""
        own = rod_steps(self.scene) if self.scene.rods else np.zeros(0)
        return float(min([self.scene.max_step, *own[~self.stepped.rods["implicit"]]]))

    @property
    def x(self) -> np.ndarray:
        return self.coupled.x

    @property
    def states(self) -> tuple[State, ...]:
        return self._every_state

    @property
    def models(self) -> tuple[Model, ...]:
        return self._every_model

    @property
    def _every_state(self) -> tuple[State, ...]:
        return self.state, *self.rest

    @property
    def _every_model(self) -> tuple[Model, ...]:
        return self.model, self.soft_model, self.between_model

    def settle(self) -> list[Notice]:
        """They begin as drawn."""
        if not self.scene.settle:
            return []
        name = self.scene.solids[0].name
        return [Notice(name, 0, f"'{name}', and what touches or holds it, begins as drawn: soft bodies do not settle.")]

    def _feel_fields(self, state: State) -> None:
        super()._feel_fields(state)
        self.felt.feel(self.rest[0])

    def _persist(self, end: float) -> None:
        """Advance to the time `end` [s], unless it failed before."""
        for stop, lets_go in stretches(self.held, self.state.clock["time"][0], end):
            if self.failed is None:
                self._go_to(stop)
            if self.failed is None and lets_go:
                self._share(self._every_state)

    def _go_to(self, end: float) -> None:
        """Advance to the time `end` [s]. What fails goes on from there in smaller steps, and, where it is in too deep
        for that, in smaller steps from where this began.
        """
        scene, status = self.scene, PAIRS_FULL
        viscous = bool(self.held.solids.bodies["viscous"].any())
        begun, duration = [Keeper(state).keep() for state in self._every_state], end - self.state.clock["time"][0]
        left, smaller, tries = duration, 1.0, iter(TRIES)
        self.state.holds["push"] = 0.0
        while status != DONE:
            fractions = smaller * scene.fraction, smaller * min(FRACTIONS[scene.quality], BRAKED)
            status, rod, other, _, left = coupled_steps(self.coupled, viscous, left, *fractions, self._longest)
            pushing = too_strong(self.model, self.state)
            if status == DONE and pushing.any():
                yielding = pushing | (self.state.holds["state"] == YIELDING)
                self._share(tuple(kept.copy() for kept in begun))
                self.state.holds["state"][yielding] = YIELDING
                self.state.holds["push"], left, status = 0.0, duration, PAIRS_FULL
            elif status == PAIRS_FULL:
                every = self._every_model, self._every_state
                full = [bool(lacking(state)) for state in every[1]]
                self._share(
                    tuple(
                        grown(model, state)[0] if own or not any(full) else state
                        for model, state, own in zip(*every, full, strict=True)
                    )
                )
            elif status in LET_GO and not np.all(self.state.holds["state"][self.led] == YIELDING):
                self.state.holds["state"][self.led] = YIELDING
            elif status != DONE:
                again, smaller = next(tries, (False, 0.0))
                if smaller == 0.0:
                    self.failed = (status, rod, other, end)
                    return
                if again:
                    yielding = self.state.holds["state"] == YIELDING
                    self._share(tuple(kept.copy() for kept in begun))
                    self.state.holds["state"][yielding] = YIELDING
                    left = duration
        self.state.clock["time"][0] = end

    def _fail(self, status: int, rod: int, other: int, end: float, index: int) -> NoReturn:
        if rod < 0:
            torn(self.scene, self.held, self.coupled.soft.work, index)
        super()._fail(status, rod, other, end, index)
