"""Samples in time of what leads a thing: times that increase, finite numbers of the right shape, unit quaternions."""

import numpy as np

from ..scene import ForceField, Hold, Keyed, Load, Pin, Pulley, RigidBody
from .errors import SceneError
from .limits import FARTHEST, check_size

WORDS = {
    "times": "the times of its samples", "position": "its place", "track": "its place", "rotation": "its rotation",
    "turn": "its rotation", "influence": "its influence", "force": "its force", "torque": "its torque",
    "length": "its rest length", "bending": "its stiffness", "stretching": "its stiffness", "shape": "its rest shape",
    "twist": "its natural twist", "damping": "its internal damping", "friction": "its friction",
    "paid_out": "the length paid out",
}  # fmt: skip
PLACES = ("position", "track")


def check_samples(
    thing: Pin | Pulley | RigidBody | ForceField | Hold | Keyed | Load,
    shapes: dict[str, int],
    rotation: str | None,
    cure: str,
) -> None:
    """thing.times (k,) increases, its attributes `shapes` {name: width or 0} are (k, width) or (k,) finite numbers or
    None, and `rotation` of them, if any, are unit quaternions. Raises SceneError about the thing.
    """
    name, times = thing.name, np.asarray(thing.times)
    k = times.size
    if k < 1 or np.any(np.diff(times) <= 0.0):
        raise SceneError(name, f"'{name}': the times of its {k} samples have to increase.")
    for attribute, width in {"times": 0, **shapes}.items():
        value, shape, what = getattr(thing, attribute), (k, width) if width else (k,), WORDS[attribute]
        if value is None:
            continue
        if np.shape(value) != shape:
            raise SceneError(name, f"'{name}': {what} has the shape {np.shape(value)} in place of {shape}: {cure}.")
        bad = np.flatnonzero(~np.isfinite(np.reshape(value, (k, -1))).all(axis=1))
        if len(bad):
            when = "" if attribute == "times" else f" at {times[bad[0]]:.3g} s"
            raise SceneError(name, f"'{name}': {what} is not a number{when}: {cure}.")
        if attribute in PLACES:
            check_size(name, value, FARTHEST, f"'{name}': the distance of {what} from the origin", "m", "bring it back")
    turn = getattr(thing, rotation) if rotation else None
    if turn is not None and not np.allclose(np.linalg.norm(turn, axis=1), 1.0, atol=1e-3):
        raise SceneError(name, f"'{name}': its rotations have to be unit quaternions (w, x, y, z).")
