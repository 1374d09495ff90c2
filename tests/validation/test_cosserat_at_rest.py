"""Ten scenes at rest: the Cosserat rod from its drawn shape, by kinetic damping, where Kirchhoff's settles."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Pin, RigidBody, Rod, Scene, Weld
from tendril.physics.start.settle import hold_start
from tendril.physics.time_integration.kinetic_damping import relax
from tendril.physics.time_integration.symplectic_euler import DONE

N = 40
ROUNDS = 60  # of STEPS steps, in which the slowest comes to rest
STEPS = 10000


def rod(model, x, young, radius=0.005, **options):
    material = Material(young, 0.45, 1100.0, drag_coefficient=0.0, internal_damping=0.02)
    return Rod.from_material("rod", x, radius, material, model=model, stretchable=True, **options)


def line(end):
    return np.linspace(np.zeros(3), end, N + 1)


def circle(radius, begin, end, count, pitch=0.0):
    angle = np.linspace(begin, end, count)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), pitch * angle], axis=1)


def sagging():
    s = np.linspace(0.0, 1.0, N + 1)
    return np.stack([0.8 * s, 0.0 * s, -s * (1.0 - s)], axis=1)


def bowed():
    s = np.linspace(0.0, 1.0, N + 1)
    return np.stack([0.6 * s, 0.02 * np.sin(np.pi * s), 0.0 * s], axis=1)


THIN, TAPERED = {"radius": 0.003}, {"radius": np.linspace(0.008, 0.003, N + 1)}
RIBBON = {**THIN, "aspect": 3.0, "m1": np.array([0.0, 1.0, 1.0])}
WOUND = {"twist": np.full(N + 1, 0.1), "rest_twist": np.zeros(N + 1)}
AT_BOTH_ENDS = [(0, "TWIST"), (N, "TWIST")]
SCENES = {  # x, Young's modulus, what holds it, options
    "cantilever": (line([0.5, 0.0, 0.0]), 1e8, [(0, "TWIST")], {}),
    "arch": (circle(0.3, 0.0, np.pi, N + 1)[:, [0, 2, 1]], 2e7, AT_BOTH_ENDS, {}),
    "rope between two nails": (sagging(), 1e6, [(0, "POSITION"), (N, "POSITION")], {"shape_memory": 0.0}),
    "wound": (bowed(), 2e7, AT_BOTH_ENDS, WOUND),
    "spring": (circle(0.05, 0.0, 6.0 * np.pi, 91, -0.02), 1e8, [(0, "TWIST")], THIN),
    "ribbon, askew": (line([0.5, 0.0, 0.0]), 3e8, [(0, "TWIST")], RIBBON),
    "tapered": (line([0.4, 0.0, 0.3]), 1e8, [(0, "DIRECTION")], TAPERED),
    "ring": (circle(0.25, 0.0, 2.0 * np.pi * 47.0 / 48.0, 48), 2e7, [(0, "TWIST")], {"closed": True}),
    "with a lamp": (line([0.5, 0.0, 0.0]), 1e8, [(0, "TWIST")], {}),
    "held inside": (line([0.8, 0.0, 0.1]), 5e7, [(15, "TWIST")], {}),
}


def scene_of(name, model, settle):
    x, young, holds, options = SCENES[name]
    own = rod(model, x, young, **options)
    pins = tuple(Pin.fixed(own, vertex, mode, rod=0) for vertex, mode in holds)
    more = {}
    if name == "with a lamp":
        lamp = RigidBody("lamp", x[-1] + [0.03, 0.0, 0.02], 0.02, np.diag([2e-6, 3e-6, 4e-6]))
        more = {"bodies": (lamp,), "welds": (Weld("tie", 0, 0, N),)}
    return Scene((own,), 1.0 / 24.0, 2, pins=pins, contact=False, air_density=0.0, settle=settle, **more)


@pytest.mark.parametrize("name", ["cantilever", "arch", "ring", "with a lamp", "held inside"])
def test_holds_its_drawn_shape(name):
    """Balanced, it stays where it is drawn: its joints' strains carry what hinges would, its directors lean."""
    x, young, holds, _ = SCENES[name]
    closed = name == "ring"
    own = rod("cosserat", x, 2.0 * young, balanced=True, closed=closed)
    scene = scene_of(name, "cosserat", False)
    pins = tuple(Pin.fixed(own, vertex, mode, rod=0) for vertex, mode in holds)
    frames = list(simulate(replace(scene, rods=(own,), pins=pins, frame_count=10)))
    np.testing.assert_allclose(frames[-1].x[: len(x)], x, atol=1e-5 * np.ptp(x, axis=0).max())


@pytest.mark.parametrize("name", SCENES)
def test_both_models_have_the_same_shape(name):
    """Within 1 % of its size; where it settles it stays, within .1 % a frame."""
    wanted = next(iter(simulate(scene_of(name, "kirchhoff", True)))).x
    size = np.ptp(wanted, axis=0).max()
    model, state, work = assemble(scene_of(name, "cosserat", False))
    model, stopped, calm, rounds = hold_start(model), state.x.copy(), 0, 0
    while calm < 3 and rounds < ROUNDS:
        status, _, calm = relax(model, state, work, STEPS, stopped, calm)
        assert status == DONE
        rounds += 1
    assert rounds < ROUNDS
    np.testing.assert_allclose(state.x, wanted, atol=0.01 * size)
    first, second = (frame.x for frame in simulate(scene_of(name, "cosserat", True)))
    np.testing.assert_allclose(first, wanted, atol=0.01 * size)
    np.testing.assert_allclose(second, first, atol=1e-3 * size)
