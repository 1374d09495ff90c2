"""Who takes the steps of a part of a scene: rods and rigid bodies, soft bodies, or both together."""

from contextlib import AbstractContextManager, nullcontext

import numpy as np

from ..assemble.coupled import coupled
from ..assemble.solids import in_force
from ..cost import rod_steps
from ..model import Model, State
from ..scene import FRACTIONS, LONGEST_STEPS, Scene
from ..time_integration.advance import advance
from ..time_integration.coupled_step import Coupled, coupled_steps
from ..time_integration.implicit_steps import implicit_steps
from ..time_integration.runge_kutta import PAIRS, runge_kutta_steps
from ..time_integration.velocity_verlet import verlet_steps
from ..time_integration.workspace import Workspace, workspace
from .lent_workspaces import Lent

BRAKED = 0.7  # of the critical step: leapfrog is stable below it whatever drag there is (forces/surface_drag)
# Status, the rod it concerns, the other one, and the time [s] that is left; rod −1: it concerns soft bodies.
Ended = tuple[int, int, int, float]


class RodSteps:
    """Takes steps of rods and bodies as the scene's solver does.

    soft, soft_work: the Model in these steps, without what has let go, and the Workspace of soft bodies, if there are
    any; reached (2, N, 3): low and high of the first Model's Workspace.
    """

    soft: Model
    soft_work: Workspace
    reached: tuple[np.ndarray, np.ndarray]

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def begin(self, models: tuple[Model, ...], states: tuple[State, ...]) -> tuple[State, ...]:
        """Go on from `states` → these, as they are from now on, whose arrays are its own."""
        (self.soft,), (self.state,) = models, states
        self._lent = Lent(self.soft, self.state)
        self.reached = self._lent.low, self._lent.high
        return states

    def at_work(self) -> AbstractContextManager[Workspace]:
        """The Workspace of the first Model, as long as it is needed."""
        return self._lent.at_work()

    def attempt(self, duration: float, smaller: float) -> Ended:
        """Advance by `duration` [s] in steps smaller than usual by that factor."""
        with self.at_work() as work:
            return self._take(work, duration, smaller)

    def _take(self, work: Workspace, duration: float, smaller: float) -> Ended:
        scene, model, state = self.scene, self.soft, self.state
        fraction = smaller * scene.fraction
        if scene.solver != "IMPLICIT" or not len(model.rods):  # bodies alone take explicit steps
            return _without_count(advance(model, state, work, duration, fraction, scene.max_step))
        longest, end = smaller * min(LONGEST_STEPS[scene.quality], scene.max_step), state.clock["time"][0] + duration
        found = implicit_steps(model, state, work, duration, longest, scene.third_difference)
        return *found[:3], end - state.clock["time"][0]


class SoftSteps(RodSteps):
    """Takes steps of soft bodies as the scene's scheme does."""

    def begin(self, models: tuple[Model, ...], states: tuple[State, ...]) -> tuple[State, ...]:
        """Go on from `states`."""
        consistent = self.scene.consistent_mass and self.scene.scheme != "VERLET"
        self.soft, (self.state,) = in_force(models[0], states[0], consistent), states
        self._hold(workspace(self.soft, self.state))
        self.soft_work = self.work
        return states

    def _hold(self, work: Workspace) -> None:
        self.work, self.reached = work, (work.low, work.high)

    def at_work(self) -> AbstractContextManager[Workspace]:
        """Its own one, for soft bodies are few."""
        return nullcontext(self.work)

    def _take(self, work: Workspace, duration: float, smaller: float) -> Ended:
        scene, viscous = self.scene, bool(self.soft.solids.bodies["viscous"].any())
        own = self.soft, self.state, work
        if scene.scheme == "VERLET":
            ended = verlet_steps(*own, viscous, duration, smaller * FRACTIONS[scene.quality], scene.max_step)
        else:
            tolerance = scene.tolerance * smaller**3  # as their steps go with it
            ended = runge_kutta_steps(*own, PAIRS[scene.scheme], viscous, duration, tolerance, smaller * scene.max_step)
        return ended[0], -1, -1, ended[2]


class CoupledSteps(SoftSteps):
    """Takes common steps of rods and bodies, of soft bodies, and of what is between them: explicit ones, but of rods
    that are implicit.
    """

    coupled: Coupled

    def __init__(self, scene: Scene, implicit: np.ndarray) -> None:
        """implicit (R,) bool: rods that are. No step is longer than that of others at rest, by which it is judged how
        short a step is.
        """
        super().__init__(scene)
        own = rod_steps(scene) if scene.rods else np.zeros(0)
        self.longest = float(min([scene.max_step, *own[~implicit]]))

    def begin(self, models: tuple[Model, ...], states: tuple[State, ...]) -> tuple[State, ...]:
        """Go on from `states`."""
        self.soft = in_force(models[1], states[1], False)
        c = self.coupled = coupled((models[0], self.soft, models[2]), states)
        self._hold(c.rods.work)
        self.soft_work = c.soft.work
        return c.rods.state, c.soft.state, c.state

    def _take(self, work: Workspace, duration: float, smaller: float) -> Ended:
        viscous = bool(self.soft.solids.bodies["viscous"].any())
        fractions = smaller * self.scene.fraction, smaller * min(FRACTIONS[self.scene.quality], BRAKED)
        return _without_count(coupled_steps(self.coupled, viscous, duration, *fractions, self.longest))


def _without_count(ended: tuple[int, int, int, int, float]) -> Ended:
    """What steps return, but for how many there were."""
    return *ended[:3], ended[4]
