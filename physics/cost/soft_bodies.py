"""How long a soft body takes."""

import numpy as np

from ..materials import bulk_modulus, shear_modulus
from ..scene import Scene, SoftBody
from .frames import frame, ready
from .stable_steps import soft_step

PER_TETRAHEDRON = 37e-9  # [s] of a soft body, in each evaluation of its forces, with all else of a step
SOFT_STAGES = 12.0  # evaluations in the time of one step of VERLET, where steps adapt
SOFT_VISCOUS = 6.0  # evaluations of forces and viscosity of what moves; at rest four to ten times less


def alone(scene: Scene, solid: SoftBody) -> tuple[float, float, float, float]:
    """What `durations` says of a soft body; it settles at once, for it begins as drawn."""
    step = soft_step(scene, solid)
    cost = evaluations(scene, solid, step) * len(solid.tetrahedra) * PER_TETRAHEDRON
    each = frame(scene, len(solid.x), step, cost)
    return ready(len(solid.x)), each, each, 0.0


def evaluations(scene: Scene, solid: SoftBody, step: float) -> float:
    """How often forces of a soft body are evaluated in a step of so many [s]: where it is viscous, by a cube root that
    is measured of τ/h, with τ of waves of pressure, (ζ + 4μ/3)/(K + 4G/3), for these limit the step.
    """
    if scene.scheme != "VERLET":
        return SOFT_STAGES
    modulus = bulk_modulus(solid.young, solid.poisson) + 4.0 / 3.0 * shear_modulus(solid.young, solid.poisson)
    relaxation = (solid.zeta + 4.0 / 3.0 * solid.mu) / modulus
    return float(SOFT_VISCOUS * np.cbrt(1.0 + relaxation / step)) if relaxation > 0.0 else 1.0
