"""What one hair beside hawsers costs: limits of a step are those of the two that touch."""

from math import inf

import numpy as np
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.scene import Floor, Rod, Scene
from tendril.physics.time_integration.advance import advance

from .measure import row

THICK, THIN = 0.02, 0.001  # m
FRAME, FRAMES = 0.02, 12  # s


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
    return [row(case, "times the steps without it", beside / alone, 1.5, "this project's goal")]


def _steps(rods):
    model, state, work = assemble(Scene(tuple(rods), 0.04, 1, air_density=0.0, floor=Floor(0.0)))
    count = 0
    for _ in range(FRAMES):
        status, _, _, taken, _ = advance(model, state, work, FRAME, 0.6, inf)
        assert status == 0
        count += taken
    return count
