"""Trees for measuring: a trunk, branches and twigs joined by couplers, drawn at random but always alike."""

from dataclasses import replace

import numpy as np
from tendril.physics.materials import Material
from tendril.physics.scene import ForceField, Pin, RigidBody, Rod, Scene, Weld

WOOD = Material(young=8e9, poisson=0.35, density=900.0, internal_damping=0.01, drag_coefficient=1.1)
TRUNK, BRANCH, TWIG = (46, 12.0, 0.1), (28, 3.6, 0.03), (13, 1.1, 0.008)  # vertices, length [m], radius [m]
BRANCHES, TWIGS = 16, 8
TAPER = 0.4


def tree(place=(0.0, 0.0, 0.0), seed=0):
    """(rods, bodies, welds, pins) of a tree of 2158 vertices that stands still as it is drawn."""
    random = np.random.default_rng(seed)
    rods, bodies, welds = [_branch(random, "trunk", np.array(place), np.array([0.0, 0.0, 1.0]), *TRUNK)], [], []
    for parent in _fork(random, rods, bodies, welds, 0, BRANCHES, BRANCH):
        _fork(random, rods, bodies, welds, parent, TWIGS, TWIG)
    return rods, bodies, welds, [Pin.fixed(rods[0], 0, "TWIST", rod=0)]


def _branch(random, name, base, t, count, length, radius):
    """A wavering rod from `base` that begins in the direction t (3,)."""
    x = [base]
    for _ in range(count - 1):
        x.append(x[-1] + length / (count - 1) * t)
        t = t + 0.06 * random.normal(size=3) + (0.0, 0.0, 0.03)
        t = t / np.linalg.norm(t)
    thickness = np.linspace(radius, TAPER * radius, count)
    return Rod.from_material(name, np.array(x), thickness, WOOD, touches=False, balanced=True)


def _fork(random, rods, bodies, welds, parent, count, size):
    """`count` children along the outer part of a rod; returns their numbers."""
    x, children = rods[parent].x, []
    edges = 2 * np.unique(np.linspace(0.1 * len(x), 0.5 * len(x) - 2, count).round().astype(int))
    assert len(edges) == count, "a parent has too few edges for its children"
    for j in edges:
        along = (x[j + 1] - x[j]) / np.linalg.norm(x[j + 1] - x[j])
        aside = np.cross(along, random.normal(size=3))
        t = 0.6 * along + 0.8 * aside / np.linalg.norm(aside)
        base = x[j] + random.random() * (x[j + 1] - x[j])
        children.append(len(rods))
        rods.append(_branch(random, f"branch {len(rods)}", base, t, *size))
        bodies.append(RigidBody(f"fork {len(bodies)}", base, 0.0, np.zeros((3, 3))))
        welds += [
            Weld(bodies[-1].name, len(bodies) - 1, parent, int(j)),
            Weld(bodies[-1].name, len(bodies) - 1, children[-1], 0),
        ]
    return children


def forest(count, frames, fps=24):
    """A Scene of `count` trees in a strong, gusty wind."""
    rods, bodies, welds, pins = [], [], [], []
    for k in range(count):
        own = tree((8.0 * (k % 10), 8.0 * (k // 10), 0.0), seed=k)
        welds += [replace(weld, body=weld.body + len(bodies), rod=weld.rod + len(rods)) for weld in own[2]]
        pins += [replace(pin, rod=len(rods)) for pin in own[3]]
        rods += own[0]
        bodies += own[1]
    return Scene(tuple(rods), 1.0 / fps, frames, tuple(pins), tuple(bodies), tuple(welds), fields())


def fields():
    """A storm along x: wind of 20 m/s whose strength wavers, and turbulence."""
    along = np.array([[np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0]])
    at = np.zeros(1), np.zeros((1, 3)), along
    storm = ForceField("storm", "WIND", *at, np.array([20.0]), noise=np.array([5.0]))
    return storm, ForceField("eddies", "TURBULENCE", *at, np.array([10.0]), size=np.array([2.0]))
