"""What is measured of a cable at rest, and the worst of several times."""

import numpy as np

# the largest curvature [1/m] and tension [N], the length that it lacks [m], the largest force across it [N], its length
# [m], how much it has chafed so far [J], and the arc lengths [m] where three of these are
MEASURED = (
    "curvature", "tension", "missing", "transverse", "length", "chafing", "curvature_at", "tension_at", "transverse_at",
)  # fmt: skip
PLACES = {MEASURED.index(name): MEASURED.index(name.removesuffix("_at")) for name in MEASURED if name.endswith("_at")}


def worst(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Of each cable the larger ones of two (C, M), each with its own place; `others` where there are none."""
    if not len(some):
        return others
    larger = np.maximum(some, others)
    for at, of in PLACES.items():
        larger[:, at] = np.where(others[:, of] > some[:, of], others[:, at], some[:, at])
    return np.asarray(larger)
