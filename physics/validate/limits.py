"""How far, how fast and how hard anything may go, far beyond what is filmed: what is more is a slip of the hand.

Coordinates are exact to 1e-16 of their size, lengths are kept to 1e-9 (see constraints/fast_projection). What has no
limit of its own is at most so large that its products still are numbers.
"""

from dataclasses import fields

import numpy as np

from ..scene import ForceField, Hold, Load, Pin, Pulley, RigidBody, Rod, Scene, SoftBody
from .errors import SceneError

FARTHEST = 1e8  # m from the origin
FASTEST = 1e4  # m/s
HARDEST = 1e7  # m/s²
WILDEST = 1e6  # rad/s
EDGES_AWAY = 4e6  # how many of its edges a rod may be away from the origin, so that their lengths can be kept
LARGEST = 1e30  # in SI units

Thing = Scene | Rod | Pin | Pulley | RigidBody | ForceField | SoftBody | Hold | Load


def check_size(name: str, value: np.ndarray | float, most: float, what: str, unit: str, cure: str) -> None:
    """Raise SceneError when a number, or the length of a vector or of one of them (k, 3), is more than `most`."""
    value = np.asarray(value, dtype=np.float64)
    size = np.abs(value).max(initial=0.0)
    if value.shape[-1:] == (3,) and size > 0.0:
        size *= np.linalg.norm(value / size, axis=-1).max()
    if size > most:
        raise SceneError(name, f"{what} is {size:.3g} {unit}, but at most {most:g} {unit} can be simulated: {cure}.")


def check_magnitudes(thing: Thing) -> None:
    """Raises SceneError when a number of a Scene, or of a thing in it, is too large."""
    name = getattr(thing, "name", "scene")
    for field in fields(thing):
        value = getattr(thing, field.name)
        if isinstance(value, float | np.ndarray):
            worst = np.max(np.abs(value), initial=0.0, where=np.isfinite(value))
            if worst > LARGEST:
                label = field.name.replace("_", " ")
                raise SceneError(name, f"'{name}': its {label} reaches {worst:g}: nothing can be that large.")
