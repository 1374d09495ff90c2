"""A generator: Scene in, frames out."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from .island_run import IslandRun
from .islands import islands
from .led_bodies import lead, led_pose
from .scene import Frame
from .validate import check


def simulate(scene, state=None):
    """Bake the scene: yield Frame 0 (the start, settled if asked), 1, … frame_count − 1, and Notices between them.

    Islands are simulated side by side, each in a thread; what comes out does not depend on how many there are.
    `state`, of the last finished Frame, goes on after it. Raises SceneError before anything, SimulationError when a
    rod cannot go on.
    """
    check(scene)
    bare, led_pins = lead(scene)
    parts = islands(bare)
    with ThreadPoolExecutor(min(len(parts), _cores())) as threads:
        own = [None] * len(parts) if state is None else [_part_of(state, k) for k in range(len(parts))]
        runs = list(threads.map(lambda part, begun: IslandRun(part, led_pins, begun), parts, own))
        index = 0 if state is None else int(state["index"])
        if state is None:
            for notices in threads.map(IslandRun.settle, runs):
                yield from notices
            yield _frame(scene, bare, runs, index)
        while index + 1 < scene.frame_count:
            index += 1
            for notices in threads.map(lambda run, k=index: run.reach(k), runs):
                yield from notices
            yield _frame(scene, bare, runs, index)


def _cores():
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _part_of(state, k):
    """What a Frame's state holds for island k."""
    mark = f"{k}."
    return {name.removeprefix(mark): value for name, value in state.items() if name.startswith(mark)}


def _frame(scene, bare, runs, index):
    """The Frame of all islands: rods and bodies in scene order."""
    x, m1 = [None] * len(scene.rods), [None] * len(scene.rods)
    moving, arrays = np.zeros((len(bare.bodies), 7)), {"index": np.array(index)}
    for k, run in enumerate(runs):
        own_x, own_m1 = run.shapes(index)
        for r, vertices, axes in zip(run.island.rods, own_x, own_m1, strict=True):
            x[r], m1[r] = vertices, axes
        moving[run.island.bodies] = run.poses()
        arrays |= {f"{k}.{name}": value for name, value in run.arrays().items()}
    rows = iter(moving)
    time = index * scene.frame_duration
    bodies = [led_pose(body, time) if body.led else next(rows) for body in scene.bodies]
    return Frame(index, np.concatenate(x), np.concatenate(m1), arrays, np.array(bodies).reshape(-1, 7))
