"""A rope of 200 points hung over a ball: what its steps take with colliders of more and more triangles, beside the same
rope that hangs free.
"""

from time import process_time

import numpy as np
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Collider, Pin, Rod, Scene

from .measure import row

POINTS, RADIUS, BALL, FRAMES = 200, 0.005, 0.2, 25
RINGS = (24, 160)  # of the ball: 2208 and 101 760 triangles
GOAL = 2.0  # times as long as without


def rows():
    found = []
    for solver in ("EXPLICIT", "IMPLICIT"):
        for rings in (None, *RINGS):
            _seconds(solver, rings)  # some kernels are loaded when something first touches, of the free rope too
        free = _seconds(solver, None)
        found += [
            row(
                f"{solver.lower()}: 200 points over {4 * rings * (rings - 1)} triangles", "s per frame",
                _seconds(solver, rings), GOAL * free, "twice what it takes without",
            )
            for rings in RINGS
        ]  # fmt: skip
    return found


def ball(rings):
    """(vertices, triangles) of a ball of so many rings, each of twice as many quads."""
    around = 2 * rings
    t, a = np.linspace(0.0, np.pi, rings + 1)[1:-1, None], np.arange(around) * 2.0 * np.pi / around
    middle = np.stack([np.sin(t) * np.cos(a), np.sin(t) * np.sin(a), np.cos(t) + 0.0 * a], axis=2).reshape(-1, 3)
    i, j = (k.ravel() for k in np.meshgrid(np.arange(rings - 2), np.arange(around), indexing="ij"))
    k, first, last = (j + 1) % around, np.arange(around), 1 + (rings - 2) * around
    quads = 1 + np.stack([i * around + j, (i + 1) * around + j, (i + 1) * around + k, i * around + k], axis=1)
    behind, pole = (first + 1) % around, np.full(around, 1 + len(middle))
    caps = np.stack([0 * first, 1 + first, 1 + behind], axis=1), np.stack([pole, last + behind, last + first], axis=1)
    points = BALL * np.concatenate([[[0.0, 0.0, 1.0]], middle, [[0.0, 0.0, -1.0]]])
    return points, np.concatenate([*caps, quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


def _seconds(solver, rings):
    """Processor time [s] of a frame of the fall, the slap and the swinging after it."""
    x = np.linspace([-0.5, 0.013, 0.24], [0.5, 0.021, 0.24], POINTS)
    rod = Rod.from_material("Rope", x, RADIUS, Material(5e6, 0.5, 1000.0, friction=0.5, internal_damping=0.01))
    colliders = ()
    if rings:
        points, triangles = ball(rings)
        colliders = (Collider("Ball", triangles, np.zeros(1), points[None]),)
    pins = (Pin.fixed(rod, POINTS // 2 - 5, rod=0),)
    frames = simulate(Scene((rod,), 1.0 / 24.0, FRAMES, pins=pins, colliders=colliders, solver=solver))
    begin = None
    for frame in frames:
        if frame.index == 1:  # the surface is laid out
            begin = process_time()
    return (process_time() - begin) / (FRAMES - 2)
