"""Settings that a script or a driver can make what no field of the interface would take."""

from collections.abc import Mapping

import numpy as np

from ..physics.validate import SceneError
from ..properties.parameters import Parameter


def check_numbers(name: str, settings: object, table: Mapping[str, Parameter]) -> None:
    """A property group made of a parameter table, of the thing called `name`. Raises SceneError: one is no number."""
    for parameter in table.values():
        if not np.all(np.isfinite(getattr(settings, parameter.name))):
            label, default = parameter.label.partition(" (")[0], np.atleast_1d(parameter.default)
            text = ", ".join(f"{value:g}" for value in default)
            raise SceneError(name, f"'{name}': its {label} is not a number: set it to {text}.")
