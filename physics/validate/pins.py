"""One pin: where it leads, and how firmly."""

import numpy as np

from ..scene import Pin, Scene
from ..scenes.at_winch import start_of
from .cables import check_sliding
from .errors import SceneError
from .holds import check_place
from .samples import check_samples

FEASIBLE = 1e-6  # relative length by which pins may ask for more than there is at the start


def check_pin(scene: Scene, pin: Pin) -> None:
    """Raises SceneError."""
    check_place(scene, pin)
    rod = scene.rods[pin.rod]
    shapes = {"position": 3, "rotation": 4, "influence": 0}
    check_samples(pin, shapes, "rotation", "check the object it follows")
    if pin.influence is not None and not np.all((pin.influence >= 0.0) & (pin.influence <= 1.0)):
        worst = pin.influence[np.argmax(np.abs(pin.influence - 0.5))]
        raise SceneError(pin.name, f"'{pin.name}': its influence reaches {worst:g}: keep it between 0 and 1.")
    if pin.max_force == np.inf and pin.influence is not None:
        _check_exact(pin.name, pin.influence)
    if pin.max_force is not None and not pin.max_force > 0.0:
        raise SceneError(
            pin.name, f"'{pin.name}': the largest force is {pin.max_force:g} N: it has to be greater than zero."
        )
    if pin.slides:
        check_sliding(scene, pin)
    if rod.model == "cable":
        return
    start = start_of(rod, pin.vertex)
    gap = float(np.linalg.norm(pin.position[0] - start))
    if gap > FEASIBLE * np.linalg.norm(rod.edges(), axis=1).sum():
        text = f"'{pin.name}' starts {gap:.4g} m from the point {pin.vertex} of '{rod.name}' that it holds"
        cure = "move one to the other at the first frame"
        if not np.array_equal(start, rod.x[pin.vertex]):
            cure = "its winch holds the same end where it leaves it; remove one of them"
        raise SceneError(pin.name, f"{text}: {cure}.")


def _check_exact(name: str, influence: np.ndarray) -> None:
    """A pin without a largest force holds or does not, and cannot fetch what it has let go."""
    between = (influence > 0.0) & (influence < 1.0)
    if between.any() or np.any(np.diff(influence) > 0.0):
        what = f"an influence of {influence[between][0]:g}" if between.any() else "an influence that rises again"
        raise SceneError(name, f"'{name}' never yields, so it cannot have {what}: give it a largest force.")
