"""Numbers so large that their products no longer are numbers."""

from dataclasses import fields

import numpy as np

from ..scene import ForceField, Pin, RigidBody, Rod, Scene
from .errors import SceneError

LARGEST = 1e30  # in SI units

Thing = Scene | Rod | Pin | RigidBody | ForceField


def check_magnitudes(thing: Thing) -> None:
    """Raises SceneError when a number of a Scene, or of a Rod, Pin, RigidBody or ForceField of it, is too large."""
    name = getattr(thing, "name", "scene")
    for field in fields(thing):
        value = getattr(thing, field.name)
        if isinstance(value, float | np.ndarray):
            worst = np.max(np.abs(value), initial=0.0, where=np.isfinite(value))
            if worst > LARGEST:
                label = field.name.replace("_", " ")
                raise SceneError(name, f"'{name}': its {label} reaches {worst:g}: nothing can be that large.")
