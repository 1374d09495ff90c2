"""Bakes that would not end in a lifetime are refused, those of days are named."""

from .. import cost
from ..scene import Notice, Scene
from ..scenes.without_cables import without_cables
from .errors import SceneError
from .forecast import DAY, forecast, in_words

LONGEST = 100.0 * DAY
LONG = DAY


def check_duration(scene: Scene) -> None:
    """Raises SceneError about what asks for the smallest steps."""
    seconds = forecast(scene).seconds
    if not seconds < LONGEST:
        name, why = _slowest(scene)
        cure = "give it fewer points or a softer material, or make it larger or thinner" if why else "bake fewer frames"
        raise SceneError(name, f"The bake would take at least {in_words(seconds)}{why}: {cure}.")


def long_bakes(scene: Scene) -> list[Notice]:
    """A Notice when the bake takes days."""
    seconds = forecast(scene).seconds
    if seconds < LONG:
        return []
    name, why = _slowest(scene)
    return [Notice(name, 0, f"The bake will take at least {in_words(seconds)}{why}.")]


def _slowest(scene: Scene) -> tuple[str, str]:
    """(name of what asks for the smallest steps, what it needs); of a scene of rigid bodies alone ("scene", "")."""
    scene = without_cables(scene)
    if not scene.deforming:
        return "scene", ""
    steps = [*cost.rod_steps(scene).tolist(), *(cost.soft_step(scene, solid) for solid in scene.solids)]
    k = min(range(len(steps)), key=steps.__getitem__)
    name = scene.deforming[k].name
    return name, f", for '{name}' needs steps of {steps[k]:.2g} s"
