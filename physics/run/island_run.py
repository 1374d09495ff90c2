"""One island on its way from frame to frame: its model, its state, and what the artist is told of it."""

from functools import cached_property
from typing import NoReturn

import numpy as np

from ..assemble.fields import groups
from ..model import Model, State
from ..rods.elastic_forces import WRITTEN, elastic_forces
from ..rods.material_axes import laid_over
from ..scene import Notice
from ..start.imperfection import imperfect
from ..start.settle import settled
from ..start.toppling import toppling
from ..time_integration.symplectic_euler import TWIST_LOST
from ..time_integration.workspace import workspace
from ..validate import SimulationError
from .failure import failure
from .felt_fields import FeltFields, ends
from .frames import poses
from .kept import Beside
from .lagging import lagging
from .part_run import PartRun
from .parts import Part
from .retries import persist
from .winning import winning


class IslandRun(PartRun):
    """Advances an island, whose parts make up `part`; Notices come out of `settle` and `finish`."""

    def __init__(self, part: Part, model: Model, state: State, led: np.ndarray) -> None:
        """Begin with `state`, which becomes its own. led: numbers of pins that stand for welds to kinematic bodies."""
        self.part, self.scene = part, part.scene
        self.model, self.led = model, np.isin(part.pins, led)
        self.failed: tuple[int, int, int, float] | None
        self._beside: Beside | None = None  # in which frames are brought to equilibrium to be shown
        self.begin(state)

    def begin(self, state: State) -> None:
        """Go on from `state`."""
        self.state, self.begun, self.failed = state, None, None
        self.work = workspace(self.model, state)

    @property
    def stuck(self) -> bool:
        return self.failed is not None

    def settle(self) -> list[Notice]:
        """Bring the start to rest, if the scene asks for it."""
        notices = self._toppling()
        if not self.scene.settle or not self.scene.rods:
            return notices
        self.kept()
        self.state, self.work, calm = settled(self.scene, self.model, self.state, self._feel_fields)
        if not calm:
            text = "The scene did not come to rest before the first frame: pin what falls, or add a floor."
            notices.append(Notice(self.scene.rods[0].name, 0, text))
        return notices

    def _toppling(self) -> list[Notice]:
        """A Notice about a rod that holds its drawn shape, but not for long."""
        r = toppling(self.scene, self.model, self.state)
        if r < 0:
            return []
        name = self.scene.rods[r].name
        text = (
            f"'{name}' holds its drawn shape only until something touches it, then it topples: raise its stiffness, "
            "make it thicker or lighter, or pin more of it."
        )
        return [Notice(name, 0, text)]

    def advance(self, index: int) -> None:
        """Go on to frame `index`, as far as it gets; force fields are looked at a few times on the way."""
        if self.begun is None:
            self.kept()
        self.work.low[:] = self.work.high[:] = self.state.x
        for end in ends(self.scene, index):
            if self.scene.fields:
                self._feel_fields(self.state)
            self._persist(end)

    def _persist(self, end: float) -> None:
        """Advance to the time `end` [s], whatever has to be tried, unless it failed before."""
        if self.failed is None:
            now = self.state.clock["time"][0]
            before = self.begun if self.begun and self.begun.time == now else None
            self.state, self.work, failed = persist(
                self.scene, self.model, self.state, self.work, self.led, end, before
            )
            self.failed = (*failed, end) if failed else None

    def finish(self, index: int) -> list[Notice]:
        """End frame `index`, which nothing takes back any more. Raises SimulationError where it was not reached."""
        if self.failed is not None:
            self._fail(*self.failed, index)
        imperfect(self.model, self.state)
        self.begun = None
        return [*winning(self.scene, self.state, index), *lagging(self.scene, self.model, self.state, index)]

    @cached_property
    def _fields(self) -> tuple[FeltFields, np.ndarray, np.ndarray]:
        """The force fields, and GROUP of the rods and of the bodies."""
        rods, bodies = self.model.rods, np.arange(len(self.model.bodies))
        return (
            FeltFields(self.scene),
            groups(self.scene.rods, rods["first"], rods["last"] + 1, self.part.rods),
            groups(self.scene.bodies, bodies, bodies + 1, -1 - self.part.bodies),
        )

    def _feel_fields(self, state: State) -> None:
        """What the force fields do to the rods and bodies from now on."""
        fields, rods, bodies = self._fields
        n, time = len(state.x), state.clock["time"][0]
        fields.feel(rods, time, state.x, state.fields[:n])
        if len(bodies):
            fields.feel(bodies, time, state.bodies["x"], state.fields[n:])

    def _fail(self, status: int, rod: int, other: int, end: float, index: int) -> NoReturn:
        name, reason = failure(self.scene, self.model, self.state, status, rod, other, end)
        raise SimulationError(name, f"'{name}' could not go on after {index} frames: {reason}.")

    def material_axes(self, index: int) -> np.ndarray:
        """Those of its edges (E, 3), frames at equilibrium, until they are asked for again."""
        if self._beside is None or self._beside.of is not self.state:
            self._beside = Beside(self.state, WRITTEN)
        now = self._beside.now()
        failed = elastic_forces(self.model, now, self.work.elastic)
        if failed >= 0:
            self._fail(TWIST_LOST, failed, failed, self.state.clock["time"][0], index)
        return laid_over(self.model, now)

    def poses(self, start: np.ndarray) -> np.ndarray:
        """Those of its bodies, which were as in `start` (B,), BODY_STATE, at the start: see `frames`."""
        return poses(self.scene, self.state.bodies, start)
