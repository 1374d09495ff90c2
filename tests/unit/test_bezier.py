"""The Bézier curve that is drawn through the vertices of a rod."""

import numpy as np
import pytest
from tendril.bridge.bezier import control_points


def drawn(x, closed=False, pieces=8):
    """Places (m, 3) on the curve through vertices x (n, 3)."""
    co, left, right = control_points(x, closed)
    u = np.arange(pieces)[:, None, None] / pieces
    v = 1 - u
    found = v**3 * co[:-1] + 3 * u * v**2 * right[:-1] + 3 * u**2 * v * left[1:] + u**3 * co[1:]
    return np.concatenate([found.swapaxes(0, 1).reshape(-1, 3), co[-1:]])


def circle(angle):
    return np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=-1)


@pytest.mark.parametrize("closed", [False, True])
def test_even_edges_are_drawn_by_catmull_and_rom(closed):
    x = circle(2.0 * np.pi * np.arange(24) / 24)
    co, left, right = control_points(x, closed)
    third = (x[2:] - x[:-2]) / 6.0
    assert co[: len(x)] == pytest.approx(x)
    assert right[1:23] - x[1:-1] == pytest.approx(third)
    assert x[1:-1] - left[1:23] == pytest.approx(third)
    if closed:
        assert right[0] == pytest.approx(x[0] + (x[1] - x[-1]) / 6.0)
        assert (co[-1], left[-1], right[-1]) == (pytest.approx(co[0]), pytest.approx(left[0]), pytest.approx(right[0]))
    else:
        assert right[0] == pytest.approx(x[0] + (4.0 * x[1] - 3.0 * x[0] - x[2]) / 6.0)
        assert left[-1] == pytest.approx(x[-1] - (3.0 * x[-1] + x[-3] - 4.0 * x[-2]) / 6.0)


def test_a_straight_rod_of_uneven_edges_is_drawn_straight_and_never_back():
    x = np.array([0.0, 0.001, 0.002, 0.3, 0.6, 0.61, 1.3])[:, None] * (1.0, 2.0, -2.0)
    there = drawn(x) @ (1.0, 2.0, -2.0) / 9.0
    assert (np.diff(there) > 0.0).all()
    assert there[[0, -1]] == pytest.approx([0.0, 1.3])


def test_motion_is_drawn_frame_by_frame():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(3, 6, 3))
    for closed in (False, True):
        each = [control_points(own, closed) for own in x]
        for together, own in zip(control_points(x, closed), zip(*each, strict=True), strict=True):
            assert together == pytest.approx(np.array(own))
