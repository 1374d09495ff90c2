"""Ropes drawn through each other on a plane, as curves are: they come apart across it, gently."""

import numpy as np
import pytest
from solvers import persist, solved_by
from tendril.physics.assemble import assemble
from tendril.physics.contact.detect import across
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.materials import Material
from tendril.physics.scene import Floor, Rod, Scene

R, DURATION, FRAMES = 0.005, 0.5, 12
GENTLE = 0.25  # m/s: they part by twenty radii a second, .1 m/s; what is light and short moves more of it
ROPE = Material(5e6, 0.4, 1000.0, friction=0.3)


def rope(name, x):
    return Rod.from_material(name, np.asarray(x, float), R, ROPE)


def crossed(edges, beside, angle):
    """Two straight ropes through each other at an angle [rad], the second shifted along the first."""
    s = np.linspace(-0.5, 0.5, edges + 1)[:, None]
    return rope("a", s * [1.0, 0.0, 0.0] + [beside, 0.0, 0.0]), rope("b", s * [np.cos(angle), np.sin(angle), 0.0])


def figure_eight(edges):
    """One rope that crosses itself."""
    u = np.linspace(0.15, 2.0 * np.pi - 0.15, edges + 1)
    return (rope("eight", np.stack([0.3 * np.sin(2.0 * u), 0.5 * np.cos(u), 0.0 * u], axis=1)),)


def wave(edges, high):
    """A rope that crosses a straight one four times."""
    s = np.linspace(-0.5, 0.5, edges + 1)
    straight = np.stack([s, 0.0 * s, 0.0 * s], axis=1)
    return rope("straight", straight), rope(
        "wave", straight + np.stack([0.0 * s, high * np.sin(13.0 * s + 0.4), 0.0 * s], 1)
    )


def let_go(rods, solver, **options):
    """(largest speed [m/s] of any vertex in DURATION, the overlap [radii] that is left, the State then)"""
    options = {"gravity": np.zeros(3)} | options
    scene = solved_by(solver, Scene(tuple(rods), DURATION, 1, air_density=0.0, **options))
    model, state, work = assemble(scene)
    most = 0.0
    for k in range(FRAMES):
        state, work, failed = persist(scene, model, state, work, (k + 1) * DURATION / FRAMES)
        assert failed is None
        most = max(most, np.linalg.norm(state.v, axis=1).max())
    return most, deepest_overlap(rods, state.x, relative=True), state


@pytest.mark.parametrize("edges", [20, 80])
@pytest.mark.parametrize(("beside", "angle"), [(0.0, 0.5 * np.pi), (0.003, 0.5 * np.pi), (0.00625, 1.0), (0.02, 0.3)])
def test_crossed_ropes_come_apart_across(edges, beside, angle, solver):
    rods = crossed(edges, beside, angle)
    most, deep, state = let_go(rods, solver)
    assert most < GENTLE
    assert deep < 0.05
    went = rods[0].mass @ state.v[: edges + 1]
    assert np.hypot(went[0], went[1]) < 0.05 * abs(went[2])


@pytest.mark.parametrize("rods", [figure_eight(120), wave(80, 0.02), wave(80, 0.004)], ids=["eight", "wave", "flat"])
def test_curves_that_cross_come_apart(rods, solver):
    most, deep, _ = let_go(rods, solver)
    assert most < 2.0 * GENTLE
    assert deep < 0.05


def test_ropes_on_each_other_come_apart(solver):
    """Of the same vertices, one on the other: which way is as good as any other, but one way all along."""
    rods = rope("a", crossed(40, 0.0, 0.0)[0].x), rope("b", crossed(40, 0.0, 0.0)[0].x)
    most, deep, state = let_go(rods, solver)
    assert most < GENTLE
    assert deep < 0.05
    side = (state.x[:41] - state.x[41:]) @ np.sign(state.x[0] - state.x[41])
    assert side.min() > R


def test_crossed_ropes_come_to_rest_on_a_floor(solver):
    rods = [rope(rod.name, rod.x + [0.0, 0.0, R]) for rod in crossed(60, 0.0071, 1.2)]
    most, deep, _ = let_go(rods, solver, gravity=np.array([0.0, 0.0, -9.81]), floor=Floor(0.0, 0.3))
    assert most < 4.0 * GENTLE  # and ends that fall
    assert deep < 0.05


@pytest.mark.parametrize("turn", [0.0, 1e-5, 0.3, 3.1])
def test_across_is_across_both(turn):
    x = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.5, -0.5 * np.sin(turn), 0.0], [0.5 + np.cos(turn), 0.5, 1e-4]])
    for up in (1.0, -1.0):
        n = np.array(across(x, (0, 1), (2, 3), (0.0, 0.0, up)))
        assert np.linalg.norm(n) == pytest.approx(1.0, abs=1e-12)
        assert abs(n @ (x[1] - x[0])) < 1e-12
        assert n[2] * up >= 0.0
