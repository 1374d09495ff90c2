"""What force fields and loads do to the things of a run, looked at a few times on the way through a frame."""

from collections.abc import Sequence
from math import ceil

import numpy as np

from ..assemble.fields import field_arrays, groups
from ..forces.fields import COLUMNS, evaluate_fields
from ..model import Model, State
from ..scene import LONGEST_STEPS, Scene
from ..scenes.loaded import acted_on, has_loads
from .felt_loads import FeltLoads
from .parts import Part

FIELD_SAMPLES = 8  # a frame, at most
SOFT = (
    1 << 32
)  # from which the random numbers of soft bodies are counted; rods' are from 0 up, and bodies' from −1 down


class FeltFields:
    """Looks at the force fields and loads of a Part for its things again and again."""

    def __init__(self, part: Part, models: Sequence[Model]) -> None:
        """models: of rods and bodies, of soft bodies, or of both, in this order."""
        scene = self.scene = part.scene
        self.fields, self.samples = field_arrays(scene), np.zeros((len(scene.fields), COLUMNS))
        self.groups = []  # of nodes and of bodies, of each
        self.loads = [FeltLoads(scene, model) for model in models[:2] if has_loads(scene)]
        for model in models[:2] if acted_on(scene) else ():
            rods, bodies, nodes = model.rods, np.arange(len(model.bodies)), model.solids.bodies["node"]
            own = groups(scene.solids, nodes[:, 0], nodes[:, 1], SOFT + part.solids) if len(nodes) else None
            own = groups(scene.rods, rods["first"], rods["last"] + 1, part.rods) if own is None else own
            of_bodies = scene.bodies if len(bodies) else ()
            self.groups.append((own, groups(of_bodies, bodies, bodies + 1, -1 - part.bodies[: len(bodies)])))

    def feel(self, *states: State) -> None:
        """What they do from now on, in these States; where there are none, nothing."""
        if not acted_on(self.scene):
            return
        for (own, bodies), state in zip(self.groups, states, strict=False):
            n, time = len(state.x), state.clock["time"][0]
            self._feel(own, time, state.x, state.fields[:n])
            if len(bodies):
                self._feel(bodies, time, state.bodies["x"], state.fields[n:])
        half = 0.5 * self.scene.frame_duration / stretches(self.scene)
        for loads, state in zip(self.loads, states, strict=False):
            loads.feel(state, state.clock["time"][0] + half)

    def _feel(self, own: np.ndarray, time: float, x: np.ndarray, effects: np.ndarray) -> None:
        """Overwrite effects (n,), FIELD_EFFECT, with those at `time` [s] on points x (n, 3), which are GROUP (G,)."""
        evaluate_fields(self.fields, time, own, x, self.samples, effects)


def stretches(scene: Scene) -> int:
    """How often all of it is looked at in a frame: before every so many steps, where steps are known beforehand."""
    if scene.solver == "EXPLICIT" or scene.solids:
        return FIELD_SAMPLES
    steps = ceil(scene.frame_duration / min(LONGEST_STEPS[scene.quality], scene.max_step) * (1.0 - 1e-9))
    return ceil(steps / ceil(steps / FIELD_SAMPLES))


def ends(scene: Scene, index: int) -> list[float]:
    """The times [s] up to which fields and loads are as they were looked at, on the way to frame `index`."""
    count = stretches(scene) if acted_on(scene) else 1
    return [(index - 1 + (k + 1) / count) * scene.frame_duration for k in range(count)]
