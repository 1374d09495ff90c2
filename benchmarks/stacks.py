"""Rigid bodies that touch: a tower that stands, and how steps grow with the number of bricks at rest."""

from time import process_time

import numpy as np
from tendril.physics.assemble import assemble
from tendril.physics.assemble.room import grown
from tendril.physics.scene import Floor, RigidBody, Scene, Shape
from tendril.physics.time_integration.advance import take_steps

from .measure import row

SIZE = np.array([0.2, 0.1, 0.06])  # m
STEP, CALM, STEPS = 1.0 / 240.0, 240, 480
FEW, MANY = 8, 32  # bricks along each side of a field


def rows():
    few, many = (_seconds(_field(n)) / STEPS for n in (FEW, MANY))
    tower = _seconds([[0.0, 0.0, 0.03 + 0.06 * k] for k in range(10)]) / (STEPS * STEP)
    return [
        row("a tower of ten bricks that stands", "s per s", tower, 1.0, "real time"),
        row(f"{MANY**2} bricks on a floor", "s per step", many, (MANY / FEW) ** 2 * few, f"as many times {FEW**2}"),
    ]


def _field(n):
    return [[0.3 * i, 0.3 * j, 0.0301] for i in range(n) for j in range(n)]


def _seconds(places):
    """[s] of steps of bricks at these places, once they are at rest."""
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]) * SIZE
    quads = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    mass = 1000.0 * SIZE.prod()
    inertia = mass / 12.0 * np.diag((SIZE**2).sum() - SIZE**2)
    bodies = tuple(
        RigidBody(f"brick {k}", np.array(place), mass, inertia, shape=Shape(corners + place, triangles))
        for k, place in enumerate(places)
    )
    model, state, _ = assemble(Scene((), 1.0 / 24.0, 2, bodies=bodies, floor=Floor(0.0)))
    state, work = grown(model, grown(model, state)[0])
    take_steps(model, state, work, STEP, CALM)
    start = process_time()
    take_steps(model, state, work, STEP, STEPS)
    return process_time() - start
