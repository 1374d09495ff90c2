"""Numbers of a rod that go with time: samples that increase, of numbers that a rod can have."""

import numpy as np

from ..scene import Keyed, Rod
from .errors import SceneError
from .samples import check_samples

LABELS = {
    "length": "rest length", "bending": "stiffness", "stretching": "stiffness", "shape": "rest shape",
    "twist": "natural twist", "damping": "internal damping", "friction": "friction",
}  # fmt: skip
RANGES = {  # of what they are times
    "length": (1e-3, 1e3), "bending": (1e-12, 1e12), "stretching": (1e-12, 1e12), "shape": (0.0, np.inf),
    "twist": (-1e6, 1e6), "damping": (0.0, 1e9), "friction": (0.0, 1e9),
}  # fmt: skip
DRAWN = ("length", "bending", "stretching")  # as it holds its drawn shape with its own
UNHELD = ("shape", "twist")


def check_keyed(rod: Rod) -> None:
    """Raises SceneError."""
    keyed, name = rod.keyed, rod.name
    if keyed is None:
        return
    if rod.model == "cable":
        raise SceneError(name, f"'{name}' hangs at rest in each frame, by numbers that stay: remove their keys.")
    check_samples(keyed, dict.fromkeys(LABELS, 0), None, "key it anew")
    for column, (least, most) in RANGES.items():
        values = getattr(keyed, column)
        if values is None:
            continue
        bad = np.flatnonzero((values < least) | (values > most))
        if len(bad):
            when, value = keyed.times[bad[0]], values[bad[0]]
            raise SceneError(
                name,
                f"'{name}': its {LABELS[column]} is {value:g} times its own at {when:.3g} s: keep it between {least:g} "
                f"and {most:g}.",
            )
    if keyed.shape is not None and rod.shape_memory * keyed.shape.max() > 1.0 + 1e-9:
        most = rod.shape_memory * keyed.shape.max()
        raise SceneError(name, f"'{name}': its rest shape reaches {most:g}: keep it between 0 and 1.")
    if rod.balanced:
        _check_balanced(rod, keyed)


def _check_balanced(rod: Rod, keyed: Keyed) -> None:
    """What holds its drawn shape has its own numbers at the start, and a rest shape found for these."""
    for column in (*DRAWN, *UNHELD):
        values = getattr(keyed, column)
        if values is not None and (column in UNHELD or values[0] != 1.0):
            raise SceneError(
                rod.name,
                f"'{rod.name}' holds its drawn shape by a rest shape of its own, and its {LABELS[column]} is keyed: "
                "turn off Hold Drawn Shape, or remove the keys.",
            )
