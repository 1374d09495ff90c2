"""Soft bodies on their way from frame to frame: the like of an IslandRun."""

from typing import NoReturn

import numpy as np

from ..assemble.room import grown
from ..assemble.solids import ROUNDING, in_force, next_release
from ..model import Model, State
from ..scene import FRACTIONS, Notice, Scene
from ..start.settle_solids import settled_solids
from ..time_integration.runge_kutta import PAIRS, runge_kutta_steps
from ..time_integration.symplectic_euler import DONE, PAIRS_FULL
from ..time_integration.velocity_verlet import CHANGE, verlet_steps
from ..time_integration.workspace import Workspace, workspace
from ..validate import SimulationError
from .felt_fields import FeltBySolids, ends
from .part_run import PartRun
from .parts import Part
from .winning import winning


class SolidRun(PartRun):
    """Advances soft bodies, those of `part`, whose nodes are numbered in its order."""

    def __init__(self, part: Part, model: Model, state: State) -> None:
        """Begin with `state`, which becomes its own. model: with all holds there ever are."""
        self.part, self.scene, self.model = part, part.scene, model
        self.reached = True
        self.fields = FeltBySolids(part, model)
        self.begin(state)

    def begin(self, state: State) -> None:
        """Go on from `state`."""
        self.state, self.reached = state, True
        self._let_go()

    def _let_go(self) -> None:
        """From now on without what has let go."""
        self.held = in_force(self.model, self.state, self.scene.consistent_mass and self.scene.scheme != "VERLET")
        self.work = workspace(self.held, self.state)

    @property
    def stuck(self) -> bool:
        return not self.reached

    def settle(self) -> list[Notice]:
        """Bring the start to rest, if the scene asks for it."""
        if not self.scene.settle:
            return []
        name = self.scene.solids[0].name
        if self.scene.scheme != "VERLET":
            return [Notice(name, 0, f"'{name}' begins as drawn: only by VERLET do soft bodies settle.")]
        state, calm = settled_solids(self.scene, self.held, self.state, self.fields.feel)
        self.begin(state)
        if calm:
            return []
        text = f"'{name}' did not come to rest before the first frame: pin what falls, or add a floor."
        return [Notice(name, 0, text)]

    def advance(self, index: int) -> None:
        """Go on to frame `index`, as far as it gets; force fields are looked at a few times on the way."""
        for end in ends(self.scene, index):
            self.fields.feel(self.state)
            self._persist(end)

    def _persist(self, end: float) -> None:
        """Advance to the time `end` [s], whatever lets go on the way."""
        for stop, lets_go in stretches(self.held, self.state.clock["time"][0], end):
            if self.reached:
                self._go_to(stop)
            if self.reached and lets_go:
                self._let_go()

    def _go_to(self, end: float) -> None:
        scene, clock = self.scene, self.state.clock
        duration, viscous = end - clock["time"][0], bool(self.held.solids.bodies["viscous"].any())
        if scene.scheme == "VERLET":
            fraction, status = FRACTIONS[scene.quality], PAIRS_FULL
            while status == PAIRS_FULL:
                status, _, duration = verlet_steps(
                    self.held, self.state, self.work, viscous, duration, fraction, scene.max_step
                )
                if status == PAIRS_FULL:
                    self.state, self.work = grown(self.held, self.state)
        else:
            status, _, _ = runge_kutta_steps(
                self.held,
                self.state,
                self.work,
                PAIRS[scene.scheme],
                viscous,
                duration,
                scene.tolerance,
                scene.max_step,
            )
        self.reached = status == DONE
        if self.reached:
            clock["time"][0] = end

    def finish(self, index: int) -> list[Notice]:
        """End frame `index`. Raises SimulationError where it was not reached."""
        if not self.reached:
            torn(self.scene, self.held, self.work, index)
        return winning(self.scene, self.state, index)

    def material_axes(self, index: int) -> np.ndarray:
        """Of no edge (0, 3)."""
        return np.zeros((0, 3))

    def poses(self, start: np.ndarray) -> np.ndarray:
        """Of no rigid body (0, 7)."""
        return np.zeros((0, 7))


def stretches(held: Model, time: float, end: float) -> list[tuple[float, bool]]:
    """Until when [s] to go, one stretch after the other from `time` to `end`, and whether something lets go then."""
    found = []
    while (time := next_release(held, time)) <= end * (1.0 + ROUNDING):
        found.append((time if time < end * (1.0 - ROUNDING) else end, True))
    return found if found and found[-1][0] == end else [*found, (end, False)]


def torn(scene: Scene, model: Model, work: Workspace, index: int) -> NoReturn:
    """Raises SimulationError about the tetrahedron that has gone furthest from its volume."""
    ratio = work.solids.jacobian
    worst = int(np.argmax(np.abs(np.log(np.maximum(np.nan_to_num(ratio), 1e-300)))))
    name = scene.solids[model.solids.tetrahedra["solid"][worst]].name
    if CHANGE < ratio[worst] < 1.0 / CHANGE:  # its tetrahedra are as good as whole
        raise SimulationError(
            name,
            f"'{name}' could not go on after {index} frames: where it is struck, squeezed or held it moves too fast "
            "to be followed: give what drives it more time or less way.",
        )
    raise SimulationError(
        name,
        f"'{name}' could not go on after {index} frames: where it is pressed or pulled most, a tetrahedron has "
        f"{ratio[worst]:.2g} of its volume: give what drives it more time or less way.",
    )
