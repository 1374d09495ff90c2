"""One pulley: what runs through it, and where."""

import numpy as np

from ..scene import Pin, Pulley, Scene, Weld
from .errors import SceneError
from .pins import FEASIBLE
from .samples import check_samples

STRAIGHT = 1e-9  # times the largest: how much bending stiffness may differ across a rod


def check_pulley(scene: Scene, pulley: Pulley) -> None:
    """Raises SceneError."""
    name = pulley.name
    if not 0 <= pulley.rod < len(scene.rods):
        raise SceneError(name, f"'{name}' leads rod {pulley.rod}, but there are {len(scene.rods)}: choose one of them.")
    rod = scene.rods[pulley.rod]
    inner = range(len(rod.x)) if rod.closed else range(1, len(rod.x) - 1)
    if pulley.vertex not in inner:
        text = f"'{name}' leads point {pulley.vertex} of '{rod.name}', which is not between its ends: choose another."
        raise SceneError(name, text)
    if pulley.body is not None and not 0 <= pulley.body < len(scene.bodies):
        count = len(scene.bodies)
        raise SceneError(name, f"'{name}' is on body {pulley.body}, but there are {count}: choose one of them.")
    check_samples(pulley, {"position": 3}, None, "check the object it follows")
    for wrong, cure in _not_yet(scene, pulley):
        if wrong:
            raise SceneError(name, f"'{rod.name}' cannot run through '{name}': {cure}.")
    holds: tuple[Pin | Weld | Pulley, ...] = (*scene.pulleys, *scene.pins, *scene.welds)
    for other in holds:
        if other is not pulley and (other.rod, other.vertex) == (pulley.rod, pulley.vertex):
            text = f"'{name}' and '{other.name}' are at the same point {pulley.vertex} of '{rod.name}': "
            raise SceneError(name, f"{text}move one along it.")
    gap = float(np.linalg.norm(pulley.position[0] - rod.x[pulley.vertex]))
    if gap > FEASIBLE * np.linalg.norm(rod.edges(), axis=1).sum():
        raise SceneError(
            name,
            f"'{name}' starts {gap:.4g} m from the point {pulley.vertex} of '{rod.name}' that it leads: "
            "move one to the other at the first frame.",
        )


def _not_yet(scene: Scene, pulley: Pulley) -> list[tuple[bool, str]]:
    """(whether that is in the way, what to do)."""
    rod = scene.rods[pulley.rod]
    across = np.ptp(rod.bend_stiffness, axis=1).max() > STRAIGHT * rod.bend_stiffness.max()
    return [
        (rod.model == "cable", "a cable slides in a pin that slides"),
        (rod.model == "cosserat", "make its Model Normal"),
        (rod.stretchable, "turn off Stretchable"),
        (rod.rolls, "turn off Roll"),
        (across, "set its Aspect to 1, for it bends to all sides there"),
        (rod.balanced, "turn off Hold Drawn Shape"),
        (rod.shape_memory > 0.0, "set its Rest Shape to 0, straight, for it is bent anew all the time"),
        (scene.solver == "IMPLICIT", "set Solver to Automatic or Explicit"),
        (scene.settle, "turn off Settle First"),
    ]
