"""A block of 1296 tetrahedra is squeezed, dropped, twisted, dragged and pressed flat: none turns inside out."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from solid_meshes import brick, clamped
from tendril.physics.elements.tetrahedra import volumes
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Hold, Scene, SoftBody

X, NODE = brick((6, 6, 6), (0.4, 0.4, 0.4))
FOOT, HEAD = X[:, 2] == 0.0, X[:, 2] > 0.399


def block(x=X, **options):
    return SoftBody("Block", x, NODE, 1000.0, 3e5, 0.4, **options)


def led(nodes, times, track):
    """Holds that lead nodes on track(place) (k, 3)."""
    return [Hold(f"{i}", "POINT", 0, int(i), times=times, track=track(X[i])) for i in np.flatnonzero(nodes)]


def squeezed():
    """Its surface is driven to 2 % of the volume and back."""
    times, middle = np.linspace(0.0, 0.05, 21), X.mean(axis=0)
    size = 1.0 - (1.0 - 0.02 ** (1.0 / 3.0)) * np.sin(np.pi * times / times[-1]) ** 2
    outside = np.any((X.min(axis=0) == X) | (X.max(axis=0) == X), axis=1)
    return block(), led(outside, times, lambda place: middle + size[:, None] * (place - middle)), 0.1


def dropped():
    """It has fallen 20 m when its foot meets the plane it keeps to from then on."""
    speed = np.array([0.0, 0.0, -np.sqrt(2.0 * 9.81 * 20.0)])
    up = np.array([0.0, 0.0, 1.0])
    ground = [Hold(f"{i}", "PLANE", 0, int(i), direction=up) for i in np.flatnonzero(FOOT)]
    return block(v=np.tile(speed, (len(X), 1))), ground, 0.5


def twisted():
    """Three times as high as wide, its head turns three times."""
    times, tall = np.linspace(0.0, 1.5, 73), np.array([1.0, 1.0, 3.0])
    turn = Rotation.from_rotvec(np.outer(6.0 * np.pi * times / times[-1], [0.0, 0.0, 1.0]))
    axis = X.mean(axis=0) * [1.0, 1.0, 0.0]
    return block(X * tall), [*clamped(X, FOOT), *led(HEAD, times, lambda p: axis + turn.apply(p * tall - axis))], 1.6


def dragged():
    """A corner is torn away at 20 m/s."""
    way = np.array([[0.0, 0.0, 0.0], [10.0, 0.0, 0.0]])
    return block(), led(np.arange(len(X)) == 0, np.array([0.0, 0.5]), lambda place: place + way), 0.7


def pressed():
    """Between plates that it sticks to, to 10 % of its height and back."""
    way = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, -0.36], [0.0, 0.0, 0.0]])
    times = np.array([0.0, 0.2, 0.4])
    return block(), [*clamped(X, FOOT), *led(HEAD, times, lambda place: place + way)], 0.6


def scene_of(body, holds, duration):
    return Scene((), 1 / 120, round(120 * duration) + 1, solids=(body,), holds=tuple(holds))


@pytest.mark.parametrize(
    "torture",
    [
        squeezed,
        dropped,
        pytest.param(twisted, marks=pytest.mark.slow),
        dragged,
        pytest.param(pressed, marks=pytest.mark.slow),
    ],
)
def test_no_element_turns_inside_out(torture):
    scene, least = scene_of(*torture()), np.inf
    relaxed = volumes(scene.solids[0].x[NODE])
    for frame in simulate(scene):
        assert np.isfinite(frame.x).all()
        least = min(least, (volumes(frame.x[NODE]) / relaxed).min())
    assert least > 0.0
    if torture is squeezed:
        assert least < 0.03
