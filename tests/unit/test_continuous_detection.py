"""Whether points passed through triangles, and lines through lines: against a dense sequence of moments."""

import numpy as np
import pytest
from tendril.physics._jit import entry
from tendril.physics.contact.continuous_detection import (
    blossom,
    coplanarity,
    passes_face,
    passes_segment,
    time_through_face,
)

RNG = np.random.default_rng(8)
MOMENTS = np.linspace(0.0, 1.0, 4001)


def motions(count):
    """(start, way) of so many points, tuples, and where they are at all moments (count, moments, 3)."""
    start, way = RNG.normal(size=(2, count, 3))
    path = start[:, None] + MOMENTS[:, None] * way[:, None]
    return [(tuple(a), tuple(b)) for a, b in zip(start, way, strict=True)], path


def det(u, v, w):
    return np.sum(np.cross(u, v) * w, axis=-1)


def changes(f):
    """Moments before which f changes its sign."""
    return np.flatnonzero(f[1:] * f[:-1] < 0.0)


def test_the_cubic_is_the_determinant():
    for _ in range(50):
        u, v, w = motions(3)[0]
        f = coplanarity(u, v, w)
        for t in RNG.uniform(0.0, 1.0, 5):
            expected = np.linalg.det([np.add(m[0], t * np.array(m[1])) for m in (u, v, w)])
            assert blossom(f, t, t, t) == pytest.approx(expected, abs=1e-12)
        for a, b in ((0.2, 0.7), (0.0, 0.5)):  # coefficients of a part are polar values: see de Casteljau
            assert blossom(f, a, a, b) == pytest.approx(blossom(f, b, a, a), abs=1e-13)


def test_a_point_through_a_triangle():
    met = 0
    for _ in range(1500):
        (x, p, q, r), path = motions(4)
        d, e, g = path[0] - path[1], path[2] - path[1], path[3] - path[1]
        expected = False
        for k in changes(det(d, e, g)):
            n = np.cross(e[k], g[k])
            u, v = np.cross(d[k], g[k]) @ n / (n @ n), np.cross(e[k], d[k]) @ n / (n @ n)
            if abs(min(u, v, 1.0 - u - v)) < 2e-3:
                break  # too near the border to be told by this sequence
            expected |= min(u, v, 1.0 - u - v) > 0.0
        else:
            assert passes_face(x, p, q, r) == expected
            met += expected
    assert met > 20


def test_a_segment_through_a_segment():
    met = 0
    for _ in range(1500):
        (a, b, p, q), path = motions(4)
        u, e, w = path[1] - path[0], path[3] - path[2], path[0] - path[2]
        expected = False
        for k in changes(det(w, u, e)):
            n = np.cross(u[k], e[k])
            s, t = np.cross(e[k], w[k]) @ n / (n @ n), np.cross(u[k], w[k]) @ n / (n @ n)
            inside = min(s, t, 1.0 - s, 1.0 - t)
            if abs(inside) < 2e-3:
                break
            expected |= inside > 0.0
        else:
            assert passes_segment(a, b, p, q) == expected
            met += expected
    assert met > 20


@pytest.mark.parametrize("speed", [1e-6, 1.0, 1e6])
def test_however_fast(speed):
    still = (0.0, 0.0, 0.0)
    corners = [((x, y, 0.0), still) for x, y in ((-1.0, -1.0), (1.0, -1.0), (0.0, 1.0))]
    assert passes_face(((0.1, 0.0, 0.3 * speed), (0.0, 0.0, -speed)), *corners)
    assert not passes_face(((0.1, 0.0, 1.1 * speed), (0.0, 0.0, -speed)), *corners)
    assert not passes_face(((5.0, 0.0, 0.3 * speed), (0.0, 0.0, -speed)), *corners)


@pytest.mark.parametrize("time", [0.5, 0.25, 0.75, 0.3])
@pytest.mark.parametrize("speed", [1.0, -1.0])
def test_whenever(time, speed):
    """Also where it passes just where the step is halved."""
    still = (0.0, 0.0, 0.0)
    corners = [((x, y, 0.0), still) for x, y in ((-1.0, -1.0), (1.0, -1.0), (0.0, 1.0))]
    assert passes_face(((0.0, 0.0, time * speed), (0.0, 0.0, -speed)), *corners)
    line = [((0.0, y, time * speed), (0.0, 0.0, -speed)) for y in (-0.5, 0.5)]
    assert passes_segment(*line, ((-1.0, 0.0, 0.0), still), ((1.0, 0.0, 0.0), still))


@entry
def time_through(x, p, q, r, two_sided):
    return time_through_face(x, p, q, r, 0.0, two_sided)


@pytest.mark.parametrize("speed", [1.0, -1.0])
def test_what_comes_to_touch_has_not_passed(speed):
    """Ever so exactly: flush surfaces of bodies lie in each other's planes at the end of a step."""
    still = (0.0, 0.0, 0.0)
    corners = [((x, y, 0.0), still) for x, y in ((-1.0, -1.0), (1.0, -1.0), (0.0, 1.0))]
    assert not passes_face(((0.0, 0.0, speed), (0.0, 0.0, -speed)), *corners)
    line = [((0.0, y, speed), (0.0, 0.0, -speed)) for y in (-0.5, 0.5)]
    assert not passes_segment(*line, ((-1.0, 0.0, 0.0), still), ((1.0, 0.0, 0.0), still))


def test_what_begins_on_a_face_with_two_sides_goes_through_it_from_its_own():
    """One side counts as outside by rounding alone, and what goes away from the other has passed through nothing."""
    still, height = (0.0, 0.0, 0.0), 1e-9
    corners = [((x, y, 0.0), still) for x, y in ((-1.0, -1.0), (1.0, -1.0), (0.0, 1.0))]
    for side in (1.0, -1.0):
        for way in (1.0, -1.0):
            point = (0.0, 0.0, side * height), (0.0, 0.0, way)
            assert np.isfinite(time_through(point, *corners, True)) == (side != way)
            assert np.isfinite(time_through(point, *corners, False)) == (way < 0.0)


def test_what_stays_in_a_plane_passes_through_nothing():
    """There the determinant vanishes all the time."""
    flat = [((x, y, 0.0), (0.1, 0.2, 0.0)) for x, y in ((-1.0, -1.0), (1.0, -1.0), (0.0, 1.0))]
    assert not passes_face(((3.0, 0.0, 0.0), (-6.0, 0.0, 0.0)), *flat)
    assert not passes_segment(((3.0, 0.0, 0.0), (-6.0, 0.0, 0.0)), ((4.0, 1.0, 0.0), (-6.0, 0.0, 0.0)), *flat[:2])
