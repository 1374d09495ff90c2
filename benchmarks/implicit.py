"""The implicit solver: what a simulated second of a falling cantilever takes, and ten of a swung wire of steel."""

from time import process_time

import numpy as np
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.scene import LONGEST_STEPS, Pin, Rod, Scene
from tendril.physics.time_integration.implicit_steps import implicit_steps

from .measure import row

FRAME = 1.0 / 24.0  # s
GOAL = "this project's goal"
CANTILEVER = {100: 0.012, 1000: 0.12}  # edges: s
WIRE = {100: 0.1, 200: 0.2, 400: 0.4, 1000: 1.0}
STEEL = Material(2e11, 0.3, 7800.0)
SHARE = 1.1  # log–log slope


def rows():
    found = []
    for n, goal in CANTILEVER.items():
        found.append(
            row(f"implicit: a cantilever of {n} edges let go", "s per s", _seconds(_cantilever(n), 24), goal, GOAL)
        )
    taken = {n: _seconds(_wire(n), 240) for n in WIRE}
    for n, goal in WIRE.items():
        found.append(row(f"implicit: 1 m of steel wire of {n} edges swung for 10 s", "s", taken[n], goal, GOAL))
    slope = np.polyfit(np.log(list(taken)), np.log(list(taken.values())), 1)[0]
    return [*found, row("implicit: the same, time against edges", "log–log slope", slope, SHARE, GOAL)]


def _seconds(scene, frames):
    """Processor time of so many frames, the least of three."""
    times = []
    for _ in range(3):
        model, state, work = assemble(scene)
        begin = process_time()
        for _ in range(frames):
            status, *_ = implicit_steps(model, state, work, FRAME, LONGEST_STEPS["GOOD"])
            assert status == 0
        times.append(process_time() - begin)
    return min(times)


def _cantilever(n):
    x = np.linspace((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), n + 1)
    rod = Rod.from_material("cantilever", x, 0.005, Material(1e7, 0.4, 1000.0))
    return Scene((rod,), FRAME, 2, pins=(Pin.fixed(rod, 0, 0, "TWIST"),), contact=False)


def _wire(n):
    x = np.linspace((0.0, 0.0, 0.0), (0.0, 0.0, -1.0), n + 1)
    rod = Rod.from_material("wire", x, 0.001, STEEL, shape_memory=0.0)
    times = np.linspace(0.0, 10.0, 201)
    place = np.outer(0.1 * (1.0 - np.cos(np.pi * times)), (1.0, 0.0, 0.0))
    return Scene((rod,), FRAME, 2, pins=(Pin("hand", 0, 0, "POSITION", times, place),), contact=False)
