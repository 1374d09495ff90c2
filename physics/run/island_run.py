"""One island on its way from frame to frame: its model, its state, and what the artist is told of it."""

from collections.abc import Mapping, Sequence
from typing import NoReturn

import numpy as np

from ..assemble import assemble
from ..assemble.fields import field_arrays, groups
from ..forces.fields import COLUMNS, evaluate_fields
from ..model import State
from ..rods.elastic_forces import elastic_forces
from ..scene import Notice
from ..start.fit_lengths import fit_lengths
from ..start.imperfection import imperfect
from ..start.rest_in_equilibrium import rest_in_equilibrium
from ..start.settle import settled
from ..start.toppling import toppling
from ..time_integration.symplectic_euler import TWIST_LOST
from ..time_integration.workspace import workspace
from ..validate import SimulationError
from .checkpoint import restored
from .failure import failure
from .frames import poses, shapes
from .islands import Island
from .lagging import lagging
from .retries import persist

FIELD_SAMPLES = 8  # a frame


class IslandRun:
    """Advances one Island; Notices come out of `settle` and `reach`."""

    def __init__(
        self, island: Island, led_pins: Sequence[int], arrays: Mapping[str, np.ndarray] | None = None, index: int = 0
    ) -> None:
        """Begin at the start, or where `arrays`, the State's at frame `index`, left off. Raises SimulationError,
        CheckpointError.
        """
        self.island, self.scene = island, island.scene
        self.led = np.isin(island.pins, led_pins)
        self.model, self.state, self.work = assemble(self.scene)
        self.start = self.state.bodies.copy()
        if arrays is None or any(rod.balanced for rod in self.scene.rods):
            fit_lengths(self.scene, self.model, self.state)
        self.model = rest_in_equilibrium(self.scene, self.model, self.state)
        self.fields, self.samples = field_arrays(self.scene), np.zeros((len(self.scene.fields), COLUMNS))
        rods, bodies = self.model.rods, np.arange(len(self.model.bodies))
        self.rod_groups = groups(self.scene.rods, rods["first"], rods["last"] + 1, island.rods)
        self.body_groups = groups(self.scene.bodies, bodies, bodies + 1, -1 - island.bodies)
        if arrays is not None:
            time = index * self.scene.frame_duration
            self.state = restored(arrays, self.state, len(self.model.capsules), time)
            self.work = workspace(self.model, self.state)

    def settle(self) -> list[Notice]:
        """Bring the start to rest, if the scene asks for it."""
        notices = self._toppling()
        if not self.scene.settle:
            return notices
        self.state, self.work, calm = settled(self.scene, self.model, self.state, self.work, self._feel_fields)
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

    def reach(self, index: int) -> list[Notice]:
        """Advance to frame `index`; force fields are looked at a few times on the way."""
        frame = self.scene.frame_duration
        if self.scene.fields:
            for k in range(FIELD_SAMPLES):
                self._feel_fields(self.state)
                self._advance((index - 1 + (k + 1) / FIELD_SAMPLES) * frame, index)
        self._advance(index * frame, index)
        imperfect(self.model, self.state)
        return lagging(self.scene, self.model, self.state, index)

    def _feel_fields(self, state: State) -> None:
        """What the force fields do to the rods and bodies from now on."""
        n, time = len(state.x), state.clock["time"][0]
        evaluate_fields(self.fields, time, self.rod_groups, state.x, self.samples, state.fields[:n])
        evaluate_fields(self.fields, time, self.body_groups, state.bodies["x"], self.samples, state.fields[n:])

    def _advance(self, end: float, index: int) -> None:
        """Advance to the time `end` [s], whatever has to be tried."""
        self.state, self.work, failed = persist(self.scene, self.model, self.state, self.work, self.led, end)
        if failed:
            self._fail(*failed, index, end)

    def _fail(self, status: int, rod: int, other: int, index: int, end: float) -> NoReturn:
        name, reason = failure(self.scene, self.model, self.state, status, rod, other, end)
        raise SimulationError(name, f"'{name}' could not go on after {index} frames: {reason}.")

    def shapes(self, index: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Those of its rods, frames at equilibrium: see `frames`."""
        names = ("t", "u", "theta", "torque", "rods")
        now = self.state._replace(**{name: getattr(self.state, name).copy() for name in names})
        failed = elastic_forces(self.model, now, self.work.elastic)
        if failed >= 0:
            self._fail(TWIST_LOST, failed, failed, index, self.state.clock["time"][0])
        return shapes(self.scene, self.model, now)

    def poses(self) -> np.ndarray:
        """Those of its bodies: see `frames`."""
        return poses(self.scene, self.state.bodies, self.start)
