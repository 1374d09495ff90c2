"""Pyramids of equal logs, 2-1 and 3-2-1, side by side on the ground: they stand where statics lets them, and come apart
where it does not; and a cabin of four layers, logs across logs, which trembles less and less.

The least friction for which forces in their cones balance each log is a linear programme; in closed form tan 15° of a
2-1 that rolls. Logs without Roll have no spin to balance. Of what rolls it is not enough that there are such forces:
Coulomb's law may have another solution as well, in which the pyramid comes apart, and between stiff springs with
friction, loaded bit by bit, it does so too up to 1.15 times the least friction of 3-2-1. It is asked to stand from
twice that on.
"""

import numpy as np
import pytest
from scipy.optimize import linprog
from solvers import persist
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.scene import Floor, Rod, Scene

G, R, LENGTH, EDGES = 9.81, 0.01, 0.3, 10
CREEP = 1e-3  # radii a second
KINETIC = 1e-6  # of what falls by a radius


def places(layers):
    """(m, 2) [radii] of the axes of logs in layers of `layers`, … 2, 1."""
    return np.array([(2.0 * i - n + 1.0, 1.0 + np.sqrt(3.0) * (layers - n)) for n in range(layers, 0, -1)
                     for i in range(n)])  # fmt: skip


def balanced(layers, friction, rolls):
    """Whether there are forces in Coulomb's cones that balance each log under its weight: (N, T) of each contact."""
    c = places(layers)
    touching = [(i, j) for i in range(len(c)) for j in range(i) if np.linalg.norm(c[i] - c[j]) < 2.0 + 1e-9]
    touching += [(i, -1) for i in range(layers)]
    balance, size = np.zeros((3 * len(c), 2 * len(touching))), 2 * len(touching)
    for q, (i, j) in enumerate(touching):
        n = (c[i] - c[j]) / 2.0 if j >= 0 else np.array([0.0, 1.0])
        t = np.array([n[1], -n[0]])
        for log, sign in ((i, 1.0), (j, -1.0)):
            if log >= 0:
                balance[3 * log : 3 * log + 2, 2 * q] = sign * n
                balance[3 * log : 3 * log + 2, 2 * q + 1] = sign * t
                balance[3 * log + 2, 2 * q + 1] = 1.0 if rolls else 0.0
    cones = np.zeros((size, size))
    for row in range(size):
        cones[row, row - row % 2], cones[row, row - row % 2 + 1] = -friction, (-1.0) ** row
    bounds = [(0.0, None), (None, None)] * len(touching)
    weight = np.tile([0.0, 1.0, 0.0], len(c))
    return linprog(np.zeros(size), cones, np.zeros(size), balance, weight, bounds).status == 0


def least(layers, rolls):
    """The least friction for which it can stand."""
    low, high = 0.0, 1.0
    while high - low > 1e-6:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if balanced(layers, middle, rolls) else (middle, high)
    return high


def pyramid(layers, friction, rolls, solver):
    s, wood = np.linspace(0.0, LENGTH, EDGES + 1), Material(1e8, 0.3, 700.0, friction=friction)
    rods = [Rod.from_material(f"log {n}", np.stack([s, 0.0 * s + y, 0.0 * s + z], axis=1), R, wood, rolls=rolls)
            for n, (y, z) in enumerate(R * places(layers))]  # fmt: skip
    return Scene(tuple(rods), 1.0 / 24.0, 2, floor=Floor(0.0, friction), air_density=0.0, solver=solver)


def cabin(solver):
    s, wood = np.linspace(-0.5, 0.5, EDGES + 1) * LENGTH, Material(1e9, 0.3, 700.0, friction=0.4, internal_damping=0.01)
    rods = []
    for layer in range(4):
        for side in (-1.0, 1.0):
            x = np.full((len(s), 3), R * (1.0 + 2.0 * layer))
            x[:, layer % 2], x[:, 1 - layer % 2] = s, side * LENGTH / 3.0
            rods.append(Rod.from_material(f"log {layer} {side:.0f}", x, R, wood))
    return Scene(tuple(rods), 1.0 / 24.0, 2, floor=Floor(0.0, 0.4), air_density=0.0, solver=solver)


def after(scene, *times):
    """(x, kinetic energy over M g R) after each of these times [s]."""
    (model, state, work), found = assemble(scene), []
    mass = np.concatenate([rod.mass for rod in scene.rods])
    for time in times:
        state, work, failed = persist(scene, model, state, work, time)
        assert failed is None
        found.append((state.x.copy(), 0.5 * (mass @ state.v**2).sum() / (mass.sum() * G * R)))
    return found


def test_least_friction():
    """Of two logs that carry a third one: half the angle of the way between, if they roll; else tan (30° − φ) = 3 μ."""
    assert least(2, True) == pytest.approx(np.tan(np.pi / 12.0), abs=1e-5)
    assert least(2, False) == pytest.approx((np.sqrt(20.0) - 4.0) / np.sqrt(12.0), abs=1e-5)
    assert least(3, True) == pytest.approx(0.43399, abs=1e-5)
    assert least(3, False) == pytest.approx(0.17998, abs=1e-5)


@pytest.mark.parametrize(("layers", "rolls", "above"), [(2, False, 1.08), (2, True, 1.08), (3, False, 1.08),
                                                        (3, True, 2.0), (3, True, 3.0)])  # fmt: skip
def test_stands(layers, rolls, above, solver):
    """Where it was drawn, from the first step on, for two seconds."""
    scene = pyramid(layers, above * least(layers, rolls), rolls, solver)
    (found, _), (end, energy) = after(scene, 0.5, 2.0)
    drawn = np.concatenate([rod.x for rod in scene.rods])
    assert np.abs(found - drawn).max() < 0.02 * R
    assert np.abs(end - found).max() < CREEP * R * 1.5
    assert energy < KINETIC


@pytest.mark.parametrize("rolls", [False, True])
@pytest.mark.parametrize("layers", [2, 3])
def test_comes_apart(layers, rolls, solver):
    scene = pyramid(layers, 0.92 * least(layers, rolls), rolls, solver)
    (end, _) = after(scene, 0.4)[0]
    assert np.abs(end - np.concatenate([rod.x for rod in scene.rods])).max() > R


def test_cabin_comes_to_rest(solver):
    """Kinetic energy below 1e-6 of a fall by a radius after four seconds, and for as long again."""
    for _, energy in after(cabin(solver), 4.0, 6.0, 8.0):
        assert energy < KINETIC
