"""Soft bodies and rods in one scene where nothing touches: each goes as it would alone."""

from dataclasses import replace

import numpy as np
import pytest
from solid_meshes import brick, clamped
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Pin, RigidBody, Rod, Scene, SoftBody, Weld

ROPE = Material(1e7, 0.45, 1100.0, internal_damping=0.01)
X, NODE = brick((3, 1, 1), (0.3, 0.1, 0.1))


def rope(name, height, along):
    x = np.linspace(-0.2, 0.2, 9)[:, None] * np.asarray(along) + [0.0, 0.0, height]
    return Rod.from_material(name, x, 0.01, ROPE)


def scenes():
    """(rods alone, soft bodies alone, both): a rope falls across another, one swings on its pin with a lamp."""
    rods = (rope("low", 0.02, [1.0, 0, 0]), rope("high", 0.12, [0, 1.0, 0]), rope("swing", 1.0, [1.0, 0, 0]))
    lamp = RigidBody("lamp", rods[2].x[-1], 0.05, 1e-5 * np.eye(3))
    jelly = SoftBody("jelly", X, NODE, 1000.0, 1e5, 0.4, mu=20.0)
    both = Scene(
        rods, 1 / 24, 8, (Pin.fixed(rods[2], 0, rod=2),), (lamp,), (Weld("cap", 0, 2, 8),), floor=Floor(0.0),
        solids=(jelly, replace(jelly, name="custard", x=X + 1.0)), holds=clamped(X, X[:, 0] == 0.0, 1), contact=False,
    )  # fmt: skip
    return replace(both, solids=(), holds=()), replace(both, rods=(), pins=(), bodies=(), welds=()), both


def test_each_goes_as_it_would_alone():
    rods, soft, both = ([*simulate(scene)] for scene in scenes())
    for one, other, frame in zip(rods, soft, both, strict=True):
        assert frame.x.tobytes() == one.x.tobytes() + other.x.tobytes()
        assert np.array_equal(frame.m1, one.m1)
        assert np.array_equal(frame.bodies, one.bodies)
    assert np.abs(both[-1].x - both[0].x)[:18].max() > 0.02  # the ropes have fallen


@pytest.mark.parametrize("begin", [0, 4])
def test_both_go_on_from_a_checkpoint(begin):
    scene = scenes()[2]
    frames = [*simulate(scene)]
    for one, other in zip(frames[begin + 1 :], simulate(scene, frames[begin].state), strict=True):
        assert one.x.tobytes() == other.x.tobytes()
        assert all(one.state[name].tobytes() == other.state[name].tobytes() for name in one.state)
