"""Cables at rest that follow a handle, and how long the same rod takes to come to rest by dynamics; one thread."""

from dataclasses import replace

import numpy as np
from tendril.physics import Collider, Handle, settle_cable, simulate
from tendril.physics.cables import equilibrium
from tendril.physics.materials import Material
from tendril.physics.scene import Pin, Rod, Scene

from .measure import medians, row

HOSE = Material(5e6, 0.45, 1200.0)
POINTS = {200: 10.0, 1000: 50.0}  # ms that following a handle may take
RUBBING = {200: 16.0, 1000: 66.0}  # ms, where it rubs on what it lies on: 60 and 15 times a second
MOVES = 10
CELLS = 71
LED = 0.002, 0.02, 0.2  # [m] at once, with prediction and without
LINE = 50, 100, 200, 500, 1000  # points, over which time is linear
MOVE = 0.006  # [m] of a metre of hose: a fifth of a metre a second at 30 frames


def hose(count):
    """A metre of it."""
    x = np.zeros((count, 3))
    x[:, 0] = np.linspace(0.0, 1.0, count)
    return Rod.from_material("hose", x, 0.006, HOSE)


def ends(rod):
    """Clamps, .7 m apart."""
    wall, hand = (Handle.drawn(rod, name, vertex=v, oriented=True) for name, v in (("wall", 0), ("hand", -1)))
    return wall, replace(hand, position=np.array([0.7, 0.0, 0.2]))


def ground():
    """10⁴ triangles below the hose."""
    u, v = np.meshgrid(np.linspace(-0.3, 1.3, CELLS + 1), np.linspace(-0.8, 0.8, CELLS + 1), indexing="ij")
    x = np.stack([u, v, np.full_like(u, -0.06)], axis=2).reshape(1, -1, 3)
    a = (np.arange(CELLS)[:, None] * (CELLS + 1) + np.arange(CELLS)).ravel()
    b, c, d = a + CELLS + 1, a + CELLS + 2, a + 1
    return Collider("ground", np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]), np.zeros(1), x)


def follow(rod, wall, hand, cable, way=(0.6, 0.0, -0.8), colliders=(), rubs=False):
    """The hand goes on, a move at a time."""
    for _ in range(MOVES):
        hand = replace(hand, position=hand.position + MOVE * np.array(way))
        cable = settle_cable(rod, [wall, hand], start=cable, colliders=colliders, rubs=rubs)


def lying(rod):
    """It lies on the ground, led along above it."""
    (wall, hand), colliders = ends(rod), [ground()]
    hand = replace(hand, position=np.array([0.93, 0.1, 0.01]))
    cable = settle_cable(rod, [wall, hand], colliders=colliders)
    return rod, wall, hand, cable, (0.5, 0.8, 0.1), colliders


def dynamic(rod):
    """The same rod, drawn where it hangs but for the last move, settles between clamps before the first frame."""
    scene = Scene((rod,), 1.0 / 30.0, 1, pins=tuple(Pin.fixed(rod, v, "TWIST", "clamp") for v in (0, -1)), settle=True)
    for _ in simulate(scene):
        pass


def as_it_was(*_):
    """No prediction."""


def lead(rod, handles, cable, guess):
    """Handles go on at once, from where the cable is thought to be then."""
    before, equilibrium.predict = equilibrium.predict, guess
    try:
        settle_cable(rod, handles, start=cable)
    finally:
        equilibrium.predict = before


def rows():
    tasks = {}
    for count in POINTS:
        rod = hose(count)
        wall, hand = ends(rod)
        cable = settle_cable(rod, [wall, hand])
        tasks[count] = lambda run=(rod, wall, hand, cable): run, follow
        s = np.linspace(0.0, 1.0, count)[:, None]
        x = cable.points + MOVE * s * s * (3.0 - 2.0 * s) * np.array([0.6, 0.0, -0.8])  # clamps stay as they are
        drawn = replace(rod, x=x, rest_x=rod.x)
        on_ground = lying(rod)
        tasks[count, "lying"] = lambda run=on_ground: run, follow
        tasks[count, "rubbing"] = lambda run=on_ground: (*run, True), follow
        tasks[-count] = lambda drawn=drawn: (drawn,), dynamic
    rod = hose(200)
    wall, hand = ends(rod)
    cable = settle_cable(rod, [wall, hand])
    for move in LED:
        there = replace(hand, position=hand.position - [move, 0.0, 0.0])
        for guess in (equilibrium.predict, as_it_was):
            tasks[move, guess] = lambda run=(rod, [wall, there], cable, guess): run, lead
    for count in LINE:
        one = hose(count)
        first, last = ends(one)
        rest = settle_cable(one, [first, last])
        tasks["over", count] = lambda run=(one, first, last, rest): run, follow
    found = {name: 1e3 * seconds for name, seconds in medians(tasks).items()}
    table = [
        row(f"a cable of {count} points follows a handle", "ms", found[count] / MOVES, most, "this project's goal")
        for count, most in POINTS.items()
    ]
    table += [
        row(
            f"the same, on 10⁴ triangles, of {count} points", "ms", found[count, "lying"] / MOVES, most, "the same goal"
        )
        for count, most in POINTS.items()
    ]
    table += [
        row(f"the same, with friction, of {count} points", "ms", found[count, "rubbing"] / MOVES, most, "the same goal")
        for count, most in RUBBING.items()
    ]
    beside = [
        row(f"the same, of {count} points", "ms", found[count] / MOVES, found[-count], "settling by dynamics")
        for count in POINTS
    ]
    beside += [
        row(
            f"a cable of 200 points is led by {1e3 * move:g} mm", "ms", found[move, equilibrium.predict],
            found[move, as_it_was], "without prediction",
        )
        for move in LED
    ]  # fmt: skip
    few, *more = LINE
    beside += [
        row(
            f"a cable of {count} points follows a handle", "ms", found["over", count] / MOVES,
            count / few * found["over", few] / MOVES, f"{count // few} times as long as {few} points",
        )
        for count in more
    ]  # fmt: skip
    return [*table, *beside]
