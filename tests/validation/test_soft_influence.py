"""What holds soft bodies with an influence: wholly, in part, not at all, and again."""

from dataclasses import replace

import numpy as np
import pytest
from solid_meshes import brick, clamped
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import SCHEMES, Hold, Scene, SoftBody

X, NODE = brick((4, 2, 2), (1.0, 0.3, 0.3))
SIZE = np.linalg.norm(np.ptp(X, axis=0))
BODY = SoftBody("Jelly", X, NODE, 1000.0, 2e5, 0.4, mu=400.0)
END = X[:, 0] == 0.0
FRAME = 1.0 / 24.0
MASS = 1000.0 * 0.3 * 0.3


def baked(holds, frames, body=BODY, state=None, **options):
    scene = Scene((), FRAME, frames, solids=(body,), holds=tuple(holds), **options)
    return list(simulate(scene, state))


def places(*what, **options):
    return np.array([frame.x for frame in baked(*what, **options)])


def keyed(frames, influence, where=END, kind="POINT", **options):
    """Holds that lead nodes to where they are drawn, their influence keyed at frames."""
    times = np.asarray(frames, float) * FRAME
    return [
        Hold(f"pin {i}", kind, 0, int(i), times=times, track=np.tile(X[i], (len(times), 1)),
             influence=np.asarray(influence, float), **options)
        for i in np.flatnonzero(where)
    ]  # fmt: skip


def middle(x):
    """(frames, 3): all elements are of the same mass."""
    return x[:, NODE].mean(axis=(1, 2))


def test_an_influence_of_one_changes_nothing():
    held = [replace(hold, influence=None) for hold in keyed([0, 9], [1, 1])]
    assert np.array_equal(places(keyed([0, 9], [1, 1]), 7), places(held, 7))


def test_it_holds_exactly_until_the_influence_falls():
    x = places(keyed([0, 4, 8], [1, 1, 0]), 12)
    assert np.all(x[:5, END] == X[END])
    slack = np.linalg.norm(x[5:8, END] - X[END], axis=2).max(axis=1)
    assert 0.0 < slack[0] < slack[1]
    fall = np.diff(middle(x)[9:], 2, axis=0) / FRAME**2
    assert np.abs(fall - [0.0, 0.0, -9.81]).max() <= 1e-6


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_spring_is_as_stiff_as_its_influence_says(scheme):
    """Light springs on a stiff body, z'' = −(k s n/m) z of one that is lifted off: cos of √(k s n/m) t."""
    k, s = 200.0, 0.25
    stiff, count = replace(BODY, young=2e6, mu=0.0), len(X)
    lifted = replace(stiff, x=X + [0.0, 0.0, 0.1])
    holds = [replace(hold, stiffness=k) for hold in keyed([0, 20], [s, s], where=X[:, 0] > -1.0)]
    x = places(holds, 13, body=lifted, gravity=np.zeros(3), scheme=scheme, tolerance=1e-4)
    omega = np.sqrt(k * s * count / MASS)
    assert omega * 12 * FRAME > 2.0
    expected = 0.1 * np.cos(omega * FRAME * np.arange(13))
    assert np.abs(middle(x)[:, 2] - X[:, 2].mean() - expected).max() <= 0.02 * 0.1


def test_an_influence_below_one_from_the_start_on_holds_no_more_than_the_material():
    """A little of it lets the body sink that all of it would keep up."""
    x = places(keyed([0, 9], [0.02, 0.02]), 9)
    assert np.abs(x[8, END] - X[END]).max() > 0.01


def test_what_was_let_go_is_taken_up_again():
    """It falls, is drawn back as the influence grows, and swings then where it was held, as firmly as it is stiff."""
    x = places(keyed([0, 2, 3, 9, 33], [1, 1, 0, 0, 1]), 73)
    off = np.linalg.norm(x[:, END] - X[END], axis=2).max(axis=1)
    held = places(clamped(X, END), 73)
    hangs = np.abs(held[-1] - held[0]).max()
    assert off[9] > 0.25
    assert off[40:].max() < 0.3 * hangs


@pytest.mark.parametrize(("kind", "free"), [("PLANE", [0, 1]), ("LINE", [2])])
def test_what_slides_does_so_at_any_influence(kind, free):
    """A plane and a line of half the influence yield little across, and let slide along."""
    up = [0.0, 0.0, 1.0]
    x = places(keyed([0, 9], [0.5, 0.5], where=X[:, 0] > -1.0, kind=kind, direction=up), 9,
               gravity=np.array([2.0, 2.0, 2.0]))  # fmt: skip
    moved = middle(x)[-1] - middle(x)[0]
    assert moved[free] == pytest.approx(0.5 * 2.0 * (8 * FRAME) ** 2, rel=1e-3)
    assert np.abs(np.delete(moved, free)).max() < 1e-3


def test_a_bake_that_is_resumed_while_it_lets_go_gives_the_same_bytes():
    holds = keyed([0, 3, 6, 9, 12], [1, 1, 0, 0, 1])
    whole = baked(holds, 14)
    for begin in (2, 3, 5, 8, 10):
        again = baked(holds, 14, state=whole[begin].state)
        assert [frame.x.tobytes() for frame in again] == [frame.x.tobytes() for frame in whole[begin + 1 :]]
