"""Which solver takes the steps of a bake, and how long it will take.

AUTOMATIC is IMPLICIT where that solver knows all of the scene, is predicted `FASTER` and damps no motion that one would
see; it may do so where explicit steps would take longer than `BEARABLE`. The choice follows from the scene alone, so
that a bake is resumed by the solver that began it.
"""

from dataclasses import dataclass, replace

from ..cost import durations, side_by_side
from ..numerical_damping import damped
from ..scene import Scene
from .errors import SceneError
from .solver import check_solver

FASTER = 1.5  # times
BEARABLE = 60.0  # s
DAY = 86400.0  # s


@dataclass(frozen=True)
class Forecast:
    """solver: EXPLICIT or IMPLICIT; seconds: of the bake; text: both, and why, as an animator reads it."""

    solver: str
    seconds: float
    text: str


def forecast(scene: Scene, cores: int | None = None) -> Forecast:
    """What a bake of a scene that is in order will be, on so many cores, by default all."""
    of_islands = durations(scene)
    seconds = side_by_side(scene, of_islands, cores)
    if scene.solver != "AUTOMATIC":
        return Forecast(scene.solver, seconds[scene.solver], f"Takes about {in_words(seconds[scene.solver])}")
    solver, why = _choice(scene, side_by_side(scene, of_islands, cores=1))
    other = "IMPLICIT" if solver == "EXPLICIT" else "EXPLICIT"
    took, instead = in_words(seconds[solver]), in_words(seconds[other])
    if instead == took:
        instead = "as long" if solver == "EXPLICIT" else "longer"
    why = why or f"{other.lower()} steps would take {instead}"
    return Forecast(solver, seconds[solver], f"{solver.title()}: {took}; {why}")


def resolved(scene: Scene) -> Scene:
    """The scene with AUTOMATIC replaced by the solver it means."""
    return replace(scene, solver=forecast(scene).solver) if scene.solver == "AUTOMATIC" else scene


def _choice(scene: Scene, seconds: dict[str, float]) -> tuple[str, str]:
    """(the solver that AUTOMATIC means, why in a few words where it is not because of the seconds each takes)."""
    try:
        check_solver(replace(scene, solver="IMPLICIT"))
    except SceneError as error:
        return "EXPLICIT", f"{error}".partition(": ")[0].replace("The implicit", "the implicit")
    if seconds["EXPLICIT"] < FASTER * seconds["IMPLICIT"]:
        return "EXPLICIT", ""
    found = damped(scene) if seconds["EXPLICIT"] < BEARABLE else None
    if found:
        rod, lost = found
        return "EXPLICIT", f"implicit steps would take {100.0 * lost:.0f} % of the energy of '{rod.name}' in each swing"
    return "IMPLICIT", ""


def in_words(seconds: float) -> str:
    """4.2 → '4 s', 250 → '4 min 10 s', 7500 → '2 h 5 min', 3e5 → '3 days', 1e8 → '3.17 years'."""
    days, whole = seconds / DAY, max(1, round(min(seconds, DAY)))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if days < 1.0:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{days:.0f} days" if days < 1000.0 else f"{days / 365.0:.3g} years"
