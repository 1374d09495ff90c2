"""How long a soft body takes.

Under its own weight a column of height H is as short as λ of its length where its lowest part bears it,
ρ g H = E/3 (λ⁻² − λ) (of rubber: Treloar, *The Physics of Rubber Elasticity*), so about λ = (1 + 3 ρ g H/E)^−½; so
much flatter are the tetrahedra there, and smaller its steps.
"""

import numpy as np

from ..materials import bulk_modulus, shear_modulus
from ..scene import Scene, SoftBody
from .frames import frame, ready
from .stable_steps import soft_step

PER_TETRAHEDRON = 37e-9  # [s] of a soft body, in each evaluation of its forces, with all else of a step
SOFT_STAGES = 12.0  # evaluations in the time of one step of VERLET, where steps adapt
SOFT_VISCOUS = 6.0  # evaluations of forces and viscosity of what moves
CALM = 0.3  # of these, where it is held by what stands still, and stiff enough to stand: at rest four to ten times less


def alone(scene: Scene, solid: SoftBody) -> tuple[float, float, float, float]:
    """What `durations` says of a soft body; it settles at once, for it begins as drawn."""
    step = soft_step(scene, solid) * squeezed(scene, solid)
    cost = evaluations(scene, solid, step) * len(solid.tetrahedra) * PER_TETRAHEDRON
    each = frame(scene, len(solid.x), step, cost)
    return ready(0, len(solid.x)), each, each, 0.0


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
    calm = CALM if _stands(scene, solid) else 1.0
    return float(calm * SOFT_VISCOUS * np.cbrt(1.0 + relaxation / step))


def squeezed(scene: Scene, solid: SoftBody) -> float:
    """λ, of its lowest tetrahedra."""
    return float(1.0 / np.sqrt(1.0 + 3.0 * _weight(scene, solid)))


def _weight(scene: Scene, solid: SoftBody) -> float:
    """ρ g H/E."""
    return float(solid.density * np.ptp(solid.x @ scene.gravity) / solid.young)


def _stands(scene: Scene, solid: SoftBody) -> bool:
    """Whether it soon comes to rest: nothing leads what holds it, there is nothing to fall on, nor is it as liquid."""
    own = [hold for hold in scene.holds if scene.solids[hold.solid] is solid]
    led = any(hold.track is not None and len(hold.track) > 1 for hold in own)
    falls = (
        scene.floor is not None
        or len(scene.colliders) > 0
        or len(scene.solids) > 1
        or len(scene.rods) > 0
        or len(scene.bodies) > 0
    )
    return bool(own) and not led and not falls and _weight(scene, solid) < 1.0
