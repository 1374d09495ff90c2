"""What the implicit solver does not know yet, refused by name."""

from ..scene import SOLVERS, Scene
from .errors import SceneError


def check_solver(scene: Scene) -> None:
    """Raises SceneError."""
    if scene.solver not in SOLVERS:
        raise SceneError("scene", f"The solver '{scene.solver}' is unknown: choose one of {', '.join(SOLVERS)}.")
