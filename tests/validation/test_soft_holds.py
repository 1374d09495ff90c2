"""What holds soft bodies: exactly, without drift, and as springs; until it lets go."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline
from solid_meshes import brick, clamped
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import SCHEMES, Hold, Scene, SoftBody

X, NODE = brick((4, 2, 2), (1.0, 0.3, 0.3))
SIZE = np.linalg.norm(np.ptp(X, axis=0))
BODY = SoftBody("Jelly", X, NODE, 1000.0, 2e5, 0.4)
OTHER = replace(BODY, name="Custard", x=X + [0.0, 0.0, -0.3])
UNDER = {int(i): int(np.flatnonzero(np.all(np.isclose(X, X[i] + [0, 0, 0.3]), axis=1))[0])
         for i in np.flatnonzero(X[:, 2] == 0.0)}  # fmt: skip
TIMES = np.linspace(0.0, 1.0, 25)
SLANT = np.array([1.0, 2.0, 2.0]) / 3.0


def track(node):
    """Up and around, from rest."""
    s = TIMES[:, None]
    return X[node] + np.hstack([0.2 * s * s, 0.1 * np.sin(3.0 * s) * s, 0.3 * s * s])


def baked(holds, solids=(BODY,), frames=25, **options):
    scene = Scene((), 1 / 24, frames, solids=solids, holds=tuple(holds), **options)
    return np.array([frame.x for frame in simulate(scene)])


def by(scheme):
    return {"scheme": scheme, "consistent_mass": scheme != "VERLET", "tolerance": 1e-4}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_point_stays_or_goes_as_it_is_led(scheme):
    x = baked([Hold("nail", "POINT", 0, 0), Hold("hand", "POINT", 0, 40, times=TIMES, track=track(40))], **by(scheme))
    assert np.all(x[:, 0] == X[0])
    assert np.abs(x[:, 40] - track(40)).max() <= 1e-12 * SIZE


@pytest.mark.parametrize("scheme", SCHEMES)
def test_between_two_samples_a_point_goes_on_the_cubic_that_joins_them(scheme):
    """Whose slope at a sample is that from the one before it to the one behind it: here every third frame has one."""
    times, points = TIMES[::3], track(40)[::3]
    slopes = (points[2:] - points[:-2]) / (times[2:] - times[:-2])[:, None]
    slopes = np.vstack([(points[1] - points[0]) / times[1], slopes, (points[-1] - points[-2]) / times[1]])
    x = baked([Hold("hand", "POINT", 0, 40, times=times, track=points)], gravity=np.zeros(3), **by(scheme))
    assert np.abs(x[:, 40] - CubicHermiteSpline(times, points, slopes)(TIMES)).max() <= 1e-12 * SIZE


@pytest.mark.parametrize("scheme", SCHEMES)
def test_planes_and_lines_hold_and_go_along(scheme):
    holds = [
        Hold("table", "PLANE", 0, 0, direction=SLANT),
        Hold("lift", "PLANE", 0, 20, direction=SLANT, times=TIMES, track=track(20)),
        Hold("rail", "LINE", 0, 44, direction=SLANT),
        Hold("tram", "LINE", 0, 36, direction=[0.0, 1.0, 0.0], times=TIMES, track=track(36)),
    ]
    x = baked(holds, **by(scheme))
    across = np.eye(3) - np.outer(SLANT, SLANT)
    assert np.abs((x[:, 0] - X[0]) @ SLANT).max() <= 1e-10 * SIZE
    assert np.abs((x[:, 20] - track(20)) @ SLANT).max() <= 1e-10 * SIZE
    assert np.abs((x[:, 44] - X[44]) @ across).max() <= 1e-10 * SIZE
    assert np.abs((x[:, 36] - track(36))[:, [0, 2]]).max() <= 1e-10 * SIZE
    assert np.abs((x[-1, 0] - X[0]) @ across).max() > 1e-2 * SIZE  # but it slides


@pytest.mark.parametrize("scheme", SCHEMES)
def test_joined_nodes_stay_together_and_distances_stay(scheme):
    joins = [Hold(f"glue {i}", "JOIN", 1, UNDER[i], other=(0, i)) for i in UNDER]
    string = Hold("string", "DISTANCE", 1, 0, other=(0, 40))
    held = clamped(X, X[:, 0] == 0.0)
    x = baked([*held, *joins[3:], string], (BODY, OTHER), 13, **by(scheme))
    one, other = x[:, : len(X)], x[:, len(X) :]
    for i in [*UNDER][3:]:
        assert np.abs(one[:, i] - other[:, UNDER[i]]).max() <= 1e-10 * SIZE
    length = np.linalg.norm(other[:, 0] - one[:, 40], axis=1)
    assert np.abs(length - length[0]).max() <= 1e-10 * SIZE
    assert np.abs(x[-1] - x[0]).max() > 0.05 * SIZE


def test_redundant_holds_do_no_harm():
    twice = [Hold(f"{k}", "JOIN", 1, UNDER[i], other=(0, i)) for i in UNDER for k in range(2)]
    nail = [Hold("nail", "POINT", 0, 0), Hold("table", "PLANE", 0, 0, direction=SLANT)]
    once = baked([*twice[::2], nail[0]], (BODY, OTHER), 6)
    assert np.allclose(baked([*twice, *nail], (BODY, OTHER), 6), once, atol=1e-9)


def test_what_lets_go_falls_from_then_on_as_what_was_never_held():
    """Held in free fall by nothing but two nails until .1 s; afterwards its middle falls with g."""
    nails = [replace(hold, release=0.1) for hold in clamped(X, X[:, 0] == 0.0)]
    for scheme in SCHEMES:
        x = baked(nails, frames=25, **by(scheme))
        corner = x[:, NODE].mean(axis=2)  # all elements are of the same mass
        middle = corner.mean(axis=1)
        assert np.all(x[:3, X[:, 0] == 0.0] == X[X[:, 0] == 0.0])
        fall = np.diff(middle[4:], 2, axis=0) * 24**2
        assert np.abs(fall - [0.0, 0.0, -9.81]).max() <= 1e-6


@pytest.mark.parametrize("frame", [3, 3 * (1.0 + 1e-15), 3 * (1.0 - 1e-15)])
def test_what_lets_go_at_a_frame_falls_from_that_frame_on(frame):
    nails = [replace(hold, release=frame / 24) for hold in clamped(X, X[:, 0] == 0.0)]
    x = baked(nails, frames=8)[:, X[:, 0] == 0.0]
    assert np.abs(x[3] - x[0]).max() <= 1e-12
    assert (x[4] != x[3]).any()


def test_a_spring_is_stretched_by_the_weight():
    """A body hung by one stiff plane of springs along z sinks by mg/k, when it has come to rest."""
    k, mass = 4e3, 1000.0 * 0.3 * 0.3
    top = np.flatnonzero(X[:, 2] == 0.3)
    springs = [Hold(f"{i}", "PLANE", 0, int(i), direction=[0.0, 0.0, 1.0], stiffness=k) for i in top]
    still = [Hold("rail", "LINE", 0, int(top[0]), direction=[0.0, 0.0, 1.0])]
    thick = replace(BODY, young=2e7, mu=2e5)
    scene = Scene((), 1 / 24, 2, solids=(thick,), holds=(*springs, *still))
    frames = np.array([f.x for f in simulate(replace(scene, frame_count=97))])
    period = 2.0 * np.pi * np.sqrt(mass / (k * len(top)))
    count = round(4.0 / period) * period  # whole periods
    mean = frames[:, top, 2].mean(axis=1)[: round(count * 24)].mean() - 0.3
    assert mean == pytest.approx(-mass * 9.81 / (k * len(top)), rel=0.05)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_momentum_of_joined_bodies_is_kept(scheme):
    """Two bodies that pull at each other through a string, without gravity: their middle goes straight on."""
    joins = [Hold("string", "DISTANCE", 1, 0, other=(0, 40)), Hold("glue", "JOIN", 1, UNDER[0], other=(0, 0))]
    stirred = np.random.default_rng(4).normal(size=X.shape)
    x = baked(joins, (replace(BODY, v=stirred), replace(OTHER, v=-stirred)), 13, gravity=np.zeros(3), **by(scheme))
    middle = np.concatenate([x[:, NODE].mean(axis=2), x[:, len(X) + NODE].mean(axis=2)], axis=1).mean(axis=1)
    assert np.abs(np.diff(middle, 2, axis=0)).max() <= 1e-10
