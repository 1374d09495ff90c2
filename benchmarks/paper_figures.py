"""The scenes behind Table 1 of Bergou 2008, as far as it tells them: same vertex counts and steps, rods in motion.

Masses, which the paper does not give, are such that its step is a fair part of the largest stable one.
"""

from dataclasses import dataclass

import numpy as np
from tendril.physics.scene import Pin, RigidBody, Rod, Scene, Weld

from .trees import forest

AHEAD = (1.0, 0.0, 0.0)


@dataclass(frozen=True)
class Figure:
    """A scene, the paper's step [s], and for how long to simulate until its motion is what the figure shows [s]."""

    scene: Scene
    step: float
    lead: float


def knot(contact):
    """Figure 1: a trefoil knot between clamps that twist it, 60 vertices."""
    rod = uniform("knot", even(shastri(), 60), 5e-3, 2.5e-3, 1.6e-3, 8.0)
    pins = (clamp(rod, 0), clamp(rod, 59, rod.edges()[-1], turns=2.0, duration=4.0))
    return Figure(scene(rod, pins=pins, contact=contact, settle=True), 4e-3, 2.0)


def half_circle():
    """Figure 5: an anisotropic rod, at rest a half circle, one end clamped and the other twisted, 49 vertices."""
    angle = np.linspace(0.0, np.pi, 49)
    x = np.stack([np.sin(angle), np.cos(angle), 0.0 * angle], axis=1)
    rod = uniform("half circle", x, 0.01, (1.0, 0.1), 0.2, 1.0, shape_memory=1.0)
    return Figure(scene(rod, pins=(clamp(rod, 0), clamp(rod, 48, rod.edges()[-1], 1.0, 4.0))), 1e-3, 3.0)


def transducer(contact):
    """Figure 6: two unequal bodies, one of them spinning, coupled by a rod of 200 vertices."""
    rod = uniform("shaft", line(200, 2.0), 5e-3, 1.0, 0.7, 2e4)
    ball = np.eye(3)
    bodies = (
        RigidBody("heavy", rod.x[0], 4e3, 400.0 * ball, omega=np.array([0.2, 0.0, 0.0])),
        RigidBody("light", rod.x[-1], 1e3, 50.0 * ball),
    )
    welds = (Weld("heavy", 0, 0, 0), Weld("light", 1, 0, 199))
    return Figure(scene(rod, bodies=bodies, welds=welds, contact=contact), 2e-3, 2.0)


def localised_buckling():
    """Figure 7: a straight rod, twisted by 27 turns and shortened by 0.3, 75 vertices."""
    rod = uniform("helix", line(75, 9.29), 0.05, 1.345, 0.789, 0.6)
    pins = (clamp(rod, 0), clamp(rod, 74, AHEAD, 27.0, 20.0, move=(-0.3, 0.0, 0.0)))
    return Figure(scene(rod, pins=pins), 2e-3, 18.0)


def ring():
    """Figure 8: a closed ring twisted beyond Michell's threshold, 67 vertices."""
    angle = 2.0 * np.pi * np.arange(67) / 67
    x = np.stack([np.cos(angle), np.sin(angle), 1e-3 * np.sin(2.0 * angle)], axis=1)
    twist = np.full(67, 1.3 * 2.0 * np.pi * np.sqrt(3.0) / 67)
    return Figure(scene(uniform("ring", x, 0.01, 1.0, 1.0, 400.0, closed=True, twist=twist)), 50e-3, 300.0)


def plectoneme(contact):
    """Figure 9: a hanging rod whose ends are twisted until it winds around itself, 275 vertices."""
    s = np.linspace(-1.0, 1.0, 2001)
    x = even(np.stack([0.3 * s, 0.0 * s, 0.9 * s * s], axis=1), 275)
    rod = uniform("plectoneme", x, 5e-3, 1e-3, 1e-3, 10.0, drag_coefficient=200.0)
    ends = rod.edges()[[0, -1]]
    pins = (clamp(rod, 0, ends[0], -15.0, 20.0), clamp(rod, 274, ends[1], 15.0, 20.0))
    return Figure(scene(rod, pins=pins, contact=contact, air_density=1.2, gravity=(0.0, 0.0, -0.05)), 1e-3, 20.0)


