"""What falls or is let down on the floor with its end first: it stays on it, whatever solves it. Its chain sets all of
its mass against its lowest vertex: contact there has to push with the chain's answer, not with the vertex's own."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Pin, Rod, Scene
from tendril.physics.time_integration.advance import advance
from tendril.physics.time_integration.even_division import HOPELESS
from tendril.physics.time_integration.symplectic_euler import OVERSTRETCHED
from tendril.physics.time_integration.verify import DEEP

SOLVERS = ("EXPLICIT", "IMPLICIT", "AUTOMATIC")


def leaning(degrees, edges, radius, length, drop):
    s, a = np.linspace(length, 0.0, edges + 1)[:, None], np.radians(degrees)
    return s * [np.sin(a), 0.0, np.cos(a)] + [0.0, 0.0, radius + drop]


def sticks(count):
    """(curve, radius, Young's modulus, friction) of sticks of all kinds, the first a thin one of rubber."""
    rng = np.random.default_rng(5)
    found = [(leaning(10.0, 40, 0.005, 1.0, 0.06), 0.005, 1e7, 0.3)]
    while len(found) < count:
        edges, young, radius = int(rng.integers(10, 60)), 10.0 ** rng.uniform(5.5, 8.0), 10.0 ** rng.uniform(-2.7, -1.8)
        length, degrees, drop, friction = rng.uniform([0.3, 0.0, 0.0, 0.0], [1.2, 60.0, 0.5, 1.0])
        if length / edges > 0.5 * radius:
            found.append((leaning(degrees, edges, radius, length, drop), radius, young, friction))
    return found


def lowest(scene, radius):
    """How far above the floor, over the radius, the lowest vertex of any frame is: 0 where it touches."""
    return min(frame.x[:, 2].min() for frame in simulate(scene)) / radius - 1.0


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("stick", range(9))
def test_a_stick_dropped_on_its_end_stays_on_the_floor(stick, solver):
    x, radius, young, friction = sticks(9)[stick]
    rod = Rod.from_material("stick", x, radius, Material(young, 0.5, 1000.0), shape_memory=0.0, friction=friction)
    scene = Scene((rod,), 1 / 24, 25, air_density=0.0, solver=solver, floor=Floor(0.0, friction))
    assert lowest(scene, radius) > -DEEP


def hanging(edges, bow, force=np.inf, mode="TWIST", radius=0.0025, length=1.5):
    """A rope that hangs 2 cm above the floor, bowed by a part of its length, and is let down at .5 m/s; its Scene."""
    s = np.linspace(0.0, length, edges + 1)
    part = np.pi * s / length
    x = np.column_stack([bow * length * np.sin(part), bow * length * np.sin(2.0 * part), length + 0.02 - s])
    rope = Rod.from_material("rope", x, radius, Material(1e6, 0.5, 1000.0), shape_memory=0.0)
    times = np.linspace(0.0, 2.4, 49)
    path = x[0] - 0.5 * times[:, None] * [0.0, 0.0, 1.0]
    pin = Pin("hand", 0, 0, mode, times, path, np.tile([1.0, 0.0, 0.0, 0.0], (49, 1)), max_force=force)
    return Scene((rope,), 0.05, 12, pins=(pin,), air_density=0.0, solver="EXPLICIT", floor=Floor(0.0, 0.3))


@pytest.mark.parametrize("treatment", ["CONSTRAINTS", "SPRINGS"])
@pytest.mark.parametrize("force", [np.inf, None])
@pytest.mark.parametrize(("edges", "bow"), [(100, 1e-3), (50, 1e-3), (100, 0.05), (100, 0.0)])
def test_a_rope_let_down_on_the_floor_stays_on_it(edges, bow, force, treatment):
    scene = replace(hanging(edges, bow, force), treatment=treatment)
    assert lowest(scene, 0.0025) > -DEEP


def test_forces_that_run_away_end_a_stretch():
    """A rope drawn exactly straight has no way to give way to between an exact pin and the floor: what presses it grows
    with each step, which has to be shorter for it."""
    model, state, work = assemble(hanging(100, 0.0))
    status, rod, _, taken, left = advance(model, state, work, 0.05, 0.6, np.inf)
    assert (status, rod) == (OVERSTRETCHED, 0)
    assert taken < 2 * HOPELESS
    assert left > 0.0
