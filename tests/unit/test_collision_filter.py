"""Groups that do not touch pass through each other; all else is held as ever."""

from dataclasses import replace

import numpy as np
import pytest
from solid_meshes import brick
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Collider, RigidBody, Rod, Scene, Shape, SoftBody
from tendril.physics.validate import notices

RADIUS = 0.01  # m
SUPPLE = Material(1e6, 0.4, 1000.0, friction=0.3, internal_damping=0.01)
FRAMES = 8


def rope(height, along, group):
    """A straight rope along x (0) or y (1) through the z axis."""
    x = np.zeros((12, 3))
    x[:, along], x[:, 2] = np.linspace(-0.1, 0.1, 12), height
    return Rod.from_material(f"rope {group}", x, RADIUS, SUPPLE, group=group)


def table(height, group):
    """A square collider."""
    corners = np.array([(-1.0, -1.0, height), (1.0, -1.0, height), (1.0, 1.0, height), (-1.0, 1.0, height)])
    return Collider("table", np.array([(0, 1, 2), (0, 2, 3)]), np.zeros(1), corners[None], group=group)


def ball(height, group):
    inertia = 0.4 * 0.05**2 * np.eye(3)
    shape = Shape(np.array([[0.0, 0.0, height]]), np.zeros((1, 3), np.int64), 0.05)
    return RigidBody(f"ball {group}", np.array([0.0, 0.0, height]), 1.0, inertia, shape=shape, group=group)


def jelly(height, group):
    """A cube of 4 cm that stands on this height."""
    x, nodes = brick((1, 1, 1), (0.04, 0.04, 0.04))
    return SoftBody(f"jelly {group}", x + [-0.02, -0.02, height], nodes, 1000.0, 1e5, 0.3, mu=100.0, group=group)


UPPER, LOWER = 1, 2
TABLE = table(0.0, LOWER)
CASES = {
    "rope on rope": {"rods": (rope(0.04, 0, UPPER), rope(0.01, 1, LOWER)), "colliders": (table(-0.001, LOWER),)},
    "rope on collider": {"rods": (rope(0.04, 0, UPPER),), "colliders": (TABLE,)},
    "body on collider": {"rods": (), "bodies": (ball(0.07, UPPER),), "colliders": (TABLE,)},
    "body on body": {"rods": (), "bodies": (ball(0.17, UPPER), ball(0.051, LOWER)), "colliders": (TABLE,)},
    "soft on collider": {"rods": (), "solids": (jelly(0.02, UPPER),), "colliders": (TABLE,)},
    "soft on soft": {"rods": (), "solids": (jelly(0.06, UPPER), jelly(0.001, LOWER)), "colliders": (TABLE,)},
    "rope on body": {"rods": (rope(0.13, 0, UPPER),), "bodies": (ball(0.051, LOWER),), "colliders": (TABLE,)},
}  # fmt: skip


def fall(scene):
    """How far [m] rods, soft bodies and bodies have come down, the upper one first."""
    first, *_, last = simulate(scene)
    moving = []
    for frame in (first, last):
        own = np.split(frame.x[:, 2], np.cumsum([len(thing.x) for thing in scene.deforming]))[:-1]
        moving.append([*(z.mean() for z in own), *frame.bodies[:, 2]])
    return np.array(moving[0]) - np.array(moving[1])


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
@pytest.mark.parametrize("name", CASES)
def test_filtered_groups_fall_through(name, solver):
    if solver == "IMPLICIT" and ("body" in name or "soft" in name):
        pytest.skip("bodies that touch, and soft ones, step explicitly")
    scene = Scene(frame_duration=1.0 / 24.0, frame_count=FRAMES, solver=solver, air_density=0.0, **CASES[name])
    free = 0.5 * 9.81 * ((FRAMES - 1) / 24.0) ** 2
    assert fall(scene)[0] < 0.2 * free
    fell = fall(replace(scene, collision_filter=((LOWER, UPPER),)))
    assert fell[0] == pytest.approx(free, rel=0.02)
    assert np.all(fell[1:] < 0.1 * free)


def test_filtered_groups_may_be_drawn_into_each_other():
    scene = Scene((rope(0.0, 0, UPPER), rope(0.0, 1, LOWER)), 0.1, 2, colliders=(table(0.005, LOWER),))
    assert drawn_in(scene) == ["rope 1", "rope 1", "rope 2"]
    assert drawn_in(replace(scene, collision_filter=((LOWER, UPPER),))) == ["rope 2"]


def drawn_in(scene):
    """Names of what is said to be drawn into something."""
    return [notice.object for notice in notices(scene) if " drawn " in notice.text]
