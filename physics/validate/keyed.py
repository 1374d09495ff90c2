"""Numbers of rods and soft bodies that go with time: samples that increase, of numbers that these can have."""

import numpy as np

from ..scene import Keyed, Rod, Scene, SoftBody
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
OF_SOLIDS = ("stretching", "damping")


def check_keyed(rod: Rod) -> None:
    """Raises SceneError."""
    keyed, name = rod.keyed, rod.name
    if keyed is None:
        return
    if rod.model == "cable":
        raise SceneError(name, f"'{name}' hangs at rest in each frame, by numbers that stay: remove their keys.")
    _check_numbers(name, keyed)
    if keyed.shape is not None and rod.shape_memory * keyed.shape.max() > 1.0 + 1e-9:
        most = rod.shape_memory * keyed.shape.max()
        raise SceneError(name, f"'{name}': its rest shape reaches {most:g}: keep it between 0 and 1.")
    if rod.balanced:
        _check_balanced(rod, keyed)


def check_keyed_solids(scene: Scene) -> None:
    """Raises SceneError."""
    for solid in scene.solids:
        if solid.keyed is not None:
            _check_keyed_solid(solid, solid.keyed, scene.scheme)


def _check_keyed_solid(solid: SoftBody, keyed: Keyed, scheme: str) -> None:
    name = solid.name
    if scheme != "VERLET":
        raise SceneError(name, f"'{name}': numbers that go with time are not for {scheme}: choose VERLET.")
    for column, label in LABELS.items():
        if column not in OF_SOLIDS and getattr(keyed, column) is not None:
            raise SceneError(name, f"'{name}': a soft body has no {label} that goes with time: leave it out.")
    _check_numbers(name, keyed)
    if solid.balanced and keyed.stretching is not None and keyed.stretching[0] != 1.0:
        raise SceneError(
            name, f"'{name}' holds its drawn shape with the stiffness of the start: let its keys begin with 1."
        )


def _check_numbers(name: str, keyed: Keyed) -> None:
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
