"""What a stiff rod loses beside one that spins: together they take explicit steps (see parts.together), of which the
stiff one sets the length.
"""

from collections.abc import Sequence

from ..cost import rod_steps
from ..scene import Scene
from .parts import Part

STEPS = "'{}' takes {:.0f} steps in a frame while it may touch '{}', a Cosserat rod, which bars implicit ones: "
CURE = "make '{}' a Kirchhoff rod, or keep them from touching by Collides With."


def slowed(parts: Sequence[Part]) -> tuple[str, str] | None:
    """(the rod that is slowed most, a sentence about it) where parts of an island that spin make others, which take
    implicit steps by themselves, take explicit ones that are shorter than they would need.
    """
    spinning = [part.scene for part in parts if _spins(part.scene)]
    others = [part.scene for part in parts if part.scene.solver == "IMPLICIT" and part.scene.rods]
    others = [scene for scene in others if not _spins(scene)]
    if not spinning or not others:
        return None
    own, name = min(_stiffest(scene) for scene in others)
    least, spins = min(_stiffest(scene) for scene in spinning)
    if own >= min(least, others[0].max_step):
        return None
    steps = others[0].frame_duration / own
    return name, (STEPS + CURE).format(name, steps, spins, spins)


def _spins(scene: Scene) -> bool:
    return any(rod.model == "cosserat" for rod in scene.rods)


def _stiffest(scene: Scene) -> tuple[float, str]:
    """(the least of the largest explicit steps [s] of its rods, that rod's name)."""
    return min((float(step), rod.name) for step, rod in zip(rod_steps(scene), scene.rods, strict=True))
