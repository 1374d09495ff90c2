"""Checks of the solvers that are asked for."""

from ..scene import SCHEMES, SOLVERS, TREATMENTS, RigidBody, Scene
from .errors import SceneError

FINEST = 1e-13


def check_solver(scene: Scene) -> None:
    """Raises SceneError."""
    if scene.solver not in SOLVERS:
        raise SceneError("scene", f"The solver '{scene.solver}' is unknown: choose one of {', '.join(SOLVERS)}.")
    if scene.treatment not in TREATMENTS:
        raise SceneError("scene", f"The contact '{scene.treatment}' is unknown: choose one of {', '.join(TREATMENTS)}.")
    shaped = first_shaped(scene)
    if scene.treatment == "SPRINGS" and (shaped or scene.solver == "IMPLICIT"):
        what = f"'{shaped.name}' is to collide" if shaped else "implicit steps are chosen"
        raise SceneError(
            shaped.name if shaped else "scene",
            f"Contact springs press rods, in explicit steps, but {what}: choose Constraints for contact.",
        )
    rolling = next((rod for rod in scene.rods if rod.rolls), None)
    if scene.treatment == "SPRINGS" and rolling:
        raise SceneError(
            rolling.name, f"Contact springs roll nothing, but '{rolling.name}' is to: choose Constraints for contact."
        )
    if scene.scheme not in SCHEMES:
        raise SceneError("scene", f"The scheme '{scene.scheme}' is unknown: choose one of {', '.join(SCHEMES)}.")
    if scene.consistent_mass and scene.scheme == "VERLET":
        raise SceneError("scene", "The scheme VERLET takes steps with lumped mass alone: choose another or lump it.")
    if not FINEST <= scene.tolerance < 1.0:
        raise SceneError(
            "scene",
            f"The tolerance is {scene.tolerance:g}: it has to be between {FINEST:g}, which is round-off, and 1.",
        )


def first_shaped(scene: Scene) -> RigidBody | None:
    """The first rigid body that touches anything; None: none does."""
    return next((body for body in scene.bodies if scene.contact and body.shape is not None), None)
