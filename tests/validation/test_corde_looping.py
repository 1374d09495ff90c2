"""Ropes of Table 2 of Spillmann & Teschner (2007, *CORDE*), 10 m long between clamps, one of which is turned on and on
(figures 1 and 5): they leave the plane in a wide coil, snap into a loop, and wind it up, with more and more contacts.

The paper's claim is that pieces do not matter. What is said of air is ours: it calms what swings, as nothing in the
table does.
"""

from dataclasses import fields

import numpy as np
from tendril.physics import Material, Pin, Rod, Scene, simulate
from tendril.physics.diagnostics.overlap import segment_distance
from tendril.presets import material

LENGTH, SPAN, AIR = 10.0, 7.5, 10.0  # m; drag coefficient
TURNS, DURATION, FPS = 3.0, 8.0, 24
SNAPS = 5.0  # s, before it snaps
OPEN, WOUND = 0.01, 0.03  # of the length: how far ropes of 50 and 100 pieces may be apart (.004, .021 seen)
NEAR = 2.05  # radii from axis to axis: nearer than this it touches


def rope(pieces):
    """Sagging in a plane, level at both ends."""
    values = material.read(material.SHIPPED / "paper_rope.toml")
    own = Material(**{field.name: values[field.name] for field in fields(Material)})
    more = ("parallel_stiffness", "spin_factor", "stretch_damping_factor", "twist_damping_factor")
    return Rod.from_material(
        "rope", sagging(pieces), values["radius"], own, model="cosserat", shape_memory=0.0, drag_coefficient=AIR,
        **{name: values[name] for name in more},
    )  # fmt: skip


def sagging(pieces):
    """(pieces + 1, 3) [m] of equal lengths along sin² of the depth that is as long."""
    u = np.linspace(0.0, 1.0, 4001)
    low, high = 0.0, LENGTH
    for _ in range(60):
        deep = 0.5 * (low + high)
        line = np.column_stack([SPAN * u, 0.0 * u, -deep * np.sin(np.pi * u) ** 2])
        along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
        low, high = (low, deep) if along[-1] > LENGTH else (deep, high)
    at = np.linspace(0.0, along[-1], pieces + 1)
    return np.column_stack([np.interp(at, along, column) for column in line.T])


def turned(pieces):
    """(F, pieces + 1, 3) [m]."""
    own = rope(pieces)
    times = np.linspace(0.0, DURATION, 16 * int(TURNS) + 1)
    half = np.pi * TURNS * times / DURATION
    turn = np.column_stack([np.cos(half), np.sin(half), 0.0 * half, 0.0 * half])
    motor = Pin("motor", 0, 0, "TWIST", times, np.tile(own.x[0], (len(times), 1)), turn)
    scene = Scene(
        (own,), 1.0 / FPS, int(DURATION * FPS), pins=(motor, Pin.fixed(own, pieces, "TWIST", rod=0)), solver="EXPLICIT"
    )
    return np.array([frame.x for frame in simulate(scene)]), own.radius[0]


def touching(x, radius):
    """Part of the pieces of x (n, 3) that touch others further along than half a turn around one another."""
    i, j = np.triu_indices(len(x) - 1, 2)
    s, t, distance = segment_distance(x[i], x[i + 1], x[j], x[j + 1])
    hit = ((j + t - i - s) * LENGTH / (len(x) - 1) > 2.0 * np.pi * radius) & (distance < NEAR * radius)
    return len(np.union1d(i[hit], j[hit])) / (len(x) - 1)


def test_ropes_of_table_2_loop_alike_whatever_number_of_pieces():
    (coarse, radius), (fine, _) = turned(50), turned(100)
    apart = np.linalg.norm(coarse - fine[:, ::2], axis=2).max(axis=1) / LENGTH
    snaps = int(SNAPS * FPS)
    assert apart[:snaps].max() < OPEN
    assert apart.max() < WOUND
    assert np.ptp(fine[:snaps, :, 1], axis=1).max() > 0.15 * LENGTH  # the coil is wide
    for x in (coarse, fine):
        assert touching(x[snaps - 1], radius) == 0.0
        assert touching(x[-1], radius) > 0.05
