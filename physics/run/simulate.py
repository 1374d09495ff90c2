"""A generator: Scene in, frames out."""

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ..scene import Frame, Notice, Scene
from ..validate import check
from .checkpoint import pack, unpack
from .island_run import IslandRun
from .islands import islands
from .led_bodies import led_pose, without_led_bodies


def simulate(scene: Scene, state: Mapping[str, np.ndarray] | None = None) -> Iterator[Frame | Notice]:
    """Bake the scene: yield Frame 0 (the start, settled if asked), 1, … frame_count − 1, and Notices between them.

    Islands are simulated side by side, each in a thread; what comes out does not depend on how many there are.
    `state`, of the last finished Frame, goes on after it. Raises SceneError before anything, CheckpointError when the
    state is none of this scene, SimulationError when a rod cannot go on.
    """
    check(scene)
    bare, led_pins = without_led_bodies(scene)
    parts = islands(bare)
    index, own = (0, [None] * len(parts)) if state is None else unpack(state, len(parts))
    with ThreadPoolExecutor(min(len(parts), _cores())) as threads:
        runs = list(threads.map(lambda part, begun: IslandRun(part, led_pins, begun, index), parts, own))
        if state is None:
            for notices in threads.map(IslandRun.settle, runs):
                yield from notices
            yield _frame(scene, bare, runs, index)
        while index + 1 < scene.frame_count:
            index += 1
            for notices in threads.map(lambda run, k=index: run.reach(k), runs):
                yield from notices
            yield _frame(scene, bare, runs, index)


def _cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _frame(scene: Scene, bare: Scene, runs: Sequence[IslandRun], index: int) -> Frame:
    """The Frame of all islands: rods and bodies in scene order."""
    x: dict[int, np.ndarray] = {}
    m1: dict[int, np.ndarray] = {}
    moving = np.zeros((len(bare.bodies), 7))
    for run in runs:
        own_x, own_m1 = run.shapes(index)
        for r, vertices, axes in zip(run.island.rods, own_x, own_m1, strict=True):
            x[r], m1[r] = vertices, axes
        moving[run.island.bodies] = run.poses()
    rows = iter(moving)
    time = index * scene.frame_duration
    bodies = [led_pose(body, time) if body.led else next(rows) for body in scene.bodies]
    state = pack([run.state for run in runs], index)
    vertices, axes = (np.concatenate([parts[r] for r in range(len(scene.rods))]) for parts in (x, m1))
    return Frame(index, vertices, axes, state, np.array(bodies).reshape(-1, 7))
