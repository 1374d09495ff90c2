"""One island on its way from frame to frame: its model, its state, and what to do when a stretch fails."""

import numpy as np
from scipy.spatial.transform import Rotation

from .assemble import assemble, workspace
from .assemble.fields import field_arrays, groups
from .checkpoint import restored
from .contact.room import grown
from .failure import failure
from .fit_lengths import fit_lengths
from .forces.fields import COLUMNS, evaluate_fields
from .imperfection import imperfect
from .lagging import lagging
from .material_axes import material_axes
from .model import State
from .rest_in_equilibrium import rest_in_equilibrium
from .rods.elastic_forces import elastic_forces
from .scene import QUALITIES, Notice
from .settle import settled
from .time_integration.advance import advance
from .time_integration.symplectic_euler import (
    DONE,
    OVERSTRETCHED,
    PAIRS_FULL,
    TOO_DEEP,
    TOO_FAR,
    TWIST_LOST,
)
from .toppling import toppling
from .validate import SimulationError

RETRIES = 2
LET_GO = (OVERSTRETCHED, TOO_FAR, TOO_DEEP)  # what led bodies that yield can cure
FIELD_SAMPLES = 8  # a frame


class IslandRun:
    """Advances one Island; Notices come out of `settle` and `reach`."""

    def __init__(self, island, led_pins, arrays=None, index=0):
        """Begin at the start, or where `arrays`, the State's at frame `index`, left off. Raises SimulationError,
        CheckpointError.
        """
        self.island, self.scene = island, island.scene
        self.led = np.isin(island.pins, led_pins)
        self.model, self.state, self.work = assemble(self.scene)
        self.start = self.state.bodies["x"].copy(), self.state.bodies["q"].copy()
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

    def settle(self):
        """Bring the start to rest, if the scene asks for it."""
        notices = self._toppling()
        if not self.scene.settle:
            return notices
        self.state, self.work, calm = settled(self.scene, self.model, self.state, self.work, self._feel_fields)
        if not calm:
            text = "The scene did not come to rest before the first frame: pin what falls, or add a floor."
            notices.append(Notice(self.scene.rods[0].name, 0, text))
        return notices

    def _toppling(self):
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

    def reach(self, index):
        """Advance to frame `index`; force fields are looked at a few times on the way."""
        frame = self.scene.frame_duration
        if self.scene.fields:
            for k in range(FIELD_SAMPLES):
                self._feel_fields(self.state)
                self._advance((index - 1 + (k + 1) / FIELD_SAMPLES) * frame, index)
        self._advance(index * frame, index)
        imperfect(self.model, self.state)
        return lagging(self.scene, self.model, self.state, index)

    def _feel_fields(self, state):
        """What the force fields do to the rods and bodies from now on."""
        n, time = len(state.x), state.clock["time"][0]
        evaluate_fields(self.fields, time, self.rod_groups, state.x, self.samples, state.fields[:n])
        evaluate_fields(self.fields, time, self.body_groups, state.bodies["x"], self.samples, state.fields[n:])

    def _advance(self, end, index):
        """Advance to the time `end` [s]. A stretch that fails although its steps were halved is taken again: with room
        for more contact pairs, with led bodies that yield, or with an imperfection and smaller steps throughout.
        """
        scene, fraction, max_step = self.scene, QUALITIES[self.scene.quality], self.scene.max_step
        retries = 0
        while end - self.state.clock["time"][0] > 1e-12 * max(end, scene.frame_duration):
            before = State(*(array.copy() for array in self.state))
            left = end - self.state.clock["time"][0]
            status, rod, other, _, _ = advance(self.model, self.state, self.work, left, fraction, max_step)
            if status == DONE:
                break
            self.state = before
            if status == PAIRS_FULL:
                self.state, self.work = grown(self.model, before)
            elif status in LET_GO and not self.state.holds["yields"][self.led].all():
                self.state.holds["yields"][self.led] = True
            elif retries < RETRIES:
                retries += 1
                fraction *= 0.25
                imperfect(self.model, self.state, always=True)
            else:
                self._fail(status, rod, other, index, end)
        self.state.clock["time"][0] = end

    def _fail(self, status, rod, other, index, end):
        name, reason = failure(self.scene, self.model, self.state, status, rod, other, end)
        raise SimulationError(name, f"'{name}' could not go on after {index} frames: {reason}.")

    def shapes(self, index):
        """Vertices (n, 3) and first material axes (m, 3) of each rod, frames at equilibrium: two lists."""
        rods = self.model.rods
        names = ("t", "u", "theta", "rods")
        now = self.state._replace(**{name: getattr(self.state, name).copy() for name in names})
        failed = elastic_forces(self.model, now, self.work)
        if failed >= 0:
            self._fail(TWIST_LOST, failed, failed, index, self.state.clock["time"][0])
        xs, axes = [], []
        for r, rod in enumerate(self.scene.rods):
            first = rods["first"][r]
            xs.append(self.state.x[first : first + len(rod.x)].copy())
            axes.append(material_axes(self.model, now, r))
        return xs, axes

    def poses(self):
        """Centre of mass [m], as described, and turn since the start (w, x, y, z) of each body: (B, 7)."""
        poses = np.zeros((len(self.scene.bodies), 7))
        for b, body in enumerate(self.scene.bodies):
            if not np.linalg.norm(self.state.bodies["q"][b]) > 0.0:  # it has left all bounds, as its frame shall say
                poses[b] = np.nan
                continue
            now, start = (Rotation.from_quat(np.roll(q[b], -1)) for q in (self.state.bodies["q"], self.start[1]))
            turn = now * start.inv()
            poses[b, :3] = self.state.bodies["x"][b] + turn.apply(body.position - self.start[0][b])
            poses[b, 3:] = np.roll(turn.as_quat(), 1)
        return poses
