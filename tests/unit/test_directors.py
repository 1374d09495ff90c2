"""What slaves directors of Cosserat rods to their edges takes as little of frequencies as no shorter step pays for."""

import numpy as np
import pytest
from tendril.physics.rods.directors import FASTEST, SHARE, director_inertia, parallel_stiffness


def shares(ratio, factor):
    """(a = κ l²/K, b = I₁/ml², b by nature, EA l²/K) of a round edge of so many radii; bending of so much of E I."""
    bend, length, gyration = np.full((1, 2), 0.25 * factor), np.array([float(ratio)]), np.array([0.5])
    a = (parallel_stiffness(bend, length, np.ones(1), gyration) * length**2 / bend[0, 0])[0]
    b = director_inertia(np.ones(1), gyration, length, bend, np.ones(1))[0, 0] / ratio**2
    return a, b, 0.25 / ratio**2, ratio**2 / bend[0, 0]


def fastest(a, b):
    """Ω of waves in which all edges move against their neighbours: M⁻¹ K of y and lφ."""
    return np.linalg.eigvals(np.array([[4.0 * a, -2.0 * a], [-2.0 * a / b, (a + 4.0) / b]])).real.max()


def slow(a, b, s):
    """ω² over s⁴ of a wave."""
    matrix = np.array([[a * s**2, -a * s], [-a * s / b, (a + s**2) / b]])
    return np.linalg.eigvals(matrix).real.min() / s**4


@pytest.mark.parametrize(("a", "b"), [(10.0, 0.25), (30.0, 0.02), (12.0, 1.0)])
def test_what_they_take_of_a_wave(a, b):
    for s in (0.02, 0.04):
        assert 1.0 - slow(a, b, s) == pytest.approx((b + 1.0 / a) * s**2, rel=5.0 * s)


def test_as_kappa_of_ten_where_there_is_no_more():
    assert fastest(10.0, 0.25) == pytest.approx(FASTEST, rel=1e-3)
    assert shares(2.0, 1.0)[:2] == pytest.approx((10.0, 0.25), rel=1e-3)


@pytest.mark.parametrize("factor", [1.0, 0.06, 1e-3, 1e-5])
@pytest.mark.parametrize("ratio", [1.0, 3.0, 5.0, 10.0, 40.0])
def test_they_take_the_least_that_no_shorter_step_pays_for(ratio, factor):
    a, b, own, stretch = shares(ratio, factor)
    allowed = max(FASTEST, SHARE * 4.0 * stretch)
    assert fastest(a, b) <= allowed * (1.0 + 1e-3)
    assert a >= 10.0
    assert own * (1.0 - 1e-12) <= b <= max(0.25, own)
    for other in np.geomspace(10.0, 1e6, 400):  # and the least inertia that each goes with
        least = (other + 4.0 - 16.0 * other / allowed) / (allowed - 4.0 * other)
        if 0.0 < least <= 0.25:
            assert b + 1.0 / a <= max(least, own) + 1.0 / other + 1e-3


@pytest.mark.parametrize("factor", [1.0, 0.01, 1e-4])
@pytest.mark.parametrize("ratio", [2.0, 10.0, 40.0])
def test_edges_leave_their_directors_behind_only_beyond_the_speed_of_sound(ratio, factor):
    """By a right angle, which takes 2 l κ: I₁ (v/l)²/2 = 2 l κ; in units of EA/ρA."""
    a, b, _, stretch = shares(ratio, factor)
    assert 4.0 * a / (b * stretch) > 1.0
