"""Which solver takes the steps of a bake, and how long it will take.

AUTOMATIC is IMPLICIT where that solver is predicted `FASTER` and damps no motion that one would see; it may do so where
explicit steps would take longer than `BEARABLE`, or cannot follow a rod at all. Bodies alone take explicit steps. The
choice follows from the scene alone, and not from how many frames are baked: a bake is resumed by the solver that began
it, and a part moves as the whole does.
"""

from dataclasses import dataclass, replace

from ..cost import coupled, durations, implicit_beside, side_by_side
from ..numerical_damping import damped
from ..scene import Scene
from .drawn_straight import drawn_straight

FASTER = 1.5  # times
BEARABLE = 0.25  # s a frame: a minute for ten seconds of film
DAY = 86400.0  # s


@dataclass(frozen=True)
class Forecast:
    """solver: EXPLICIT or IMPLICIT; seconds: of the bake; instead: by the other one; chosen: by AUTOMATIC; why: in a
    few words, if not for the seconds.
    """

    solver: str
    seconds: float
    instead: float
    chosen: bool
    why: str

    @property
    def other(self) -> str:
        """The solver that it is not."""
        return "IMPLICIT" if self.solver == "EXPLICIT" else "EXPLICIT"

    @property
    def asked(self) -> tuple[str, ...]:
        """The solvers whose seconds the text tells."""
        return (self.solver, self.other) if self.chosen and not self.why else (self.solver,)

    @property
    def text(self) -> str:
        """As an artist reads it."""
        took, instead = in_words(self.seconds), in_words(self.instead)
        if not self.chosen:
            return f"Takes about {took}" + (f"; {self.why}" if self.why else "")
        if instead == took:
            instead = "as long" if self.solver == "EXPLICIT" else "longer"
        why = self.why or f"{self.other.lower()} steps would take {instead}"
        return f"{self.solver.title()}: {took}; {why}"

    def measured(self, solver: str, seconds: float) -> "Forecast":
        """With the seconds that the first frames of a bake by a solver tell."""
        return replace(self, seconds=seconds) if solver == self.solver else replace(self, instead=seconds)


def forecast(scene: Scene, cores: int | None = None) -> Forecast:
    """What a bake of a scene that is in order will be, on so many cores, by default all."""
    of_islands = durations(scene)
    seconds = side_by_side(scene, of_islands, cores)
    solver, why = scene.solver, _left(scene)
    if scene.solver == "AUTOMATIC":
        _, explicit, implicit, _ = of_islands.sum(axis=0)
        solver, why = _choice(scene, explicit, implicit)
    found = Forecast(solver, seconds[solver], 0.0, scene.solver == "AUTOMATIC", why)
    return replace(found, instead=seconds[found.other])


def resolved(scene: Scene) -> Scene:
    """The scene with AUTOMATIC replaced by the solver it means."""
    return replace(scene, solver=forecast(scene).solver) if scene.solver == "AUTOMATIC" else scene


def _left(scene: Scene) -> str:
    """Which rods take explicit steps though the solver is IMPLICIT, in a few words."""
    if scene.solver != "IMPLICIT" or not coupled(scene):
        return ""
    left = [rod.name for rod, free in zip(scene.rods, implicit_beside(scene), strict=True) if not free]
    if len(left) > 1:
        return f"'{left[0]}' and {len(left) - 1} more take explicit steps beside soft bodies"
    return f"'{left[0]}' takes explicit steps beside soft bodies" if left else ""


def _choice(scene: Scene, explicit: float, implicit: float) -> tuple[str, str]:
    """(what AUTOMATIC means where each takes so many seconds a frame, why in a few words if not for these)."""
    if not scene.rods:
        return "EXPLICIT", "without rods there is nothing stiff"
    if scene.treatment == "SPRINGS":
        return "EXPLICIT", "contact springs are of explicit steps"
    if not coupled(scene) and (straight := drawn_straight(scene)):
        return "IMPLICIT", f"explicit ones cannot follow '{straight.name}', which exact pins draw straight"
    if explicit < FASTER * implicit:
        return "EXPLICIT", ""
    found = damped(scene) if explicit < BEARABLE else None
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
