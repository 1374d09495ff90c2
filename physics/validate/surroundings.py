"""What surrounds all things of a scene: time, air, gravity, the floor."""

from typing import Any

import numpy as np

from ..scene import QUALITIES, Floor, Scene
from .errors import SceneError
from .limits import HARDEST, check_size


def check_surroundings(scene: Scene) -> None:
    """Raises SceneError."""
    count: Any = scene.frame_count  # in a scene that is written by hand
    if isinstance(count, bool) or not isinstance(count, int | np.integer):
        raise SceneError("scene", f"The scene's number of frames is {count}: it has to be a whole number.")
    for name in ("frame_duration", "air_density", "max_step"):
        given: Any = getattr(scene, name)
        if not isinstance(given, int | float | np.number):
            raise SceneError("scene", f"The scene's {name} is {given!r}: give a number.")
    numbers = {
        "frame duration": (scene.frame_duration, "s", scene.frame_duration > 0.0),
        "number of frames": (scene.frame_count, "", scene.frame_count >= 1),
        "air density": (scene.air_density, "kg/m³", scene.air_density >= 0.0),
        "largest step": (scene.max_step, "s", scene.max_step > 0.0),
    }
    for name, (value, unit, fine) in numbers.items():
        if not fine or np.isnan(value):
            raise SceneError("scene", f"The scene's {name} is {value:g} {unit}".rstrip() + ": it has to be positive.")
    if np.shape(scene.gravity) != (3,) or np.asarray(scene.gravity).dtype.kind not in "iuf":
        text = f"The scene's gravity is {scene.gravity}: give three numbers, such as (0, 0, −9.81) m/s²."
        raise SceneError("scene", text)
    if not np.all(np.isfinite(scene.gravity)):
        raise SceneError("scene", "The scene's gravity is not a number: give three finite ones.")
    check_size("scene", scene.gravity, HARDEST, "The scene's gravity", "m/s²", "lower it")
    floor: Any = scene.floor
    if not isinstance(floor, Floor | None):
        raise SceneError("scene", f"The scene's floor is {floor!r}: give a Floor, with its height in m.")
    if scene.floor and not (np.isfinite(scene.floor.height) and 0.0 <= scene.floor.friction < np.inf):
        raise SceneError(
            "scene",
            f"The floor at height {scene.floor.height:g} m with friction {scene.floor.friction:g} cannot be: "
            "both have to be finite, friction not negative.",
        )
    if scene.quality not in QUALITIES:
        raise SceneError("scene", f"The quality '{scene.quality}' is unknown: choose one of {', '.join(QUALITIES)}.")
