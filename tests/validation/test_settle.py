"""Settle finds the equilibrium before the first frame, and the bake then starts calm."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_bvp
from scipy.optimize import brentq
from solvers import solved_by
from statics import Statics, held
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Pin, Rod, Scene

SOFT = Material(2e4, 0.45, 1100.0)
RUBBER = Material(5e6, 0.45, 1100.0)


def items(scene):
    notices = []
    return list(simulate(replace(scene, settle=True), notices=notices.append)), notices


@pytest.mark.parametrize("span", [0.6, 0.9])
def test_catenary(span):
    """A rope 1 m long that hangs between two points sags by a (cosh(s/2a) − 1) with 2a sinh(s/2a) = 1."""
    n = 60
    a = brentq(lambda a: 2.0 * a * np.sinh(span / (2.0 * a)) - 1.0, 0.05, 50.0)
    around = np.linspace(-1.0, 1.0, n + 1)  # drawn as an arc of a circle of the same span and length
    half = brentq(lambda b: np.sin(b) / b - span, 1e-3, 3.0)
    x = np.stack([np.sin(half * around), 0.0 * around, np.cos(half) - np.cos(half * around)], axis=1) / (2.0 * half)
    x *= n / np.linalg.norm(np.diff(x, axis=0), axis=1).sum() / n
    rod = Rod.from_material("rope", x, 0.002, SOFT, shape_memory=0.0)
    scene = held(rod, "POSITION", "POSITION", gravity=(0.0, 0.0, -9.81))
    (start,), notices = items(scene)
    assert not notices
    width = start.x[-1, 0] - start.x[0, 0]
    assert width == pytest.approx(span, rel=1e-3)
    sag = start.x[0, 2] - start.x[n // 2, 2]
    assert sag == pytest.approx(a * (np.cosh(span / (2.0 * a)) - 1.0), rel=4e-3)
    smooth = a * (np.cosh(start.x[:, 0] / a) - np.cosh(width / (2.0 * a)))
    np.testing.assert_allclose(start.x[:, 2] - start.x[0, 2], smooth, atol=2e-3)


def test_a_stable_equilibrium():
    """Newton's method, started there, hardly moves."""
    around = np.linspace(0.0, 2.0, 26)
    x = 0.3 * np.stack([np.sin(around), 0.1 * around, 1.0 - np.cos(around)], axis=1)
    rod = Rod.from_material("bow", x, 0.006, RUBBER, aspect=0.6, m1=np.array([0.1, 1.0, 0.2]))
    scene = held(rod, "TWIST", gravity=(0.0, 0.0, -9.81))
    (start,), _ = items(scene)
    exact = Statics(scene)
    exact.x[:] = start.x
    exact.settle()
    assert exact.squares()[0] > 0.0
    assert np.abs(exact.x - x).max() > 0.02
    np.testing.assert_allclose(start.x, exact.x, atol=0.05 * 0.006)


@pytest.mark.parametrize("edges", [40, 300])
def test_a_stiff_cantilever(edges, solver):
    """Steel of a centimetre: w L⁴/8 B, however many edges it has."""
    x = np.linspace([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], edges + 1)
    rod = Rod.from_material("rod", x, 0.005, Material(200e9, 0.3, 7850.0))
    (start,), notices = items(held(rod, "TWIST", gravity=(0.0, 0.0, -9.81), solver=solver))
    assert not notices
    sag = rod.mass.sum() * 9.81 / (8.0 * rod.bend_stiffness[0, 0])
    assert -start.x[-1, 2] == pytest.approx(sag, rel=2e-3)


@pytest.mark.parametrize("held_end", ["fine", "coarse"])
def test_edges_of_a_hundred_lengths(held_end):
    """A clamped rod of 40 edges from 1 to 100: what the elastica θ″ = −(w/B)(L − s) cos θ sags."""
    edges = np.geomspace(1e-3, 0.1, 40)
    s = np.concatenate([[0.0], np.cumsum(edges / edges.sum())])
    s = s if held_end == "fine" else 1.0 - s[::-1]
    rod = Rod.from_material("rod", np.outer(s, [1.0, 0.0, 0.0]), 0.005, Material(1e9, 0.3, 1000.0))
    (start,), notices = items(held(rod, "TWIST", gravity=(0.0, 0.0, -9.81)))
    assert not notices
    load = rod.mass.sum() * 9.81 / rod.bend_stiffness[0, 0]
    found = solve_bvp(
        lambda s, y: np.array([y[1], -load * (1.0 - s) * np.cos(y[0]), np.sin(y[0])]),
        lambda start, end: np.array([start[0], end[1], start[2]]),
        np.linspace(0.0, 1.0, 101),
        np.zeros((3, 101)),
    )
    assert -start.x[-1, 2] == pytest.approx(found.y[2, -1], rel=1e-2)


def test_a_settled_scene_stays(solver):
    """Settled on the floor and on each other, two rods do not move by a tenth of a radius in half a second."""
    x = np.linspace([-0.15, 0.0, 0.011], [0.15, 0.0, 0.011], 20)
    low = Rod.from_material("low", x, 0.01, RUBBER)
    high = Rod.from_material("high", x[:, [1, 0, 2]] + [0.004, 0.003, 0.022], 0.01, RUBBER)
    scene = Scene((low, high), 0.1, 6, floor=Floor(0.0, 0.5))
    frames, notices = items(solved_by(solver, scene))
    assert not notices
    assert frames[0].x[:, 2].min() == pytest.approx(0.01, abs=5e-4)
    for frame in frames[1:]:
        np.testing.assert_allclose(frame.x, frames[0].x, atol=1e-3)


def test_pins_are_held_where_they_start(solver):
    """While the scene settles, trajectories wait."""
    x = np.linspace([0.0, 0.0, 0.0], [0.3, 0.0, 0.0], 16)
    rod = Rod.from_material("rope", x, 0.005, SOFT)
    times = np.array([0.0, 0.1, 0.2])
    hand = Pin("hand", 0, 0, "POSITION", times, x[0] + np.outer(times, [1.0, 0.0, 0.0]))
    frames, _ = items(Scene((rod,), 0.1, 3, pins=(hand,), contact=False, solver=solver))
    np.testing.assert_allclose(frames[0].x[0], x[0], atol=1e-12)
    np.testing.assert_allclose(frames[0].x[-1], [0.0, 0.0, -0.3], atol=5e-4)  # hangs
    np.testing.assert_allclose(frames[1].x[0], [0.1, 0.0, 0.0], atol=1e-12)


def test_a_scene_that_cannot_come_to_rest_says_so():
    """A free rod falls for ever."""
    x = np.linspace([0.0, 0.0, 0.0], [0.3, 0.0, 0.0], 6)
    frames, notices = items(Scene((Rod.from_material("rope", x, 0.005, SOFT),), 0.1, 1))
    assert len(frames) == 1
    assert len(notices) == 1
    assert "rest" in notices[0].text
    assert np.all(np.isfinite(frames[0].x))
