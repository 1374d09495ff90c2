"""What a stiff rod takes beside one that spins. Together they take explicit steps, as long as what spins allows: the
stiff one has an effective mass in them, as rods have beside soft bodies. Only one that rolls or that a body is welded
to has none, and sets the length of all steps.
"""

from collections.abc import Sequence

import numpy as np

from ..cost import implicit_beside, rod_steps
from .parts import Part, together

STEPS = "'{}' takes {:.0f} steps in a frame while it may touch '{}', of Model Spinning, which bars implicit ones: "
CURE = "choose the Model Normal for '{}', or keep them from touching by Collides With."


def lightened(parts: Sequence[Part]) -> np.ndarray:
    """(R,) bool: rods of an island of these parts that have an effective mass."""
    stiff, whole = _stiff(parts), together(parts).scene
    if not stiff.any() or whole.treatment == "SPRINGS":
        return np.zeros_like(stiff)
    return stiff & implicit_beside(whole)


def slowed(parts: Sequence[Part]) -> tuple[str, str] | None:
    """(the rod that is slowed most, a sentence about it) where parts of an island that spin make others, which take
    implicit steps by themselves, take explicit ones that are shorter than they would need.
    """
    left = _stiff(parts) & ~lightened(parts)
    if not left.any():
        return None
    scene, steps = together(parts).scene, _steps(parts)
    slowest = int(np.where(left, steps, np.inf).argmin())
    spins = scene.rods[int(np.where(_spins(parts), steps, np.inf).argmin())].name
    name, count = scene.rods[slowest].name, scene.frame_duration / steps[slowest]
    return name, (STEPS + CURE).format(name, count, spins, spins)


def _stiff(parts: Sequence[Part]) -> np.ndarray:
    """(R,) bool: rods that take implicit steps by themselves, and shorter explicit ones than those and what spins."""
    spins, steps = _spins(parts), _steps(parts)
    implicit = np.repeat([part.scene.solver == "IMPLICIT" for part in parts], [len(part.scene.rods) for part in parts])
    if not spins.any():
        return np.zeros_like(spins)
    least = min(float(steps[spins].min()), parts[0].scene.max_step)
    return implicit.astype(bool) & ~spins & (steps < least)


def _spins(parts: Sequence[Part]) -> np.ndarray:
    """(R,) bool."""
    return np.array([rod.model == "cosserat" for part in parts for rod in part.scene.rods], dtype=bool)


def _steps(parts: Sequence[Part]) -> np.ndarray:
    """(R,) the largest explicit steps [s]."""
    return np.concatenate([rod_steps(part.scene) if part.scene.rods else np.zeros(0) for part in parts])
