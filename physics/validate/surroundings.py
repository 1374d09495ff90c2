"""What surrounds all things of a scene: time, air, gravity, the floor."""

import numpy as np

from ..scene import QUALITIES, Scene
from .errors import SceneError
from .limits import HARDEST, check_size


def check_surroundings(scene: Scene) -> None:
    """Raises SceneError."""
    numbers = {
        "frame duration": (scene.frame_duration, "s", scene.frame_duration > 0.0),
        "number of frames": (scene.frame_count, "", scene.frame_count >= 1),
        "air density": (scene.air_density, "kg/m³", scene.air_density >= 0.0),
        "largest step": (scene.max_step, "s", scene.max_step > 0.0),
    }
    for name, (value, unit, fine) in numbers.items():
        if not fine or np.isnan(value):
            raise SceneError("scene", f"The scene's {name} is {value:g} {unit}".rstrip() + ": it has to be positive.")
    if np.shape(scene.gravity) != (3,) or not np.all(np.isfinite(scene.gravity)):
        raise SceneError("scene", "The scene's gravity is not a number: check it and its drivers.")
    check_size("scene", scene.gravity, HARDEST, "The scene's gravity", "m/s²", "lower it")
    if scene.floor and not (np.isfinite(scene.floor.height) and 0.0 <= scene.floor.friction < np.inf):
        raise SceneError(
            "scene",
            f"The floor at height {scene.floor.height:g} m with friction {scene.floor.friction:g} cannot be: "
            "both have to be finite, friction not negative.",
        )
    if scene.quality not in QUALITIES:
        raise SceneError("scene", f"The quality '{scene.quality}' is unknown: choose one of {', '.join(QUALITIES)}.")
