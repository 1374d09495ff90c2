"""Goes on to a time: a stretch that fails although its steps were halved is taken again from its beginning, with what
may cure that; where steps are to be smaller, with an imperfection. So motion does not go by the room that lists had.

status                            cures, the first that there is
a list of pairs is full           more room
an exact pin pushes too hard      from there on it yields
lengths, speeds, depths           kinematic bodies that lead pins yield, or as any other
any other                         smaller steps
"""

from collections.abc import Callable, Sequence

import numpy as np

from ..assemble.room import asked, roomier
from ..assemble.solids import ROUNDING, next_release
from ..model import FREE, HELD, YIELDING, Model, State
from ..scene import Scene
from ..start.imperfection import imperfect
from ..time_integration.symplectic_euler import DONE, OVERSTRETCHED, PAIRS_FULL, TOO_DEEP, TOO_FAR
from .kept import Keeper, Kept
from .steps import RodSteps

SMALLER = (0.25, 0.0625)  # times as long steps, where usual ones fail: a stretch then costs 4 and 16 times as much
TOO_STRONG = -1  # the status of a stretch in which exact pins pushed harder than where yielding ones yield


class Driver:
    """Has the States of a part, in the order of its Models, and goes on with them."""

    def __init__(
        self, scene: Scene, steps: RodSteps, models: tuple[Model, ...], states: tuple[State, ...], led: np.ndarray
    ) -> None:
        """Begin with `states`, which become its own. led (P,) bool: pins that stand for welds to kinematic bodies."""
        self.scene, self.steps, self.models, self.led = scene, steps, models, led
        self._keepers: tuple[Keeper, ...] = ()
        self._left = 0.0
        self.begin(states)

    def begin(self, states: Sequence[State]) -> None:
        """Go on from `states`."""
        self.states = self.steps.begin(self.models, tuple(states))

    @property
    def reached(self) -> tuple[np.ndarray, np.ndarray]:
        """(2, N, 3) [m] each vertex's least and largest coordinates since whoever runs the steps reset them."""
        return self.steps.reached

    def keep(self) -> tuple[Kept, ...]:
        """The States as they are now."""
        if [id(keeper.state) for keeper in self._keepers] != [*map(id, self.states)]:
            self._keepers = tuple(map(Keeper, self.states))
        return tuple(keeper.keep() for keeper in self._keepers)

    def go_to(self, end: float, before: tuple[Kept, ...] = ()) -> tuple[int, int, int, float] | None:
        """Advance to the time `end` [s], whatever lets go on the way → None, or (status, rod, the other rod, the time
        until which it was to go) of what failed for good: then the States are those before it.

        before: what is kept of the States, if anything is; their fields stay as they are.
        """
        for stop, lets_go in stretches(self.steps.soft, self.states[0].clock["time"][0], end):
            if failed := self._go_to(stop, before):
                return *failed, stop
            before = ()
            if lets_go:
                self._go_on(self.states)
        return None

    def _go_to(self, end: float, before: tuple[Kept, ...]) -> tuple[int, int, int] | None:
        model = self.models[0]
        things = len(model.rods) + len(model.surfaces.colliders) + len(model.bodies) + len(self.scene.solids)
        self._tries, self._yielding = np.zeros(max(things, 1), dtype=int), np.zeros(len(self.led), dtype=bool)
        self._before: tuple[Kept, ...] = before or self.keep()
        self._duration = end - self.states[0].clock["time"][0]
        self._start()
        while self._left > 1e-12 * max(end, self.scene.frame_duration):
            status, rod, other, self._left = self.steps.attempt(self._left, self._smaller)
            if status == DONE and (self._too_strong() & ~self._yielding).any():
                status = TOO_STRONG
            if status == DONE:
                break
            if not any(cure(self, rod) for cure in CURES.get(status, USUAL)):
                return status, rod, other
        self.states[0].clock["time"][0] = end
        self._before = ()
        return None

    def _start(self) -> None:
        self.states[0].holds["push"] = 0.0
        self._left = self._duration

    @property
    def _smaller(self) -> float:
        return (1.0, *SMALLER)[self._tries.max()]

    def _too_strong(self) -> np.ndarray:
        """(P,) bool: exact pins that pushed harder than where yielding ones yield."""
        holds = self.states[0].holds
        return (holds["state"] == HELD) & (holds["push"] > self.models[0].pins["max_force"])

    def _concerned(self, rod: int) -> np.ndarray:
        """(T,) bool: what may have part in what failed at a rod, or another thing: all, or it alone where rods only are
        side by side. Rods, colliders, bodies and soft ones are counted one behind the other.
        """
        model, things = self.models[0], np.arange(len(self._tries))
        alone = 0 <= rod < len(model.rods) and not (len(model.capsules) or len(model.bodies) or len(self.models) > 1)
        return things == rod if alone else np.ones(len(things), dtype=bool)

    def _begin_again(self) -> None:
        for state, kept in zip(self.states, self._before, strict=True):
            kept.put(state, ("fields",))
        holds = self.states[0].holds["state"]
        holds[self._yielding & (holds != FREE)] = YIELDING
        self._start()

    def _go_on(self, states: Sequence[State]) -> None:
        """Go on from `states`, at the same moment: where vertices have been stays."""
        low, high = self.reached
        self.begin(states)
        self.reached[0][:], self.reached[1][:] = low, high

    def _more_room(self, _rod: int) -> bool:
        wanted = [asked(state) for state in self.states]
        self._begin_again()
        self._go_on([roomier(state, own) for state, own in zip(self.states, wanted, strict=True)])
        self._before = self.keep()
        return True

    def _strong_pins_yield(self, _rod: int) -> bool:
        self._yielding |= self._too_strong()
        self._begin_again()
        return True

    def _led_pins_yield(self, rod: int) -> bool:
        state = self.states[0].holds["state"]
        own = self.led & self._concerned(rod)[self.models[0].pins["rod"]] & ~self._yielding & (state != YIELDING)
        if not own.any():
            return False
        self._yielding |= own
        state[own] = YIELDING
        self._begin_again()
        return True

    def _smaller_steps(self, rod: int) -> bool:
        self._begin_again()
        if self._tries[rod] == len(SMALLER):
            return False
        own = self._concerned(rod)
        self._tries[own] += 1
        imperfect(self.models[0], self.states[0], always=own[: len(self.models[0].rods)])
        self._before = self.keep()
        return True


USUAL: tuple[Callable[[Driver, int], bool], ...] = (Driver._smaller_steps,)
CURES = {
    PAIRS_FULL: (Driver._more_room,),
    TOO_STRONG: (Driver._strong_pins_yield,),
    **dict.fromkeys((OVERSTRETCHED, TOO_FAR, TOO_DEEP), (Driver._led_pins_yield, *USUAL)),
}


def stretches(held: Model, time: float, end: float) -> list[tuple[float, bool]]:
    """Until when [s] to go, one stretch after the other from `time` to `end`, and whether something lets go then."""
    found = []
    while (time := next_release(held, time)) <= end * (1.0 + ROUNDING):
        found.append((time if time < end * (1.0 - ROUNDING) else end, True))
    return found if found and found[-1][0] == end else [*found, (end, False)]
