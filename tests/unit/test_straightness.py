"""Which rods are straight and under thrust."""

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.rods.straightness import next_straight
from tendril.physics.scene import Rod, Scene

THRUST = 1e-9


@pytest.fixture
def three():
    """Side by side, all under thrust, the last held at both ends: (model, state)."""
    line = np.linspace((0.0, 0.0, 0.0), (1.0, 0.3, 0.2), 11)
    rods = tuple(Rod.from_material(f"{k}", line + [0.0, k, 0.0], 0.01, Material(1e7, 0.4, 1000.0)) for k in range(3))
    model, state, _ = assemble(Scene(rods, 0.04, 2))
    state.tension[:] = 1.0
    state.w[[22, 32]] = 0.0
    return model, state


def found(model, state, ease=THRUST):
    rods, r = [], -1
    while (r := next_straight(model, state, r + 1, ease)) >= 0:
        rods.append(r)
    return rods


def test_those_that_are_pushed_and_have_room(three):
    assert found(*three) == [0, 1]
    three[1].tension[3:11] = -1.0
    three[1].tension[:3] = 1e-12  # rounding
    assert found(*three) == [1]


def test_none_that_turns_anywhere(three):
    three[1].x[20, 2] += 1e-6
    assert found(*three) == [0]


def test_whatever_pulls_if_asked(three):
    three[1].tension[:] = -1.0
    assert found(*three, -np.inf) == [0, 1, 2]
