"""What the implicit solver does not know yet, refused by name."""

from ..scene import SOLVERS, Scene
from .errors import SceneError


def check_solver(scene: Scene) -> None:
    """Raises SceneError."""
    if scene.solver not in SOLVERS:
        raise SceneError("scene", f"The solver '{scene.solver}' is unknown: choose one of {', '.join(SOLVERS)}.")
    if scene.solver == "EXPLICIT":
        return
    cure = "or choose the explicit solver"
    if scene.floor:
        raise SceneError("scene", f"The implicit solver knows no floor: remove it, {cure}.")
    for body in scene.bodies:
        if not body.led:
            raise SceneError(body.name, f"The implicit solver knows no rigid bodies: remove '{body.name}', {cure}.")
    for rod in scene.rods:
        if rod.closed:
            raise SceneError(rod.name, f"The implicit solver knows no closed rods: open '{rod.name}', {cure}.")
        if scene.contact and rod.touches:
            raise SceneError(
                rod.name,
                f"The implicit solver knows no contact, but '{rod.name}' may touch: switch off Contact in the scene or "
                f"Touches of the rod, {cure}.",
            )
