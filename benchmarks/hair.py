"""What one hair beside hawsers costs: limits of a step are those of the two that touch; and what contact costs where
nothing touches.
"""

from math import inf
from time import process_time

import numpy as np
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.scene import Floor, Pin, Rod, Scene
from tendril.physics.time_integration.advance import advance

from .measure import row

THICK, THIN = 0.02, 0.001  # m
FRAME, FRAMES = 0.02, 12  # s
GOAL = "this project's goal"


def rows():
    lines = [
        Rod.from_material(name, np.linspace(start, end, edges + 1), radius, Material(1e7, 0.45, 1100.0))
        for name, start, end, edges, radius in (
            ("lower", [-0.5, 0.0, THICK], [0.5, 0.0, THICK], 10, THICK),
            ("upper", [0.0, -0.5, 3.02 * THICK], [0.0, 0.5, 3.02 * THICK], 10, THICK),
            ("hair", [-0.3, 0.0, 2.01 * THICK + THIN], [-0.1, 0.0, 2.01 * THICK + THIN], 4, THIN),
        )
    ]
    alone, beside = _steps(lines[:2]), _steps(lines)
    case = "hawsers dropped on each other, a hair of a twentieth their radius on one"
    free = [
        row(
            f"explicit steps of a rod of {n} edges that touches nothing",
            "times as long as without contact",
            times,
            goal,
            GOAL,
        )
        for n, goal in ((300, 1.5), (1000, 1.8))
        for times in [_seconds(n, True) / _seconds(n, False)]
    ]
    return [row(case, "times the steps without it", beside / alone, 1.5, GOAL), *free]


def _seconds(edges, contact):
    """Least processor time of .02 s of a fall, of three."""
    line = Rod.from_material("rod", np.linspace([0.0, 0, 0], [1.0, 0, 0], edges + 1), 0.005, Material(5e6, 0.5, 1000.0))
    pins, taken = (Pin.fixed(line, 0, "DIRECTION"),), []
    model, state, work = assemble(Scene((line,), 0.05, 6, pins, air_density=0.0, contact=contact))
    for _ in range(4):
        begun = process_time()
        assert advance(model, state, work, FRAME, 0.6, inf)[0] == 0
        taken.append(process_time() - begun)
    return min(taken[1:])


def _steps(rods):
    model, state, work = assemble(Scene(tuple(rods), 0.04, 1, air_density=0.0, floor=Floor(0.0)))
    count = 0
    for _ in range(FRAMES):
        status, _, _, taken, _ = advance(model, state, work, FRAME, 0.6, inf)
        assert status == 0
        count += taken
    return count
