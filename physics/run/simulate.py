"""Scene in, frames out; `events` also yields what an artist should know between them."""

import logging
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ..contact.touching import touching
from ..cost.numerical_damping import stilled
from ..forces.buoyancy import immersed
from ..scene import Frame, Notice, Scene
from ..scenes.measured import MEASURED
from ..scenes.without_cables import cables_last, without_cables
from ..start.drawn_flush import begun_apart
from ..start.push_apart import pushed_apart
from ..validate import check, implicit_rods
from .checkpoint import recorded
from .islands import Islands
from .kinematic_bodies import kinematic_pose, with_cables, without_kinematic_bodies


def simulate(
    scene: Scene, state: Mapping[str, np.ndarray] | None = None, notices: Callable[[Notice], object] | None = None
) -> Iterator[Frame]:
    """Simulate the scene: yield Frame 0 (the start, settled if asked), 1, … frame_count − 1.

    notices: is called with each Notice, when it is known: before the Frame that it is about. A list's `append` does; by
    default they are warnings of Python's logging. `state` and errors as of `events`.
    """
    for event in events(scene, state):
        if isinstance(event, Frame):
            yield event
        elif notices:
            notices(event)
        else:
            logging.getLogger("tendril").warning("%s, frame %d: %s", event.object, event.frame, event.text)


def events(scene: Scene, state: Mapping[str, np.ndarray] | None = None) -> Iterator[Frame | Notice]:
    """The Frames of the scene and the Notices between them, in the order in which they come to be known.

    Islands are simulated side by side, each in a thread; what comes out does not depend on how many there are.
    `state`, of the last finished Frame, goes on after it. Raises SceneError before anything, CheckpointError when the
    state is none of this scene, SimulationError when a rod or soft body cannot go on.
    """
    check(scene)
    drawn = scene = immersed(scene)
    whole, order = with_cables(scene), cables_last(scene)
    scene, moved = pushed_apart(without_cables(scene))
    scene = begun_apart(scene)
    implicit = implicit_rods(scene) if state is None else recorded(state, scene)
    bare, led_pins = without_kinematic_bodies(scene)
    with ThreadPoolExecutor(_cores()) as threads:
        islands = Islands(bare, led_pins, threads, implicit, whole)
        if state is None:
            yield from moved
            yield from _stilled(scene, implicit)
            islands.prepare()
            yield from islands.settle()
            index = 0
            yield _frame(drawn, islands, order, index)
        else:
            index = islands.resume(state)
        while index + 1 < scene.frame_count:
            index += 1
            yield from islands.reach(index)
            yield _frame(drawn, islands, order, index)


def _stilled(scene: Scene, implicit: np.ndarray) -> list[Notice]:
    """Of what would ring, where AUTOMATIC has chosen steps that bring it to rest."""
    told = stilled(scene, implicit) if scene.solver == "AUTOMATIC" and scene.rods else None
    return [Notice(told[0].name, 0, told[1])] if told else []


def _cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _frame(scene: Scene, islands: Islands, order: tuple[np.ndarray, ...], index: int) -> Frame:
    """The Frame of all islands: rods, soft bodies and rigid bodies in scene order; order: see `cables_last`."""
    x, m1 = np.empty((islands.vertices, 3)), np.empty((islands.edges, 3))
    contacts, overlap, (vertex, edge, body) = 0, 0.0, order
    for run, axes in zip(islands.runs.values(), islands.material_axes(index), strict=True):
        for model, state in zip(run.models, run.states, strict=True):
            touch, deep = (0, 0.0) if run is islands.cables else touching(model, state)
            contacts, overlap = contacts + touch, max(overlap, deep)
        x[vertex[run.part.vertices]] = run.x
        m1[edge[run.part.edges]] = axes
    bodies, time = np.zeros((len(scene.bodies), 7)), index * scene.frame_duration
    bodies[body] = islands.poses()
    for row, one in zip(bodies, scene.bodies, strict=True):
        if one.kinematic:
            row[:] = kinematic_pose(one, time)
    cables = islands.cables.steps.measured() if islands.cables else np.zeros((0, len(MEASURED)))
    return Frame(index, x, m1, islands.checkpoint(index), bodies, contacts, overlap, cables)
