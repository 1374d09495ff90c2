"""Where pins are led between their samples."""

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline
from tendril.physics.constraints.trajectory import evaluate
from tendril.physics.solids.trajectory import led_to


def at(times, samples, time, first=0, last=None):
    out = np.zeros(8)
    evaluate(times, samples, first, len(times) if last is None else last, time, out)
    return out


def track(times, position, influence=None):
    times = np.asarray(times, dtype=float)
    half = 0.4 * times
    rotation = np.stack([np.cos(half), np.sin(half), 0.0 * half, 0.0 * half], axis=1)
    influence = np.linspace(1.0, 0.0, len(times)) if influence is None else influence
    return times, np.column_stack([np.stack([position(times)] * 3, axis=1), rotation, influence])


T = np.array([0.0, 0.1, 0.25, 0.3, 0.5, 0.6])


def test_passes_through_its_samples_and_holds_beyond():
    times, samples = track(T, np.sin)
    for k, time in enumerate(times):
        np.testing.assert_allclose(at(times, samples, time), samples[k], atol=1e-15)
    np.testing.assert_array_equal(at(times, samples, -1.0), samples[0])
    np.testing.assert_array_equal(at(times, samples, 9.0), samples[-1])


def test_steady_motion_is_exact():
    times, samples = track(T, lambda t: 3.0 * t)
    for time in np.linspace(0.0, 0.6, 25):
        assert at(times, samples, time)[:3] == pytest.approx(3.0 * time, abs=1e-14)


def test_third_order_between_samples():
    """Halve the distance of the samples and the error falls by eight."""
    worst = []
    for count in (11, 21, 41):
        times, samples = track(np.linspace(0.0, 1.0, count), lambda t: np.sin(5.0 * t))
        inner = np.linspace(0.25, 0.75, 101)
        worst.append(max(abs(at(times, samples, s)[0] - np.sin(5.0 * s)) for s in inner))
    assert np.log2(worst[0] / worst[1]) > 2.8
    assert np.log2(worst[1] / worst[2]) > 2.8


def test_velocity_is_continuous():
    times, samples = track(T, lambda t: np.sin(9.0 * t))
    for time in T[1:-1]:
        before = (at(times, samples, time)[:3] - at(times, samples, time - 1e-6)[:3]) / 1e-6
        behind = (at(times, samples, time + 1e-6)[:3] - at(times, samples, time)[:3]) / 1e-6
        np.testing.assert_allclose(before, behind, atol=1e-3)


def test_rotations_are_unit_and_on_the_way():
    times, samples = track(T, np.sin)
    for time in np.linspace(0.0, 0.6, 25):
        q = at(times, samples, time)[3:7]
        assert np.linalg.norm(q) == pytest.approx(1.0, abs=1e-15)
        assert 2.0 * np.arctan2(q[1], q[0]) == pytest.approx(0.8 * time, abs=1e-3)


def test_influence_is_linear():
    times, samples = track([0.0, 1.0, 2.0], np.sin, np.array([0.0, 1.0, 0.0]))
    assert at(times, samples, 0.25)[7] == pytest.approx(0.25)
    assert at(times, samples, 1.5)[7] == pytest.approx(0.5)


def test_each_pin_has_its_own_samples():
    times, samples = track(T, np.sin)
    both = np.concatenate([times + 7.0, times]), np.concatenate([samples + 1.0, samples])
    np.testing.assert_array_equal(at(*both, 0.2, first=6, last=12), at(times, samples, 0.2))
    np.testing.assert_array_equal(at(times, samples, 0.2, last=1), samples[0])


def cubics(times, samples):
    """Cubics through samples (k, 3), whose slope at each is that from the sample before it to the one behind it."""
    before, behind = np.maximum(np.arange(len(times)) - 1, 0), np.minimum(np.arange(len(times)) + 1, len(times) - 1)
    slopes = (samples[behind] - samples[before]) / (times[behind] - times[before])[:, None]
    return CubicHermiteSpline(times, samples, slopes)


def test_pins_and_what_soft_bodies_are_led_by_go_on_these_cubics_in_between():
    """In place, velocity and acceleration, wherever in an interval, the first and the last of them too."""
    samples = np.stack([np.sin(9.0 * T), np.cos(5.0 * T), T**2], axis=1)
    pinned = np.column_stack([samples, np.tile([1.0, 0.0, 0.0, 0.0, 1.0], (len(T), 1))])
    place = cubics(T, samples)
    for time in np.linspace(0.003, 0.597, 50):
        found = led_to(T, samples, 0, len(T), time)
        for order in range(3):
            np.testing.assert_allclose(found[order], place(time, order), rtol=1e-11, atol=1e-11)
        np.testing.assert_allclose(at(T, pinned, time)[:3], place(time), rtol=1e-12, atol=1e-14)
