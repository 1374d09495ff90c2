"""Settings that a script or a driver can make what no field of the interface would take."""

import numpy as np

from ..physics.validate import SceneError


def check_numbers(name, settings, table):
    """A property group made of a parameter table, of the thing called `name`. Raises SceneError: one is no number."""
    for parameter in table.values():
        if not np.all(np.isfinite(getattr(settings, parameter.name))):
            label, default = parameter.label.partition(" (")[0], np.atleast_1d(parameter.default)
            text = ", ".join(f"{value:g}" for value in default)
            raise SceneError(name, f"'{name}': its {label} is not a number: set it to {text}.")
