"""Samples in time of what leads a thing: times that increase, finite numbers of the right shape, unit quaternions."""

import numpy as np

from .errors import SceneError


def check_samples(thing, shapes, rotation, cure):
    """thing.times (k,) increases, its attributes `shapes` {name: width or 0} are (k, width) or (k,) finite numbers or
    None, and `rotation` of them are unit quaternions. Raises SceneError about the thing.
    """
    name, k = thing.name, np.size(thing.times)
    if k < 1 or np.any(np.diff(thing.times) <= 0.0):
        raise SceneError(name, f"'{name}': the times of its {k} samples have to increase.")
    for attribute, width in {**shapes, "times": 0}.items():
        value, shape = getattr(thing, attribute), (k, width) if width else (k,)
        if value is not None and (np.shape(value) != shape or not np.all(np.isfinite(value))):
            raise SceneError(name, f"'{name}': {attribute} is not {shape} finite numbers: {cure}.")
    turn = getattr(thing, rotation)
    if turn is not None and not np.allclose(np.linalg.norm(turn, axis=1), 1.0, atol=1e-3):
        raise SceneError(name, f"'{name}': its rotations have to be unit quaternions (w, x, y, z).")
