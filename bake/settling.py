"""Cables at rest where they are held now, from where they rested before: for who moves what holds them and looks.

A job is read once, and goes; its cables stay in memory, of so many jobs as MOST.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from ..physics.scene import Scene
from ..physics.scenes.measured import MEASURED
from ..physics.validate import check
from . import job as jobs
from .baking import Solver, in_sentences, physics
from .messages import LED, Message, message

if TYPE_CHECKING:
    from ..physics.run.led_cables import LedCables

MOST = 64
Rows = list[list[float]]


def _led(scene: Scene) -> "LedCables":
    from ..physics.forces.buoyancy import immersed
    from ..physics.run.led_cables import LedCables

    return LedCables(immersed(scene))


class Settling:
    """solver: called like `baking.physics`, for what is to be compiled."""

    def __init__(self, solver: Solver = physics) -> None:
        self._solver = solver
        self._known: dict[str, LedCables] = {}

    def settle(self, place: str, led: Mapping[str, Rows], stopped: Callable[[], bool]) -> Iterator[Message]:
        """Settles the cables of the job at the path `place`, led as an order has them, and yields messages."""
        return in_sentences(self._settle(place, led, stopped))

    def _settle(self, place: str, rows: Mapping[str, Rows], stopped: Callable[[], bool]) -> Iterator[Message]:
        led = self._known.pop(place, None)
        if led is None:
            with jobs.taken(place) as job:
                scene = job.scene
            check(scene)
            for sentence in self._solver(scene)[0]:
                yield message("compiling", text=sentence)
                if stopped():
                    yield message("cancelled", frames=0)
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
