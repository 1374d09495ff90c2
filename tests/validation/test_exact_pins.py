"""An exact pin leads, and throws nothing: a rope that is lowered onto the floor piles up there, and wins no energy."""

from dataclasses import replace

import numpy as np
import pytest
from solid_meshes import brick
from solvers import solved_by
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Pin, Rod, Scene, SoftBody

LENGTH, RADIUS, SPEED, G = 1.5, 0.0025, 0.5, 9.81


def lowered(mode="POSITION", height=0.0, **options):
    """A rope that a hand lowers onto what is `height` [m] high."""
    s = np.linspace(0.0, LENGTH, 21)
    bow = np.array([np.sin(np.pi * s / LENGTH), np.sin(2.0 * np.pi * s / LENGTH)]) * 1e-3 * LENGTH
    x = np.column_stack([*bow, height + LENGTH + 0.02 - s])
    rope = Rod.from_material("rope", x, RADIUS, Material(1e6, 0.5, 1000.0, friction=0.3), shape_memory=0.0)
    t = np.linspace(0.0, 0.6, 13)
    hand = Pin("hand", 0, 0, mode, t, x[0] - SPEED * t[:, None] * [0.0, 0.0, 1.0], np.tile([1.0, 0, 0, 0], (13, 1)))
    return Scene((rope,), 0.01, 50, pins=(hand,), air_density=0.0, floor=Floor(0.0, 0.3), **options)


def check_thrown_nowhere(scene):
    """The hand only takes energy off the rope, so none of it is ever faster than its fall from where it began."""
    n, (rope,) = 20, scene.rods
    x = np.array([frame.x[: n + 1] for frame in simulate(scene)])
    fall = np.sqrt(2.0 * G * x[0, :, 2].max())
    assert np.linalg.norm(np.diff(x, axis=0), axis=2).max() / 0.01 < fall
    v = np.diff(x, axis=0) / 0.01
    energy = 0.5 * np.sum(rope.mass[:, None] * v**2, axis=(1, 2)) + G * x[1:, :, 2] @ rope.mass
    assert energy.max() < 1.02 * energy[0]
    assert x[20, 0, 2] == pytest.approx(x[0, 0, 2] - 0.2 * SPEED, abs=n * 1e-3)


@pytest.mark.parametrize("mode", ["POSITION", "TWIST"])
def test_a_rope_that_is_lowered_onto_the_floor_is_not_flung(solver, mode):
    check_thrown_nowhere(solved_by(solver, lowered(mode)))


@pytest.mark.parametrize("young", [2e5, 5e6])
def test_nor_one_that_is_lowered_onto_a_soft_body(solver, young):
    """By common steps of both: the pin yields in these too, however hard it is what the rope meets."""
    x, node = brick((2, 2, 1), (0.3, 0.3, 0.1))
    below = SoftBody("pad", x - [0.15, 0.15, 0.0], node, 1000.0, young, 0.3, mu=1e-3 * young, friction=0.3)
    check_thrown_nowhere(solved_by(solver, lowered(height=0.1, solids=(below,))))


def test_one_that_is_not_led_never_yields(solver):
    """A weight of a thousand times the rope's own is caught: it does no work."""
    x = np.linspace([0.0, 0.0, 0.0], [0.5, 0.0, 0.0], 21)
    rope = Rod.from_material("rope", x, RADIUS, Material(1e6, 0.5, 1000.0), shape_memory=0.0)
    heavy = np.where(np.arange(21) == 20, 1e3 * rope.mass.sum(), rope.mass)
    rope = replace(rope, mass=heavy)
    scene = Scene((rope,), 0.02, 20, pins=(Pin.fixed(rope, 0),), air_density=0.0, contact=False)
    assert all(np.array_equal(frame.x[0], x[0]) for frame in simulate(solved_by(solver, scene)))
