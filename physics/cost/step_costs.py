"""What a step takes by each solver, measured: of one thread of a machine of 2026 as far as it was idle."""

from typing import NamedTuple

import numpy as np

from ..scene import LONGEST_STEPS, Scene


class StepCosts(NamedTuple):
    """What a step takes [s], of itself and for each of what is in it."""

    step: float
    plain: float  # a vertex, drag included, of a rod that needs no frames
    framed: float  # of another
    weld: float = 0.0  # with its part in the projection
    pair: float = 0.0  # of edges near each other,
    along: float = 0.0  # or only because their rod is fine
    on_floor: float = 0.0  # a vertex that may lie on it
    on_mesh: float = 0.0  # a vertex that may lie on a collider
    shape: float = 0.0  # a rigid body that touches
    adjoining: float = 0.0  # a pair of these that are next to each other


EXPLICIT = StepCosts(2.0e-6, 120e-9, 210e-9, 0.5e-6, 120e-9, 80e-9, 120e-9, 300e-9, 40e-6, 120e-6)
# of one iteration of Newton's; of some, where things touch
IMPLICIT = StepCosts(8.0e-6, 0.23e-6, 0.5e-6, 10e-6, 2.5e-6, 1.2e-6, 3e-6, 5e-6, 40e-6, 120e-6)
CROWD = 400.0  # pairs of edges, for which sweeps are twice as many
ITERATIONS = {"PREVIEW": 1.35, "GOOD": 1.1, "FINE": 1.0}  # iterations a step, where nothing drives it


def implicit_costs(scene: Scene, share: float, near: int) -> np.ndarray:
    """StepCosts of an implicit step (S,) with so many pairs of edges near each other. What touches bounds steps: twice
    as long ones are √2 times as many as half of the others.
    """
    often = np.sqrt(LONGEST_STEPS[scene.quality] / LONGEST_STEPS["GOOD"]) / ITERATIONS[scene.quality]
    costs = IMPLICIT._replace(
        step=share * IMPLICIT.step,
        pair=often * IMPLICIT.pair * (1.0 + near / CROWD),
        along=often * IMPLICIT.along,
        on_floor=often * IMPLICIT.on_floor,
        on_mesh=often * IMPLICIT.on_mesh,
    )
    return ITERATIONS[scene.quality] * np.array(costs)
