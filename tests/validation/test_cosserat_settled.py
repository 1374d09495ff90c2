"""Settle First of Cosserat rods: the rest of their own equations, from which they do not fall on."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Pin, RigidBody, Rod, Scene, Weld

RUBBER = Material(3e8, 0.4, 1100.0, internal_damping=0.05, friction=0.5)
N = 30


def coil(turns=2):
    """Of 15 edges a turn, where joints of Cosserat rods are softer than hinges by a fifth."""
    w = np.linspace(0.0, 2.0 * np.pi * turns, 15 * turns + 1)
    return np.column_stack([0.05 * np.cos(w), 0.05 * np.sin(w), 0.01 * w])


def hanging(**options):
    own = Rod.from_material("coil", coil(), 0.003, RUBBER, model="cosserat")
    given = {"pins": (Pin.fixed(own, 0, "TWIST"),), "contact": False, "air_density": 0.0, "settle": True, **options}
    return Scene((own,), 0.1, 6, **given)


def loaded():
    scene = hanging()
    body = RigidBody("bob", scene.rods[0].x[-1], 0.02, 1e-5 * np.eye(3))
    return replace(scene, bodies=(body,), welds=(Weld("tie", 0, 0, N, "TWIST"),))


def held_inside():
    scene = hanging()
    return replace(scene, pins=(Pin.fixed(scene.rods[0], 10, "TWIST"),))


def on_a_floor():
    scene = hanging(contact=True, floor=Floor(-0.02, 0.5))
    return replace(scene, pins=(Pin.fixed(scene.rods[0], N, "TWIST"),))


def ring():
    around = np.linspace(0.0, 2.0 * np.pi, N, endpoint=False)
    x = 0.2 * np.stack([np.cos(around), 0.0 * around, np.sin(around)], axis=1)
    own = Rod.from_material("ring", x, 0.003, replace(RUBBER, young=3e7), model="cosserat", closed=True)
    pin = Pin.fixed(own, 0, "POSITION")
    return Scene((own,), 0.1, 6, pins=(pin,), contact=False, air_density=0.0, settle=True)


SCENES = {"hanging": hanging, "loaded": loaded, "held inside": held_inside, "on a floor": on_a_floor, "ring": ring}


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
@pytest.mark.parametrize("kind", SCENES)
def test_what_is_settled_stays(kind, solver):
    """Within a hundredth of what it has settled by."""
    scene = replace(SCENES[kind](), solver=solver)
    frames = list(simulate(scene))
    settled = np.abs(frames[0].x - scene.rods[0].x).max()
    assert settled > 2e-3
    for frame in frames[1:]:
        assert np.abs(frame.x - frames[0].x).max() < 0.01 * settled
