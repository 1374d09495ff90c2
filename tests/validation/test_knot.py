"""A trefoil knot in a rod that is straight at rest: settled, pulled tight until its pins yield, then twisted.

At every frame the knot determinant stays 3 and an independent brute-force search finds no capsules overlapping by
more than 5 % of the radius.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from solvers import solved_by
from tendril.benchmarks.knots import overhand
from tendril.physics.diagnostics.knots import closing_points, knot_determinant
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Pin, Rod, Scene

RADIUS = 0.005  # m, of a rod of 1 m
TAIL = 0.28  # m on either side
PULL, TWIST = 1.6, 1.6  # s
ALLOWED = 0.05  # of the radius


@cache
def loose_trefoil(edges):
    """A torus knot (2, 3) cut open, with straight tails: vertices (edges + 1, 3) [m], 1 m long, all edges equal."""
    t = np.linspace(0.35, 2.0 * np.pi - 0.35, 120)
    ring = 2.0 + np.cos(3.0 * t)
    knot = np.stack([ring * np.cos(2.0 * t), ring * np.sin(2.0 * t), np.sin(3.0 * t)], axis=1)
    unit = (1.0 - 2.0 * TAIL) / np.linalg.norm(np.diff(knot, axis=0), axis=1).sum()
    away = np.linspace(1.0, 0.08, 12)[:, None] * TAIL / unit
    tails = np.array([[0.45, -1.0, -0.3], [0.45, 1.0, 0.3]]) / np.linalg.norm([0.45, 1.0, 0.3])
    points = unit * np.vstack([knot[0] + away * tails[0], knot, knot[-1] + away[::-1] * tails[1]])
    curve = CubicSpline(np.append(0.0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))), points)
    dense = curve(np.linspace(0.0, curve.x[-1], 20001))
    arc = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(dense, axis=0), axis=1)))
    even = np.linspace(0.0, arc[-1], edges + 1)
    for _ in range(20):  # equal chords, not only equal arcs
        x = np.stack([np.interp(even, arc, dense[:, k]) for k in range(3)], axis=1)
        chord = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(x, axis=0), axis=1)))
        even = np.interp(np.linspace(0.0, chord[-1], edges + 1), chord, even)
    return x / chord[-1]


def pulled_knot(edges, friction, turns, fps, contact=True):
    """The scene: clamped ends drawn apart by 0.6 m in all, more than there is, with ½ B/r² at most, then one turned."""
    x = loose_trefoil(edges)
    material = Material(5e6, 0.5, 1000.0, friction=friction, internal_damping=0.002)
    rod = Rod.from_material("Rope", x, RADIUS, material, shape_memory=0.0)
    axis = (x[-1] - x[0]) / np.linalg.norm(x[-1] - x[0])
    times = np.arange(0.0, PULL + TWIST + 1e-9, 0.25 / fps)
    drawn, turned = np.clip(times / PULL, 0.0, 1.0), np.clip((times - PULL) / TWIST, 0.0, 1.0)
    force = 0.5 * rod.bend_stiffness[0, 0] / RADIUS**2
    pins = []
    for vertex, side in ((0, -1.0), (edges, 1.0)):
        position = x[vertex] + side * 0.3 * axis * (drawn * drawn * (3.0 - 2.0 * drawn))[:, None]
        half = np.pi * turns * turned * (side > 0.0)
        rotation = np.column_stack([np.cos(half), np.sin(half)[:, None] * axis])
        pins.append(Pin(f"end {vertex}", 0, vertex, "TWIST", times, position, rotation, max_force=force))
    frames = 1 + round((PULL + TWIST) * fps)
    return Scene((rod,), 1.0 / fps, frames, pins=tuple(pins), gravity=np.zeros(3), settle=True, contact=contact)


def watch(scene):
    """(determinants, largest overlap over the radius, the Notices, last Frame) of a bake."""
    determinants, overlap, notices = set(), 0.0, []
    for item in simulate(scene, notices=notices.append):
        determinants.add(knot_determinant(np.vstack([item.x, closing_points(item.x)])))
        overlap = max(overlap, deepest_overlap(scene.rods, item.x) / RADIUS)
    return determinants, overlap, notices, item


@pytest.mark.parametrize(
    ("edges", "friction", "turns", "fps"),
    [
        (60, 0.0, 3.0, 25.0),
        (60, 0.1, 3.0, 25.0),
        (60, 0.3, -3.0, 25.0),
        (60, 0.1, -3.0, 12.5),
        (60, 0.1, 3.0, 50.0),
        (100, 0.1, 3.0, 25.0),
        (100, 0.3, -3.0, 25.0),
        pytest.param(320, 0.1, 3.0, 25.0, marks=pytest.mark.slow),
    ],
)
def test_the_knot_stays_tied(edges, friction, turns, fps, solver):
    determinants, overlap, notices, last = watch(solved_by(solver, pulled_knot(edges, friction, turns, fps)))
    assert determinants == {3}
    assert overlap <= ALLOWED
    told = " ".join(notice.text for notice in notices)
    assert "'end 0'" in told  # it was pulled until both pins yielded
    assert f"'end {edges}'" in told
    ends = np.linalg.norm(last.x[-1] - last.x[0])
    assert 0.75 < ends < 0.95  # tight


def test_a_knot_as_stiff_as_steel_is_pulled_tight():
    """What holds a rod bent is nothing but contact, and 10⁵ times stiffer than its inertia in a step."""
    scene = overhand(100, 2e11)
    determinants, overlap, _, last = watch(scene)
    assert determinants == {3}
    assert overlap <= 0.03
    assert np.linalg.norm(last.x[-1] - last.x[0]) > 0.85


@pytest.mark.parametrize(
    ("friction", "turns"), [(0.0, 3.0), pytest.param(0.05, 3.0, marks=pytest.mark.slow), (0.3, -3.0)]
)
def test_contact_springs_keep_it_tied(friction, turns):
    scene = replace(pulled_knot(60, friction, turns, 25.0), treatment="SPRINGS")
    determinants, overlap, _, _ = watch(scene)
    assert determinants == {3}
    assert overlap <= ALLOWED


def test_without_contact_it_comes_undone(solver):
    determinants, _, _, _ = watch(solved_by(solver, pulled_knot(60, 0.1, 3.0, 25.0, contact=False)))
    assert 1 in determinants
