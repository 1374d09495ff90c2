"""What became of a scene since its bake began, in the words of the panel. A bake goes on where its frames so far would
be the same, however many are to come.

What moves is sampled over all frames, and more of them bring other samples. So ways are compared at the frames that
both scenes have, where each has a sample, and not arrays.
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from ..physics.scene import Collider, ForceField, Hold, Load, Pin, Pulley, RigidBody, Rod, Scene, SoftBody

NAMED_CHANGES = 2  # changes that are named
SAME = 1e-6  # of the largest number of a way: what is read in single precision
SCENE = {
    "frame_duration": "frame rate", "air_density": "air", "contact": "rod contact", "treatment": "contact by",
    "settle": "settle first", "collision_filter": "a collision collection",
}  # fmt: skip
THINGS = {
    "rods": "{} of '{}'", "bodies": "{} of '{}'", "solids": "{} of '{}'", "welds": "{} of pin '{}'",
    "ties": "{} of pin '{}'", "pins": "{} of pin '{}'", "pulleys": "{} of pin '{}'", "holds": "{} of pin '{}'",
    "fields": "a force field", "colliders": "a collider",
}  # fmt: skip
WORDS = {
    "x": "shape", "rest_x": "shape", "tetrahedra": "shape", "vertex": "place", "node": "place", "nodes": "place",
    "mass": "mass", "inertia": "mass", "young": "stiffness", "bend_stiffness": "stiffness", "mode": "hold",
    "twist_stiffness": "stiffness", "stretch_stiffness": "stiffness", "poisson": "squashiness", "zeta": "damping",
    "mu": "damping", "internal_damping": "damping", "stretch_damping_factor": "damping",
    "twist_damping_factor": "damping", "touches": "touch rods", "drag_coefficient": "air drag",
    "drag_area": "air drag", "balanced": "hold drawn shape", "v": "velocity", "omega": "spin", "position": "motion",
    "shape_memory": "rest shape", "rest_length_factor": "rest length", "group": "collision collection",
    "plate": "thickness", "triangles": "shape", "membrane": "stretch factor", "curvature": "curl",
    "relaxation": "damping", "natural_curvature": "spool radius", "weight": "density", "thicker": "thickness",
    "rougher": "friction",
}  # fmt: skip
KEYED = {
    "length": "rest length", "bending": "stiffness", "stretching": "stiffness", "shape": "rest shape",
    "twist": "natural twist", "damping": "damping", "friction": "friction", "paid_out": "paid out",
}  # fmt: skip
SCALED = {  # numbers of a Rod that those are times of which may be 0 at first: what they are is compared, not the parts
    "shape": "shape_memory", "damping": "internal_damping", "friction": "friction",
}  # fmt: skip
MOVING = {  # fields with a value for each of a thing's times
    Pin: ("position", "rotation", "influence"),
    Pulley: ("position",),
    RigidBody: ("track", "turn"),
    Hold: ("track", "influence"),
    Collider: ("points",),
    Load: ("force", "torque"),
    SoftBody: ("pressure",),
    ForceField: (
        "position", "rotation", "strength", "power", "min_distance", "max_distance", "radial_power", "radial_min",
        "radial_max", "noise", "flow", "size", "linear_drag", "quadratic_drag",
    ),
}  # fmt: skip


def briefly(changes: Sequence[str]) -> str:
    """The first few changes, as part of a sentence."""
    more = f" and {len(changes) - NAMED_CHANGES} more" if len(changes) > NAMED_CHANGES else ""
    return ", ".join(changes[:NAMED_CHANGES]) + more


def changed(before: Scene, now: Scene) -> list[str]:
    """What is other in the frames that both have: ["stiffness of 'Rope'", "a collider"]."""
    times = now.frame_duration * np.arange(min(before.frame_count, now.frame_count))
    return list(dict.fromkeys(_changed(before, now, times)))


def _changed(before: Scene, now: Scene, times: np.ndarray) -> Iterator[str]:
    for name in (field.name for field in fields(Scene)):
        old, new = getattr(before, name), getattr(now, name)
        if name in THINGS:
            if len(old) != len(new):
                yield f"number of {name}"
            for one, other in zip(old, new, strict=False):
                yield from (THINGS[name].format(label, other.name) for label in _other(one, other, times))
        elif name != "frame_count" and not _same(old, new):
            yield SCENE.get(name, name.replace("_", " "))


def _other(old: Any, new: Any, times: np.ndarray) -> Iterator[str]:
    """What is other of two descriptions of one thing at these times (k,) [s]."""
    led = [getattr(thing, "times", None) is not None for thing in (old, new)]
    moving = MOVING.get(type(old), ()) if all(led) else ()
    if any(not _same_way(old, new, name, times) for name in moving) or led[0] != led[1]:
        yield "pressure" if isinstance(old, SoftBody) else "motion"
    scaled = SCALED if isinstance(old, Rod) else {}
    for name in (field.name for field in fields(old)):
        if name == "keyed":
            yield from (text for own, text in KEYED.items() if not _same_numbers(old, new, own, scaled.get(own), times))
        elif name == "loads":
            if len(old.loads) != len(new.loads) or any(
                label for one, other in zip(old.loads, new.loads, strict=True) for label in _other(one, other, times)
            ):
                yield "forces"
        elif name not in {"name", "times", *moving, *scaled.values()} and not _same(
            getattr(old, name), getattr(new, name)
        ):
            yield WORDS.get(name, name.replace("_", " "))


def _same_numbers(old: Any, new: Any, name: str, scaled: str | None, times: np.ndarray) -> bool:
    """Whether what of two rods or soft bodies goes with time does so alike at these times (k,) [s]; scaled: the number
    that this is times, where that is compared.
    """
    values = []
    for rod in (old, new):
        way = None if rod.keyed is None else getattr(rod.keyed, name)
        still = np.full(len(times), 0.0 if name == "twist" else 1.0)
        share = still if rod.keyed is None or way is None else np.interp(times, rod.keyed.times, way)
        values.append(share * (getattr(rod, scaled) if scaled else 1.0))
    return _near(*values)


def _same_way(old: Any, new: Any, name: str, times: np.ndarray) -> bool:
    """Whether what a field says of two things that move is the same at these times (k,) [s]."""
    if getattr(old, name) is None or getattr(new, name) is None:
        return getattr(old, name) is getattr(new, name)
    return all(_near(_at(old, name, time), _at(new, name, time)) for time in times)


def _at(thing: Any, name: str, time: float) -> np.ndarray:
    """The value of a field of a thing that moves, on a straight line between two of its samples."""
    values, times = np.asanyarray(getattr(thing, name)), thing.times
    if values.ndim == 0 or len(times) == 1:
        return values if values.ndim == 0 else np.asarray(values[0], dtype=np.float64)
    behind = int(np.clip(np.searchsorted(times, time, "right"), 1, len(times) - 1))
    share = np.clip((time - times[behind - 1]) / (times[behind] - times[behind - 1]), 0.0, 1.0)
    before, after = (np.asarray(values[row], dtype=np.float64) for row in (behind - 1, behind))
    return before + share * (after - before) if share > 0.0 else before


def _near(one: np.ndarray, other: np.ndarray) -> bool:
    if one.shape != other.shape:
        return False
    size = np.abs(one).max(initial=0.0, where=np.isfinite(one))
    return bool(np.isclose(one, other, rtol=0.0, atol=SAME * size).all())


def _same(old: Any, new: Any) -> bool:
    """Whether two values of a field are equal, but for names."""
    if type(old) is not type(new):
        return bool(np.all(old == new)) if np.isscalar(old) and np.isscalar(new) else False
    if is_dataclass(old):
        return all(_same(getattr(old, f.name), getattr(new, f.name)) for f in fields(old) if f.name != "name")
    if isinstance(old, tuple):
        return len(old) == len(new) and all(map(_same, old, new))
    if isinstance(old, np.ndarray):
        return np.array_equal(old, new, equal_nan=old.dtype.kind == "f")
    return bool(old == new)
