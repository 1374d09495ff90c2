"""What lies on each other: a tower that stands, bricks side by side at rest, a pile of rods that falls and rests."""

from dataclasses import replace
from time import process_time

import numpy as np
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Collider, Floor, RigidBody, Rod, Scene, Shape
from tendril.physics.time_integration.advance import take_steps

from .measure import row

SIZE = np.array([0.2, 0.1, 0.06])  # m
STEP, CALM, STEPS = 1.0 / 240.0, 240, 480
FEW, MANY = 8, 32  # bricks along each side of a field
LAYERS, EACH, EDGES, LENGTH, RADIUS = 10, 5, 40, 0.3, 0.01  # of rods; m
LOW, APART, TRAY, WALL, LEAN = 0.12, 0.07, 0.2, 0.1, 0.03  # m, as in examples/pile.py
FPS, FALLEN = 24, 1.0  # s, when the pile is at rest


def rows():
    few, many = (_seconds(_field(n)) / STEPS for n in (FEW, MANY))
    tower = _seconds([[0.0, 0.0, 0.03 + 0.06 * k] for k in range(10)]) / (STEPS * STEP)
    return [
        row("a tower of ten bricks that stands", "s per s", tower, 1.0, "real time"),
        row(f"{MANY**2} bricks on a floor", "s per step", many, (MANY / FEW) ** 2 * few, f"as many times {FEW**2}"),
        *_pile_rows(),
    ]


def _pile_rows():
    falling, resting = _seconds_of(pile())
    what = f"implicit: {LAYERS * EACH} rods of {EDGES} edges"
    return [
        row(f"{what} in a pile at rest", "s per s", resting, 4.0, "this project's goal"),
        row(f"{what} that fall into it", "s per s", falling, resting, "at rest"),
    ]


def pile():
    """The scene: rods dropped into a tray, layer upon layer, as in examples/pile.py."""
    chance, s, rods = np.random.default_rng(1), np.linspace(-0.5, 0.5, EDGES + 1) * LENGTH, []
    rubber = Material(1e7, 0.4, 1000.0, friction=0.4, internal_damping=0.01)
    for layer in range(LAYERS):
        turn = 0.5 * np.pi * layer + chance.uniform(-0.6, 0.6)
        along, aside = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        for k in range(EACH):
            up = LOW + APART * layer + chance.uniform(-0.1, 0.1) * s
            flat = (k - 0.5 * (EACH - 1)) * 0.05 * aside + chance.uniform(-0.02, 0.02) * along + np.outer(s, along)
            rods.append(Rod.from_material(f"{layer}, {k}", np.column_stack([flat, up]), RADIUS, rubber))
    corners, levels = ((-1, -1), (1, -1), (1, 1), (-1, 1)), ((TRAY, 0.0), (TRAY + LEAN, WALL))
    ring = np.array([[(x * r, y * r, z) for r, z in levels for x, y in corners]])
    quads = np.array([(0, 1, 2, 3), *((k, 4 + k, 4 + (k + 1) % 4, (k + 1) % 4) for k in range(4))])
    tray = Collider("tray", np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]), np.zeros(1), ring, 0.001)
    return Scene(tuple(rods), 1.0 / FPS, 1 + 2 * round(FALLEN * FPS), colliders=(tray,), solver="IMPLICIT")


def _seconds_of(scene):
    """Processor time [s] of a simulated second, until FALLEN and from then on, kernels compiled."""
    list(simulate(replace(scene, frame_count=8)))
    times = [process_time() for item in simulate(scene)]
    middle = len(times) // 2
    return (times[middle] - times[0]) / FALLEN, (times[-1] - times[middle]) / FALLEN


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
    model, state, work = assemble(Scene((), 1.0 / 24.0, 2, bodies=bodies, floor=Floor(0.0)), times=16)
    take_steps(model, state, work, STEP, CALM)
    start = process_time()
    take_steps(model, state, work, STEP, STEPS)
    return process_time() - start
