"""Limp Cosserat ropes that swing, fly, are led fast and fall on floors: their directors come after edges that are
whipped round, however fast.
"""

import numpy as np
import pytest
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Pin, Rod, Scene

KINDS = ("hung", "thrown", "led", "floor")


def rope(trial, **options):
    """A random limp rope, straight in space, and the scene it is in: alternately by either solver, of each kind."""
    rng, kind = np.random.default_rng(trial), KINDS[trial // 2 % 4]
    n, length, radius = int(rng.integers(8, 30)), rng.uniform(0.3, 3.0), rng.choice([2e-3, 5e-3, 1e-2])
    young, density, factor = 10 ** rng.uniform(5.5, 7.5), rng.uniform(800.0, 3000.0), 10 ** rng.uniform(-3.0, -0.3)
    material = Material(young, 0.4, density, bend_factor=factor, internal_damping=rng.choice([0.0, 6e-3]))
    way = rng.normal(size=3)
    x = np.linspace(0.0, length, n)[:, None] * way / np.linalg.norm(way)
    spin, way = 3.0 * rng.normal(size=3), rng.normal(size=3)
    v = 2.0 * way + np.cross(spin, x) if kind == "thrown" else None
    own = Rod.from_material("rope", x, radius, material, model="cosserat", shape_memory=0.0, v=v, **options)
    t = np.linspace(0.0, 1.0, 100)
    way *= 0.3 * length / np.linalg.norm(way)
    hand = np.outer(np.sin(rng.uniform(5.0, 25.0) * t) * np.minimum(4.0 * t, 1.0), way)
    pins = {"hung": (Pin.fixed(own, 0, "POSITION"),), "led": (Pin("hand", 0, 0, "POSITION", t, x[0] + hand),)}
    floor = Floor(x[:, 2].min() - rng.uniform(0.05, 1.0), 0.4) if kind == "floor" else None
    solver = ("EXPLICIT", "IMPLICIT")[trial % 2]
    return Scene((own,), 1.0 / 24.0, 25, pins=pins.get(kind, ()), solver=solver, floor=floor)


@pytest.mark.parametrize("trial", range(16))
def test_limp_ropes_are_followed(trial):
    assert len(list(simulate(rope(trial)))) == 25


@pytest.mark.parametrize("trial", range(8))
def test_directors_held_by_little_are_too(trial):
    """By κ of a thousandth of a newton they are left behind each time, and come after it."""
    scene = rope(trial, parallel_stiffness=1e-3)
    assert len(list(simulate(scene))) == 25
