"""Cables at rest where they are held now, from where they rested before: for who moves what holds them and looks. And
what one is like, by its pose.

A job is read once, and goes; its cables stay in memory, of so many jobs as MOST.
"""

from collections.abc import Callable, Generator, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..physics.scene import Scene
from ..physics.scenes.measured import MEASURED
from ..physics.validate import check
from . import job as jobs
from .baking import Solver, in_sentences, physics
from .messages import LED, Message, message

if TYPE_CHECKING:
    from ..physics.cables.pose import Fit
    from ..physics.run.led_cables import LedCables

MOST = 64
Rows = list[list[float]]


def _led(scene: Scene) -> "LedCables":
    from ..physics.forces.buoyancy import immersed
    from ..physics.run.led_cables import LedCables

    return LedCables(immersed(scene))


def _fitted(scene: Scene, asked: Mapping[str, Any]) -> "Fit":
    from ..physics.forces.buoyancy import immersed
    from ..physics.run.fitting import fit_in_scene

    points = np.array(asked["points"], float)
    return fit_in_scene(immersed(scene), asked["rods"], points, asked["unknown"], asked["connector"])


class Settling:
    """solver: called like `baking.physics`, for what is to be compiled."""

    def __init__(self, solver: Solver = physics) -> None:
        self._solver = solver
        self._known: dict[str, LedCables] = {}

    def settle(self, place: str, led: Mapping[str, Rows], stopped: Callable[[], bool]) -> Iterator[Message]:
        """Settles the cables of the job at the path `place`, led as an order has them, and yields messages."""
        return in_sentences(self._settle(place, led, stopped))

    def fit(self, place: str, asked: Mapping[str, Any], stopped: Callable[[], bool]) -> Iterator[Message]:
        """Finds what a cable of the job at the path `place` is like by its pose, and yields messages."""
        return in_sentences(self._fit(place, asked, stopped))

    def _scene(self, place: str, stopped: Callable[[], bool]) -> Generator[Message, None, Scene | None]:
        """The scene of a job, which goes, with what it needs compiled; None: it was cancelled."""
        with jobs.taken(place) as job:
            scene = job.scene
        check(scene)
        for sentence in self._solver(scene)[0]:
            yield message("compiling", text=sentence)
            if stopped():
                yield message("cancelled", frames=0)
                return None
        return scene

    def _fit(self, place: str, asked: Mapping[str, Any], stopped: Callable[[], bool]) -> Iterator[Message]:
        scene = yield from self._scene(place, stopped)
        if scene is None:
            return
        found = _fitted(scene, asked)
        yield message("fitted", **{**vars(found), "numbers": vars(found.numbers)})
        yield message("done", frames=1)

    def _settle(self, place: str, rows: Mapping[str, Rows], stopped: Callable[[], bool]) -> Iterator[Message]:
        led = self._known.pop(place, None)
        if led is None:
            scene = yield from self._scene(place, stopped)
            if scene is None:
                return
            led = _led(scene)
        self._known[place] = led  # the newest comes last
        for oldest in list(self._known)[:-MOST]:
            del self._known[oldest]
        frame = led.settle(**{name: np.array(rows[name], float).reshape(-1, width) for name, width in LED.items()})
        shape = {"x": frame.x.tolist(), "m1": frame.m1.tolist(), "bodies": frame.bodies.tolist()}
        values = dict(zip(MEASURED, frame.cables.T.tolist(), strict=True))
        yield message("settled", along=led.along().tolist(), refused=led.refused(), **shape, **values)
        for said in led.warnings():
            yield message("warning", object=said.object, frame=said.frame, text=said.text)
        yield message("done", frames=1)
