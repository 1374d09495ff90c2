"""Largest steps that rods and soft bodies allow at rest, by their stiffness, mass and resolution."""

import numpy as np

from ..materials import bulk_modulus, shear_modulus
from ..scene import FRACTIONS, Rod, Scene, SoftBody
from ..solids.tetrahedra import smallest_heights

SHARPEST = 2.0  # rad, a turn: what is drawn sharper opens
FREE = 1.0 / 144.0  # [s] the longest stable step of a rigid body: see time_integration/step_limit


def linear_step(rod: Rod) -> float:
    """Largest stable step [s] of the straight rod: l²/2·√(ρA/B), with each vertex's own mass; stretching too when it
    stretches.
    """
    length = np.linalg.norm(rod.edges(), axis=1) * rod.rest_length_factor
    n, m = len(rod.x), rod.edge_count
    tail, head = np.arange(m), (np.arange(m) + 1) % n
    mass = np.minimum(rod.mass[tail], rod.mass[head])
    mass[[0, -1]] = np.minimum(mass[[0, -1]] if rod.closed else 2.0 * mass[[0, -1]], mass.max())
    square = 16.0 * np.max(rod.bend_stiffness.max(axis=1) / (length**3 * mass))
    if rod.stretchable:
        square += 4.0 * np.max(rod.stretch_stiffness / (length * mass))
    return 2.0 / np.sqrt(square)


def hanging_step(rod: Rod, gravity: float, load: float = 0.0, pull: float = 0.0, press: float = 0.0) -> float:
    """Largest stable step [s] of the rod when its own weight and a load [kg], or a pull [N], pull at it, and something
    presses on it [N]: ω² grows by 4T/lm and N/rm, and by the bends that it keeps, by nature or as sharp as √(B/2N).
    """
    shortest = np.linalg.norm(rod.edges(), axis=1).min() * rod.rest_length_factor
    tension = max((rod.mass.sum() + load) * gravity, pull)
    more = (4.0 * tension / shortest + press / rod.radius.min()) / rod.mass.min()
    tied = shortest * np.sqrt(2.0 * min(pull, press) / rod.bend_stiffness.min())
    turn = np.inf if rod.shape_memory > 0.0 else tied
    return 2.0 / np.sqrt((2.0 / linear_step(rod)) ** 2 * bent(rod, turn) + more)


def bent(rod: Rod, most: float) -> float:
    """How many times as large its largest turn φ, as drawn and of at most so much [rad], makes ω²: see step_limit."""
    edges = rod.edges()
    ways = edges / np.linalg.norm(edges, axis=1)[:, None]
    one, other = (ways, np.roll(ways, -1, axis=0)) if rod.closed else (ways[:-1], ways[1:])
    cosine = float((one * other).sum(axis=1).min(initial=1.0))
    cosine = min(1.0, max(cosine, np.cos(min(most, SHARPEST))))
    sec2, tan2 = 2.0 / (1.0 + cosine), (1.0 - cosine) / (1.0 + cosine)
    return sec2 * sec2 + 2.0 * tan2 * sec2


def rod_steps(scene: Scene, pulls: np.ndarray | None = None, presses: np.ndarray | None = None) -> list[float]:
    """Largest step [s] each rod allows by itself, everything hanging: a list (R,). pulls, presses (R,) [N]: by pins,
    and by what touches; none where they are not told.
    """
    gravity, none = float(np.linalg.norm(scene.gravity)), np.zeros(len(scene.rods))
    told = (none if forces is None else forces for forces in (pulls, presses))
    hanging = zip(scene.rods, loads(scene), *told, strict=True)
    return [scene.fraction * hanging_step(rod, gravity, *more) for rod, *more in hanging]


def loads(scene: Scene) -> np.ndarray:
    """Mass [kg] of the bodies on each rod; rods that share one carry equal parts."""
    found = np.zeros(len(scene.rods))
    rods: dict[int, set[int]] = {}
    for weld in scene.welds:
        rods.setdefault(weld.body, set()).add(weld.rod)
    for body, own in rods.items():
        if not scene.bodies[body].led:
            found[list(own)] += scene.bodies[body].mass / len(own)
    return found


def soft_step(scene: Scene, solid: SoftBody) -> float:
    """Largest step [s] of a soft body: the critical one is about the smallest height over the speed of sound."""
    bulk, shear = bulk_modulus(solid.young, solid.poisson), shear_modulus(solid.young, solid.poisson)
    stiffest = (1.0 if solid.stiffness is None else np.max(solid.stiffness)) / (
        1.0 if solid.weight is None else np.min(solid.weight)
    )
    speed = np.sqrt((bulk + 4.0 / 3.0 * shear) / solid.density * stiffest)
    return min(float(FRACTIONS[scene.quality] * smallest_heights(solid.relaxed()).min() / speed), scene.max_step)
