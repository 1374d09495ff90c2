"""What lies on something and is held at a point of it stays on it: only where it is held may it pass."""

import numpy as np
import pytest
from meshes import box, sheet, tube
from solid_meshes import brick
from solvers import solved_by
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import (
    Collider,
    Floor,
    Hold,
    Pin,
    RigidBody,
    Rod,
    Scene,
    Shape,
    SoftBody,
    Tie,
    Weld,
)

R, FRAME = 0.01, 1.0 / 24.0
ROPE = Material(1e6, 0.45, 1100.0, friction=0.4, internal_damping=0.01)
FALLEN = 5  # frames in which what falls does so by .17 m


def rope(x):
    return Rod.from_material("Rope", x, R, ROPE)


def line(start, end, n=21):
    return rope(np.linspace(start, end, n))


def ground(mesh, thickness=0.02, name="Table"):
    points, triangles = mesh
    return Collider(name, triangles, np.zeros(1), points[None], thickness)


def crate(bottom, side=0.1, mass=2.0):
    points, triangles = box((side, side, side))
    points = points + [0.0, 0.0, bottom + 0.5 * side]
    inertia = mass * side**2 / 6.0 * np.eye(3)
    return RigidBody("Crate", points.mean(axis=0), mass, inertia, shape=Shape(points, triangles))


def last(scene, solver, count=FALLEN):
    *_, frame = simulate(solved_by(solver, scene))
    return frame


def scene_of(rods, **options):
    return Scene(tuple(rods), FRAME, FALLEN + 1, **options)


@pytest.mark.parametrize("height", [0.3, 0.9, 1.5, 2.5], ids=lambda radii: f"{radii} radii")
def test_a_rope_on_a_table_pinned_to_it(height, solver):
    """Drawn within the table's thickness, or within its own radius of the table."""
    own = line([0.0, 0.0, height * R], [0.5, 0.03, height * R])
    pin = Pin.fixed(own, 0, "TWIST", rod=0)
    x = last(scene_of([own], pins=(pin,), colliders=(ground(sheet(5, 2.0)),)), solver).x
    np.testing.assert_allclose(x[0], own.x[0], atol=1e-6)
    assert x[:, 2].min() > 0.2 * height * R
    assert x[:, 2].max() < 1.5 * max(height, 1.0) * R


def test_a_rope_on_a_table_tied_to_a_crate_on_it(solver):
    own, box_ = line([0.06, 0.0, R + 0.005], [0.5, 0.0, R + 0.005]), crate(1e-4)
    x = last(
        scene_of([own], bodies=(box_,), welds=(Weld("Knot", 0, 0, 0),), colliders=(ground(sheet(5, 2.0)),)), solver
    ).x
    assert x[:, 2].min() > 0.5 * R


def test_a_rope_around_a_drum_pinned_to_it(solver):
    turn = np.linspace(0.0, 2.2 * np.pi, 60)
    away = 0.1 + R + 0.001
    own = rope(np.stack([away * np.sin(turn), 0.025 * turn / np.pi, away * np.cos(turn)], axis=1))
    drum = ground(tube(0.1, 0.5, 64), name="Drum")
    x = last(scene_of([own], pins=(Pin.fixed(own, 0, "TWIST", rod=0),), colliders=(drum,)), solver).x
    assert np.hypot(x[:, 0], x[:, 2]).min() > 0.1
    assert x[:, 2].min() > -0.45  # where its end may hang


@pytest.mark.parametrize("height", [0.9, 1.0], ids=lambda radii: f"{radii} radii")
def test_a_rope_on_a_crate_tied_to_it(height, solver):
    own = line([-0.2, 0.0, 0.4 + height * R], [0.2, 0.01, 0.4 + height * R], 41)
    box_ = crate(1e-4, 0.4, 30.0)
    x = last(scene_of([own], bodies=(box_,), welds=(Weld("Knot", 0, 0, 20, "POSITION"),), floor=Floor(0.0)), solver).x
    assert x[:, 2].min() > 0.4


@pytest.mark.parametrize("height", [0.9, 1.05], ids=lambda radii: f"{radii} radii")
def test_a_rope_on_a_cushion_tied_to_it(height, solver):
    points, node = brick((4, 2, 2), (0.3, 0.1, 0.1))
    cushion = SoftBody("Cushion", points - [0.15, 0.05, 0.0], node, 300.0, 1e5, 0.3, mu=100.0, friction=0.5)
    own = line([-0.14, 0.0, 0.1 + height * R], [0.14, 0.01, 0.1 + height * R], 29)
    own.x[14, 2] = 0.095  # a stitch
    own = rope(own.x)
    near = np.flatnonzero((points[:, 2] > 0.04) & (np.abs(points[:, 0] - 0.15) < 0.1))
    holds = tuple(Hold(f"{i}", "POINT", 0, i) for i in np.flatnonzero(points[:, 2] == 0.0))
    tie = Tie("Stitch", 0, near, vertex=(0, 14))
    x = last(scene_of([own], solids=(cushion,), holds=holds, ties=(tie,)), solver).x
    assert np.delete(x[:29, 2], 14).min() > 0.09
