"""How long a soft body takes.

Under its own weight a column of height H is as short as λ of its length where its lowest part bears it,
ρ g H = E/3 (λ⁻² − λ) (of rubber: Treloar, *The Physics of Rubber Elasticity*), so about λ = (1 + 3 ρ g H/E)^−½; so
much flatter are the tetrahedra there, and smaller its steps.
"""

import numpy as np

from ..materials import bulk_modulus, shear_modulus
from ..scene import Scene, SoftBody
from .stable_steps import soft_step

PER_TETRAHEDRON = {"SMOOTHED": 68e-9, "AFFINE": 33e-9}  # [s] each evaluation of forces takes, with all else of a step
SOFT_STAGES = 12.0  # evaluations in the time of one step of VERLET, where steps adapt
SOFT_VISCOUS = 6.0  # evaluations of forces and viscosity of what moves


def seconds_a_frame(scene: Scene, solid: SoftBody) -> float:
    """Seconds that a frame of a soft body alone takes, where it has not come to rest."""
    step = soft_step(scene, solid) * squeezed(scene, solid)
    steps = np.ceil(scene.frame_duration / step)
    return float(steps * evaluations(scene, solid, step) * len(solid.tetrahedra) * PER_TETRAHEDRON[solid.elements])


def evaluations(scene: Scene, solid: SoftBody, step: float) -> float:
    """How often forces of a soft body are evaluated in a step of so many [s]: where it is viscous, by a cube root that
    is measured of τ/h, with τ of waves of pressure, (ζ + 4μ/3)/(K + 4G/3), for these limit the step.
    """
    if scene.scheme != "VERLET":
        return SOFT_STAGES
    modulus = bulk_modulus(solid.young, solid.poisson) + 4.0 / 3.0 * shear_modulus(solid.young, solid.poisson)
    relaxation = (solid.zeta + 4.0 / 3.0 * solid.mu) / modulus
    if relaxation <= 0.0:
        return 1.0
    return float(SOFT_VISCOUS * np.cbrt(1.0 + relaxation / step))


def squeezed(scene: Scene, solid: SoftBody) -> float:
    """λ, of its lowest tetrahedra."""
    weight = float(solid.density * np.ptp(solid.x @ scene.gravity) / solid.young)  # ρ g H/E
    return float(1.0 / np.sqrt(1.0 + 3.0 * weight))
