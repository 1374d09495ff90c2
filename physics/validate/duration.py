"""Bakes that would not end in a lifetime are refused, those of days are named."""

from .. import cost
from ..scene import Notice, Rod, Scene
from .errors import SceneError
from .forecast import DAY, forecast, in_words

LONGEST = 100.0 * DAY
LONG = DAY


def check_duration(scene: Scene) -> None:
    """Raises SceneError about the rod that asks for the smallest steps."""
    seconds = forecast(scene).seconds
    if not seconds < LONGEST:
        rod, step = slowest(scene)
        raise SceneError(
            rod.name,
            f"The bake would take about {in_words(seconds)}, for '{rod.name}' needs steps of {step:.2g} s: give it "
            "fewer points or a softer material, or make it larger or thinner.",
        )


def long_bakes(scene: Scene) -> list[Notice]:
    """A Notice when the bake takes days."""
    seconds = forecast(scene).seconds
    if seconds < LONG:
        return []
    rod, step = slowest(scene)
    text = f"The bake will take about {in_words(seconds)}, for '{rod.name}' needs steps of {step:.2g} s."
    return [Notice(rod.name, 0, text)]


def slowest(scene: Scene) -> tuple[Rod, float]:
    """(the Rod that asks for the smallest steps, that step [s])."""
    steps = cost.rod_steps(scene)
    k = min(range(len(steps)), key=steps.__getitem__)
    return scene.rods[k], steps[k]
