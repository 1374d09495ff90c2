"""A force field: of a known kind and shape, with samples and numbers that make sense."""

import numpy as np

from ..scene import FIELD_FALLOFFS, FIELD_KINDS, FIELD_SHAPES, FIELD_SIDES, ForceField
from .errors import SceneError
from .limits import FASTEST, HARDEST, check_size
from .samples import check_samples

NUMBERS = ("strength", "noise", "flow", "size", "linear_drag", "quadratic_drag")
FALLOFF = ("power", "min_distance", "max_distance", "radial_power", "radial_min", "radial_max")
CURE = "check the field's animation"


def check_field(field: ForceField) -> None:
    """Raises SceneError."""
    name = field.name
    for attribute, choices in (
        ("kind", FIELD_KINDS), ("shape", FIELD_SHAPES), ("falloff", FIELD_FALLOFFS), ("side", FIELD_SIDES)
    ):  # fmt: skip
        value = getattr(field, attribute)
        if value not in choices:
            raise SceneError(name, f"'{name}' is a field of {attribute} '{value}': choose one of {', '.join(choices)}.")
    check_samples(field, {"position": 3, "rotation": 4}, "rotation", CURE)
    for attribute in (*NUMBERS, *FALLOFF):
        values, what = np.asarray(getattr(field, attribute)), f"'{name}': its {attribute.replace('_', ' ')}"
        if values.shape not in {(), np.shape(field.times)}:
            raise SceneError(name, f"{what} has the shape {values.shape}: give one number for each time or for all.")
        if np.any(np.isnan(values)) or (attribute in NUMBERS and np.any(np.isinf(values))):
            raise SceneError(name, f"{what} is not a number: {CURE}.")
        if attribute in (*FALLOFF, "noise") and np.any(values < 0.0):
            raise SceneError(name, f"{what} is {values.min():g}: it has to be 0 or more.")
        if attribute in ("strength", "noise"):
            most, unit = (FASTEST, "m/s") if field.kind == "WIND" else (HARDEST, "m/s²")
            check_size(name, values, most, what, unit, "lower it")
    for attribute in ("size", "unit"):
        if not np.all(np.asarray(getattr(field, attribute)) > 0.0):
            raise SceneError(name, f"'{name}': {attribute} has to be above 0.")
