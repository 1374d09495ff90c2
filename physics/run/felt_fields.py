"""What force fields do to the points of a run, as they are looked at a few times on the way through a frame."""

from math import ceil

import numpy as np

from ..assemble.fields import field_arrays, groups
from ..forces.fields import COLUMNS, evaluate_fields
from ..model import Model, State
from ..scene import LONGEST_STEPS, Scene
from .parts import Part

FIELD_SAMPLES = 8  # a frame, at most
SOFT = (
    1 << 32
)  # from which the random numbers of soft bodies are counted; rods' are from 0 up, and bodies' from −1 down


class FeltFields:
    """Looks at the force fields of a scene for the same things again and again."""

    def __init__(self, scene: Scene) -> None:
        self.fields = field_arrays(scene)
        self.samples = np.zeros((len(scene.fields), COLUMNS))

    def feel(self, groups: np.ndarray, time: float, x: np.ndarray, effects: np.ndarray) -> None:
        """Overwrite effects (n,), FIELD_EFFECT, with those at `time` [s] on points x (n, 3), which are GROUP (G,)."""
        evaluate_fields(self.fields, time, groups, x, self.samples, effects)


class FeltBySolids:
    """The same for the soft bodies of a Part."""

    def __init__(self, part: Part, model: Model) -> None:
        """model: of the soft bodies."""
        scene, nodes = part.scene, model.solids.bodies["node"]
        self.fields = FeltFields(scene) if scene.fields else None
        self.groups = groups(scene.solids, nodes[:, 0], nodes[:, 1], SOFT + part.solids)

    def feel(self, state: State) -> None:
        """What the force fields do to them from now on, in their State; where there are none, nothing."""
        if self.fields is not None:
            self.fields.feel(self.groups, state.clock["time"][0], state.x, state.fields)


def stretches(scene: Scene) -> int:
    """How often force fields are looked at in a frame: before every so many steps, where steps are known beforehand."""
    if scene.solver == "EXPLICIT" or scene.solids:
        return FIELD_SAMPLES
    steps = ceil(scene.frame_duration / min(LONGEST_STEPS[scene.quality], scene.max_step) * (1.0 - 1e-9))
    return ceil(steps / ceil(steps / FIELD_SAMPLES))


def ends(scene: Scene, index: int) -> list[float]:
    """The times [s] up to which force fields are as they were looked at, on the way to frame `index`."""
    count = stretches(scene) if scene.fields else 1
    return [(index - 1 + (k + 1) / count) * scene.frame_duration for k in range(count)]
