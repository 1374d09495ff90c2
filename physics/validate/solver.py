"""Checks of the solver that is asked for."""

from ..scene import SOLVERS, RigidBody, Scene
from .errors import SceneError


def check_solver(scene: Scene) -> None:
    """Raises SceneError."""
    if scene.solver not in SOLVERS:
        raise SceneError("scene", f"The solver '{scene.solver}' is unknown: choose one of {', '.join(SOLVERS)}.")
    shaped = first_shaped(scene)
    if shaped and scene.solver == "IMPLICIT":
        raise SceneError(
            shaped.name,
            f"'{shaped.name}' is to collide, but implicit steps do not bring rigid bodies into contact: choose the "
            "solver Automatic or Explicit, or turn off its Collisions.",
        )


def first_shaped(scene: Scene) -> RigidBody | None:
    """The first rigid body that touches anything; None: none does."""
    return next((body for body in scene.bodies if scene.contact and body.shape is not None), None)
