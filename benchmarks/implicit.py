"""The implicit solver: what a simulated second of a falling cantilever takes, and ten of a swung wire of steel; an
iteration of a flat, curved strip, whose frames are unknowns; and a tree in a storm; each by Preview's steps as well.
"""

from dataclasses import replace
from time import process_time

import numpy as np
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.scene import LONGEST_STEPS, Pin, Rod, Scene
from tendril.physics.time_integration.implicit_steps import implicit_steps

from .measure import row
from .trees import forest

FRAME = 1.0 / 24.0  # s
GOAL = "this project's goal"
CANTILEVER = {100: 0.012, 1000: 0.12}  # edges: s
WIRE = {100: 0.1, 200: 0.2, 400: 0.4, 1000: 1.0}
STEEL = Material(2e11, 0.3, 7800.0)
SHARE = 1.1  # log–log slope
STRIP, STRIP_ITERATION = 100, 0.5  # edges, µs per vertex
TREE, TREE_ITERATION = 1.0, 1.0  # s, ms
FASTER = 3.0  # times as fast as Good, Preview


def rows():
    found = []
    for n, goal in CANTILEVER.items():
        took, _ = _measured(_cantilever(n), 24)
        found.append(row(f"implicit: a cantilever of {n} edges let go", "s per s", took, goal, GOAL))
    taken = {n: _measured(_wire(n), 240)[0] for n in WIRE}
    for n, goal in WIRE.items():
        found.append(row(f"implicit: 1 m of steel wire of {n} edges swung for 10 s", "s", taken[n], goal, GOAL))
    slope = np.polyfit(np.log(list(taken)), np.log(list(taken.values())), 1)[0]
    took, rounds = _measured(_strip(STRIP), 24)
    each = took / rounds / (STRIP + 1) * 1e6
    storm = replace(forest(1, 2), solver="IMPLICIT")
    tree, tree_rounds = _measured(storm, 24)
    return [
        *found,
        row("implicit: the same, time against edges", "log–log slope", slope, SHARE, GOAL),
        row("implicit: a flat, curved strip", "µs per vertex and iteration", each, STRIP_ITERATION, GOAL),
        row("implicit: a tree of 2158 vertices", "s per s", tree, TREE, GOAL),
        row("implicit: the same tree", "ms per iteration", tree / tree_rounds * 1e3, TREE_ITERATION, GOAL),
        *(_preview(f"a cantilever of {n} edges", _cantilever(n)) for n in CANTILEVER),
        _preview("1 m of steel wire of 200 edges", _wire(200)),
        _preview("a flat, curved strip", _strip(STRIP)),
        _preview("a tree of 2158 vertices", storm),
    ]


def _preview(what, scene):
    """What a second takes by steps of Preview beside a third of what it takes by those of Good, in turns."""
    good, preview = (_measured(replace(scene, quality=quality), 24)[0] for quality in ("GOOD", "PREVIEW"))
    return row(f"implicit: {what}, Preview", "s per s", preview, good / FASTER, "a third of what Good takes")


def _measured(scene, frames):
    """(processor time [s] of so many frames, the least of three, and their iterations)."""
    times = []
    for _ in range(3):
        model, state, work = assemble(scene)
        begin, total = process_time(), 0
        for _ in range(frames):
            status, _, _, _, iterations = implicit_steps(model, state, work, FRAME, LONGEST_STEPS[scene.quality])
            assert status == 0
            total += iterations
        times.append(process_time() - begin)
    return min(times), total


def _cantilever(n):
    x = np.linspace((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), n + 1)
    rod = Rod.from_material("cantilever", x, 0.005, Material(1e7, 0.4, 1000.0))
    return Scene((rod,), FRAME, 2, pins=(Pin.fixed(rod, 0, "TWIST"),), contact=False, solver="IMPLICIT")


def _wire(n):
    x = np.linspace((0.0, 0.0, 0.0), (0.0, 0.0, -1.0), n + 1)
    rod = Rod.from_material("wire", x, 0.001, STEEL, shape_memory=0.0)
    times = np.linspace(0.0, 10.0, 201)
    place = np.outer(0.1 * (1.0 - np.cos(np.pi * times)), (1.0, 0.0, 0.0))
    hand = Pin("hand", 0, 0, "POSITION", times, place)
    return Scene((rod,), FRAME, 2, pins=(hand,), contact=False, solver="IMPLICIT")


def _strip(n):
    s = np.linspace(0.0, 1.0, n + 1)
    x = np.stack([s, 0.1 * np.sin(6.0 * s), 0.05 * np.cos(5.0 * s)], axis=1)
    rod = Rod.from_material("strip", x, 0.005, Material(1e8, 0.4, 1000.0), aspect=0.5)
    return Scene((rod,), FRAME, 2, pins=(Pin.fixed(rod, 0, "TWIST"),), contact=False, solver="IMPLICIT")
