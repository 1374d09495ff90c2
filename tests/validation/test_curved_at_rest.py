"""Rods that are curved at rest, of some 15 edges a turn: half rings, ribbons and coils, against what the curve says.

A half ring of radius R, clamped at one end, gives way to a load F at the other, across its plane, along the tangent of
its ends and along the line between them, by

    F R³ (π/2B + 3π/2C),    3π F R³/2B',    π F R³/2B',

B across its plane and B' in it (Castigliano: M = F R sin φ and F R (1 − cos φ) at the angle φ from the load).
"""

import numpy as np
import pytest
from solvers import solved_by
from statics import Statics, held
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Pin, Rod, Scene

RADIUS, SMALL = 0.1, 1e-3  # m, and N


def half_ring(edges, across, within, twist, **options):
    """In the plane of x and y; m₁ along z, so bend stiffness (across, within)."""
    around = np.pi * np.arange(edges + 1) / edges
    x = RADIUS * np.stack([np.cos(around), np.sin(around), 0.0 * around], axis=1)
    n = len(x)
    section = np.tile([across, within], (edges, 1))
    return Rod(
        "ring", x, np.full(n, 1e-3), np.full(n, 0.01), section, np.full(n, twist), np.ones(edges),
        m1=np.array([0.0, 0.0, 1.0]), **options,
    )  # fmt: skip


def given_way(rod, way, solver):
    """How far [m] its end goes along `way` under a small load there."""
    load = np.zeros(rod.x.shape)
    load[-1] = SMALL * np.array(way)
    return (Statics(held(rod, "TWIST", solver=solver), load).settle()[-1] - rod.x[-1]) @ way


@pytest.mark.parametrize(
    ("across", "within", "twist"),
    [(0.7, 0.7, 0.5), (20.0, 0.7, 1.5), (0.7, 20.0, 1.5)],
    ids=["round", "flat", "on edge"],
)
def test_half_ring(across, within, twist, solver):
    """Within 2 % at 16 edges a turn, of second order."""
    k = np.pi * SMALL * RADIUS**3
    law = np.array([k * (0.5 / across + 1.5 / twist), 1.5 * k / within, 0.5 * k / within])
    errors = []
    for edges in (8, 16):
        rod = half_ring(edges, across, within, twist)
        found = [given_way(rod, way, solver) for way in np.eye(3)[::-1]]
        errors.append(np.array(found) / law - 1.0)
    assert np.abs(errors[0]).max() < 0.02
    assert np.abs(errors[1]).max() < 0.3 * np.abs(errors[0]).max()


def coil(edges):
    """Of four turns, upwards."""
    around = 2.0 * np.pi * np.arange(4 * edges + 1) / edges
    x = np.stack([0.05 * np.cos(around), 0.05 * np.sin(around), 0.01 * around], axis=1)
    rubber = Material(3e8, 0.4, 1100.0, internal_damping=0.05)
    return Rod.from_material("coil", x, 0.003, rubber, stretchable=True)


def test_coil_sags():
    """Clamped at its lower end, a coil gives way to its weight by .0925 m (of 120 edges a turn, by either model of rods
    and as a cable), near to toppling, so with an error that is three times that of its stiffness.
    """
    rod = coil(15)
    scene = Scene((rod,), 0.04, 1, (Pin.fixed(rod, 0, "TWIST"),), contact=False, air_density=0.0, settle=True)
    first = next(iter(simulate(solved_by("IMPLICIT", scene))))
    assert (rod.x[-1] - first.x[-1])[2] == pytest.approx(0.0925, rel=0.02)
