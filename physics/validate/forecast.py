"""Which solver takes the steps of each rod, and how long a bake will take at least.

AUTOMATIC gives the rods of a part of the scene, which are always simulated together, implicit steps where these are
`FASTER` for one of them and damp no motion that one would see; they may do so where explicit steps would take longer
than `BEARABLE`, or cannot follow a rod at all. Bodies alone take explicit steps. The choice follows from the part alone
and from no clock: the same scene is baked to the same bytes, and what is far away changes nothing. Parts that contact
joins take implicit steps while they are together if any of them does by itself: see run/parts. A bake is resumed by the
solvers that began it.

Cosserat rods take implicit steps by AUTOMATIC where explicit ones would take longer than `BEARABLE`, for these keep
each wave of twist.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..cost import coupled, frames, implicit_beside, seconds, times_as_fast, together
from ..cost.numerical_damping import seen, stilled
from ..forces.buoyancy import immersed
from ..scene import Scene
from ..scenes.without_cables import cables_of, without_cables
from .drawn_straight import straight_rods

FASTER = 1.25  # times: of 60 random scenes, the ratio is foreseen within a factor of 1.5 where it is about 1
BEARABLE = 0.25  # s a frame: a minute for ten seconds of film
DAY = 86400.0  # s


@dataclass(frozen=True)
class Forecast:
    """implicit (R,) bool: which rods take implicit steps, cables left out; seconds: of the bake, at least, or where
    measured about as many; chosen: by AUTOMATIC; why: in a few words.
    """

    implicit: np.ndarray
    seconds: float
    chosen: bool
    why: str
    is_measured: bool = False

    @property
    def text(self) -> str:
        """As an artist reads it."""
        took = in_words(self.seconds)
        why = f"; {self.why}" if self.why else ""
        if not self.chosen:
            return (f"Takes about {took}" if self.is_measured else f"Takes {took} or more") + why
        solver = "Implicit" if self.implicit.any() else "Explicit"
        if self.implicit.any() and not self.implicit.all():
            solver = "Both solvers"
        return f"{solver}: {took}{'' if self.is_measured else ' or more'}{why}"

    def measured(self, seconds: float) -> "Forecast":
        """With the seconds that the first frames of a bake tell."""
        return replace(self, seconds=seconds, is_measured=True)


def forecast(scene: Scene) -> Forecast:
    """What a bake of a scene that is in order will be."""
    bare = immersed(without_cables(scene))
    implicit, why = _choice(bare)
    took, chosen = seconds(bare, implicit), scene.solver == "AUTOMATIC"
    if cables_of(scene) and not (bare.deforming or bare.bodies):
        return Forecast(implicit, took, False, "cables come to rest in each frame")
    told = stilled(bare, implicit) if chosen else None
    why = "; ".join([*[why] * bool(why), *([told[1].rstrip(".")] if told else [])])
    return Forecast(implicit, took, chosen, why)


def implicit_rods(scene: Scene) -> np.ndarray:
    """(R,) bool: rods that take implicit steps while they are apart from what takes others."""
    return _choice(scene)[0]


def _choice(scene: Scene) -> tuple[np.ndarray, str]:
    """(implicit_rods, why, in a few words)."""
    if scene.solver != "AUTOMATIC":
        implicit = np.full(len(scene.rods), scene.solver == "IMPLICIT")
        return implicit, _left(scene)
    implicit = np.zeros(len(scene.rods), dtype=bool)
    if scene.pulleys:
        return implicit, "ropes run through pulleys in explicit steps"
    if not scene.rods:
        return implicit, "without rods there is nothing stiff"
    if scene.treatment == "SPRINGS":
        return implicit, "contact springs are of explicit steps"
    straight = set() if coupled(scene) else set(straight_rods(scene))
    times, lost, explicit, reasons = times_as_fast(scene), seen(scene), frames(scene, implicit), []
    for k, rods in enumerate(together(scene)):
        implicit[rods], why = _of_part(scene, rods, straight, times, lost, explicit[k])
        reasons.append(why)
    if implicit.all() or not implicit.any():
        return implicit, reasons[int(explicit[: len(reasons)].argmax())]  # of what takes longest
    first, more = scene.rods[int(implicit.argmax())].name, int(implicit.sum()) - 1
    others = f" and {more} more" if more else ""
    return implicit, f"implicit steps for '{first}'{others}, explicit ones for the rest"


def _of_part(
    scene: Scene, rods: list[int], straight: set[int], times: np.ndarray, lost: np.ndarray, explicit: float
) -> tuple[bool, str]:
    """(whether these rods, which are one part, take implicit steps, why). straight: numbers of those drawn straight;
    times, lost (R,): see times_as_fast, seen; explicit: seconds a frame by explicit steps.
    """
    spinning = next((r for r in rods if scene.rods[r].model == "cosserat" and not coupled(scene)), -1)
    if own := straight.intersection(rods):
        return True, f"explicit ones cannot follow '{scene.rods[min(own)].name}', which exact pins draw straight"
    if spinning >= 0 and explicit < BEARABLE:
        return False, f"'{scene.rods[spinning].name}' spins, and explicit steps keep its waves of twist"
    most, worst = times[rods].max(), rods[int(lost[rods].argmax())]
    if most < FASTER:
        return False, "implicit steps would be no faster"
    if lost[worst] > 0.0 and explicit < BEARABLE:
        name = scene.rods[worst].name
        return False, f"implicit steps would take {100.0 * lost[worst]:.0f} % of the energy of '{name}' in each swing"
    return True, f"explicit steps would take {most:.{0 if most > 9.5 else 1}f} times as long"


def _left(scene: Scene) -> str:
    """Which rods take explicit steps though the solver is IMPLICIT, in a few words."""
    if scene.solver != "IMPLICIT" or not coupled(scene):
        return ""
    left = [rod.name for rod, free in zip(scene.rods, implicit_beside(scene), strict=True) if not free]
    if len(left) > 1:
        return f"'{left[0]}' and {len(left) - 1} more take explicit steps beside soft bodies"
    return f"'{left[0]}' takes explicit steps beside soft bodies" if left else ""


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
