"""Derivatives by central differences of fourth order."""

import numpy as np

SHIFT = 1e-4  # errors of 1e-16, rounding of 1e-12


def difference(function, y):
    """∂function/∂y."""
    return np.stack(
        [
            (8.0 * (function(y + e) - function(y - e)) - function(y + 2.0 * e) + function(y - 2.0 * e)) / (12.0 * SHIFT)
            for e in SHIFT * np.eye(len(y))
        ],
        axis=-1,
    )
