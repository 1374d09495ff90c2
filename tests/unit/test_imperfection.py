"""A straight rod under thrust is bent a little once, towards a side that is its own."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.scene import Rod, Scene
from tendril.physics.start.imperfection import HEIGHT, imperfect, straighten

STEEL = Material(2e11, 0.3, 7800.0)
NONE = np.zeros(3)


def column(n, way=(0.0, 0.0, 1.0), m1=(1.0, 2.0, 0.0)):
    return Rod.from_material("column", np.linspace(NONE, way, n + 1), 0.002, STEEL, m1=np.array(m1))


def bent(rod, times=1, gravity=NONE):
    """How far the rod was moved (n, 3) [edges] by `times` imperfections."""
    model, state, _ = assemble(Scene((rod,), 0.04, 2, gravity=np.array(gravity)))
    state.tension[:] = 1.0  # thrust
    for _ in range(times):
        imperfect(model, state)
    return (state.x - rod.x) / model.rods["shortest"][0]


@pytest.mark.parametrize("n", [10, 80, 90, 400])
def test_only_once(n):
    """However many edges share the bend."""
    assert np.abs(np.linalg.norm(bent(column(n)), axis=1).max() / HEIGHT - 1.0) < 1e-3
    np.testing.assert_array_equal(bent(column(n), 5), bent(column(n), 1))


def test_not_when_pulled_or_bent():
    rod = column(20)
    model, state, _ = assemble(Scene((rod,), 0.04, 2))
    for tension in (-1.0, 1e-12):  # the latter is rounding
        state.tension[:] = tension
        imperfect(model, state)
        np.testing.assert_array_equal(state.x, rod.x)
    wavy = replace(rod, x=rod.x + 1e-3 * np.sin(np.linspace(0.0, 3.0, 21))[:, None] * [1.0, 0.0, 0.0])
    np.testing.assert_array_equal(bent(wavy), 0.0)


def test_turns_with_the_rod():
    """Not along some axis of the world."""
    turn = Rotation.from_rotvec([0.4, -1.1, 0.7])
    rod = column(20)
    turned = replace(rod, x=turn.apply(rod.x), m1=turn.apply(rod.m1))
    np.testing.assert_allclose(bent(turned), turn.apply(bent(rod)), atol=1e-6 * HEIGHT)


def test_sags_where_it_lies_across_gravity():
    moved = bent(column(20, (0.7, 0.7, 0.1)), gravity=(0.0, 0.0, -9.81))[10]
    assert moved @ [0.7, 0.7, 0.1] == pytest.approx(0.0, abs=1e-6 * HEIGHT)
    assert moved[2] < -0.9 * HEIGHT
    upright = bent(column(20), gravity=(0.0, 0.0, -9.81))
    np.testing.assert_allclose(upright, bent(column(20)), atol=1e-9)  # its own side, as without


def test_what_seems_straight_is_made_so():
    """Within its own radius; but not what closes, or whose ends are one point, between which no line goes."""
    rod = column(20)
    bow = 1e-3 * np.sin(np.linspace(0.0, np.pi, 21))[:, None] * [1.0, 0.0, 0.0]
    angle = np.linspace(0.0, 2.0 * np.pi, 21)[:, None]
    necklace = np.hstack([1e-3 * np.cos(angle), 1e-3 * np.sin(angle), 0.0 * angle])
    necklace[-1] = necklace[0]
    for x, expected in ((rod.x + bow, rod.x), (rod.x + 3.0 * bow, rod.x + 3.0 * bow), (necklace, necklace)):
        model, state, _ = assemble(Scene((replace(rod, x=x),), 0.04, 2))
        straighten(model, state, np.ones(1, bool))
        np.testing.assert_allclose(state.x, expected, rtol=0.0, atol=1e-15)
