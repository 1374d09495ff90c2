"""How long soft bodies take together with rods and rigid bodies that they may touch or are tied to."""

import numpy as np

from ..scene import Scene
from .frames import frame, ready
from .rods import own_step
from .seen import Seen
from .soft_bodies import PER_TETRAHEDRON, evaluations, squeezed
from .stable_steps import soft_step
from .step_costs import EXPLICIT
from .touching_bodies import beside_soft_bodies

PER_COUPLED = 1.0e-6  # [s] a step of a node, with what touches it, where it may touch rods or rigid bodies
PER_IMPLICIT = 3.0e-6  # [s] a step of a vertex whose steps beside soft bodies are implicit, as well
PER_BESIDE = 0.3e-3  # [s] a step of a rigid body that lies on a soft one


def coupled(scene: Scene) -> bool:
    """Whether soft bodies may touch rods or rigid bodies, or are tied to them: then these take steps with them."""
    touch = scene.contact and scene.scheme == "VERLET"
    meets = any(rod.touches for rod in scene.rods) or any(body.shape and not body.led for body in scene.bodies)
    return bool(scene.solids) and bool(scene.ties or (touch and meets))


def implicit_beside(scene: Scene) -> np.ndarray:
    """(R,) bool: rods that take implicit steps beside soft bodies, where the solver is IMPLICIT: those that no
    rigid body moves with them, and that do not roll.
    """
    welded = {weld.rod for weld in scene.welds if not scene.bodies[weld.body].led}
    return np.array([not (rod.rolls or r in welded) for r, rod in enumerate(scene.rods)], dtype=bool)


def as_one(scene: Scene, seen: Seen) -> tuple[float, float, float, float]:
    """What `durations` says of all rods, bodies and soft bodies together, which take common steps."""
    count, implicit = sum(len(thing.x) for thing in scene.deforming), implicit_beside(scene)
    freed = seen._replace(stable=np.where(implicit, np.inf, seen.stable))
    more = PER_IMPLICIT * sum(len(rod.x) for rod, free in zip(scene.rods, implicit, strict=True) if free)
    explicit, other = _common(scene, seen, 0.0), _common(scene, freed, more)
    return ready(len(scene.rods), count), explicit, other, 0.0


def _common(scene: Scene, seen: Seen, more: float) -> float:
    """Seconds of a frame by the steps that all rods, of `stable` ones, and soft bodies allow; more [s]: of each."""
    step, content = own_step(scene, list(range(len(scene.rods))), seen)
    cost = float(np.dot(EXPLICIT, content[0]))
    step = min([step, *(soft_step(scene, solid) * squeezed(scene, solid) for solid in scene.solids)])
    cost += more + sum(
        evaluations(scene, solid, step) * len(solid.tetrahedra) * PER_TETRAHEDRON + len(solid.x) * PER_COUPLED
        for solid in scene.solids
    )
    cost += beside_soft_bodies(scene) * PER_BESIDE
    return frame(scene, sum(len(thing.x) for thing in scene.deforming), step, cost)
