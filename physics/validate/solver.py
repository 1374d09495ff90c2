"""Checks of the solver that is asked for."""

from ..scene import SOLVERS, Scene
from .errors import SceneError


def check_solver(scene: Scene) -> None:
    """Raises SceneError."""
    if scene.solver not in SOLVERS:
        raise SceneError("scene", f"The solver '{scene.solver}' is unknown: choose one of {', '.join(SOLVERS)}.")
