"""Cables that free parts join, led by 4 mm at a time: alone, on a floor, on 10⁴ triangles; and over the number of
parts. One thread.
"""

from dataclasses import replace

import numpy as np
from tendril.physics import Floor, Handle, Material, Part, Rod, settle_harness

from .cables import ground
from .measure import medians, row

CABLE = Material(5e6, 0.45, 1200.0)
LENGTH = 0.3  # [m] of a cable
MOVES = 5
ALONE, TOUCHING = 50.0, 100.0  # ms that a move may take
PARTS = 8, 32
LOW = -0.08  # [m] below, where what they lie on is


def trunk(count, pieces=66):
    """(cables, parts): count + 1 of them in a row, and a branch at each of the parts between, its end held."""

    def rod(name, a, b):
        return Rod.from_material(name, np.linspace(a, b, pieces + 1), 0.004, CABLE)

    def ends(one, before, behind):
        first, last = (Handle.drawn(one, f"{v} of {one.name}", vertex=v, oriented=True) for v in (0, -1))
        return [replace(first, part=before), replace(last, part=behind)]

    nodes, cables, parts = LENGTH * np.arange(count + 2)[:, None] * [1.0, 0.0, 0.0], [], []
    for k in range(count + 1):
        one = rod(f"trunk {k}", nodes[k], nodes[k + 1])
        cables.append((one, ends(one, f"{k}" if k else None, f"{k + 1}" if k < count else None)))
    for k in range(1, count + 1):
        side = np.array([0.0, (-1.0) ** k, 0.0])
        one = rod(f"branch {k}", nodes[k], nodes[k] + LENGTH * side)
        inner, outer = ends(one, f"{k}", None)
        parts.append(Part(f"{k}", nodes[k], mass=0.005))
        cables.append((one, [inner, replace(outer, position=outer.position - 0.05 * side)]))
    return led(cables, count, np.array([-0.1, 0.0, 0.0])), parts


def led(cables, count, way):
    """The last end of the trunk moved on."""
    (one, (first, last)) = cables[count]
    return [*cables[:count], (one, [first, replace(last, position=last.position + way)]), *cables[count + 1 :]]


def follow(cables, parts, found, colliders=()):
    """The end goes on, a move at a time."""
    for _ in range(MOVES):
        cables = led(cables, len(parts), np.array([0.003, 0.003, 0.0]))
        found = settle_harness(cables, parts, start=found, colliders=colliders)


def triangles():
    """The benchmark's ground, below all of it."""
    below = ground()
    x = below.points * [1.4, 0.8, 0.0] + [0.3, 0.0, LOW]
    return replace(below, points=x)


def rows():
    tasks, given = {}, trunk(4)
    for name, around in (("alone", []), ("on a floor", [Floor(LOW)]), ("on 10⁴ triangles", [triangles()])):
        found = settle_harness(*given, colliders=around)
        tasks[name] = lambda run=(*given, found, around): run, follow
    for count in PARTS:
        few = trunk(count, 16)
        found = settle_harness(*few)
        tasks[count] = lambda run=(*few, found): run, follow
    ms = {name: 1e3 * seconds / MOVES for name, seconds in medians(tasks).items()}
    goals = {"alone": ALONE, "on a floor": TOUCHING, "on 10⁴ triangles": TOUCHING}
    table = [
        row(
            f"nine cables of 67 points on four parts, {name}, follow a handle",
            "ms",
            ms[name],
            goal,
            "this project's goal",
        )
        for name, goal in goals.items()
    ]
    few, many = PARTS
    case = f"{2 * many + 1} cables of 17 points on {many} parts are led"
    return [*table, row(case, "ms", ms[many], many / few * ms[few], f"{many // few} times as long as {few} parts")]
