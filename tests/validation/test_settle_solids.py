"""Settle of soft bodies finds the equilibrium before the first frame, and the bake then starts calm."""

from dataclasses import replace

import numpy as np
import pytest
from solid_meshes import brick, clamped
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Hold, Scene, SoftBody

G = 9.81
BAR = SoftBody("Bar", *brick((2, 2, 8), (0.25, 0.25, 1.0)), 1000.0, 2e6, 0.0)
CUBE = SoftBody("Jelly", *brick((3, 3, 3), (0.2, 0.2, 0.2)), 1000.0, 2e4, 0.4, zeta=200.0, mu=200.0)


def settled(body, holds=(), frames=12, **options):
    scene = Scene((), 1 / 24, frames, solids=(body,), holds=tuple(holds), settle=True, **options)
    notices = []
    places = np.array([frame.x for frame in simulate(scene, notices=notices.append)])
    return places, [notice.text for notice in notices]


def test_a_bar_hangs_as_long_as_its_weight_makes_it_and_stays_so():
    """ΔL = ρ g L²/2E, of a bar that is held at its top and does not get thinner."""
    frames, notices = settled(BAR, clamped(BAR.x, BAR.x[:, 2] == 1.0))
    longer = -frames[0, BAR.x[:, 2] == 0.0, 2].mean()
    assert not notices
    assert longer == pytest.approx(1000.0 * G / (2.0 * 2e6), rel=0.01)
    assert np.abs(frames - frames[0]).max() < 2e-3 * longer


@pytest.mark.parametrize("damped", [True, False])
def test_a_soft_bracket_sags_before_the_first_frame_whatever_its_viscosity(damped):
    body = CUBE if damped else replace(CUBE, zeta=0.0, mu=0.0)
    frames, notices = settled(body, clamped(CUBE.x, CUBE.x[:, 0] == 0.0))
    sag = (CUBE.x[:, 2] - frames[0, :, 2]).max()
    assert not notices
    assert sag > 0.02
    assert np.abs(frames - frames[0]).max() < 5e-3 * sag
    as_long = np.array([f.x for f in simulate(Scene((), 0.5, 9, solids=(replace(CUBE, mu=2000.0),), holds=clamped(
        CUBE.x, CUBE.x[:, 0] == 0.0)))])  # fmt: skip
    assert np.abs(frames[0] - as_long[-1]).max() < 0.01 * sag


def test_a_cube_lies_on_the_floor_calmly():
    frames, notices = settled(replace(CUBE, x=CUBE.x + [0.0, 0.0, 1e-3]), floor=Floor(0.0))
    assert not notices
    squeezed = 1000.0 * G * 0.2**2 / (2.0 * 2e4)
    top, bottom = (frames[0, CUBE.x[:, 2] == z, 2].mean() for z in (0.2, 0.0))
    assert 0.2 - (top - bottom) == pytest.approx(squeezed, rel=0.15)
    assert np.abs(frames - frames[0]).max() < 0.02 * squeezed


def test_what_is_led_is_held_where_it_starts_and_then_goes():
    times, top = np.linspace(0.0, 0.5, 13), np.flatnonzero(CUBE.x[:, 2] == 0.2)
    way = 0.4 * np.outer(times**2, [1.0, 0.0, 0.0])
    frames, notices = settled(CUBE, [Hold("hand", "POINT", 0, int(i), times=times, track=CUBE.x[i] + way) for i in top])
    assert not notices
    assert np.array_equal(frames[0, top], CUBE.x[top])
    assert frames[0, :, 2].min() < -0.005
    assert frames[-1, top] == pytest.approx(CUBE.x[top] + way[11], abs=1e-9)


def test_what_falls_freely_begins_as_drawn_and_is_told():
    frames, notices = settled(CUBE, frames=2)
    assert np.array_equal(frames[0], CUBE.x)
    assert notices == ["'Jelly' did not come to rest before the first frame: pin what falls, or add a floor."]
