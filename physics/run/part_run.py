"""A part of a scene, or an island of such parts, on its way from frame to frame, and what the artist is told of it."""

from typing import NoReturn

import numpy as np

from ..arithmetic.fixed_order import norm
from ..model import Model, State
from ..rods.elastic_forces import WRITTEN, elastic_forces
from ..rods.material_axes import laid_over
from ..scene import Notice
from ..start.imperfection import imperfect
from ..start.settle import settled
from ..start.settle_solids import settled_solids
from ..start.toppling import toppling
from ..time_integration.symplectic_euler import TWIST_LOST
from ..validate import SimulationError
from .driver import Driver
from .failure import failure, torn
from .felt_fields import FeltFields, ends
from .frames import poses
from .kept import Beside, Kept
from .lagging import lagging
from .parts import Part
from .run_out import run_out
from .steps import CoupledSteps, RodSteps, SoftSteps
from .winning import winning

RESTLESS = "did not come to rest before the first frame: pin what falls, or add a floor."
TOPPLES = (
    "holds its drawn shape only until something touches it, then it topples: raise its stiffness, make it thicker or "
    "lighter, or pin more of it."
)


class Run:
    """Advances `part`; Notices come out of `settle` and `finish`."""

    def __init__(
        self,
        part: Part,
        models: tuple[Model, ...],
        states: tuple[State, ...],
        led: np.ndarray,
        steps: RodSteps | None = None,
    ) -> None:
        """Begin with `states`, which become its own. models, states: those of rods and bodies, or of soft bodies; or
        of both, and of what is between them; led: numbers of pins that stand for welds to kinematic bodies; steps:
        who takes them, if nobody of these.
        """
        self.part, self.scene = part, part.scene
        steps = steps or _steps(part, models)
        self.driver = Driver(self.scene, steps, models, states, np.isin(part.pins, led))
        self.fields = FeltFields(part, models)
        self.begun: tuple[Kept, ...] = ()  # the States as the frame began; none: as they are
        self.failed: tuple[int, int, int, float] | None = None
        self._beside: Beside | None = None  # in which frames are brought to equilibrium to be shown

    def begin(self, *states: State) -> None:
        """Go on from these states."""
        self.driver.begin(states)
        self.begun, self.failed = (), None

    @property
    def models(self) -> tuple[Model, ...]:
        """What it is of: a checkpoint holds"""
        return self.driver.models

    @property
    def states(self) -> tuple[State, ...]:
        """these."""
        return self.driver.states

    @property
    def model(self) -> Model:
        """The first, of rods and bodies where there are any;"""
        return self.models[0]

    @model.setter
    def model(self, model: Model) -> None:
        self.driver.models = (model, *self.models[1:])

    @property
    def state(self) -> State:
        """its State."""
        return self.states[0]

    @property
    def x(self) -> np.ndarray:
        """(N, 3) [m] of its part's nodes."""
        return np.concatenate([state.x for state in self.states[:2]])

    @property
    def stuck(self) -> bool:
        """Whether it could not go on to the end of the frame."""
        return self.failed is not None

    def kept(self) -> tuple[Kept, ...]:
        """The States as they are now, as which the next frame begins."""
        self.begun = self.driver.keep()
        return self.begun

    def settle(self) -> list[Notice]:
        """Bring the start to rest, if the scene asks for it."""
        scene = self.scene
        notices = [] if scene.solids else self._toppling()
        if not scene.settle or not scene.deforming:
            return notices
        name, things = scene.deforming[0].name, "The scene"
        if scene.solids:
            name = scene.solids[0].name
            things = f"'{name}'"
            if len(self.models) > 1:
                text = f"{things}, and what touches or holds it, begins as drawn: soft bodies do not settle."
                return [Notice(name, 0, text)]
            if scene.scheme != "VERLET":
                return [Notice(name, 0, f"{things} begins as drawn: only by VERLET do soft bodies settle.")]
            state, calm = settled_solids(scene, self.driver.steps.soft, self.state, self.fields.feel)
            self.begin(state)
        else:
            self.kept()
            state, work, calm = settled(scene, self.model, self.state, self.fields.feel)
            self.driver.begin((state,))
            low, high = self.driver.reached
            low[:], high[:] = work.low, work.high
        return [*notices, *[Notice(name, 0, f"{things} {RESTLESS}")] * (not calm)]

    def _toppling(self) -> list[Notice]:
        """A Notice about a rod that holds its drawn shape, but not for long."""
        r = toppling(self.scene, self.model, self.state)
        if r < 0:
            return []
        name = self.scene.rods[r].name
        return [Notice(name, 0, f"'{name}' {TOPPLES}")]

    def advance(self, index: int) -> None:
        """Go on to frame `index`, as far as it gets; force fields are looked at a few times on the way."""
        if not self.begun:
            self.kept()
        for bound in self.driver.reached:
            bound[:] = self.state.x
        with self.driver.steps.at_work():
            for end in ends(self.scene, index):
                self.fields.feel(*self.states)
                if self.failed is None:
                    before = self.begun if self.begun[0].time == self.state.clock["time"][0] else ()
                    self.failed = self.driver.go_to(end, before)

    def finish(self, index: int) -> list[Notice]:
        """End frame `index`, which nothing takes back any more. Raises SimulationError where it was not reached."""
        if self.failed is not None:
            self._fail(*self.failed, index)
        if self.scene.rods:
            imperfect(self.model, self.state)
        self.begun = ()
        out = run_out(self.scene, self.state, index)
        return [*winning(self.scene, self.state, index), *lagging(self.scene, self.model, self.state, index), *out]

    def _fail(self, status: int, rod: int, other: int, end: float, index: int) -> NoReturn:
        if rod < 0 and self.scene.solids:
            name, reason = torn(self.scene, self.driver.steps.soft, self.driver.steps.soft_work)
        else:
            if rod < 0:  # of all that is too slow the fastest
                rod = other = int(self.model.nodes["rod"][norm(self.state.v).argmax()])
            name, reason = failure(self.scene, self.model, self.state, status, rod, other, end)
        raise SimulationError(name, f"'{name}' could not go on after {index} frames: {reason}.")

    def material_axes(self, index: int) -> np.ndarray:
        """Those of its edges (E, 3), frames at equilibrium, until they are asked for again."""
        if not self.scene.rods:
            return np.zeros((0, 3))
        if self._beside is None or self._beside.of is not self.state:
            self._beside = Beside(self.state, WRITTEN)
        now = self._beside.now()
        with self.driver.steps.at_work() as work:
            failed = elastic_forces(self.model, now, work.elastic)
        if failed >= 0:
            self._fail(TWIST_LOST, failed, failed, self.state.clock["time"][0], index)
        return laid_over(self.model, now)

    def poses(self, start: np.ndarray) -> np.ndarray:
        """Those of its bodies, which were as in `start` (B,), BODY_STATE, at the start: see `frames`."""
        return poses(self.scene, self.state.bodies, start)


def _steps(part: Part, models: tuple[Model, ...]) -> RodSteps:
    if len(models) > 1:
        return CoupledSteps(part.scene, models[0].rods["implicit"])
    if part.scene.solids:
        return SoftSteps(part.scene)
    return RodSteps(part.scene)
