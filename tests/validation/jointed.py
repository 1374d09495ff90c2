"""Rods with rigid bodies to try, and what they amount to together: momenta and energy of everything."""

import numpy as np
from scipy.spatial.transform import Rotation
from tendril.physics.materials import Material
from tendril.physics.scene import RigidBody, Rod, Scene, Weld

RUBBER = Material(5e6, 0.45, 1100.0)
UNEVEN = np.array([[2.0, 0.3, 0.1], [0.3, 1.5, -0.2], [0.1, -0.2, 1.2]]) * 1e-4  # an inertia in no special axes


def pose(q):
    """Rotations from quaternions (…, 4) as (w, x, y, z)."""
    return Rotation.from_quat(np.roll(q, -1, axis=-1))


def spins(model, state):
    """Angular velocities (B, 3) [rad/s], world axes."""
    turn = pose(state.bodies["q"])
    return turn.apply(turn.inv().apply(state.bodies["l"]) / model.bodies["inertia"])


def body(name, position, mass=0.2, inertia=UNEVEN, **options):
    return RigidBody(name, np.asarray(position, dtype=float), mass, np.asarray(inertia, dtype=float), **options)


def curve(start, end, sag, n):
    s = np.linspace(0.0, 1.0, n)[:, None]
    return (1.0 - s) * start + s * np.asarray(end) + np.sin(np.pi * s) * sag


def alone(rods, bodies, welds, pins=(), **options):
    """Rods and bodies in a vacuum, without gravity."""
    options = {"gravity": np.zeros(3), "contact": False, "air_density": 0.0, **options}
    return Scene(tuple(rods), 0.02, options.pop("frame_count", 6), tuple(pins), tuple(bodies), tuple(welds), **options)


def dumbbell(straight=False, **options):
    """Two unequal bodies that tumble at the ends of a rod."""
    x = curve([-0.3, 0.0, 0.0], [0.3, 0.1, 0.0], [0.0, 0.0, 0.0 if straight else 0.1], 16)
    rod = Rod.from_material("rod", x, 0.006, RUBBER, aspect=1.0 if straight else 0.7, **options)
    bodies = (
        body("one", [-0.35, 0.02, 0.01], omega=np.array([3.0, -2.0, 1.0])),
        body(
            "two",
            [0.33, 0.1, 0.05],
            0.35,
            2.0 * UNEVEN[::-1, ::-1],
            v=np.array([0.3, 1.0, 0.5]),
            omega=np.array([0, 4, 2.0]),
        ),
    )
    return alone([rod], bodies, [Weld("a", 0, 0, 0), Weld("b", 1, 0, 15)])


def loop():
    """Two bodies held together by two rods."""
    sides = ([0.0, 0.1, 0.05], [0.0, -0.1, 0.02])
    rods = [
        Rod.from_material(f"rod {k}", curve([-0.2, 0.3 * side[1], 0], [0.2, 0.3 * side[1], 0], side, 12), 0.005, RUBBER)
        for k, side in enumerate(sides)
    ]
    bodies = (
        body("one", [-0.22, 0.0, 0.0], omega=np.array([1.0, 2.0, -1.0])),
        body("two", [0.25, 0.0, 0.01], 0.3, v=np.array([0.2, 0.5, 0.8])),
    )
    return alone(rods, bodies, [Weld("a", 0, 0, 0), Weld("b", 0, 1, 0), Weld("c", 1, 0, 11), Weld("d", 1, 1, 11)])


def bead():
    """A body on an edge inside a rod, another on one point, a third on the rod's end and on an edge of a hoop."""
    rod = Rod.from_material("rod", curve([-0.3, 0, 0], [0.3, 0, 0], [0, 0.1, 0], 15), 0.006, RUBBER)
    around = 2.0 * np.pi * np.arange(16) / 16
    ring = 0.1 * np.stack([np.cos(around), np.sin(around), 0.2 * np.sin(2.0 * around)], axis=1) + [0.42, 0.0, 0.0]
    hoop = Rod.from_material("hoop", ring, 0.005, RUBBER, closed=True, aspect=0.8)
    bodies = (
        body("bead", [0.0, 0.1, 0.02], omega=np.array([5.0, 1.0, 0.0])),
        body("ball", [-0.33, 0.0, 0.02], v=np.array([0.0, 0.4, 0.3])),
        body("buckle", [0.31, 0.0, 0.01], v=np.array([0.0, 0.0, -0.4])),
    )
    welds = [Weld("a", 0, 0, 7), Weld("b", 1, 0, 0, "POSITION"), Weld("c", 2, 0, 14, "DIRECTION"), Weld("d", 2, 1, 8)]
    return alone([rod, hoop], bodies, welds)


JOINTED = {"dumbbell": dumbbell, "straight dumbbell": lambda: dumbbell(straight=True), "loop": loop, "bead": bead}
