"""Forces and torques from outside: momentum and angular momentum that they give, what they bend, by all solvers."""

from dataclasses import replace

import numpy as np
import pytest
from plates import net
from solid_meshes import brick, clamped
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Load, Pin, RigidBody, Rod, Scene, Sheet, SoftBody, Weld

FRAME, NOTHING = 1 / 24, np.zeros(3)
STEADY = np.zeros(1)
WEAK = Material(1e7, 0.3, 1000.0)


def once(force, **options):
    return Load("Push", STEADY, np.array([force], float), **options)


def body(*loads, **options):
    return RigidBody("Crate", np.array([1.0, 2.0, 3.0]), 2.0, np.diag([0.2, 0.3, 0.4]), loads=loads, **options)


def tied(solver, thing):
    """A scene of a light rod, which hangs far from it all, so that implicit steps are taken, and a body."""
    x = np.array([1.0, 2.0, 3.0]) + np.linspace([0.0, 0.0, 0.0], [0.05, 0.0, 0.0], 4)
    rod = Rod.from_material("Tag", x, 1e-3, replace(WEAK, density=1.0))
    return Scene((rod,), FRAME, 13, bodies=(thing,), welds=(Weld("knot", 0, 0, 0),), gravity=NOTHING, solver=solver,
                 air_density=0.0)  # fmt: skip


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
def test_a_force_beside_the_centre_moves_and_turns(solver):
    """F t = m v, and r × F t = I ω, about one axis."""
    load = once((0.0, 4.0, 0.0), arm=np.array([0.01, 0.0, 0.0]))
    last = list(simulate(tied(solver, body(load))))[-1]
    time = 12 * FRAME
    assert last.bodies[0, 1] - 2.0 == pytest.approx(0.5 * 4.0 / 2.0 * time**2, rel=0.01)
    angle = 2.0 * np.arctan2(last.bodies[0, 6], last.bodies[0, 3])
    assert angle == pytest.approx(0.5 * 0.04 / 0.4 * time**2, rel=0.02)


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
def test_a_torque_turns_and_moves_nothing(solver):
    load = once(NOTHING, torque=np.array([[0.0, 0.0, 0.2]]))
    last = list(simulate(tied(solver, body(load))))[-1]
    assert last.bodies[0, :3] == pytest.approx([1.0, 2.0, 3.0], abs=1e-3)
    angle = 2.0 * np.arctan2(last.bodies[0, 6], last.bodies[0, 3])
    assert angle == pytest.approx(0.5 * 0.2 / 0.4 * (12 * FRAME) ** 2, rel=0.02)


def test_a_force_that_follows_turns_with_its_body():
    """Led about at a steady spin ω, a force of F goes in a circle: v = F/(m ω) (sin ωt, 1 − cos ωt)."""
    spin, time = 3.0, 12 * FRAME
    thing = body(once((5.0, 0.0, 0.0), follows=True), omega=np.array([0.0, 0.0, spin]))
    last = list(simulate(Scene((), FRAME, 13, bodies=(thing,), gravity=NOTHING, air_density=0.0)))[-1]
    k = 5.0 / (2.0 * spin**2)
    way = [k * (1.0 - np.cos(spin * time)), k * (spin * time - np.sin(spin * time)), 0.0]
    assert last.bodies[0, :3] - [1.0, 2.0, 3.0] == pytest.approx(way, abs=0.01 * np.linalg.norm(way))


def test_a_keyed_force_gives_its_impulse():
    """From 0 to 6 N in half a second and back: 3 N s."""
    times, force = np.array([0.0, 0.5, 1.0]), np.array([[0.0, 0.0, 0.0], [6.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    thing = body(Load("Push", times, force))
    frames = list(simulate(Scene((), FRAME, 37, bodies=(thing,), gravity=NOTHING, air_density=0.0)))
    speed = (frames[-1].bodies[0, 0] - frames[-2].bodies[0, 0]) / FRAME
    assert speed == pytest.approx(3.0 / 2.0, rel=1e-3)
    again = list(simulate(Scene((), FRAME, 37, bodies=(thing,), gravity=NOTHING, air_density=0.0), frames[10].state))
    assert np.array_equal(again[-1].bodies, frames[-1].bodies)


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
def test_a_force_at_its_end_bends_a_cantilever(solver):
    """F L³/3B."""
    x = np.linspace([0.0, 0.0, 0.0], [0.5, 0.0, 0.0], 26)
    rod = Rod.from_material("Cantilever", x, 0.005, WEAK, internal_damping=0.05)
    force = 2e-4 * 3.0 * rod.bend_stiffness[0, 0] / 0.5**3 / 0.01  # of a sag of 2 cm
    rod = replace(rod, loads=(once((0.0, 0.0, -force), nodes=np.array([25])),))
    wall = (Pin.fixed(rod, 0, "TWIST", rod=0),)
    scene = Scene((rod,), FRAME, 1, pins=wall, gravity=NOTHING, solver=solver, settle=True)
    assert -next(iter(simulate(scene))).x[-1, 2] == pytest.approx(0.02, rel=0.01)


@pytest.mark.parametrize("settle", [False, True])
def test_a_force_on_nodes_of_a_soft_body_moves_it_all(settle):
    """F t²/2m of the centre of mass, and it is drawn out; held at the other end it is longer by F L/EA."""
    x, node = brick((2, 2, 6), (0.1, 0.1, 0.3))
    top, bottom = np.flatnonzero(x[:, 2] == 0.3), np.flatnonzero(x[:, 2] == 0.0)
    bar = SoftBody("Bar", x, node, 1000.0, 1e5, 0.0, zeta=50.0, mu=50.0, loads=(once((0.0, 0.0, 30.0), nodes=top),))
    if settle:
        scene = Scene((), FRAME, 1, solids=(bar,), gravity=NOTHING, settle=True, holds=clamped(x, x[:, 2] == 0.0))
        found = next(iter(simulate(scene))).x
        stress = 30.0 / 0.01
        assert found[top, 2].mean() - 0.3 == pytest.approx(0.3 * stress / 1e5, rel=0.05)
        return
    frames = [frame.x for frame in simulate(Scene((), FRAME, 7, solids=(bar,), gravity=NOTHING))]
    time = 6 * FRAME
    mean = frames[-1][node].mean(axis=(0, 1)) - x[node].mean(axis=(0, 1))
    assert mean == pytest.approx([0.0, 0.0, 0.5 * 30.0 / 3.0 * time**2], abs=2e-3)
    assert max(x[top, 2].mean() - x[bottom, 2].mean() for x in frames) > 0.303


def test_a_force_on_a_corner_of_a_sheet_moves_it_all():
    """F t²/2m of the centre of mass, and the corner is ahead of that."""
    x, triangles = net(4, 4, 0.4, 0.4)
    corner, time = np.array([len(x) - 1]), 6 * FRAME
    load = once((0.0, 0.0, 0.5), nodes=corner)
    mat = Sheet("Mat", x, density=1000.0, young=5e6, poisson=0.3, triangles=triangles, plate=0.005, loads=(load,))
    last = list(simulate(Scene((), FRAME, 7, solids=(mat,), gravity=NOTHING, air_density=0.0)))[-1].x
    share = np.bincount(triangles.ravel(), minlength=len(x)) / (3.0 * len(triangles))  # triangles are of one size
    assert share @ last[:, 2] == pytest.approx(0.5 * 0.5 / 0.8 * time**2, rel=0.02)
    assert last[corner[0], 2] > 2.0 * share @ last[:, 2]
