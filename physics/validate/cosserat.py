"""Cosserat rods: what the model asks of a rod besides."""

import numpy as np

from ..scene import MODELS, Rod, Scene
from .errors import SceneError

HARDEST = 1e6  # times the bending stiffness over l²: what holds frames so hard makes steps a thousandth as long
FURTHEST = np.pi  # rad, of twist between two edges: a frame cannot tell more from less


def check_model(rod: Rod) -> None:
    """Raises SceneError."""
    if rod.model not in MODELS:
        raise SceneError(rod.name, f"'{rod.name}' is of the model '{rod.model}': choose one of {', '.join(MODELS)}.")
    if rod.model != "cosserat":
        return
    _check_stiffness(rod)
    inertia = rod.director_inertia
    if inertia is not None and not (np.shape(inertia) == (rod.edge_count, 2) and np.all(np.asarray(inertia) > 0.0)):
        raise SceneError(
            rod.name,
            f"'{rod.name}': director_inertia has to be {(rod.edge_count, 2)} numbers greater than zero: give one pair "
            "for each edge, or none.",
        )
    for name in ("twist", "rest_twist"):
        given = getattr(rod, name)
        worst = 0 if given is None else int(np.abs(given).argmax())
        if given is not None and abs(given[worst]) > FURTHEST:
            raise SceneError(
                rod.name,
                f"'{rod.name}': its {name.replace('_', ' ')} at point {worst} is {np.degrees(given[worst]):.0f}°, but "
                "edges of a rod of the Model Spinning can differ by 180° at most: raise its Points.",
            )


def check_branches(scene: Scene) -> None:
    """Raises SceneError."""
    for weld in scene.welds:
        rod, body = scene.rods[weld.rod], scene.bodies[weld.body]
        if rod.model == "cosserat" and body.mass == 0.0 and not body.kinematic:
            raise SceneError(
                rod.name,
                f"'{rod.name}' is of the Model Spinning, but '{weld.name}' joins it to others without a body, as "
                "branches of trees are: choose the Model Normal.",
            )


def _check_stiffness(rod: Rod) -> None:
    if rod.parallel_stiffness is None:
        return
    most = HARDEST * float((rod.bend_stiffness.max(axis=1) / rod.lengths() ** 2).min())
    if not 0.0 < rod.parallel_stiffness <= most:
        raise SceneError(
            rod.name,
            f"'{rod.name}': Shear, its parallel stiffness, is {rod.parallel_stiffness:g} N: give more than 0 and at "
            f"most {most:.3g} N, or none, which chooses it.",
        )
