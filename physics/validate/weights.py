"""How much gravity and each kind of force field act on a thing."""

import numpy as np

from ..scene import FIELD_KINDS, RigidBody, Rod, SoftBody
from .errors import SceneError

NAMES = ("gravity", *(kind.lower() for kind in FIELD_KINDS))


def check_weights(thing: Rod | RigidBody | SoftBody) -> None:
    """Raises SceneError when a Rod, RigidBody or SoftBody has other than six weights, finite and, but for
    that of gravity, which lifts what floats, not negative.
    """
    if thing.weights is None:
        return
    name = thing.name
    if np.shape(thing.weights) != (len(NAMES),):
        raise SceneError(
            name, f"'{name}' has weights of the shape {np.shape(thing.weights)}: give one each for {', '.join(NAMES)}."
        )
    for what, weight in zip(NAMES, thing.weights, strict=True):
        if not (0.0 if what != "gravity" else -np.inf) <= weight < np.inf:
            raise SceneError(name, f"'{name}': its weight for {what} is {weight:g}: it must not be negative.")
