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
from ..scenes.without_cables import without_cables
from ..start.drawn_flush import begun_apart
from ..start.push_apart import pushed_apart
from ..validate import check, implicit_rods
from .cables import Cables
from .checkpoint import VERSION, recorded
from .islands import Islands
from .kinematic_bodies import kinematic_pose, without_kinematic_bodies


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
    scene = immersed(scene)
    cables, bare = Cables(scene), without_cables(scene)
    if state is not None and cables.each:
        state = cables.resume(state)
    for event in _in_time(bare, state) if bare.deforming or bare.bodies else _still(scene, state):
        if isinstance(event, Notice) or not cables.each:
            yield event
            continue
        frame = cables.settled(event)
        if frame.index + 1 == scene.frame_count:
            yield from cables.notices()
        yield frame


def _still(scene: Scene, state: Mapping[str, np.ndarray] | None) -> Iterator[Frame]:
    """The frames of a scene of nothing that moves in time."""
    empty = np.zeros((0, 3))
    for index in range(0 if state is None else int(state["index"]) + 1, scene.frame_count):
        yield Frame(index, empty, empty, {"index": np.array(index), "version": np.array(VERSION)})


def _in_time(scene: Scene, state: Mapping[str, np.ndarray] | None) -> Iterator[Frame | Notice]:
    """The same of a scene without cables, which is in order."""
    scene, moved = pushed_apart(scene)
    scene = begun_apart(scene)
    implicit = implicit_rods(scene) if state is None else recorded(state, scene)
    bare, led_pins = without_kinematic_bodies(scene)
    with ThreadPoolExecutor(_cores()) as threads:
        islands = Islands(bare, led_pins, threads, implicit)
        if state is None:
            yield from moved
            yield from _stilled(scene, implicit)
            islands.prepare()
            yield from islands.settle()
            index = 0
            yield _frame(scene, bare, islands, index)
        else:
            index = islands.resume(state)
        while index + 1 < scene.frame_count:
            index += 1
            yield from islands.reach(index)
            yield _frame(scene, bare, islands, index)


def _stilled(scene: Scene, implicit: np.ndarray) -> list[Notice]:
    """Of what would ring, where AUTOMATIC has chosen steps that bring it to rest."""
    told = stilled(scene, implicit) if scene.solver == "AUTOMATIC" and scene.rods else None
    return [Notice(told[0].name, 0, told[1])] if told else []


def _cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _frame(scene: Scene, bare: Scene, islands: Islands, index: int) -> Frame:
    """The Frame of all islands: rods, soft bodies and rigid bodies in scene order."""
    x, m1 = np.empty((islands.vertices, 3)), np.empty((islands.edges, 3))
    moving = np.zeros((len(bare.bodies), 7))
    contacts, overlap = 0, 0.0
    for run, axes in zip(islands.runs.values(), islands.material_axes(index), strict=True):
        for model, state in zip(run.models, run.states, strict=True):
            touch, deep = touching(model, state)
            contacts, overlap = contacts + touch, max(overlap, deep)
        x[run.part.vertices] = run.x
        m1[run.part.edges] = axes
        if len(run.part.bodies):
            moving[run.part.bodies] = run.poses(islands.start[run.part.bodies])
    bodies = moving
    if len(scene.bodies) > len(moving):
        rows, time = iter(moving), index * scene.frame_duration
        bodies = np.array([kinematic_pose(body, time) if body.kinematic else next(rows) for body in scene.bodies])
    return Frame(index, x, m1, islands.checkpoint(index), bodies, contacts, overlap)
