"""A metre of rubber cord in a hand that goes round: it stretches, snaps back and is thrown into loops."""

import numpy as np
import pytest
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Pin, Rod, Scene

RUBBER = Material(1.5e6, 0.4999, 950.0, internal_damping=0.003, friction=1.0)  # presets/rods/rubber_cord


@pytest.mark.parametrize("points", [120, 200])
@pytest.mark.parametrize("quality", ["PREVIEW", "GOOD"])
def test_a_cord_of_short_edges_is_whipped(quality, points):
    """Edges are 1.7 or 2.8 radii long: two with one between them come nearer than they touch as it snaps back."""
    s = np.linspace(0.0, 1.0, points)
    x = np.stack([s, 0.002 * np.sin(3.0 * s), np.full(points, 1.2)], axis=1)
    rod = Rod.from_material("cord", x, 0.003, RUBBER, stretchable=True, shape_memory=0.0)
    times = np.linspace(0.0, 1.5, 37)
    turn = 4.0 * np.pi * times
    hand = np.stack([0.3 * np.sin(turn), 0.0 * turn, 1.2 + 0.3 * (np.cos(turn) - 1.0)], axis=1)
    pin = Pin("hand", 0, 0, "TWIST", times, hand, max_force=None)
    scene = Scene((rod,), 1.0 / 24.0, 37, pins=(pin,), floor=Floor(0.0, 0.5), solver="IMPLICIT", quality=quality)
    baked = [item.x for item in simulate(scene)]
    assert len(baked) == 37
    assert max(deepest_overlap((rod,), x, relative=True) for x in baked) < 0.05