def chain():
    """Figure 10: two open links, at rest curved, one hanging in the other, 31 vertices each."""
    angle = np.linspace(-1.2 * np.pi, 1.2 * np.pi, 31)
    above = np.stack([np.sin(angle), 0.05 * angle, -np.cos(angle)], axis=1)
    below = np.stack([0.05 * angle, np.sin(angle), np.cos(angle) - 1.6], axis=1)
    links = [uniform("link", x, 0.05, 2.0, 2.0, 0.01, shape_memory=1.0) for x in (above, below)]
    pins = tuple(Pin.fixed(links[0], vertex, rod=0) for vertex in (3, 27))
    return Figure(scene(*links, pins=pins, contact=True, gravity=(0.0, 0.0, -9.81)), 1e-3, 2.0)


def wilberforce():
    """Figure 11: a bob at a helical spring of 20 vertices, pulled down."""
    angle = np.linspace(0.0, 10.0 * np.pi, 20)
    x = np.stack([0.02 * np.cos(angle), 0.02 * np.sin(angle), -0.0025 * angle], axis=1)
    rod = uniform("spring", x, 6e-4, 2e-6, 1.5e-6, 60.0, shape_memory=1.0)
    bob = RigidBody("bob", x[-1] - (0.0, 0.0, 0.02), 0.3, np.diag([1e-4, 1e-4, 5e-5]))
    options = {"pins": (clamp(rod, 0),), "bodies": (bob,), "welds": (Weld("bob", 0, 0, 19),)}
    return Figure(scene(rod, gravity=(0.0, 0.0, -0.1), **options), 1e-3, 1.0)


def tree():
    """Figure 12: a tree of 2158 vertices in a storm, its force fields as they are at the start."""
    return Figure(forest(1, 2), 1e-4, 0.1)


def uniform(name, x, radius, bend, torsion, mass_per_length, *, closed=False, **options):
    """A rod of one bending stiffness (or two, about m₁ and m₂) and one twisting stiffness [N m²]."""
    n, m = len(x), len(x) if closed else len(x) - 1
    length = np.linalg.norm(np.roll(x, -1, axis=0) - x, axis=1)[:m]
    edge_mass = mass_per_length * length
    mass = np.bincount(np.arange(m), 0.5 * edge_mass, n) + np.bincount((np.arange(m) + 1) % n, 0.5 * edge_mass, n)
    bending = np.broadcast_to(bend, (m, 2)).astype(float)
    options = {"shape_memory": 0.0, **options}
    return Rod(name, x, np.full(n, radius), mass, bending, np.full(n, torsion), np.full(m, 1e6), closed, **options)


def clamp(rod, vertex, axis=AHEAD, turns=0.0, duration=1.0, move=(0.0, 0.0, 0.0)):
    """Holds place, direction and twist of a vertex, turned about an axis and moved while `duration` lasts."""
    share = np.linspace(0.0, 1.0, 16 * int(abs(turns)) + 2)
    half = np.pi * turns * share
    rotation = np.column_stack([np.cos(half), np.outer(np.sin(half), axis / np.linalg.norm(axis))])
    return Pin(f"clamp {vertex}", 0, vertex, "TWIST", duration * share, rod.x[vertex] + np.outer(share, move), rotation)


def scene(*rods, gravity=(0.0, 0.0, 0.0), air_density=0.0, contact=False, **options):
    return Scene(rods, 1.0, 2, gravity=np.array(gravity), air_density=air_density, contact=contact, **options)


def line(n, length):
    """A line (n, 3) along x, not quite straight, so that it knows where to buckle."""
    s = np.linspace(0.0, 1.0, n)
    return length * np.stack([s, 0.01 * np.sin(np.pi * s) ** 2, 0.0 * s], axis=1)


def shastri():
    """A long trefoil knot (k, 3), about 1 m of it: (t³ − 3t, t⁴ − 4t², t⁵ − 10t), the last flattened (Shastri 1992)."""
    t = np.linspace(-2.2, 2.2, 2001)
    return np.column_stack([t**3 - 3 * t, t**4 - 4 * t**2, 0.1 * (t**5 - 10 * t)]) / 33.0


def even(curve, n):
    """n points (n, 3) that divide the polyline `curve` into even pieces."""
    arc = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(curve, axis=0), axis=1))])
    return np.column_stack([np.interp(np.linspace(0.0, arc[-1], n), arc, column) for column in curve.T])
